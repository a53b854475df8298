"""Steps that state what became of a message or of a verb, and what was not stored."""

from pytest_bdd import then

from steps.client_steps import INBOUND
from steps.memory_world import MemoryWorld
from steps.phrases import OUTCOMES, phrase, texts_in, token_of
from steps.world import World
from tidings.domain.messages.delivery import State
from tidings.domain.messages.doorbell_line import DOORBELL_LINE
from tidings.domain.messages.evidence import Evidence
from tidings.domain.messages.reasons import token_of as stored_token
from tidings.domain.messages.receipt import MessageView
from tidings.domain.messages.send_outcome import Receipt
from tidings.entrypoints.cli.words import reach_words
from tidings.entrypoints.reach import reach_of


def expect_state(
    world: World, state: State, why: str = "", *, text: str = "", uncertain: bool = False
) -> None:
    """The message is in ``state`` for that reason; a trouble is thereby stated."""
    token = token_of(why) if why else ""

    def stands(view: MessageView) -> bool:
        fits = not token or stored_token(view.row.reason) == token
        return view.state is state and fits and view.row.outcome_unknown is uncertain

    world.comes_true(lambda: stands(world.view(text)), f"{state} {token}: {world.view(text).row}")
    if token:
        ref = world.view(text).row.ref
        world.ledger.state(lambda met: (met.about, met.token) == (ref, token), f"{state} {token}")


def expect_end(world: World, word: str, why: str, *, text: str = "") -> None:
    """As ``expect_state``, by the glossary's word; a failure of unknown outcome is uncertain."""
    uncertain = word == "uncertain"
    state = State.FAILED if uncertain else State(word)
    expect_state(world, state, why, text=text, uncertain=uncertain)


@then("the message is delivered")
def delivered(world: World) -> None:
    expect_state(world, State.DELIVERED)


@then(phrase('"{text}" is delivered'))
def text_delivered(world: World, text: str) -> None:
    expect_state(world, State.DELIVERED, text=text)


@then("the message is accepted")
def accepted(world: World) -> None:
    expect_state(world, State.ACCEPTED)


@then(phrase("the message is {word:name}: {why}"))
def ended(world: World, word: str, why: str) -> None:
    expect_end(world, word, why)


@then(phrase('"{text}" is {word:name}: {why}'))
def text_ended(world: World, text: str, word: str, why: str) -> None:
    expect_end(world, word, why, text=text)


@then(phrase("the message has failed: {why}"))
def failed(world: World, why: str) -> None:
    expect_end(world, "failed", why)


@then(phrase("the send is refused: {why}"))
def send_refused(memory: MemoryWorld, why: str) -> None:
    expect_refused(memory, "send", why)


@then(phrase("the push is refused: {why}"))
def push_refused(memory: MemoryWorld, why: str) -> None:
    expect_refused(memory, "push", why)


@then(phrase("it reaches {count:d} session"))
@then(phrase("it reaches {count:d} sessions"))
def reaches(memory: MemoryWorld, count: int) -> None:
    assert memory.receivers == count


@then(phrase("the answer is refused: {why}"))
def answer_refused(memory: MemoryWorld, why: str) -> None:
    expect_refused(memory, "", why)


@then(phrase("the {verb:name} ends: {how}"))
def verb_ends(world: World, verb: str, how: str) -> None:
    token, code = OUTCOMES[how]
    world.ledger.state(
        lambda met: met.about.startswith(verb) and (met.token, met.exit_code) == (token, code),
        f"{verb}: {token} {code}",
    )


@then(phrase("the outcome is {word:name}: {why}"))
def outcome(memory: MemoryWorld, word: str, why: str) -> None:
    if word == "refused":
        expect_refused(memory, "send", why)
    else:
        expect_end(memory, word, why)


@then("the outcome is known but not running")
def outcome_not_running(memory: MemoryWorld) -> None:
    verb_ends(memory, "send", "known but not running")


