"""Which ways a session has, from what is known of it (D12, D17)."""

from typing import Final

from tidings.domain.messages.outlook import Ways
from tidings.ports.inbound import InboundPolicy

_LETS_IN: Final = (InboundPolicy.UNSET, InboundPolicy.ACCEPT)


def ways_of(
    *, has_socket: bool, is_monitor: bool, lets_outsiders_in: bool, inbound: InboundPolicy
) -> Ways:
    """The ways of a resident. The client always gives its model the frames of its live children,
    such as its monitor; ``lets_outsiders_in`` tells whether it does so with a helper's."""
    is_trusted = is_monitor or lets_outsiders_in or inbound is InboundPolicy.ACCEPT
    return Ways(
        socket=has_socket and is_trusted,
        line=is_monitor,
        takes_trial=inbound in _LETS_IN,
    )
