"""What lets a prompt through to the model, and how the model then reads it (H 2, H 10)."""

from collections.abc import Sequence
from typing import assert_never

from tidings.entrypoints.simulated.arrivals import Kind, Prompt
from tidings.entrypoints.simulated.floor import Floor
from tidings.entrypoints.simulated.model import ModelMessage
from tidings.entrypoints.simulated.payloads import call
from tidings.entrypoints.simulated.wording import answer_address, from_peer, from_system


async def admit_all(
    floor: Floor, batch: Sequence[Prompt], *, while_busy: bool
) -> list[ModelMessage]:
    """The messages for the next request, in order; a prompt that a hook refused gives none."""
    read: list[ModelMessage] = []
    for prompt in batch:
        read += await _admit(floor, prompt, while_busy=while_busy)
    return read


async def _admit(floor: Floor, prompt: Prompt, *, while_busy: bool) -> list[ModelMessage]:
    """UserPromptSubmit fires for whatever arrives, not for people alone (H, verdict 5)."""
    verdict = await floor.hooks.fire(call(floor.state, "UserPromptSubmit", {"prompt": prompt.text}))
    if verdict.blocks:
        floor.transcript.refused(f"UserPromptSubmit blocked by hook: {verdict.reason}")
        return []
    floor.transcript.user_text(prompt.text)
    if prompt.kind is Kind.PEER:
        floor.state.last_frame_from = answer_address(prompt.text)
    messages = [_as_read(prompt, while_busy=while_busy)]
    if verdict.context:
        messages.append(ModelMessage(role="system", kind="hook", content=verdict.context))
    return messages


def _as_read(prompt: Prompt, *, while_busy: bool) -> ModelMessage:
    match prompt.kind:
        case Kind.HUMAN:
            return ModelMessage(role="user", kind="human", content=prompt.text)
        case Kind.PEER:
            text = from_peer(prompt.text, while_busy=while_busy)
            return ModelMessage(role="system" if while_busy else "user", kind="peer", content=text)
        case Kind.SYSTEM:
            return ModelMessage(role="system", kind="system", content=from_system(prompt.text))
        case _:
            assert_never(prompt.kind)
