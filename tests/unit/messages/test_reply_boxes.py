"""Reply boxes: answers for senders that are no agents, kept until they are pulled (D22)."""

from dataclasses import replace

import pytest

from support.golden import matches_golden
from support.post import Bench, accepted
from tidings.adapters.memory.clock import SeededIds
from tidings.domain.messages.frame import Frame, FrameWay, frame_of
from tidings.domain.messages.frame_text import frame_content
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outcomes import Delivered, Nothing, Settled, StepOutcome
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.reply_box import box_of, is_box, is_token, mint_token
from tidings.domain.messages.send_outcome import Receipt, Refused, SendOutcome
from tidings.domain.messages.wishes import Wishes
from tidings.entrypoints.testing.message_rows import envelope

TOKEN = "0123456789abcdef" * 2
BOX = box_of(TOKEN)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def asked(bench: Bench, *, kind: MessageKind = MessageKind.AUTOMATION, ttl_ns: int = 10**12) -> str:
    """A question of a script that ``api`` has read."""
    ref = bench.send("which port?", kind=kind, ttl_ns=ttl_ns, wishes=Wishes(reply_box=BOX)).ref
    assert bench.dispatcher.step(bench.post) == Delivered(ref=ref)
    return ref


def answer(bench: Bench, ref: str, text: str = "8080") -> SendOutcome:
    return bench.office.answer(ref, text, replier=bench.api, proof=Proof.KERNEL_PEER)


def pull(bench: Bench, token: str = TOKEN) -> tuple[StepOutcome, list[str]]:
    pulled: list[Frame] = []
    outcome = bench.inbox.pull_box(token, pulled.append)
    return outcome, [frame.shown for frame in pulled]


def test_tokens_are_random_and_the_stored_name_is_only_their_digest() -> None:
    ids = SeededIds("boxes")
    tokens = [mint_token(ids) for _ in range(20)]
    assert len(set(tokens)) == 20
    for token in tokens:
        assert is_token(token)
        assert len(bytes.fromhex(token)) == 16
        assert is_box(box_of(token))
        assert token not in box_of(token)
    assert not is_token("x")
    assert not is_box("agent-api")


@pytest.mark.parametrize("kind", [MessageKind.AUTOMATION, MessageKind.PUSH])
def test_an_answer_waits_in_the_box_and_is_pulled_once(bench: Bench, kind: MessageKind) -> None:
    ref = asked(bench, kind=kind)
    receipt = accepted(answer(bench, ref))
    assert (receipt.state, receipt.reason) == ("held", "awaiting-pull")
    assert bench.office.view(ref).evidence == "answered"
    assert bench.office.view(ref).row.answer_ref == receipt.ref
    assert pull(bench) == (Delivered(ref=receipt.ref), ["8080"])
    assert pull(bench) == (Nothing(), [])
    assert bench.state(receipt.ref) == ("delivered", "target-self-claim")


def test_another_token_opens_another_box(bench: Bench) -> None:
    answer(bench, asked(bench))
    assert pull(bench, "f" * 32) == (Nothing(), [])
    assert pull(bench)[1] == ["8080"]


def test_a_question_has_one_answer_though_its_box_is_open(bench: Bench) -> None:
    ref = asked(bench)
    accepted(answer(bench, ref))
    second = answer(bench, ref, "9090")
    assert isinstance(second, Refused)
    assert second.reason == "reply-already-committed"


def test_without_a_box_nobody_is_there_to_answer(bench: Bench) -> None:
    ref = bench.send(kind=MessageKind.AUTOMATION).ref
    bench.dispatcher.step(bench.post)
    outcome = answer(bench, ref)
    assert isinstance(outcome, Refused)
    assert outcome.reason == "explicit-reply-no-source"


def test_an_answer_ends_with_the_deadline_of_its_question(bench: Bench) -> None:
    receipt = accepted(answer(bench, asked(bench, ttl_ns=60 * 10**9)))
    bench.clock.advance(61)
    outcome, texts = pull(bench)
    assert isinstance(outcome, Settled)
    assert (outcome.reason, texts) == ("deadline-expired", [])
    assert bench.state(receipt.ref) == ("expired", "deadline-expired")


def test_settling_never_takes_a_box_for_a_session_that_is_over(bench: Bench) -> None:
    receipt = accepted(answer(bench, asked(bench)))
    assert bench.office.settle_due(BOX) == ()
    assert bench.state(receipt.ref) == ("held", "awaiting-pull")
    bench.clock.advance(1001)
    assert bench.office.settle_due(BOX) == (receipt.ref,)


def test_a_pull_that_died_leaves_the_answer_uncertain_and_shows_it_never_again(
    bench: Bench,
) -> None:
    receipt = accepted(answer(bench, asked(bench)))

    def die(_frame: Frame) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        bench.inbox.pull_box(TOKEN, die)
    outcome, texts = pull(bench)
    assert isinstance(outcome, Settled)
    assert (outcome.outcome_unknown, texts) == (True, [])
    assert bench.row(receipt.ref).outcome_unknown


def test_the_frame_offers_a_way_to_answer_where_a_box_waits_and_none_to_answer_the_answer() -> None:
    for kind in (MessageKind.PUSH, MessageKind.AUTOMATION):
        plain = envelope("m" + "0" * 28, kind=kind)
        boxed = replace(plain, wishes=Wishes(reply_box=BOX))
        assert frame_of(plain, answer_address="").answer_way is FrameWay.NONE
        assert frame_of(boxed, answer_address="").answer_way is FrameWay.REPLY_VERB
        assert frame_of(boxed, answer_address="uds:/s").answer_way is FrameWay.SEND_MESSAGE


def test_the_frames_of_boxed_messages_are_golden() -> None:
    frames = [
        frame_content(
            frame_of(
                replace(envelope("m" + "0" * 28, kind=kind), wishes=Wishes(reply_box=BOX)),
                answer_address=address,
            )
        )
        for kind in (MessageKind.PUSH, MessageKind.AUTOMATION)
        for address in ("", "uds:/run/user/1000/tidings/0123456789.sock")
    ]
    assert matches_golden("boxed-frames.txt", ("\n".join(frames) + "\n").encode())


def test_the_answer_names_no_way_to_answer_it(bench: Bench) -> None:
    pulled: list[Frame] = []
    accepted(answer(bench, asked(bench)))
    bench.inbox.pull_box(TOKEN, pulled.append)
    assert [frame.answer_way for frame in pulled] == [FrameWay.NONE]


def test_the_same_ref_again_mints_no_second_box(bench: Bench) -> None:
    first = bench.send(
        "which port?", kind=MessageKind.AUTOMATION, ref="q", wishes=Wishes(reply_box=BOX)
    )
    other = Wishes(reply_box=box_of("f" * 32))
    again = bench.office.send(
        bench.draft("which port?", kind=MessageKind.AUTOMATION, ref="q", wishes=other)
    )
    assert isinstance(again, Receipt)
    assert (again.ref, again.replayed) == (first.ref, True)
    assert bench.office.view("q").envelope.wishes.reply_box == BOX
