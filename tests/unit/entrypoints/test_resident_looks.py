"""What the release of held messages comes to, now that a resident's looks are it (D13, D24)."""

import pytest

from steps.ledger import Ledger
from steps.memory_world import MemoryWorld
from steps.pretended_dialogs import Dialog
from steps.pretended_resident import Life
from tidings.adapters.memory.clock import SECOND_NS
from tidings.adapters.memory.transport import WrittenFrame
from tidings.ports.tokens import StatusWord

MINUTE, HOUR = 60, 3_600


@pytest.fixture
def world() -> MemoryWorld:
    made = MemoryWorld(Ledger())
    made.start("front", "api")
    made.arm("api")
    return made


def send(world: MemoryWorld, text: str, *, seconds: int = 2 * HOUR) -> None:
    world.post(world.call_from("front"), "api", text, ttl_ns=seconds * SECOND_NS)
    world.moment()


def state(world: MemoryWorld, text: str) -> tuple[str, str]:
    row = world.view(text).row
    return row.state, row.reason


def wait_for(world: MemoryWorld, text: str, word: str, *, seconds: float) -> float:
    """The seconds until the message is in that state, looked at every tenth of one."""
    passed = 0.0
    while world.view(text).row.state != word:
        assert passed < seconds, state(world, text)
        world.clockwork.live(0.1)
        passed += 0.1
    return passed


def begun(world: MemoryWorld) -> int:
    return len(world.machine.witness.begun)


@pytest.mark.case("M130", "R252")
@pytest.mark.parametrize("dialog", list(Dialog))
def test_every_dialog_holds_messages_and_answers_alike(world: MemoryWorld, dialog: Dialog) -> None:
    world.send("api", "front", "is it green?")
    world.moment()
    world.arm("front")
    world.send("api", "front", "is it green?")
    world.moment()
    world.open_dialog("api", dialog)
    before = begun(world)
    world.answer("front", "it is green")
    world.moment()
    send(world, "and the API changed")
    assert state(world, "it is green") == ("held", "target-awaiting-operator")
    assert world.view("it is green").exit_code == 0
    assert state(world, "and the API changed") == ("held", "behind-earlier-message")
    assert begun(world) == before
    world.deny("api")
    assert wait_for(world, "and the API changed", "delivered", seconds=2) <= 2
    assert world.harnesses["api"].texts_read == ["it is green", "and the API changed"]


@pytest.mark.case("M132", "R255")
def test_an_old_dialog_holds_as_a_young_one_does(world: MemoryWorld) -> None:
    world.open_dialog("api", Dialog.PERMISSION)
    send(world, "one", seconds=24 * HOUR)
    send(world, "two", seconds=2 * HOUR)
    world.residents["api"].is_hung = True
    world.clockwork.live(3 * HOUR)
    world.residents["api"].is_hung = False
    world.moment()
    assert state(world, "one") == ("held", "target-awaiting-operator")
    assert state(world, "two") == ("expired", "deadline-expired")
    assert begun(world) == 0
    world.deny("api")
    wait_for(world, "one", "delivered", seconds=2)


@pytest.mark.case("M137", "R256")
def test_an_event_wakes_no_dormant_resident_and_one_look_of_an_awake_one(
    world: MemoryWorld,
) -> None:
    resident = world.residents["front"]
    world.clockwork.live(MINUTE)
    assert resident.life is Life.DORMANT
    for event in ("UserPromptSubmit", "PostToolUse", "Stop"):
        world.harnesses["front"].hook(event)
    world.moment()
    assert resident.life is Life.DORMANT
    world.open_dialog("api", Dialog.PERMISSION)
    send(world, "held")
    world.harnesses["api"].allow()
    world.clockwork.live(0.7)
    assert state(world, "held")[0] == "delivered"


@pytest.mark.case("M146", "R265")
def test_a_target_that_cannot_be_judged_twice_and_then_can_gets_it_once(world: MemoryWorld) -> None:
    world.harnesses["api"].publishes = False
    world.harnesses["api"].publish(StatusWord.IDLE)
    world.residents["api"].is_hung = True
    world.post(world.call_from("front"), "api", "patience")
    world.harnesses["api"].hide()
    world.residents["api"].is_hung = False
    world.clockwork.live(5)
    assert state(world, "patience")[0] == "held"
    world.harnesses["api"].show()
    assert wait_for(world, "patience", "delivered", seconds=2.2) <= 2.2
    world.clockwork.live(MINUTE)
    assert begun(world) == 1


@pytest.mark.case("M147", "M177", "R212", "R269")
def test_a_store_that_takes_nothing_delays_and_loses_nothing(world: MemoryWorld) -> None:
    world.open_dialog("api", Dialog.PERMISSION)
    send(world, "patience")
    world.deny("api")
    world.machine.disk.is_full = True
    world.clockwork.live(20 * MINUTE)
    assert state(world, "patience") == ("held", "target-awaiting-operator")
    assert begun(world) == 0
    world.machine.disk.is_full = False
    wait_for(world, "patience", "delivered", seconds=2.7)
    assert begun(world) == 1


