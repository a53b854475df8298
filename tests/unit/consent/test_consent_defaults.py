"""Sessions without a word of their own: their repository's opt-in decides (S 5.3, D9)."""

import pytest

from support.owners import World
from tidings.adapters.memory.settings import PERSONAL
from tidings.domain.consent.arming import ArmWord, ConsentRequest, Granted, decide_consent
from tidings.domain.consent.change import FIRST_GENERATION
from tidings.domain.consent.scope import EVERYTHING, ConsentScope
from tidings.domain.consent.trust import TrustDesk
from tidings.domain.identity.owner import SessionOwner
from tidings.ports.codec import Document
from tidings.ports.consent import MarkRead
from tidings.ports.errors import NotFound, OwnerUnprovable, StateUnreadable

ANYBODY = ConsentRequest(sender_agent=None, sender_address="you", kind="push")
PLAIN, SHOP = "/work", "/shop/web"


@pytest.fixture
def world() -> World:
    world = World()
    world.settings.write_repository("/shop", {"push": {"auto_arm": True}})
    return world


def session(world: World, *, cwd: str = SHOP) -> SessionOwner:
    owner = world.owner()
    world.register(owner, cwd=cwd)
    return owner


def is_heard(world: World, owner: SessionOwner) -> bool:
    state = world.desk.state(owner.key)
    now_ns = world.clock.now().wall_ns
    granted = isinstance(decide_consent(state, ANYBODY, now_ns=now_ns), Granted)
    assert granted is state.is_open
    return granted


@pytest.mark.case("S116", "S137", "S141")
def test_in_a_folder_that_opted_in_it_hears_without_a_mark(world: World) -> None:
    owner, other = session(world), session(world, cwd=PLAIN)
    state = world.desk.state(owner.key)
    assert (state.word, state.by_default, state.generation) == (
        ArmWord.NONE,
        True,
        FIRST_GENERATION,
    )
    assert "/shop/.tidings.toml" in state.why
    assert is_heard(world, owner)
    assert not is_heard(world, other)


@pytest.mark.case("S139")
def test_where_nobody_said_anything_it_does_not_hear() -> None:
    world = World()
    assert not is_heard(world, session(world))


@pytest.mark.case("S117")
def test_a_disarm_there_outweighs_it_until_a_reset(world: World) -> None:
    owner = session(world)
    world.desk.disarm(owner, cwd=SHOP)
    state = world.desk.state(owner.key)
    assert (state.word, state.by_default) == (ArmWord.DISARMED, False)
    assert not is_heard(world, owner)
    world.desk.reset(owner)
    assert is_heard(world, owner)


@pytest.mark.case("S130")
def test_reset_clears_what_was_unverifiable_and_the_default_decides_again(world: World) -> None:
    owner = session(world)
    seen = world.kernel.table[owner.birth.pid]
    generation = world.desk.disarm(owner, cwd=SHOP).generation
    world.kernel.become_unreadable(owner.birth.pid)
    assert world.desk.state(owner.key).word is ArmWord.UNVERIFIABLE
    assert not is_heard(world, owner)
    assert world.desk.reset(owner).removed is True
    left = world.marks.read(owner.key).main
    assert isinstance(left, MarkRead)
    assert (left.document["state"], left.document["generation"]) == ("none", generation + 1)
    assert not is_heard(world, owner), "nobody who cannot be proved is armed by a file"
    world.kernel.table[owner.birth.pid] = seen
    state = world.desk.state(owner.key)
    assert (state.word, state.by_default) == (ArmWord.NONE, True)
    assert is_heard(world, owner)


@pytest.mark.case("S126")
def test_an_unverifiable_disarm_reads_the_same_every_time_and_is_kept(world: World) -> None:
    owner = session(world)
    world.desk.disarm(owner, cwd=SHOP)
    world.kernel.become_unreadable(owner.birth.pid)
    before = world.marks.read(owner.key)
    for _ in range(2):
        assert world.desk.state(owner.key).word is ArmWord.UNVERIFIABLE
        assert not is_heard(world, owner)
        world.desk.reap()
    assert world.marks.read(owner.key) == before


@pytest.mark.case("S110")
def test_a_broken_mark_is_an_error_there_and_is_kept(world: World) -> None:
    owner = session(world)
    world.marks.spoil(owner.key)
    before = world.marks.read(owner.key)
    assert world.desk.state(owner.key).word is ArmWord.ERROR
    assert not is_heard(world, owner)
    world.desk.reap()
    assert world.marks.read(owner.key) == before


@pytest.mark.case("S120", "S121", "S122", "S124")
@pytest.mark.parametrize("spoil", ["nothing in it", "a pid", "no instant", "two states"])
def test_a_mark_without_sense_there_is_no_grant_by_default(world: World, spoil: str) -> None:
    """Garbage is not the same as no mark: only the latter leaves the word to the repository."""
    owner = session(world)
    world.desk.arm(owner, cwd=SHOP, scope=EVERYTHING)
    fact = world.marks.read(owner.key).main
    assert isinstance(fact, MarkRead)
    whole = fact.document
    documents: dict[str, Document] = {
        "nothing in it": {},
        "a pid": {"pid": 1},
        "no instant": {name: part for name, part in whole.items() if name != "started_at_ns"},
        "two states": {**whole, "state": ["on", "off"]},
    }
    world.marks.write(owner.key, documents[spoil])
    before = world.marks.read(owner.key)
    state = world.desk.state(owner.key)
    assert (state.word, state.by_default) == (ArmWord.ERROR, False)
    assert not is_heard(world, owner)
    world.desk.reap()
    assert world.marks.read(owner.key) == before


