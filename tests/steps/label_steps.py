"""Steps that read a frame as the model does (P10)."""

from pytest_bdd import then

from steps.memory_world import MemoryWorld
from steps.phrases import phrase
from tidings.domain.messages.neutralize import body_lines


@then(phrase('the label that {name:name} reads says "{words}"'), target_fixture="label")
def label_says(memory: MemoryWorld, name: str, words: str) -> str:
    label = label_of(memory.frames(name)[-1])
    assert words in label
    return label


@then(phrase('it says "{words}"'))
def also_says(label: str, words: str) -> None:
    assert words in label


@then(phrase("{name:name} reads one frame, and every line of that text is marked as text"))
def marked_as_text(memory: MemoryWorld, sent_text: str, name: str) -> None:
    (frame,) = memory.frames(name)
    shown = [f"| {line}" for line in body_lines(sent_text)]
    assert [line for line in frame.splitlines() if line.startswith("| ")] == shown
    facts = label_of(frame).splitlines()
    assert not set(facts) & set(sent_text.splitlines())
    assert frame.count("<cross-session-message") == 1
    assert frame.count("</cross-session-message>") == 1


@then("the only reply address in it is our own")
def own_address(memory: MemoryWorld) -> None:
    (frame,) = memory.frames("api")
    facts = label_of(frame)
    assert "uds:/tmp/evil" not in facts
    assert facts.count("uds:/replies/") == 1


def label_of(frame: str) -> str:
    """The lines that Tidings vouches for: those that are neither wrapper nor marked as text."""
    inside = frame.splitlines()[1:-1]
    return "\n".join(line for line in inside if not line.startswith("| "))
