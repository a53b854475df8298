"""How a sender was proved, kept with the message so that its frame claims no more (P10, D27)."""

from enum import StrEnum

from tidings.ports.codec import Document
from tidings.ports.values import dataclass


class Proof(StrEnum):
    """What Tidings saw of the sender when it accepted the message."""

    ANCESTRY = "ancestry"
    OWN_PROCESS = "own-process"
    KERNEL_PEER = "kernel-peer"
    TERMINAL = "terminal"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The sender as the reader may know it: ``address``, ``place`` (such as ``shop:main``), proof.

    No part of a message's identity: two sends that differ only here are the same retry.
    """

    address: str
    place: str
    proof: Proof

    def to_document(self) -> Document:
        """The object ``{address, place, proof}`` of the envelope."""
        return {"address": self.address, "place": self.place, "proof": str(self.proof)}


def proof_text(proof: Proof) -> str:
    """The words of the label: what was proved, or that nothing was."""
    match proof:
        case Proof.ANCESTRY:
            return "proved: the sending process runs inside that session"
        case Proof.OWN_PROCESS:
            return "proved: the sending process is that agent"
        case Proof.KERNEL_PEER:
            return "proved: the kernel named that session's own process as the writer"
        case Proof.TERMINAL:
            return "a terminal is evidence of a person, not proof"
        case Proof.NONE:
            return "not proved"
