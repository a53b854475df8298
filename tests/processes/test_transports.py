"""The ways to a model between real processes: socket, monitor line, inbox (D17, D19)."""

import json
import os
import signal
from collections.abc import Iterator
from typing import Any, cast

import pytest

from support.office import Office, opened_office
from support.residents import another, resident_of
from support.waiting import until
from tidings.domain.messages.doorbell_line import DOORBELL_LINE
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.simulated.options import PermissionMode
from tidings.ports.trials import TrialEnd, TrialRow

pytestmark = pytest.mark.xdist_group("transports-office")

NEW, FAILED = "2.1.400", "2.1.401"
SEEN = ("--wait", "seen", "--timeout", "8s", "--json", "--")


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with opened_office() as opened:
        trial = TrialRow(client=f"claude {FAILED}", ref="m-old", end=TrialEnd.UNSEEN)
        opened.app.ports.store.transact(lambda tx: tx.put_trial(trial), wait_seconds=2)
        yield opened


@pytest.fixture
def line_only(office: Office) -> Iterator[SimulatedHarness]:
    """A session whose client version was tried in vain."""
    with another(office, "late", version=FAILED) as harness:
        office.arm(harness)
        yield harness


def told(office: Office, *words: str) -> dict[str, Any]:
    return cast("dict[str, Any]", office.script("send", *words).json)


def row_of(office: Office, address: str) -> dict[str, Any]:
    rows = cast("list[dict[str, Any]]", office.script("ls", "--json").json)
    return next(row for row in rows if row["address"] == address)


def held(office: Office, ref: str, reason: str) -> bool:
    said = office.script("show", ref, "--json").json
    return (said["state"], said["reason"]) == ("held", reason)


@pytest.mark.case("R181")
def test_the_first_frame_to_an_unknown_version_qualifies_it(office: Office) -> None:
    with another(office, "fresh", version=NEW) as harness:
        office.arm(harness)
        row = row_of(office, "fresh")
        assert (row["reached_by"], row["qualification"]) == ("harness-socket", "untried")
        assert (row["client_version"], row["inbound"]) == (NEW, "unset")
        assert "not tried yet" in office.script("ls").out
        for text in ("one", "two"):
            assert told(office, "fresh", *SEEN, text)["evidence"] == "seen"
        assert harness.view().frames == 2
        assert row_of(office, "fresh")["qualification"] == "qualified"


def test_a_version_that_was_tried_in_vain_is_written_to_by_lines(
    office: Office, line_only: SimulatedHarness
) -> None:
    assert row_of(office, "late")["reached_by"] == "monitor-line"
    message = told(office, "late", *SEEN, "the API changed")
    assert (message["evidence"], message["reason"]) == ("seen", "monitor-line-printed")
    assert line_only.traces.times_read("| the API changed") == 1
    assert line_only.view().frames == 0


@pytest.mark.case("SP4")
def test_messages_of_a_burst_are_lines_of_their_own_each_with_its_label(
    office: Office, line_only: SimulatedHarness
) -> None:
    line_only.wait_idle()
    resident = resident_of(line_only)
    os.kill(resident, signal.SIGSTOP)
    refs = [str(told(office, "late", "--json", "--", f"part {one}")["ref"]) for one in range(3)]
    os.kill(resident, signal.SIGCONT)
    until(lambda: all(is_seen(office, ref) for ref in refs), 15, "all lines")
    read = [line for line in lines_read(line_only) if "| part " in line]
    assert [line.partition("| ")[2].removesuffix("</event>") for line in read] == [
        "part 0",
        "part 1",
        "part 2",
    ]
    assert all(ref in line for ref, line in zip(refs, read, strict=True))


def is_seen(office: Office, ref: str) -> bool:
    return bool(office.script("show", ref, "--json").json["evidence"] == "seen")


def lines_read(session: SimulatedHarness) -> list[str]:
    """Every line that its model read."""
    messages = [
        message
        for request in session.traces.requests()
        for message in cast("list[dict[str, Any]]", request["messages"])
    ]
    return [line for message in messages for line in str(message["content"]).splitlines()]


def test_a_long_message_rings_once_and_is_pulled_whole(
    office: Office, line_only: SimulatedHarness
) -> None:
    text = "first\n" + "x" * 600
    ref = str(told(office, "late", "--json", "--", text)["ref"])
    until(lambda: held(office, ref, "awaiting-pull"), 15, "the hold")
    until(lambda: line_only.traces.times_read(DOORBELL_LINE) == 1, 15, "the doorbell")
    line_only.wait_idle()
    pulled = office.inside(line_only, "inbox --json")
    assert json.loads(pulled.out)["text"] == text
    said = office.script("show", ref, "--json").json
    assert (said["state"], said["reason"]) == ("delivered", "target-self-claim")
    assert line_only.traces.times_read(DOORBELL_LINE) == 1
    assert line_only.view().frames == 0


def test_a_line_is_answered_by_the_verb(office: Office, line_only: SimulatedHarness) -> None:
    asked = office.inside(office.front, "send late --wait seen --timeout 8s --json -- all green?")
    ref = str(json.loads(asked.out)["ref"])
    assert office.inside(line_only, f"reply {ref} -- all green").code == 0
    until(lambda: office.front.traces.times_read("| all green") == 1, 8, "the answer")


def test_in_bypass_mode_the_monitor_is_trusted_at_the_socket(office: Office) -> None:
    with another(office, "free", mode=PermissionMode.BYPASS) as harness:
        office.arm(harness)
        assert told(office, "free", *SEEN, "in bypass")["evidence"] == "seen"
        view = harness.view()
        assert (view.frames, view.held) == (1, ())


@pytest.mark.parametrize("word", ["hold", "refuse"])
def test_what_a_client_keeps_from_its_model_is_shown_and_never_called_seen(
    office: Office, word: str
) -> None:
    name = f"strict-{word}"
    with another(office, name) as harness:
        office.arm(harness)
        settings = harness.cwd / ".claude" / "settings.local.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps({"crossSessionInbound": word}), encoding="utf-8")
        assert row_of(office, name)["inbound"] == word
        assert f"its client {word}s what comes in" in office.script("ls").out
        message = told(office, name, "--json", "--", "anybody?")
        assert message["state"] == "delivered"
        kept = "dropped" if word == "refuse" else "held"
        until(lambda: getattr(harness.view(), kept), 15, "the client's own doing")
        assert harness.traces.times_read("anybody?") == 0
        evidence = office.script("show", str(message["ref"]), "--json").json["evidence"]
        assert evidence == "written"
