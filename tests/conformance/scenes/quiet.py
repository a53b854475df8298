"""A session that is not written to notices nothing of Tidings (D12, P3)."""

from conformance.hearing import Hearing
from conformance.product import Product
from conformance.stage import Stage
from tidings.ports.codec import Document, Value


def quiet(stage: Stage) -> Document:
    """A session starts, is armed, disarmed and ended, and nobody sends it anything."""
    product = Product(stage.world())
    session = Hearing(stage, product, "api")
    session.terminal.still()
    shown = session.terminal.screen()
    before = session.terminal.position()

    armed = product.arm("api")
    product.wait_for_session("api")
    session.terminal.still()
    after_arm = session.terminal.position()
    disarmed = product.call("disarm", "api")
    product.wait_for_session("api")
    session.terminal.still()
    after_disarm = session.terminal.position()
    session.terminal.end()
    drawn: list[Value] = [
        session.terminal.screen(since=start, until=end)
        for start, end in ((before, after_arm), (after_arm, after_disarm), (after_disarm, None))
    ]
    return {
        "codes": [armed.code, disarmed.code],
        "shown": shown,
        "drawn": drawn,
        "events": session.world.events(),
        "requests": stage.model.requests(),
    }
