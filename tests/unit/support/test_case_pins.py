"""What counts as pinning a case, and what never does."""

from pathlib import Path
from textwrap import dedent

import pytest

from support.pins import read_pins


def pins_of(root: Path, source: str, name: str = "tests/test_it.py") -> dict[str, str]:
    """Case to objection (empty where it counts) for one test file."""
    write(root, name, source)
    return {pin.case: pin.objection for pin in read_pins(root).pins}


def write(root: Path, name: str, source: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("import pytest\n" + dedent(source) if name.endswith(".py") else dedent(source))


@pytest.mark.parametrize(
    "body",
    [
        "assert found == 1",
        "with pytest.raises(ValueError): int('x')",
        "check(1)",
        "until(lambda: True)",
        "expect_held(receipt)",
        "receipt.assert_held()",
        "for x in xs: assert x",
    ],
)
def test_a_test_with_an_assertion_counts(tmp_path: Path, body: str) -> None:
    found = pins_of(
        tmp_path,
        f"""
        class Late(AssertionError): ...
        def until(condition):
            raise Late
        def check(value):
            assert value == 1
        @pytest.mark.case("S1")
        def test_it():
            {body}
        """,
    )
    assert found == {"S1": ""}


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "assert True",
        "print('assert this')",
        "silent()",
        "expect_nothing()",
        "check = lambda: 1 / 0",
        "def never_called(): assert 1 == 2",
        "raise ValueError",
        "circle()",
    ],
)
def test_a_test_without_an_assertion_does_not_count(tmp_path: Path, body: str) -> None:
    found = pins_of(
        tmp_path,
        f"""
        def silent():
            return 1
        def expect_nothing():
            return 2
        def circle():
            circle()
        @pytest.mark.case("S1")
        def test_it():
            {body}
        """,
    )
    assert found == {"S1": "it has no assertion"}


def test_a_nested_function_that_is_called_counts(tmp_path: Path) -> None:
    found = pins_of(
        tmp_path,
        """
        @pytest.mark.case("M45")
        def test_it():
            def holds(value):
                assert value
            holds(3)
        """,
    )
    assert found == {"M45": ""}


def test_a_helper_from_another_file_decides_by_its_body(tmp_path: Path) -> None:
    write(tmp_path, "tests/support/held.py", "def see(x):\n    assert x\ndef skip(x): ...\n")
    found = pins_of(
        tmp_path,
        """
        from support.held import see, skip
        @pytest.mark.case("S1")
        def test_one(): see(1)
        @pytest.mark.case("S2")
        def test_two(): skip(1)
        """,
    )
    assert found == {"S1": "", "S2": "it has no assertion"}


def test_several_ids_and_marks_of_single_parameters_count(tmp_path: Path) -> None:
    found = pins_of(
        tmp_path,
        """
        @pytest.mark.case("M5", "M6")
        @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.case("M7")), 2])
        def test_it(x):
            assert x
        """,
    )
    assert found == {"M5": "", "M6": "", "M7": ""}


def test_a_bound_contract_suite_is_judged_by_the_suite(tmp_path: Path) -> None:
    write(
        tmp_path,
        "entrypoints/testing/clock_contract.py",
        """
        class ClockContract:
            def test_moves(self):
                self.expect_moved(self.make_clock())
            def expect_moved(self, clock):
                assert clock
            def test_says_nothing(self):
                pass
        """,
    )
    found = pins_of(
        tmp_path,
        """
        from tidings.entrypoints.testing.clock_contract import ClockContract
        class TestClock(ClockContract):
            @pytest.mark.case("S1")
            def test_moves(self):
                super().test_moves()
            @pytest.mark.case("S2")
            def test_says_nothing(self):
                super().test_says_nothing()
        """,
    )
    assert found == {"S1": "", "S2": "it has no assertion"}


def test_a_mark_on_a_class_counts_only_if_all_its_tests_assert(tmp_path: Path) -> None:
    found = pins_of(
        tmp_path,
        """
        @pytest.mark.case("S1")
        class TestGood:
            def test_a(self): assert self
        @pytest.mark.case("S2")
        class TestSpoiled:
            def test_a(self): assert self
            def test_b(self): pass
        @pytest.mark.case("S3")
        class TestEmpty: ...
        """,
    )
    assert found == {"S1": "", "S2": "it has no assertion", "S3": "it has no tests"}


@pytest.mark.parametrize("mark", ["skip(reason='later')", "xfail"])
def test_a_test_that_never_holds_does_not_count(tmp_path: Path, mark: str) -> None:
    found = pins_of(
        tmp_path,
        f"""
        @pytest.mark.{mark}
        @pytest.mark.case("S1")
        def test_it(): assert 1 == 2
        """,
    )
    assert found == {"S1": "it is skipped or expected to fail"}


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("pytestmark = pytest.mark.case('S1')", "must decorate a test or its class"),
        ("@pytest.mark.case(NAME)\ndef test_it(): assert NAME", "takes ids as plain strings"),
        ("@pytest.mark.case()\ndef test_it(): assert 1 == 1", "takes ids as plain strings"),
    ],
)
def test_a_mark_that_cannot_be_read_is_a_fault(tmp_path: Path, source: str, fault: str) -> None:
    write(tmp_path, "tests/test_it.py", source)
    (found,) = read_pins(tmp_path).faults
    assert found.startswith("tests/test_it.py:2: ") and found.endswith(fault)


FEATURE = """
    Feature: consent
      Rule: no means no
        @case:SX1 @slow
        Scenario: an off survives
          When it is disarmed
          Then it stays off

        @case:SX2
        Scenario: nothing is concluded
          When it is disarmed
    """


def test_a_tagged_scenario_that_is_bound_and_concludes_counts(tmp_path: Path) -> None:
    write(tmp_path, "features/consent/off.feature", FEATURE)
    found = pins_of(tmp_path, "scenarios('consent')", name="tests/acceptance/test_consent.py")
    assert found == {"SX1": "", "SX2": "it has no Then step"}


def test_a_feature_that_no_test_binds_does_not_count(tmp_path: Path) -> None:
    write(tmp_path, "features/consent/off.feature", FEATURE)
    found = pins_of(tmp_path, "scenarios('delivery')")
    assert set(found.values()) == {"no test runs this feature"}


def test_a_tag_above_a_whole_feature_is_a_fault(tmp_path: Path) -> None:
    write(tmp_path, "features/x.feature", "@case:S1\nFeature: x\n  Scenario: y\n    Then z\n")
    (fault,) = read_pins(tmp_path).faults
    assert fault == "features/x.feature: a case tag stands right above its scenario, nowhere else"
