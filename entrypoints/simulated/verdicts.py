"""What a hook's end means to the client: exit code and output as one value (H 2, D10)."""

from collections.abc import Sequence
from typing import Final

from tidings.entrypoints.simulated.plain import as_object, as_text, read_value
from tidings.ports.values import dataclass

BLOCKING_EXIT: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """``behavior`` is ``allow``, ``deny`` or empty; ``context`` reaches the model as it is."""

    blocks: bool = False
    reason: str = ""
    behavior: str = ""
    context: str = ""


def read_verdict(exit_code: int, output: bytes, errors: bytes) -> Verdict:
    """Exit 2 blocks with its error text; otherwise a JSON object on stdout may decide."""
    if exit_code == BLOCKING_EXIT:
        return Verdict(blocks=True, reason=errors.decode("utf-8", "replace").strip())
    said = as_object(read_value(output))
    if exit_code != 0:
        return Verdict()
    specific = as_object(said.get("hookSpecificOutput"))
    decision = as_object(specific.get("decision"))
    reasons = said.get("reason"), decision.get("message"), specific.get("permissionDecisionReason")
    return Verdict(
        blocks=said.get("decision") == "block" or specific.get("permissionDecision") == "deny",
        reason=next((as_text(reason) for reason in reasons if reason), ""),
        behavior=as_text(decision.get("behavior")),
        context=as_text(specific.get("additionalContext")),
    )


def merge(verdicts: Sequence[Verdict]) -> Verdict:
    """All hooks of one event together: any block blocks, the first decision counts."""
    blocking = [verdict for verdict in verdicts if verdict.blocks]
    deciding = [verdict for verdict in verdicts if verdict.behavior]
    return Verdict(
        blocks=bool(blocking),
        reason=blocking[0].reason if blocking else "",
        behavior=deciding[0].behavior if deciding else "",
        context="\n".join(verdict.context for verdict in verdicts if verdict.context),
    )
