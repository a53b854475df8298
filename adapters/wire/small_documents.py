"""Documents that are files of their own: small enough that every reader takes them whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidings.ports.errors import StateUnwritable

if TYPE_CHECKING:
    from tidings.ports.codec import Codec, ReadOnlyDocument

LONGEST_BYTES = 65_536
"""A longer file is not read (S 1.7), so none is written."""


def encode_small(document: ReadOnlyDocument, codec: Codec) -> bytes:
    """The bytes of ``document``, at most 64 KiB of them.

    Raises ``StateUnwritable`` where they are more, or where it holds what the codec cannot write:
    what no reader could take would replace what all of them can.
    """
    try:
        data = codec.encode(document)
    except ValueError as error:
        raise StateUnwritable(
            f"nothing was written: {error}", next_step="use text that UTF-8 can hold"
        ) from error
    if len(data) > LONGEST_BYTES:
        raise StateUnwritable(
            f"nothing was written: {len(data)} bytes are more than the 64 KiB that are read back",
            next_step="make it shorter, or take entries back that are not needed",
        )
    return data