def test_a_narrow_grant_does_not_end_in_a_wide_one(world: World) -> None:
    owner = session(world)
    until_ns = world.clock.now().wall_ns + 1
    world.desk.arm(owner, cwd=SHOP, scope=ConsentScope(senders=("api",), until_ns=until_ns))
    world.clock.advance(seconds=1)
    assert world.desk.state(owner.key).word is ArmWord.NONE
    assert not is_heard(world, owner)


def test_what_was_heard_by_default_stays_granted_by_an_arm(world: World) -> None:
    """The generation of acceptance: an arm withdraws nothing, a disarm does (D6)."""
    owner = session(world)
    accepted = world.desk.state(owner.key).generation
    assert world.desk.arm(owner, cwd=SHOP, scope=EVERYTHING).generation == accepted
    world.desk.disarm(owner, cwd=SHOP)
    world.desk.reset(owner)
    assert is_heard(world, owner)
    assert world.desk.state(owner.key).generation > accepted


def test_a_disarm_over_nothing_frees_nothing_old(world: World) -> None:
    owner = session(world)
    accepted = world.desk.state(owner.key).generation
    world.desk.disarm(owner, cwd=SHOP)
    assert world.desk.arm(owner, cwd=SHOP, scope=EVERYTHING).generation > accepted


def test_nothing_that_died_is_armed_by_a_file(world: World) -> None:
    owner = session(world)
    world.kernel.exit(owner.birth.pid)
    assert not is_heard(world, owner)


def test_without_a_readable_record_there_is_no_folder_to_look_in(world: World) -> None:
    owner = world.owner()
    assert not is_heard(world, owner)
    world.register(owner, cwd=SHOP)
    world.records.spoil(owner.key)
    assert not is_heard(world, owner)


@pytest.mark.case("SX20")
def test_an_explicit_arm_is_not_vetoed(world: World) -> None:
    owner = session(world)
    world.settings.write_personal({"push": {"auto_arm": False}})
    assert not is_heard(world, owner)
    assert world.defaults.of_session(owner.key).vetoed is True
    world.desk.arm(owner, cwd=SHOP, scope=EVERYTHING)
    assert is_heard(world, owner)
    world.settings.spoil(PERSONAL)
    assert is_heard(world, owner), "an explicit arm does not read the user's settings"


def test_an_opt_in_that_is_taken_back_ends_at_once(world: World) -> None:
    owner = session(world)
    assert is_heard(world, owner)
    world.settings.remove("/shop")
    assert not is_heard(world, owner)


def test_a_nearer_file_that_says_nothing_hides_the_one_above(world: World) -> None:
    owner = session(world)
    world.settings.write_repository(SHOP, {})
    assert not is_heard(world, owner)
    world.settings.spoil(SHOP)
    assert not is_heard(world, owner)


class TestTrust:
    """The approval by path and digest, where the user demands one."""

    @pytest.fixture
    def trust(self, world: World) -> TrustDesk:
        world.settings.write_personal({"push": {"require_approval": True}})
        return TrustDesk(
            settings=world.settings,
            approvals=world.approvals,
            locks=world.locks,
            clock=world.clock,
        )

    def test_an_approved_file_counts_until_it_changes(self, world: World, trust: TrustDesk) -> None:
        owner = session(world)
        assert not is_heard(world, owner)
        approval = trust.approve(SHOP)
        assert approval.path == "/shop/.tidings.toml"
        assert is_heard(world, owner)
        world.settings.write_repository("/shop", {"push": {"auto_arm": True}, "agent_name": "x"})
        assert not is_heard(world, owner)
        trust.approve(SHOP)
        assert is_heard(world, owner)
        assert len(trust.approved()) == 1

    def test_the_same_content_elsewhere_is_not_approved(
        self, world: World, trust: TrustDesk
    ) -> None:
        trust.approve(SHOP)
        world.settings.write_repository("/copy", {"push": {"auto_arm": True}})
        assert not is_heard(world, session(world, cwd="/copy"))

    def test_it_can_be_taken_back(self, world: World, trust: TrustDesk) -> None:
        owner = session(world)
        approval = trust.approve(SHOP)
        assert trust.revoke(SHOP) == approval
        assert not is_heard(world, owner)
        assert trust.revoke(SHOP) is None

    def test_a_list_that_cannot_be_read_approves_nothing_and_is_not_replaced(
        self, world: World, trust: TrustDesk
    ) -> None:
        owner = session(world)
        trust.approve(SHOP)
        world.approvals.spoil()
        assert not is_heard(world, owner)
        with pytest.raises(StateUnreadable):
            trust.approve(SHOP)
        world.approvals.write({"v": 1, "approved": [{"path": 7}]})
        assert not is_heard(world, owner)
        with pytest.raises(StateUnreadable):
            trust.revoke(SHOP)

    def test_there_must_be_a_readable_file(self, world: World, trust: TrustDesk) -> None:
        with pytest.raises(NotFound):
            trust.approve("/nowhere")
        world.settings.spoil("/shop")
        with pytest.raises(StateUnreadable):
            trust.approve(SHOP)


def test_an_unproved_owner_is_not_armed_at_all(world: World) -> None:
    owner = session(world)
    world.kernel.become_unreadable(owner.birth.pid)
    with pytest.raises(OwnerUnprovable):
        world.desk.arm(owner, cwd=SHOP, scope=EVERYTHING)
    assert not is_heard(world, owner)
