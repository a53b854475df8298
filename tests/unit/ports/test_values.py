"""``ports.values`` means what ``dataclasses`` means, whatever is done with a value."""

import copy
import dataclasses
import pickle

import pytest

from tidings.ports import values
from tidings.ports.processes import ProcessBirth
from tidings.ports.values import replace


@values.dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A value with a default, a property and a method."""

    house: int
    street: str = "Main"

    @property
    def line(self) -> str:
        return f"{self.street} {self.house}"


@values.dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """The same fields under another name."""

    house: int
    street: str = "Main"


@values.dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """A value without fields."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Standard:
    """What the standard library makes."""

    house: int
    street: str = "Main"


def test_the_module_is_light_and_its_names_are_no_disguise_of_the_standard_ones() -> None:
    assert values.dataclass is not dataclasses.dataclass
    assert values.replace is not dataclasses.replace


def test_a_value_has_its_fields_its_defaults_and_its_methods() -> None:
    assert (Place(house=1).street, Place(house=1, street="Mill").line) == ("Main", "Mill 1")


def test_values_are_equal_when_class_and_fields_are() -> None:
    elsewhere: list[object] = [Elsewhere(house=1), None]
    assert Place(house=1) == Place(house=1, street="Main")
    assert Place(house=1) != Place(house=2)
    assert Place(house=1) not in elsewhere
    assert Nothing() == Nothing()
    assert len({Place(house=1), Place(house=1), Place(house=2)}) == 2


@pytest.mark.parametrize(
    "words", [{}, {"house": 1, "garden": 2}, {"street": "Mill"}], ids=["none", "unknown", "missing"]
)
def test_a_constructor_refuses_what_the_standard_one_refuses(words: dict[str, int]) -> None:
    for kind in (Place, Standard, Place):
        with pytest.raises(TypeError):
            kind(**words)  # type: ignore[arg-type]


def test_a_constructor_takes_keywords_only_from_the_first_call_on() -> None:
    @values.dataclass(frozen=True, slots=True, kw_only=True)
    class New:
        house: int

    for _ in range(2):
        with pytest.raises(TypeError):
            New(1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
        assert New(house=1).house == 1


def test_nothing_about_a_value_can_be_changed() -> None:
    place = Place(house=1)
    for name in ("house", "garden"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(place, name, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        del place.house  # pyright: ignore[reportAttributeAccessIssue]
    assert place == Place(house=1)
    assert not hasattr(place, "__dict__")


def test_a_value_shows_itself_as_the_standard_one_does() -> None:
    assert repr(Place(house=1)) == repr(Standard(house=1)).replace("Standard", "Place")


def test_a_copy_is_equal_however_it_is_made() -> None:
    place = Place(house=7, street="Mill")
    birth = ProcessBirth(pid=1, uid=2, start="linux:b:3")
    assert copy.copy(place) == copy.deepcopy(place) == place
    assert pickle.loads(pickle.dumps(birth)) == birth


def test_replace_changes_what_it_is_told_and_refuses_unknown_fields() -> None:
    for change in (replace, dataclasses.replace):
        assert change(Place(house=1, street="Mill"), house=2) == Place(house=2, street="Mill")
        with pytest.raises(TypeError):
            change(Place(house=1), garden=2)  # pyright: ignore[reportCallIssue]


def test_replace_serves_standard_classes_too_and_nothing_else() -> None:
    assert replace(Standard(house=1), house=2) == Standard(house=2)
    with pytest.raises(TypeError):
        replace(3, house=2)  # type: ignore[type-var]  # pyright: ignore[reportArgumentType]


def test_the_functions_of_the_standard_library_know_the_fields() -> None:
    assert dataclasses.is_dataclass(Place)
    assert [field.name for field in dataclasses.fields(Place)] == ["house", "street"]
    assert dataclasses.asdict(Place(house=1)) == {"house": 1, "street": "Main"}


def test_a_value_is_matched_by_its_fields() -> None:
    match Place(house=1, street="Mill"):
        case Place(house=1, street=street):
            assert street == "Mill"
        case _:
            pytest.fail("it did not match")


def test_any_other_kind_of_class_is_refused() -> None:
    with pytest.raises(TypeError):
        values.dataclass(frozen=False, slots=True, kw_only=True)
    with pytest.raises(TypeError):

        @values.dataclass(frozen=True, slots=True, kw_only=True)
        class Below(Place):  # pyright: ignore[reportUnusedClass]
            """No value has a base."""
