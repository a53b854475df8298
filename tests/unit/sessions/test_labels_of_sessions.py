"""The declared label of a session: who may lend it, and in which order (S 2.2)."""

import pytest

from support.owners import World
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.sessions.labels import address_idea, choose_label
from tidings.ports.sessions import RecordRead

ALL = {"TIDINGS_AGENT": "owl", "CLAUDECODE": "1"}


@pytest.mark.case("S95", "S96", "S97", "S99", "S101")
@pytest.mark.parametrize(
    ("registered", "repository", "environment", "label"),
    [
        ("wren", "kestrel", ALL, "wren"),
        ("", "kestrel", ALL, "kestrel"),
        ("", "", ALL, "owl"),
        ("", "", {"CLAUDECODE": "1"}, "claude-code"),
        ("", "", {"TIDINGS_AGENT": "", "CLAUDECODE": "1"}, "claude-code"),
        ("", "", {"TIDINGS_AGENT": "", "CLAUDECODE": ""}, ""),
        ("", "", {}, ""),
    ],
)
def test_the_first_that_says_something_wins(
    registered: str, repository: str, environment: dict[str, str], label: str
) -> None:
    chosen = choose_label(registered=registered, repository=repository, environment=environment)
    assert chosen == label


def test_a_recognised_runtime_is_no_address() -> None:
    assert address_idea("claude-code") == ""
    assert address_idea("wren") == "wren"


class TestRegistered:
    @pytest.fixture
    def world(self) -> World:
        return World()

    @pytest.fixture
    def owner(self, world: World) -> SessionOwner:
        owner = world.owner(with_socket=True)
        world.register(owner, label="wren")
        return owner

    @pytest.mark.case("S102")
    def test_a_living_row_lends_its_label(self, world: World, owner: SessionOwner) -> None:
        assert world.roster.label_of(owner) == "wren"

    @pytest.mark.case("S104")
    def test_a_row_of_another_birth_lends_none(self, world: World, owner: SessionOwner) -> None:
        world.kernel.spawn(owner.birth.pid)
        other = world.probe.capture(owner.birth.pid, socket_path=None)
        assert other.key != owner.key
        assert world.roster.label_of(other) == ""
        fact = world.records.read(owner.key)
        assert isinstance(fact, RecordRead)
        world.records.write(other.key, fact.document)
        assert world.roster.label_of(other) == "", "a row of another start under its own name"
        living = world.owner()
        world.register(living, label="fox")
        theirs = world.records.read(living.key)
        assert isinstance(theirs, RecordRead)
        world.records.write(other.key, theirs.document)
        assert world.roster.label_of(other) == "", "not even where that one lives"
        world.records.write(other.key, {"v": 1})
        assert world.roster.label_of(other) == ""

    def test_a_row_that_is_not_proved_alive_lends_none(
        self, world: World, owner: SessionOwner
    ) -> None:
        world.sockets.unlink(owner.socket.path if owner.socket else "")
        assert world.roster.label_of(owner) == ""
        world.kernel.become_unreadable(owner.birth.pid)
        assert world.roster.label_of(owner) == ""

    def test_a_malformed_row_lends_none(self, world: World, owner: SessionOwner) -> None:
        world.records.spoil(owner.key)
        assert world.roster.label_of(owner) == ""
