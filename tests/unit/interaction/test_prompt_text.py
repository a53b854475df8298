"""Finding our frames in prompts (D18)."""

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tidings.domain.interaction.prompt_text import (
    MOST_FOUND,
    digest_text,
    digests_in,
    refs_in,
)

REF = "m0123456789abcdefghjkmnpqrstv"
OPEN = '<cross-session-message from="uds:/run/a.sock" from-name="api">'
CLOSE = "</cross-session-message>"


def test_refs_are_found_whole_and_once() -> None:
    assert refs_in(f"tidings {REF} from api, see {REF}.") == [REF]
    assert refs_in(f"例{REF}例") == [REF]


@pytest.mark.parametrize(
    "text", [REF[:-1], f"{REF}x", f"x{REF}", REF.upper(), f"_{REF}", "m" * 30, "m" + "l" * 28]
)
def test_what_only_resembles_a_ref_is_none(text: str) -> None:
    assert refs_in(text) == []


def test_the_digest_is_of_the_frame_between_the_wrappers_lines() -> None:
    frame = f"tidings {REF} from api\n| body\nto answer: nothing"
    assert digests_in(f"{OPEN}\n{frame}\n{CLOSE}") == [sha256(frame.encode()).hexdigest()]


def test_several_frames_in_one_prompt_have_a_digest_each() -> None:
    prompt = f"before {OPEN}\none\n{CLOSE} between <cross-session-message>\ntwo\n{CLOSE} after"
    assert digests_in(prompt) == [digest_text("one"), digest_text("two")]


def test_a_prompt_without_a_wrapper_is_digested_whole() -> None:
    assert digests_in("  just text \n") == [digest_text("just text")]
    assert digests_in(f"{OPEN} never closed") == [digest_text(f"{OPEN} never closed")]
    assert digests_in("<cross-session-messages>x</cross-session-message>") == [
        digest_text("<cross-session-messages>x</cross-session-message>")
    ]


def test_what_is_kept_of_one_prompt_is_bounded() -> None:
    many = "".join(f"{OPEN}\n{n}\n{CLOSE}" for n in range(MOST_FOUND + 9))
    assert len(digests_in(many)) == MOST_FOUND
    refs = " ".join(f"m{n:028d}" for n in range(MOST_FOUND + 9))
    assert len(refs_in(refs)) == MOST_FOUND


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_digested_without_an_error(text: str) -> None:
    assert len(digests_in(text)) >= 1
    assert isinstance(refs_in(text), list)


@pytest.mark.parametrize("part", ["<cross-session-message ", "<event>", "<event>\n", OPEN])
def test_a_large_prompt_of_openings_without_an_end_takes_no_time(part: str) -> None:
    """A hook looks through all of a prompt, and its user waits for it (D10)."""
    prompt = part * (2_000_000 // len(part))

    assert digests_in(prompt) == [digest_text(prompt)]
