"""Reply boxes: where answers are kept for senders that are no agents, until they are pulled (D22).

The token is the secret; the box's name is a digest of it, so no stored row opens a box.
"""

import re
from typing import Final

from tidings.domain.identity.digest import sha256
from tidings.domain.identity.route import Route, incarnation_of
from tidings.ports.ids import Ids
from tidings.ports.tokens import Provider

TOKEN_BYTES: Final = 16
"""128 random bits: nobody guesses a box."""

_TOKEN: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_BOX: Final = re.compile(r"box-[0-9a-f]{32}", re.ASCII)


def mint_token(ids: Ids) -> str:
    """A new token, 32 hex digits. Who holds it may pull what is in its box."""
    return ids.random_bytes(TOKEN_BYTES).hex()


def is_token(text: str) -> bool:
    """Whether ``text`` has the form of a token."""
    return _TOKEN.fullmatch(text) is not None


def box_of(token: str) -> str:
    """The name of the token's box; it takes the place of an agent's uid in rows and routes."""
    return f"box-{sha256(token.encode()).hexdigest()[:32]}"


def is_box(name: str) -> bool:
    """Whether ``name`` is that of a box and not of an agent."""
    return _BOX.fullmatch(name) is not None


def box_route(box: str) -> Route:
    """The route of an answer into a box. A box has no process, so it is never stale."""
    return Route(
        agent_uid=box,
        pane_uid=box,
        activation_generation=box,
        provider=Provider.PROCESS,
        incarnation=incarnation_of(Provider.PROCESS, box),
    )
