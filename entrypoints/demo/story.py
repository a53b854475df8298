"""The demo's story: each step is one promise, shown with the product's own commands."""

from collections.abc import Callable
from typing import TypeAlias

from tidings.domain.consent.arming import ArmWord
from tidings.domain.messages.evidence import Evidence
from tidings.domain.registration.shape import Shape
from tidings.entrypoints.demo.stage import Stage, StepFailed, until
from tidings.entrypoints.following import Milestone, follow, reached
from tidings.ports.codec import Document
from tidings.ports.tokens import Verdict
from tidings.ports.values import dataclass, field

HELLO = "the orders endpoint changed: /v2/orders takes a currency now"
LATER = "and the old endpoint goes away on Friday"
REPLY = "thanks: I re-ran my tests, all green"
AGAIN = "one more thing"


@dataclass(slots=True, kw_only=True)
class Told:
    """What the story has come to: the refs whose receipts end it."""

    refs: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: its name for scripts, its title for people, and what does it."""

    name: str
    title: str
    act: Callable[[Stage, Told], str]


Detail: TypeAlias = str


def meet(stage: Stage, _told: Told) -> Detail:
    """Both sessions are found by themselves, each with a resident that proved its parent."""
    stage.open()
    until(lambda: _ready(stage) == {"api", "front"}, "two sessions with a registered resident")
    return "api and front, each registered by a monitor that proved its parent process"


def refuse_unarmed(stage: Stage, _told: Told) -> Detail:
    """Nothing is heard before somebody agreed."""
    code, said = stage.tidings(stage.front, f"send api --json -- {HELLO}")
    _expect(code == 5 and said.get("reason") == "target-not-armed", said)
    return f"refused, {said['reason']}, exit 5: {said['next_step']}"


def arm(stage: Stage, _told: Told) -> Detail:
    """The operator of api agrees."""
    activation = stage.app.admission.resolve("api")
    code, said = stage.tidings(stage.api, "arm --from front --for 1h --json")
    _expect(code == 0, said)
    word = stage.app.desk.state(activation.session_key).word
    _expect(word is ArmWord.ARMED, {"state": str(word)})
    return "api hears front for one hour"


def deliver(stage: Stage, told: Told) -> Detail:
    """Delivered means that the bytes left; seen means that the client gave it to its model."""
    code, said = stage.tidings(stage.front, f"send api --wait seen --timeout 8s --json -- {HELLO}")
    _expect(code == 0 and said.get("evidence") == Evidence.SEEN, said)
    times = stage.api.traces.times_read(HELLO)
    _expect(times == 1, {"times the model read it": times})
    told.refs.append(str(said["ref"]))
    return f"{said['short']} delivered and seen; api's model read it exactly once"


def hold(stage: Stage, told: Told) -> Detail:
    """A permission dialog opens at api; what is sent now waits."""
    stage.api.wait_idle()
    stage.api.permission_dialog()
    code, said = stage.tidings(stage.front, f"send api --json -- {LATER}")
    _expect(code == 0 and said.get("reason") == "target-awaiting-operator", said)
    told.refs.append(str(said["ref"]))
    _expect(stage.api.traces.times_read(LATER) == 0, {"the model": "read it with the dialog open"})
    return f"{said['short']} held, {said['reason']}: api shows its operator a dialog"


def release(stage: Stage, told: Told) -> Detail:
    """The dialog is denied: no hook tells of it, the published status does (D24)."""
    stage.api.deny()
    view = follow(stage.app, told.refs[-1], Milestone.SEEN, seconds=8.0)
    _expect(reached(view, Milestone.SEEN), {"state": str(view.state), "reason": view.row.reason})
    _expect(stage.api.traces.times_read(LATER) == 1, {"the model": "did not read it once"})
    return f"{view.short} went out by itself once the dialog was denied"


def answer(stage: Stage, told: Told) -> Detail:
    """api's model answers with its own SendMessage; the kernel names the writer."""
    stage.api.wait_idle()
    stage.api.answer(REPLY)
    view = follow(stage.app, told.refs[-1], Milestone.ANSWERED, seconds=8.0)
    _expect(reached(view, Milestone.ANSWERED), {"state": str(view.state)})
    answer_ref = view.row.answer_ref or ""
    back = follow(stage.app, answer_ref, Milestone.SEEN, seconds=8.0)
    _expect(reached(back, Milestone.SEEN), {"state": str(back.state), "reason": back.row.reason})
    _expect(stage.front.traces.times_read(REPLY) == 1, {"front": "did not read the answer once"})
    told.refs.append(answer_ref)
    return f"{back.short} came back to front, which never armed: asking is agreeing to hear"


def withdraw(stage: Stage, _told: Told) -> Detail:
    """Once disarm has returned, no delivery begins."""
    stage.api.wait_idle()
    code, said = stage.tidings(stage.api, "disarm --json")
    _expect(code == 0 and said.get("barrier") == "passed", said)
    code, said = stage.tidings(stage.front, f"send api --json -- {AGAIN}")
    _expect(code == 5 and said.get("reason") == "target-not-armed", said)
    return f"api is disarmed; the next message is refused, {said['reason']}"


def crash(stage: Stage, _told: Told) -> Detail:
    """A killed client leaves its record and socket behind; its process tells the truth."""
    stage.api.crash()
    until(lambda: stage.verdict("api") is not Verdict.ALIVE, "api noticed as gone")
    code, said = stage.tidings(stage.front, f"send api --json -- {AGAIN}")
    _expect(code == 9, said)
    return "api was killed: known, but not running, exit 9"


STORY = (
    Step(name="meet", title="sessions found", act=meet),
    Step(name="refuse-unarmed", title="refused: nobody armed api", act=refuse_unarmed),
    Step(name="arm", title="armed", act=arm),
    Step(name="deliver", title="delivered and seen", act=deliver),
    Step(name="hold", title="a dialog opens, the message is held", act=hold),
    Step(name="release", title="the dialog is denied, the message goes out", act=release),
    Step(name="answer", title="an answer comes back", act=answer),
    Step(name="disarm", title="disarmed and refused", act=withdraw),
    Step(name="crash", title="a crash is noticed", act=crash),
)


def _ready(stage: Stage) -> set[str]:
    living = stage.app.admission.living()
    return {one.activation.address for one in living if one.shape is Shape.READY}


def _expect(held: bool, said: Document) -> None:
    if not held:
        raise StepFailed(", ".join(f"{name} {value}" for name, value in said.items()))
