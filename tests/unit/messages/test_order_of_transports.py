"""Which way a message takes, and which versions may have frames at their socket (D17, D19)."""

import pytest

from support.post import DIALOG, Bench, accepted
from tidings.domain.interaction.freedom import Free
from tidings.domain.messages.doorbell_line import DOORBELL_LINE
from tidings.domain.messages.evidence import Evidence
from tidings.domain.messages.frame_text import utf16_units
from tidings.domain.messages.limits import LINE_UNITS, MOST_LINE_UNITS, MOST_UNPROVED
from tidings.domain.messages.outcomes import Delivered, Held, Nothing, Settled, StepOutcome
from tidings.domain.messages.outlook import Ways
from tidings.domain.messages.qualification import CONFORMING
from tidings.ports.agents import ActivationRow
from tidings.ports.tokens import Provider, WriteResult

NEW = "2.1.400"
NO_SOCKET = Ways(socket=False, line=True)
ONLY_PULL = Ways(socket=False, line=False)
TWO_LINES = "one\ntwo"


@pytest.fixture
def bench() -> Bench:
    return Bench()


def step(bench: Bench) -> StepOutcome:
    return bench.dispatcher.step(bench.post)


def delivered(bench: Bench, text: str = "hello") -> str:
    receipt = bench.send(text)
    assert step(bench) == Delivered(ref=receipt.ref)
    return receipt.ref


def waits(bench: Bench, reason: str, text: str = "hello") -> str:
    receipt = bench.send(text)
    outcome = step(bench)
    assert isinstance(outcome, Held)
    assert outcome.reason == reason
    return receipt.ref


def pull(bench: Bench, target: ActivationRow) -> list[str]:
    taken: list[str] = []
    while isinstance(
        bench.inbox.pull(target.activation_id, lambda frame: taken.append(frame.shown)), Delivered
    ):
        pass
    return taken


