"""Frames of ours on their way into a real client (H 3)."""

from conformance.plain import items, parsed
from conformance.stage import Stage
from conformance.writing import Sample, Writer
from support.waiting import until
from tidings.ports.codec import Document

ANOTHER_CONVERSATION = "00000000-0000-4000-8000-000000000000"
AT_ONCE = 35
SLOW_ANSWER = '%%[{"text":"slow","delay":1}]%%'


def frame_reaches_model(stage: Stage) -> Document:
    """One frame, one for another conversation, and one more that shows the second was passed."""
    world = stage.world()
    terminal = stage.launch(world, "--name", "target")
    session = world.idle_session(terminal)
    writer = Writer(world, session)
    first, foreign, last = (Sample(body=f"text {letter}", letter=letter) for letter in "abc")

    wrote = [writer.write(first)]
    world.turn_over(terminal.pid, turns=1)
    wrote.append(writer.write(foreign, session_id=ANOTHER_CONVERSATION))
    wrote.append(writer.write(last))
    world.turn_over(terminal.pid, turns=2)
    listed = world.run([str(stage.client.program), "agents", "--json"])
    terminal.end()
    return {
        "results": [fact.result for fact in wrote],
        "first": {**first.facts(), **stage.model.reach(first.text)},
        "foreign": stage.model.reach(foreign.text),
        "last": {**last.facts(), **stage.model.reach(last.text)},
        "prompts": world.prompts(),
        "events": world.events(),
        "session": {"pid": session.pid, "id": session.session_id},
        "listed": items(parsed(listed.stdout)),
    }


def frames_while_busy(stage: Stage) -> Document:
    """Two frames written while the model is answering a first one."""
    world = stage.world()
    terminal = stage.launch(world, "--name", "target")
    writer = Writer(world, world.idle_session(terminal))
    opening = Sample(body=SLOW_ANSWER, letter="a")
    later = [Sample(body=f"text {letter}", letter=letter) for letter in "bc"]

    wrote = [writer.write(opening)]
    until(lambda: stage.model.reach(opening.text)["brought_by"], timeout=10, what="the question")
    wrote += [writer.write(sample) for sample in later]
    until(lambda: stage.model.reach(later[-1].text)["brought_by"], timeout=15, what="the last one")
    world.turn_over(terminal.pid, turns=2)
    return {
        "results": [fact.result for fact in wrote],
        "contents": [sample.content for sample in (opening, *later)],
        "prompts": world.prompts(),
        "events": world.events(),
        "reaches": [stage.model.reach(sample.text) for sample in (opening, *later)],
    }


def frames_at_once(stage: Stage) -> Document:
    """More frames in a row than the client takes of one sender."""
    world = stage.world()
    terminal = stage.launch(world, "--name", "target")
    writer = Writer(world, world.idle_session(terminal))
    wrote = [writer.write(Sample(body=f"text {number};", letter="n")) for number in range(AT_ONCE)]
    until(lambda: world.prompts(), timeout=10, what="the first of them")
    terminal.still()
    world.wait_between_turns(terminal.pid)
    prompts = [str(prompt) for prompt in world.prompts()]
    return {
        "results": [fact.result for fact in wrote],
        "prompts": len(prompts),
        "heard": [n for n in range(AT_ONCE) if any(f"text {n};" in one for one in prompts)],
    }
