"""Who a session hears, in the words people type and in the words that are stored.

Stored is ``agent:UID``: an address passes on to whoever bears it later, an agent does not.
"""

from collections.abc import Sequence

from tidings.domain.consent.arming import ArmState
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.identity.addresses import RESERVED
from tidings.entrypoints.application import Application
from tidings.ports.errors import UsageError
from tidings.ports.values import replace

MOST_SENDERS = 64


def stored_senders(app: Application, names: Sequence[str]) -> tuple[str, ...]:
    """The scope's senders for what was typed.

    Each is there once. Raises ``UsageError`` for more than 64, and what resolving an address
    raises: an unknown name grants nothing.
    """
    once = dict.fromkeys(names)
    if len(once) > MOST_SENDERS:
        raise UsageError(
            f"{len(once)} senders are more than the {MOST_SENDERS} that a grant can name",
            next_step="name fewer, or leave them out to hear everybody",
        )
    return tuple(dict.fromkeys(_stored(app, name) for name in once))


def shown_scope(app: Application, scope: ConsentScope) -> ConsentScope:
    """The scope with the present address of each agent, for people."""
    if scope.senders is None:
        return scope
    shown = tuple(_shown(app, sender) for sender in scope.senders)
    return replace(scope, senders=shown)


def shown_state(app: Application, state: ArmState) -> ArmState:
    """The consent with its scope in the words of ``shown_scope``."""
    return replace(state, scope=shown_scope(app, state.scope))


def _stored(app: Application, name: str) -> str:
    if name in RESERVED:
        return name
    return f"agent:{app.admission.resolve(name).agent_uid}"


def _shown(app: Application, sender: str) -> str:
    kind, colon, uid = sender.partition(":")
    return app.admission.address_of(uid) if colon and kind == "agent" else sender