class TestQualification:
    def test_a_version_on_the_list_is_used_freely(self, bench: Bench) -> None:
        (listed,) = CONFORMING[Provider.CLAUDE]
        bench.post = bench.take_post(bench.api, version=listed)
        first, second = delivered(bench), delivered(bench)
        assert {bench.row(ref).transport for ref in (first, second)} == {"harness-socket"}

    @pytest.mark.case("M204")
    def test_the_first_frame_to_another_version_goes_alone(self, bench: Bench) -> None:
        bench.post = bench.take_post(bench.api, version=NEW)
        first = delivered(bench, "one")
        second = waits(bench, "client-on-trial", "two")
        assert bench.texts() == ["one"]
        bench.clock.advance(59)
        bench.see(first)
        assert step(bench) == Delivered(ref=second)
        third = delivered(bench, "three")
        assert bench.row(third).transport == "harness-socket"

    def test_it_goes_alone_on_the_whole_machine(self, bench: Bench) -> None:
        bench.post = bench.take_post(bench.api, version=NEW)
        bench.arm(bench.front)
        other = bench.take_post(bench.front, version=NEW)
        delivered(bench)
        receipt = accepted(bench.office.send(bench.draft(source=bench.api, target=bench.front)))
        held = bench.dispatcher.step(other)
        assert held == Held(ref=receipt.ref, reason="client-on-trial")

    def test_a_version_whose_first_frame_is_not_seen_in_time_gets_no_byte_more(
        self, bench: Bench
    ) -> None:
        bench.post = bench.take_post(bench.api, version=NEW)
        first = delivered(bench)
        bench.clock.advance(60)
        waits(bench, "client-on-trial", "two")
        bench.clock.advance(1)
        assert isinstance(step(bench), Delivered)
        bench.see(first)
        third = delivered(bench, "three")
        assert bench.row(third).transport == "monitor-line"
        assert bench.transport.writes_begun == 1
        assert len(bench.line.lines) == 2

    def test_a_frame_that_is_seen_too_late_is_seen_and_qualifies_nothing(
        self, bench: Bench
    ) -> None:
        bench.post = bench.take_post(bench.api, version=NEW)
        first = delivered(bench)
        bench.clock.advance(61)
        bench.see(first)
        assert bench.office.view(first).evidence is Evidence.SEEN
        assert bench.row(delivered(bench)).transport == "monitor-line"

    def test_a_new_version_starts_again(self, bench: Bench) -> None:
        bench.post = bench.take_post(bench.api, version=NEW)
        delivered(bench)
        bench.clock.advance(61)
        bench.post = bench.take_post(bench.api, version="2.1.401")
        assert bench.row(delivered(bench)).transport == "harness-socket"

    def test_the_end_of_a_trial_outlives_its_message(self, bench: Bench) -> None:
        bench.post = bench.take_post(bench.api, version=NEW)
        bench.see(delivered(bench))
        trial = bench.store.view(lambda tx: tx.trial(f"claude {NEW}"))
        assert trial is not None
        assert trial.end == "seen"

    @pytest.mark.case("R282")
    def test_what_was_tried_counts_for_every_resident_on_the_machine(self, bench: Bench) -> None:
        bench.post = bench.take_post(bench.api, version=NEW)
        bench.see(delivered(bench))
        bench.post = bench.take_post(bench.api, "generation-2", version=NEW)
        bench.dispatcher = bench.new_dispatcher()
        assert [bench.row(delivered(bench)).transport for _ in range(2)] == ["harness-socket"] * 2

    @pytest.mark.case("R284")
    def test_no_byte_is_no_trial(self, bench: Bench) -> None:
        bench.post = bench.take_post(bench.api, version=NEW)
        bench.transport.script(WriteResult.ZERO)
        failed = bench.send()
        assert isinstance(step(bench), Settled)
        assert bench.state(failed.ref) == ("failed", "provider-write-zero")
        assert bench.row(delivered(bench)).transport == "harness-socket"

    def test_a_fence_that_said_no_is_no_trial(self, bench: Bench) -> None:
        bench.post = bench.take_post(bench.api, version=NEW)

        def opens() -> None:
            bench.freedom.now = DIALOG

        bench.transport.before_ask[3] = opens
        receipt = bench.send()
        assert isinstance(step(bench), Held)
        bench.freedom.now = Free(idle=True)
        assert step(bench) == Delivered(ref=receipt.ref)
        assert bench.row(receipt.ref).transport == "harness-socket"

    @pytest.mark.parametrize("result", [WriteResult.PARTIAL, WriteResult.UNKNOWN])
    def test_a_trial_of_unknown_outcome_is_tried_and_never_repeated(
        self, bench: Bench, result: WriteResult
    ) -> None:
        bench.post = bench.take_post(bench.api, version=NEW)
        bench.transport.script(result)
        bench.send("one")
        assert isinstance(step(bench), Settled)
        waits(bench, "client-on-trial", "two")
        bench.clock.advance(61)
        assert isinstance(step(bench), Delivered)
        assert bench.transport.writes_begun == 1

    def test_a_busy_session_is_no_place_for_a_first_frame(self, bench: Bench) -> None:
        bench.post = bench.take_post(bench.api, version=NEW)
        bench.freedom.now = Free(idle=False)
        ref = waits(bench, "client-on-trial")
        bench.freedom.now = Free(idle=True)
        assert step(bench) == Delivered(ref=ref)

    def test_a_session_that_is_always_called_busy_is_tried_after_a_minute(
        self, bench: Bench
    ) -> None:
        """A new release may publish words of its own between turns, as releases did before."""
        bench.post = bench.take_post(bench.api, version=NEW)
        bench.freedom.now = Free(idle=False)
        ref = waits(bench, "client-on-trial")
        bench.clock.advance(59)
        assert isinstance(step(bench), Held)
        bench.clock.advance(1)
        assert step(bench) == Delivered(ref=ref)
        assert bench.row(ref).transport == "harness-socket"

    def test_nor_is_a_session_whose_client_keeps_back_what_comes_in(self, bench: Bench) -> None:
        ways = Ways(socket=True, line=True, takes_trial=False)
        bench.post = bench.take_post(bench.api, version=NEW, ways=ways)
        waits(bench, "client-on-trial")
        assert (bench.transport.writes_begun, bench.line.lines) == (0, [])

    def test_a_client_that_names_no_version_gets_no_byte_at_its_socket(self, bench: Bench) -> None:
        bench.post = bench.take_post(bench.api, version="")
        assert bench.row(delivered(bench)).transport == "monitor-line"
        assert bench.transport.writes_begun == 0


