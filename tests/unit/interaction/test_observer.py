"""Whether a session is free to hear: rows, unfolded spool, status and transcript (P7, D11, D24)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from support.hook_events import SESSION, TICK_NS, WALL_NS, line, payload, question, tool
from support.observed_session import KEY, PID, Session
from tidings.adapters.harnesses.transcript_files import TranscriptFiles
from tidings.adapters.memory.spool import MemoryEventSpool
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.interaction.freedom import AwaitsOperator, Free
from tidings.domain.interaction.observer import Observer
from tidings.domain.interaction.prompt_text import digest_text
from tidings.domain.interaction.prompts import PromptSeen
from tidings.ports.codec import Document
from tidings.ports.errors import StateUnreadable
from tidings.ports.messages import StoreTransaction
from tidings.ports.spool import SpoolRead
from tidings.ports.tokens import StatusWord

MINUTE = 60.0
PERMISSION, ALLOWED, STOP = tool("PermissionRequest"), tool("PostToolUse"), payload("Stop")


def test_a_session_nobody_knows_anything_of_follows_its_status() -> None:
    session = Session()
    assert session.observer.freedom(KEY, PID) == Free(idle=True)
    session.publish(StatusWord.BUSY)
    assert session.observer.freedom(KEY, PID) == Free(idle=False)
    session.unpublish()
    assert session.observer.freedom(KEY, PID) == Free(idle=None)


def test_a_published_wait_blocks_whatever_events_say() -> None:
    session = Session()
    session.publish(StatusWord.WAITING, "permission prompt")
    session.hook(PERMISSION)
    session.hook(ALLOWED)
    for look in (session.observer.freedom, session.observer.glimpse):
        assert look(KEY, PID) == AwaitsOperator(
            why="the client waits for its operator (permission prompt)"
        )


@pytest.mark.parametrize("folded", [False, True])
def test_an_opening_holds_from_its_record_on_folded_or_not(folded: bool) -> None:
    session = Session()
    session.hook(PERMISSION)
    if folded:
        session.observer.fold(KEY)
    assert session.observer.freedom(KEY, PID) == AwaitsOperator(why="its operator is asked: Bash")
    assert not session.glimpses_free()


def test_two_looks_half_a_second_apart_outweigh_the_events() -> None:
    session = Session()
    session.hook(PERMISSION)
    assert not session.frees()
    session.clock.advance(0.4)
    assert not session.frees()
    assert not session.glimpses_free()
    session.clock.advance(0.1)
    assert session.observer.freedom(KEY, PID) == Free(idle=True)
    assert session.glimpses_free()
    assert isinstance(session.another_observer().glimpse(KEY, PID), Free)


@pytest.mark.case("M161")
def test_looks_that_began_before_the_newest_opening_count_for_nothing() -> None:
    session = Session()
    session.hook(PERMISSION)
    assert not session.frees()
    session.clock.advance(1)
    session.hook(tool("PermissionRequest", "another"))
    assert not session.frees()
    session.clock.advance(0.3)
    assert not session.frees()
    session.clock.advance(0.3)
    assert session.frees()


def test_a_look_within_the_tick_of_an_opening_is_no_look_after_it() -> None:
    session = Session()
    tick = session.clock.now().boottime_ns // TICK_NS
    session.spool.append(KEY, line(PERMISSION, tick=tick))
    assert not session.frees()
    session.clock.advance(0.6)
    assert not session.frees()
    session.clock.advance(0.6)
    assert session.frees()


def test_a_wait_between_the_looks_starts_anew() -> None:
    session = Session()
    session.hook(PERMISSION)
    assert not session.frees()
    session.clock.advance(0.3)
    session.publish(StatusWord.WAITING)
    assert not session.frees()
    session.clock.advance(0.3)
    session.publish(StatusWord.BUSY)
    assert not session.frees()
    session.clock.advance(0.5)
    assert session.frees()


@pytest.mark.case("M161")
def test_a_dialog_that_opens_between_the_proof_and_its_writing_stands() -> None:
    session = Session()
    late = line(
        tool("PermissionRequest", "rm"), tick=session.clock.now().boottime_ns // TICK_NS + 90
    )

    class OpensMeanwhile(MemoryEventSpool):
        """The third read, inside the writing, finds a dialog that nobody saw before."""

        reads = 0

        def read(self, key: str, *, offset: int) -> SpoolRead:
            self.reads += 1
            if self.reads == 3:
                self.append(key, late)
            return super().read(key, offset=offset)

    session = Session(spool=OpensMeanwhile())
    session.hook(PERMISSION)
    assert not session.frees()
    session.clock.advance(0.6)
    assert not session.frees()
    state = session.observer.state(KEY)
    assert [mark.key.detail for mark in state.dialogs.open] == [json.loads(late)["input"]]


@pytest.mark.case("R237")
def test_age_alone_frees_nothing() -> None:
    session = Session()
    session.hook(PERMISSION)
    session.unpublish()
    before = session.store.view(lambda tx: tx.interaction(KEY))
    for minutes in (29.9, 0.1, 0.1, 24 * 60):
        session.clock.advance(minutes * MINUTE)
        for look in (session.observer.freedom, session.observer.glimpse):
            assert look(KEY, PID) == AwaitsOperator(why="its operator is asked: Bash")
    assert session.store.view(lambda tx: tx.interaction(KEY)) == before


@pytest.mark.case("R251")
def test_a_question_blocks_for_as_long_as_it_is_open() -> None:
    session = Session()
    session.unpublish()
    session.hook(question("PreToolUse"))
    for _ in range(25):
        session.clock.advance(MINUTE)
        assert session.observer.freedom(KEY, PID) == AwaitsOperator(
            why="its operator is asked: AskUserQuestion"
        )
    session.hook(question("PostToolUse"))
    assert session.frees()


@pytest.mark.case("R234", "R235")
@pytest.mark.parametrize("close", [ALLOWED, tool("PostToolUseFailure"), tool("PermissionDenied")])
def test_without_a_status_the_events_decide(close: Document) -> None:
    session = Session()
    session.unpublish()
    session.hook(PERMISSION)
    assert not session.frees()
    session.hook(tool("PostToolUse", "something else"))
    assert not session.frees()
    session.hook(close)
    assert session.observer.freedom(KEY, PID) == Free(idle=None)
    assert session.glimpses_free()


def told_by_transcript(*, seconds_after: float) -> bytes:
    at = datetime.fromtimestamp(1_800_000_000 + seconds_after, UTC).isoformat()
    end = {"type": "system", "subtype": "turn_duration", "timestamp": at}
    return json.dumps(end).encode() + b"\n"


def test_without_a_status_a_turns_end_in_the_transcript_frees() -> None:
    session = Session()
    session.unpublish()
    session.hook(payload("UserPromptSubmit", prompt="go"))
    session.hook(PERMISSION)
    session.transcripts.write("/t/b098b28d.jsonl", told_by_transcript(seconds_after=0))
    assert not session.frees()
    session.transcripts.append("/t/b098b28d.jsonl", told_by_transcript(seconds_after=2_000))
    assert session.observer.freedom(KEY, PID) == Free(idle=None)
    assert session.glimpses_free()
    session.transcripts.append("/t/b098b28d.jsonl", b'{"torn')
    assert not session.frees()


def reading(session: Session, path: Path | str) -> Observer:
    """An observer of a session whose status is hidden and whose transcript is a real file."""
    session.unpublish()
    session.hook(payload("UserPromptSubmit", prompt="go", transcript_path=str(path)))
    session.hook(PERMISSION)
    return Observer(
        store=session.store,
        spool=session.spool,
        status=session.status,
        transcripts=TranscriptFiles(),
        codec=JsonCodec(),
        on_prompts=session.note,
    )


@pytest.mark.case("M160")
def test_the_end_is_found_in_the_tail_of_a_long_transcript(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    session = Session()
    observer = reading(session, path)
    filler = json.dumps({"type": "user", "message": "x" * 1000}).encode() + b"\n"
    untimed = json.dumps({"type": "summary", "text": "later"}).encode() + b"\n"
    end = told_by_transcript(seconds_after=2_000)
    path.write_bytes(filler * 2_500 + end + untimed * 2)
    assert path.stat().st_size > 2 << 20
    assert observer.freedom(KEY, PID) == Free(idle=None)


@pytest.mark.case("M159", "R264")
@pytest.mark.parametrize("file", ["missing", "unreadable", "empty", "unnamed", "torn"])
def test_a_transcript_that_tells_nothing_holds_and_changes_no_row(
    tmp_path: Path, file: str
) -> None:
    path = tmp_path / "a.jsonl"
    match file:
        case "unreadable":
            path.mkdir()
        case "empty":
            path.write_bytes(b"")
        case "torn":
            path.write_bytes(told_by_transcript(seconds_after=2_000) + b'{"torn\n')
        case _:
            pass
    session = Session()
    observer = reading(session, "" if file == "unnamed" else path)
    observer.fold(KEY)
    before = session.store.view(lambda tx: tx.interaction(KEY))
    for _ in range(3):
        assert isinstance(observer.freedom(KEY, PID), AwaitsOperator)
        session.clock.advance(3600)
    assert session.store.view(lambda tx: tx.interaction(KEY)) == before


def test_a_readable_status_leaves_the_transcript_unasked() -> None:
    session = Session()
    session.hook(payload("UserPromptSubmit", prompt="go"))
    session.hook(PERMISSION)
    session.transcripts.write("/t/b098b28d.jsonl", told_by_transcript(seconds_after=2_000))
    assert not session.frees()
    assert not session.glimpses_free()


def test_an_unreadable_confirmation_leaves_the_decision_to_events() -> None:
    session = Session()
    session.status.hide("confirm")
    session.hook(PERMISSION)
    for _ in range(3):
        assert not session.frees()
        session.clock.advance(1)
    session.hook(STOP)
    assert session.observer.freedom(KEY, PID) == Free(idle=True)


def test_where_the_record_cannot_be_read_the_supported_view_decides() -> None:
    session = Session()
    session.status.hide("glance")
    session.publish(StatusWord.WAITING)
    assert not session.frees()
    session.publish(StatusWord.BUSY)
    assert session.observer.freedom(KEY, PID) == Free(idle=None)


def test_a_glimpse_asks_the_client_nothing() -> None:
    session = Session()
    session.hook(PERMISSION)
    session.observer.glimpse(KEY, PID)
    session.unpublish()
    session.observer.glimpse(KEY, PID)
    assert set(session.status.asked) == {"glance"}


def test_codex_is_judged_by_its_events() -> None:
    session = Session()
    session.publish(StatusWord.WAITING)
    session.hook(tool("PermissionRequest", turn_id="t1"), client="codex")
    assert not session.frees()
    session.hook(payload("Interrupt"), client="codex")
    assert session.observer.freedom(KEY, PID) == Free(idle=None)
    assert not session.status.asked


def test_a_spool_that_cannot_be_read_holds() -> None:
    session = Session()
    session.hook(STOP)
    session.observer.fold(KEY)
    session.spool.truncate(KEY)
    for look in (session.observer.freedom, session.observer.glimpse):
        judged = look(KEY, PID)
        assert isinstance(judged, AwaitsOperator)
        assert "cannot be read" in judged.why
    with pytest.raises(StateUnreadable):
        session.observer.fold(KEY)


def test_a_torn_record_holds_until_its_session_shows_that_nothing_waits() -> None:
    session = Session()
    session.spool.tear(KEY, b'{"v":1,"event":"Permiss')
    session.hook(payload("PostToolUse", tool_name="Read", tool_input={}))
    assert not session.frees()
    session.clock.advance(1)
    assert session.frees()


def test_a_fold_moves_state_and_offset_together_and_only_once() -> None:
    session = Session()
    session.hook(PERMISSION)
    session.observer.fold(KEY)
    session.hook(STOP)
    first = session.store.view(lambda tx: tx.interaction(KEY))
    session.observer.fold(KEY)
    second = session.store.view(lambda tx: tx.interaction(KEY))
    assert first is not None
    assert second is not None
    assert 0 < first.spool_offset < second.spool_offset
    assert session.spool.read(KEY, offset=second.spool_offset).lines == ()
    session.observer.fold(KEY)
    assert session.store.view(lambda tx: tx.interaction(KEY)) == second


def test_a_fold_that_lost_the_race_reads_again() -> None:
    session = Session()
    other = session.another_observer()

    class FoldedMeanwhile(MemoryEventSpool):
        """Right after this observer's read, another one folds the same lines."""

        def read(self, key: str, *, offset: int) -> SpoolRead:
            found = session.spool.read(key, offset=offset)
            if found.lines:
                other.fold(key)
            return found

    session.hook(payload("UserPromptSubmit", prompt="hello"))
    session.hook(PERMISSION)
    state = session.another_observer(FoldedMeanwhile()).fold(KEY)
    assert len(state.dialogs.open) == 1
    assert len(session.prompts) == 1


