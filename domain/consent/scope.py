"""How far a grant reaches: from whom, what kind, until when, and whether notices may wake (D6)."""

from tidings.domain.documents import Fields, without_empty
from tidings.ports.codec import Document
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentScope:
    """None means no limit; an empty tuple means nobody, or nothing.

    ``senders`` holds ``agent:UID``, which lives on across relaunches and passes to nobody else,
    or an address, which whoever bears it later inherits. ``until_ns`` is a wall instant; at that
    nanosecond the grant is over. ``wake``: a notice whose sender asks for it may start a turn in
    the idle session; only a word of its own gives that, never the mere ``everything``.
    """

    senders: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    until_ns: int | None = None
    wake: bool = False

    def hears(self, sender_agent: str | None, sender_address: str) -> bool:
        """Whether this sender is among those that are heard."""
        if self.senders is None:
            return True
        by_agent = sender_agent is not None and f"agent:{sender_agent}" in self.senders
        return by_agent or (bool(sender_address) and sender_address in self.senders)

    def allows_kind(self, kind: str) -> bool:
        """Whether messages of this kind are heard."""
        return self.kinds is None or kind in self.kinds

    def is_over(self, now_ns: int) -> bool:
        """Whether the grant's time has passed at the wall instant ``now_ns``."""
        return self.until_ns is not None and now_ns >= self.until_ns

    def to_document(self) -> Document:
        """The limits that there are, under the words of the command line."""
        return without_empty(
            {
                "from": None if self.senders is None else list(self.senders),
                "kind": None if self.kinds is None else list(self.kinds),
                "until_ns": self.until_ns,
                "wake": self.wake,
            }
        )

    @classmethod
    def read(cls, fields: Fields) -> "ConsentScope":
        """The scope in ``fields``. Raises ``FieldWrong``."""
        return cls(
            senders=fields.texts("from"),
            kinds=fields.texts("kind"),
            until_ns=fields.optional_integer("until_ns", least=1),
            wake=fields.flag("wake"),
        )


EVERYTHING = ConsentScope()
