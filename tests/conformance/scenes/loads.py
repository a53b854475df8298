"""Many messages at once, and consent that ends in the middle of them (P3, P6, P11, D18)."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

from conformance.hearing import Hearing, instant_ns
from conformance.plain import document, items, text_of
from conformance.product import Command, Product
from conformance.stage import Stage
from support.waiting import until
from tidings.ports.codec import Document, Value

BURST = 40
STORM = 1000
PAUSE = "0.02"
SENDERS = ("north", "south")
HEARD_FIRST = 3
SETTLE_SECONDS = 60.0
SILENCE_SECONDS = 8.0
"""Longer than a paced message may keep the next one waiting."""

SENDING = """
import json, sys, time
from tidings import Receipt, Tidings
name, count, pause = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
sent, refused = [], []
with Tidings.open() as tidings:
    me = tidings.join(name)
    for number in range(count):
        receipt = me.send("api", f"{name} number {number} ends")
        if isinstance(receipt, Receipt):
            sent.append(receipt.ref)
        else:
            refused.append(receipt.reason)
            break
        time.sleep(pause)
print(json.dumps({"sent": sent, "refused": refused}))
"""
HEARD = re.compile(r"^\| (\w+) number (\d+) ends$", re.MULTILINE)
REF = re.compile(r"^tidings (m\w{28}) from ", re.MULTILINE)
ENDED = ("delivered", "refused", "failed", "stale", "expired")


def burst(stage: Stage) -> Document:
    """One program sends 40 messages as fast as it can."""
    session = Hearing(stage, Product(stage.world()), "api")
    session.product.arm("api")
    program = session.product.embed(SENDING, "north", str(BURST), "0")
    _until_all_heard(session, BURST)
    session.rest()
    rows = _settled(session.product, len(items(program.get("sent"))))
    return {
        "program": program,
        "states": [*{text_of(row.get("state")) for row in rows}],
        "heard": [*_heard(session)],
    }


def storm(stage: Stage) -> Document:
    """Two programs send until they are refused, and the session is disarmed in the middle of it."""
    session = Hearing(stage, Product(stage.world()), "api")
    product = session.product
    product.arm("api")
    with ThreadPoolExecutor(len(SENDERS)) as pool:
        running = [pool.submit(product.embed, SENDING, name, str(STORM), PAUSE) for name in SENDERS]
        until(lambda: len(_heard(session)) >= HEARD_FIRST, timeout=30, what="the first messages")
        disarmed = product.call("disarm", "api")
        returned_at_ns = time.time_ns()
        programs = [one.result() for one in running]
    accepted = sum(len(items(program.get("sent"))) for program in programs)
    rows = _settled(product, accepted)
    session.rest()
    written = [row for row in rows if row.get("handoff_at")]
    late = [row for row in written if instant_ns(row, "handoff_at") > returned_at_ns]
    return {
        "code": disarmed.code,
        "refused": [each.get("refused") for each in programs],
        "states": [*{f"{row.get('state')} {row.get('reason')}" for row in rows}],
        "late": [*late],
        "written": [row.get("ref") for row in written],
        "heard_refs": [*REF.findall(_conversation(session))],
        "heard": [*_heard(session)],
    }


def _until_all_heard(session: Hearing, count: int) -> None:
    """Waits until ``count`` messages were heard, or none more for ``SILENCE_SECONDS``."""
    heard, since = 0, time.monotonic()

    def is_over() -> bool:
        nonlocal heard, since
        now, found = time.monotonic(), len(_heard(session))
        if found != heard:
            heard, since = found, now
        return heard == count or now - since > SILENCE_SECONDS

    until(is_over, timeout=SETTLE_SECONDS, what=f"{count} messages heard, or no more")


def _settled(product: Command, count: int) -> list[Document]:
    """The newest ``count`` messages once all have an end state."""

    def rows() -> list[Document] | None:
        listed = items(product.call("message list", "--limit", str(count)).output)
        found = [document(row) for row in listed]
        settled = [row for row in found if text_of(row.get("state")) in ENDED]
        return found if len(settled) == count == len(found) else None

    settled = until(rows, timeout=SETTLE_SECONDS, what=f"{count} settled messages")
    assert settled is not None
    return settled


def _heard(session: Hearing) -> list[Value]:
    """The messages in the session's newest question to the model, in the order they stand there."""
    return [" ".join(found) for found in HEARD.findall(_conversation(session))]


def _conversation(session: Hearing) -> str:
    asked = session.stage.model.questions()
    return asked[-1].whole_text if asked else ""