def test_each_prompt_is_told_once_with_the_time_of_its_hook() -> None:
    session = Session()
    start_ns = session.clock.now().boottime_ns
    session.hook(payload("UserPromptSubmit", prompt="hello"))
    session.hook(payload("UserPromptSubmit", prompt="world"))
    session.observer.freedom(KEY, PID)
    assert session.prompts == []
    session.observer.fold(KEY)
    session.observer.fold(KEY)
    told = [(prompts[0].digests, at_ns) for prompts, at_ns in session.prompts]
    assert told == [
        ((digest_text("hello"),), WALL_NS + start_ns),
        ((digest_text("world"),), WALL_NS + start_ns + 2 * TICK_NS),
    ]


def test_a_listener_that_fails_moves_nothing() -> None:
    session = Session()

    def fails(
        tx: StoreTransaction, /, *, session_key: str, prompts: Sequence[PromptSeen], at_ns: int
    ) -> None:
        raise StateUnreadable("no")

    observer = Observer(
        store=session.store,
        spool=session.spool,
        status=session.status,
        transcripts=session.transcripts,
        codec=JsonCodec(),
        on_prompts=fails,
    )
    session.hook(payload("UserPromptSubmit", prompt="hello"))
    with pytest.raises(StateUnreadable):
        observer.fold(KEY)
    assert session.store.view(lambda tx: tx.interaction(KEY)) is None


def test_clear_is_heard_through_the_spool() -> None:
    session = Session()
    session.hook(payload("SessionStart", source="startup"))
    session.hook(payload("SessionEnd", reason="clear"))
    session.hook(payload("SessionStart", source="clear") | {"session_id": "new"})
    state = session.observer.fold(KEY)
    assert (state.conversation_id, state.ended) == ("new", False)
    session.hook(payload("SessionEnd", reason="other") | {"session_id": "new"})
    assert session.observer.state(KEY).ended
    assert state.conversation_id != SESSION