@pytest.mark.case("M149", "M152")
def test_a_deadline_ends_a_message_in_time_though_nothing_can_be_judged(world: MemoryWorld) -> None:
    world.residents["api"].is_hung = True
    world.post(world.call_from("front"), "api", "quick", ttl_ns=5 * SECOND_NS)
    world.harnesses["api"].hide()
    world.residents["api"].is_hung = False
    took = wait_for(world, "quick", "expired", seconds=7.1)
    assert 4.9 <= took <= 7.1
    assert begun(world) == 0


@pytest.mark.case("M150", "M151")
def test_a_later_messages_deadline_ends_it_and_leaves_the_first_alone(world: MemoryWorld) -> None:
    world.open_dialog("api", Dialog.PERMISSION)
    send(world, "first")
    send(world, "second", seconds=3 * MINUTE)
    send(world, "third")
    world.clockwork.live(3 * MINUTE)
    assert state(world, "first") == ("held", "target-awaiting-operator")
    assert state(world, "second") == ("expired", "deadline-expired")
    assert state(world, "third") == ("held", "behind-earlier-message")
    world.deny("api")
    wait_for(world, "third", "delivered", seconds=2)
    assert world.harnesses["api"].texts_read == ["first", "third"]


@pytest.mark.case("M154")
def test_what_is_accepted_while_held_messages_go_out_goes_out_behind_them(
    world: MemoryWorld,
) -> None:
    world.open_dialog("api", Dialog.PERMISSION)
    send(world, "one")
    world.machine.witness.before_write = lambda: world.post(world.call_from("front"), "api", "two")
    world.deny("api")
    world.clockwork.live(2)
    assert world.harnesses["api"].texts_read == ["one", "two"]


@pytest.mark.case("M155")
def test_order_is_kept_through_every_retry(world: MemoryWorld) -> None:
    world.open_dialog("api", Dialog.PERMISSION)
    for number in range(3):
        send(world, f"number {number}")
        world.harnesses["api"].hide()
        world.clockwork.live(3)
        world.harnesses["api"].show()
        world.clockwork.live(3)
    world.deny("api")
    world.clockwork.live(2.5)
    assert world.harnesses["api"].texts_read == [f"number {number}" for number in range(3)]
    assert begun(world) == 3


@pytest.mark.case("M156")
def test_a_denied_dialog_frees_everything_after_two_looks_and_within_two_seconds(
    world: MemoryWorld,
) -> None:
    world.open_dialog("api", Dialog.PERMISSION)
    send(world, "one")
    send(world, "two")
    world.clockwork.live(5)
    key = world.harnesses["api"].key
    assert world.app.observer.state(key).dialogs.open
    world.deny("api")
    world.clockwork.live(0.4)
    assert world.app.observer.state(key).dialogs.open, "one look is not enough"
    assert begun(world) == 0
    wait_for(world, "two", "delivered", seconds=1.6)
    assert world.harnesses["api"].texts_read == ["one", "two"]
    assert not world.app.observer.state(key).dialogs.open


@pytest.mark.case("M157", "R266")
def test_another_resident_at_the_same_queue_writes_nothing_twice(world: MemoryWorld) -> None:
    world.open_dialog("api", Dialog.PERMISSION)
    send(world, "one")
    send(world, "two")
    first = world.residents["api"]
    world.station("api")
    assert world.residents["api"] is not first
    world.deny("api")
    world.clockwork.live(MINUTE)
    assert world.harnesses["api"].texts_read == ["one", "two"]
    assert begun(world) == 2
    assert first.life is Life.FENCED


@pytest.mark.case("M162")
def test_an_allowed_dialog_frees_at_the_next_look(world: MemoryWorld) -> None:
    world.open_dialog("api", Dialog.QUESTION)
    send(world, "one")
    world.clockwork.live(10)
    world.harnesses["api"].allow()
    assert wait_for(world, "one", "delivered", seconds=0.7) <= 0.7


@pytest.mark.case("R270")
def test_a_dialog_that_opens_between_two_messages_holds_the_second(world: MemoryWorld) -> None:
    world.open_dialog("api", Dialog.PERMISSION)
    send(world, "one")
    send(world, "two")

    def opens_after_it(_frame: WrittenFrame) -> None:
        world.open_dialog("api", Dialog.QUESTION)

    world.machine.witness.at_first_byte = opens_after_it
    world.deny("api")
    world.clockwork.live(5)
    assert state(world, "one")[0] == "delivered"
    assert state(world, "two") == ("held", "target-awaiting-operator")
    assert begun(world) == 1