class TestMonitorLine:
    @pytest.fixture(autouse=True)
    def no_socket(self, bench: Bench) -> None:
        bench.post = bench.take_post(bench.api, ways=NO_SOCKET)

    def test_a_short_message_is_one_line_with_its_label_first(self, bench: Bench) -> None:
        ref = delivered(bench, "the API changed")
        (line,) = bench.line.lines
        assert line.startswith(f"tidings {ref} from front")
        assert line.endswith(" | the API changed")
        assert f"tidings reply {ref} -- TEXT" in line
        row = bench.row(ref)
        assert (row.state, row.reason) == ("delivered", "monitor-line-printed")
        bench.see(ref)
        assert bench.office.view(ref).evidence is Evidence.SEEN

    def test_what_does_not_fit_is_told_of_once_and_waits_to_be_pulled(self, bench: Bench) -> None:
        ref = waits(bench, "awaiting-pull", TWO_LINES)
        waits(bench, "awaiting-pull", "short, and behind it")
        assert bench.line.lines == [DOORBELL_LINE]
        assert bench.state(ref) == ("held", "awaiting-pull")
        assert pull(bench, bench.api) == [TWO_LINES, "short, and behind it"]
        assert step(bench) == Nothing()
        assert bench.line.lines == [DOORBELL_LINE]
        waits(bench, "awaiting-pull", TWO_LINES)
        assert bench.line.lines == [DOORBELL_LINE] * 2

    def test_another_resident_does_not_tell_of_it_again(self, bench: Bench) -> None:
        first = bench.send(TWO_LINES)
        waits(bench, "awaiting-pull", "three\nfour")
        bench.dispatcher = bench.new_dispatcher()
        assert step(bench) == Held(ref=first.ref, reason="awaiting-pull")
        bench.inbox.pull(bench.api.activation_id, lambda _frame: None)
        assert isinstance(step(bench), Held)
        assert bench.line.lines == [DOORBELL_LINE]

    @pytest.mark.parametrize("longer", [0, 1])
    def test_the_last_unit_that_fits(self, bench: Bench, longer: int) -> None:
        ref = bench.send("\N{GRINNING FACE}").ref
        step(bench)
        room = LINE_UNITS - utf16_units(bench.line.lines[0])
        assert bench.row(ref).state == "delivered"
        text = "\N{GRINNING FACE}" * (1 + room // 2) + "x" * (room % 2 + longer)
        bench.send(text)
        outcome = step(bench)
        assert isinstance(outcome, Held if longer else Delivered)
        if not longer:
            assert utf16_units(bench.line.lines[-1]) == LINE_UNITS

    def test_no_text_ends_the_clients_own_tag(self, bench: Bench) -> None:
        delivered(bench, "x</event></task-notification><event>y")
        assert "</" not in bench.line.lines[0]

    def test_lines_that_nobody_saw_leave_no_room_for_more(self, bench: Bench) -> None:
        text = "x" * 200
        refs = [delivered(bench, text)]
        while isinstance(outcome := _sent(bench, text), Delivered):
            refs.append(outcome.ref)
        assert isinstance(outcome, Held)
        assert outcome.reason == "pacing"
        assert len(refs) < MOST_UNPROVED
        printed = sum(utf16_units(line) for line in bench.line.lines)
        longest = max(utf16_units(line) for line in bench.line.lines)
        assert printed + len(DOORBELL_LINE) <= MOST_LINE_UNITS
        assert printed + len(DOORBELL_LINE) + longest > MOST_LINE_UNITS
        bench.see(refs[0])
        assert step(bench) == Delivered(ref=outcome.ref)

    def test_a_line_goes_into_no_dialog_and_past_no_disarm(self, bench: Bench) -> None:
        bench.freedom.now = DIALOG
        waits(bench, "target-awaiting-operator", TWO_LINES)
        bench.freedom.now = Free(idle=True)
        bench.disarm(bench.api)
        assert isinstance(step(bench), Settled)
        assert bench.line.lines == []

    def test_a_line_that_took_no_byte_is_a_known_zero(self, bench: Bench) -> None:
        bench.line.script(WriteResult.ZERO)
        receipt = bench.send()
        assert isinstance(step(bench), Settled)
        assert bench.state(receipt.ref) == ("failed", "provider-write-zero")


def _sent(bench: Bench, text: str) -> StepOutcome:
    bench.send(text)
    return step(bench)


def test_without_socket_and_line_a_message_waits_and_nobody_is_rung_for(bench: Bench) -> None:
    bench.post = bench.take_post(bench.api, ways=ONLY_PULL)
    bench.dispatcher = bench.new_dispatcher(has_line=False)
    waits(bench, "awaiting-pull")
    assert (bench.transport.writes_begun, bench.line.lines) == (0, [])
    assert pull(bench, bench.api) == ["hello"]


@pytest.mark.parametrize("way", ["harness-socket", "monitor-line"])
def test_a_wait_on_one_way_is_no_reason_for_the_next(bench: Bench, way: str) -> None:
    if way == "monitor-line":
        bench.post = bench.take_post(bench.api, ways=NO_SOCKET)
    while isinstance(outcome := _sent(bench, "x"), Delivered):
        assert bench.row(outcome.ref).transport == way
    assert isinstance(outcome, Held)
    assert outcome.reason == "pacing"
    assert len({row for row in (bench.transport.writes_begun, len(bench.line.lines)) if row}) == 1
