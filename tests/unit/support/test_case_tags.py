"""Gherkin tags of cases become the marker that tests carry."""

from support.case_tags import pytest_bdd_apply_tag


def test_a_case_tag_marks_the_scenario_with_its_case() -> None:
    def scenario() -> None: ...

    assert pytest_bdd_apply_tag("case:S15", scenario) is True
    (mark,) = vars(scenario)["pytestmark"]
    assert (mark.name, mark.args) == ("case", ("S15",))


def test_any_other_tag_is_left_to_pytest_bdd() -> None:
    def scenario() -> None: ...

    assert pytest_bdd_apply_tag("slow", scenario) is None
    assert "pytestmark" not in vars(scenario)