def expect_refused(memory: MemoryWorld, about: str, why: str) -> None:
    """A verb was turned away for that reason; whether anything is stored is stated apart."""
    token = token_of(why)
    memory.ledger.state(
        lambda met: met.token == token and met.about.startswith(about), f"{about} refused: {token}"
    )


@then(phrase("the exit code is {code:d}"))
def exit_code(memory: MemoryWorld, code: int) -> None:
    assert memory.ledger.last is not None, "nothing was stated before"
    assert memory.ledger.last.exit_code == code


@then("nothing is stored")
def nothing_stored(memory: MemoryWorld) -> None:
    assert memory.observing.messages() == []


@then("the receipt is of the stored message")
def replayed(memory: MemoryWorld) -> None:
    assert isinstance(memory.outcome, Receipt)
    assert memory.outcome.replayed
    assert memory.outcome.ref == memory.view().row.ref


@then("the sender can read why and what to do next")
def explained(memory: MemoryWorld) -> None:
    assert memory.view().text
    assert memory.view().next_step


@then("the message and its hand-off mark were stored at its first byte")
def stored_before(memory: MemoryWorld) -> None:
    assert memory.marked_at_first_byte == [memory.view().row.ref]


@then(phrase("its evidence is {word:name}"))
def evidence(world: World, word: str) -> None:
    world.comes_true(lambda: world.view().evidence is Evidence(word), f"evidence {word}")


@then(phrase('the evidence of "{text}" is {word:name}'))
def text_evidence(world: World, text: str, word: str) -> None:
    world.comes_true(lambda: world.view(text).evidence is Evidence(word), f"evidence {word}")


@then(phrase("the model of {name:name} has read nothing"))
def read_nothing(memory: MemoryWorld, name: str) -> None:
    assert memory.frames(name) == []


@then(phrase('the model of {name:name} has read "{text}" once'))
def read_once(world: World, name: str, text: str) -> None:
    world.comes_true(lambda: world.times_read(name, text) == 1, f"{name} read {text!r} once")


@then(phrase('the model of {name:name} has read "{text}" {times:d} times'))
def read_times(world: World, name: str, text: str, times: int) -> None:
    assert world.times_read(name, text) == times


@then(phrase("the model of {name:name} has read {texts} in this order"))
def read_in_order(memory: MemoryWorld, name: str, texts: str) -> None:
    wanted = texts_in(texts)
    assert [text for text in memory.harnesses[name].texts_read if text in wanted] == wanted


@then(phrase("one frame was written to {name:name}"))
def one_frame(memory: MemoryWorld, name: str) -> None:
    owner = memory.harnesses[name].birth
    frames = [one for one in memory.machine.transport.written if one.endpoint.owner == owner]
    assert len(frames) == 1


@then(phrase("one write to {name:name} was begun"))
def one_write(memory: MemoryWorld, name: str) -> None:
    assert writes_begun(memory, name) == 1


@then(phrase("two writes to {name:name} were begun"))
def two_writes(memory: MemoryWorld, name: str) -> None:
    assert writes_begun(memory, name) == 2


def writes_begun(memory: MemoryWorld, name: str) -> int:
    """How many writes to the socket of ``name`` came to their first byte."""
    return memory.machine.witness.begun.count(memory.harnesses[name].birth)


@then(phrase('"{text}" went by {way}'))
def went_by(memory: MemoryWorld, text: str, way: str) -> None:
    assert memory.view(text).row.transport == way


@then(phrase("the model of {name:name} was told that messages wait once"))
def rung_once(memory: MemoryWorld, name: str) -> None:
    assert sum(frame.count(DOORBELL_LINE) for frame in memory.frames(name)) == 1


@then(phrase("it shows that the client of {name:name} {does:name} what comes in"))
def keeps_is_shown(memory: MemoryWorld, name: str, does: str) -> None:
    agents = memory.app.admission.living()
    agent = next(one for one in agents if one.activation == memory.activation(name))
    reach = reach_of(memory.app, agent)
    assert reach is not None
    assert reach.inbound is INBOUND[does]
    assert f"its client {does} what comes in" in reach_words(reach)
