"""Sessions whose operator has the client hold, or refuse, what comes in at its socket (H 3)."""

from conformance.hearing import Hearing
from conformance.plain import text_of
from conformance.product import Command, Product
from conformance.stage import Stage
from support.waiting import until
from tidings.ports.codec import Document

TEXT = "is anybody there?"
WORDS = ("hold", "refuse")
UNSEEN_SECONDS = 60.0


def inbound(stage: Stage) -> Document:
    """One message for each, and what was known of it once the session had been idle for long."""
    sessions = {word: _session(stage, word) for word in WORDS}
    sent = {word: one.send(TEXT) for word, one in sessions.items()}
    return {
        word: {
            "row": one.product.wait_for_session(word),
            "sent": sent[word].row,
            "later": _unseen(one.product, text_of(sent[word].row.get("ref"))),
            "asked": one.asked(),
        }
        for word, one in sessions.items()
    }


def _session(stage: Stage, word: str) -> Hearing:
    world = stage.world(word[0])
    world.take_in(word)
    session = Hearing(stage, Product(world), word)
    session.product.arm(word)
    return session


def _unseen(product: Command, ref: str) -> Document:
    """The message as it stands once its evidence is more than that it was written."""

    def known() -> Document:
        row = product.call("show", ref).row
        return row if row.get("evidence") != "written" else {}

    return until(known, timeout=UNSEEN_SECONDS, what=f"more evidence of {ref}")
