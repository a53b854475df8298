"""``dataclass``, ``field`` and ``replace``: the standard ones to type checkers, light ones to run.

Every class of ours that is only a value is made with these; see ``value_classes`` for why.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:
    from tidings.ports.value_classes import dataclass, field, replace

__all__ = ["dataclass", "field", "replace"]
