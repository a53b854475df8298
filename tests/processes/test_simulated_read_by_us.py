"""Our readers of a client's published state against a simulated session (H 3, H 11, D24)."""

from pathlib import Path

from support.simulated import simulated
from tidings.adapters.harnesses.claude_presence import ClaudePresence
from tidings.adapters.harnesses.claude_status import ClaudeStatus
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.ports.harness_status import StatusSeen, StatusUnreadable
from tidings.ports.tokens import StatusWord


def _status(harness: SimulatedHarness) -> ClaudeStatus:
    return ClaudeStatus(
        folder=str(harness.home / ".claude"),
        codec=JsonCodec(),
        command=[str(harness.claude_command)],
    )


def _words(harness: SimulatedHarness) -> set[StatusWord]:
    status = _status(harness)
    facts = (status.glance(harness.pid), status.confirm(harness.pid))
    return {fact.word for fact in facts if isinstance(fact, StatusSeen)}


def test_record_and_command_tell_our_reader_the_same_words(tmp_path: Path) -> None:
    with simulated(tmp_path) as harness:
        assert _words(harness) == {StatusWord.IDLE}
        harness.permission_dialog()
        assert _words(harness) == {StatusWord.WAITING}
        harness.approve_long_command()
        assert _words(harness) == {StatusWord.BUSY}


def test_a_crashed_session_is_unreadable_by_both_though_its_record_stays(tmp_path: Path) -> None:
    with simulated(tmp_path) as harness:
        harness.crash()
        status = _status(harness)
        assert isinstance(status.glance(harness.pid), StatusUnreadable)
        assert isinstance(status.confirm(harness.pid), StatusUnreadable)


def test_our_reader_recognises_the_session_and_its_socket(tmp_path: Path) -> None:
    with simulated(tmp_path, name="api") as harness:
        presence = ClaudePresence(folder=str(harness.home / ".claude"), codec=JsonCodec())
        seen = presence.at(harness.pid)
        assert seen is not None
        assert (seen.session_id, seen.name) == (harness.session_id, "api")
        assert (seen.socket_path, seen.cwd) == (str(harness.socket_path), str(harness.cwd))
        assert seen.version == "2.1.332"
