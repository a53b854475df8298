"""Every state of a message as the command tells it: the line first, then the code (M 3.2, D35)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from support.office import TIDINGS, Said, run
from tidings import Member, Tidings
from tidings.adapters.wire.published import Message
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.reasons import CATALOGUE, Stage
from tidings.domain.messages.record import accepted_row
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.verbs import VERBS
from tidings.entrypoints.testing.message_rows import envelope
from tidings.ports.messages import MessageRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A state folder with ``api`` in it: this very process, armed for everybody."""

    folder: Path
    api: Member
    app: Application

    def say(self, *words: str) -> Said:
        environment = {"HOME": str(self.folder), "TIDINGS_HOME": str(self.folder / "state")}
        return run([*TIDINGS, *words], environment=environment, stdin=b"", cwd=self.folder)

    def insert(self, row: MessageRow) -> None:
        """Stores a message as it is."""
        self.app.ports.store.transact(lambda tx: tx.insert_message(row), wait_seconds=5)

    def put(self, ref: str, **changes: object) -> None:
        """Writes a state into the stored message, as its writer would."""

        def work(row: MessageRow) -> MessageRow:
            return replace(row, **changes)  # type: ignore[arg-type]

        row = self.app.post_office.view(ref).row
        self.app.ports.store.transact(lambda tx: tx.update_message(work(row)), wait_seconds=5)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    home = str(tmp_path / "state")
    with Tidings.open(home) as tidings:
        api = tidings.join("api")
        api.arm()
        app = open_application({"HOME": str(tmp_path), "TIDINGS_HOME": home})
        yield Desk(folder=tmp_path, api=api, app=app)


SEND = ("send", "api", "--ref", "build-1", "--", "hello")


@pytest.mark.case("M99")
def test_the_options_of_send_are_exactly_those_of_the_product_page_that_are_built() -> None:
    assert set(re.findall(r"--[a-z-]+", VERBS["send"].usage)) == {
        *("--ttl", "--when", "--key", "--ref", "--reply-to", "--source", "--file"),
        *("--wait", "--wake", "--timeout", "--self", "--reply-box", "--json"),
    }


@pytest.mark.case("M107")
def test_a_delivered_send_is_one_short_line_and_code_zero(desk: Desk) -> None:
    desk.say(*SEND)
    assert len(desk.api.inbox()) == 1
    said = desk.say(*SEND)
    lines = said.out.splitlines()
    assert (said.code, said.err) == (0, "")
    assert re.fullmatch(r"build  delivered  api · written \d+\.\d s", lines[0])


@pytest.mark.case("M109")
def test_a_held_send_tells_the_reason_and_not_to_resend_and_is_code_zero(desk: Desk) -> None:
    said = desk.say(*SEND)
    first, second = said.out.splitlines()
    entry = CATALOGUE["awaiting-pull"]
    assert (said.code, said.err, first) == (0, "", "build  held  api")
    assert second == f"  awaiting-pull: {entry.meaning}; {entry.next_step}"
    assert "do not resend" in entry.next_step


MARK = {
    "transport": "harness-socket",
    "writer_generation": "generation-1",
    "handoff_at_ns": 10**18,
}

ENDS: list[tuple[str, str, bool, int]] = [
    ("refused", "consent-withdrawn", False, 5),
    ("refused", "cancelled-by-sender", False, 1),
    ("refused", "superseded-by-newer", False, 1),
    ("expired", "deadline-expired", False, 1),
    ("stale", "target-activation-stale", False, 1),
    ("failed", "provider-frame-too-large: frameBytes=8193 limitBytes=8192", False, 1),
    *(
        ("failed", entry.token, entry.outcome_unknown, 8 if entry.outcome_unknown else 1)
        for entry in CATALOGUE.values()
        if entry.stage is Stage.FAILED and entry.token != "provider-frame-too-large"
    ),
]


@pytest.mark.case("M110", "M111", "M171")
@pytest.mark.parametrize(("state", "reason", "unknown", "code"), ENDS)
def test_an_end_without_delivery_is_the_same_line_and_code_in_send_show_and_status(
    desk: Desk, state: str, reason: str, unknown: bool, code: int
) -> None:
    desk.say(*SEND)
    row = desk.app.post_office.view("build-1").row
    mark = MARK if state == "failed" else {}
    desk.put(
        "build-1",
        state=state,
        reason=reason,
        outcome_unknown=unknown,
        terminal_at_ns=row.accepted_at_ns + 1,
        **mark,
    )
    again = desk.say(*SEND)
    assert (again.code, again.err) == (code, "")
    first, second = again.out.splitlines()
    assert first == f"build  {state}  api"
    assert second.startswith(f"  {reason}: ")
    assert ("do not resend" in second) == unknown
    status = desk.say("message", "status", "build-1", "--exit-state")
    assert (status.code, status.out) == (code, again.out)
    assert desk.say("message", "status", "build-1").code == 0
    shown = desk.say("show", "build-1")
    assert (shown.code, shown.out.splitlines()[:2]) == (0, [first, second])
    found = Message.model_validate_json(desk.say("message", "status", "build-1", "--json").out)
    assert (found.state, found.reason, found.outcome_unknown, found.exit_code) == (
        *(state, reason, unknown, code),
    )


AGENT_KEYS = [
    *("v", "ref", "short", "conversation_ref", "reply_to", "kind", "source_agent"),
    *("target_agent", "state", "reason", "outcome_unknown", "evidence", "text", "next_step"),
    *("transport", "accepted_at", "deadline", "handoff_at", "terminal_at", "seen_at"),
    *("answered_at", "answer_ref", "exit_code"),
]


@pytest.mark.case("M125")
def test_an_operators_status_names_its_origin_and_an_agents_keeps_its_form(desk: Desk) -> None:
    now = desk.app.ports.clock.now()
    for ref, kind in (("agent-1", MessageKind.AGENT), ("person-1", MessageKind.OPERATOR)):
        row = accepted_row(
            envelope(ref, kind=kind, accepted_at_ns=now.wall_ns), now=now, consent_generation=1
        )
        desk.insert(row)
    agent = desk.say("message", "status", "agent-1", "--json")
    person = desk.say("message", "status", "person-1", "--json")
    assert list(agent.json) == AGENT_KEYS
    assert list(person.json) == [*AGENT_KEYS, "origin"]
    assert person.json["origin"] == {"kind": "operator", "client": "terminal"}
    assert Message.model_validate_json(person.out).source_agent is None
    assert desk.say("message", "status", "agent-1").out == "agent  accepted  agent:agent-api\n"
    assert desk.say("message", "status", "person-1").out == (
        "perso  accepted  agent:agent-api · source=operator (terminal)\n"
    )
