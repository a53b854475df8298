"""Rows that keep every rule of the store, for contract suites and tests."""

from tidings.domain.messages.authority import authority_of
from tidings.domain.messages.drafts import route_of
from tidings.domain.messages.envelope import Envelope
from tidings.domain.messages.limits import DEFAULT_TTL_NS
from tidings.domain.messages.origin import MessageKind, origin_of
from tidings.domain.messages.provenance import Proof, Provenance
from tidings.domain.messages.record import accepted_row
from tidings.domain.messages.refs import conversation_ref_of
from tidings.ports.agents import ActivationRow, RegistrationRow
from tidings.ports.clock import Instant
from tidings.ports.messages import MessageRow
from tidings.ports.processes import Place, ProcessBirth
from tidings.ports.tokens import Provider
from tidings.ports.values import replace

NOON_NS = 1_800_000_000_000_000_000
NOON = Instant(wall_ns=NOON_NS, monotonic_ns=0, boottime_ns=1_000, boot_id="boot-1")
PLACE = Place(
    machine_id="machine-1",
    host="host-1",
    boot_id="boot-1",
    pid_namespace="pid:[1]",
    mount_namespace="mnt:[1]",
    initial_pid_namespace=True,
    state_is_local=True,
)


def birth(pid: int) -> ProcessBirth:
    """A process of this machine's first boot."""
    return ProcessBirth(pid=pid, uid=1000, start=f"linux:boot-1:{pid}")


def activation(name: str, pid: int, *, provider: Provider = Provider.CLAUDE) -> ActivationRow:
    """A run of the agent ``name`` in the process ``pid``; all its ids follow from both."""
    return ActivationRow(
        activation_id=f"activation-{name}-{pid}",
        agent_uid=f"agent-{name}",
        session_key=f"{pid}-0123abcd",
        provider=str(provider),
        owner=birth(pid),
        place=PLACE,
        conversation_id=f"conversation-of-{name}",
        address=name,
        label=name,
        cwd=f"/home/dev/{name}",
        started_at_ns=NOON_NS + pid,
        ended_at_ns=None,
        end_reason="",
    )


def registration(row: ActivationRow, *, generation: str = "generation-1") -> RegistrationRow:
    """The ready lease of a resident whose pid follows its harness's."""
    return RegistrationRow(
        activation_id=row.activation_id,
        generation=generation,
        conversation_id=row.conversation_id,
        resident=birth(row.owner.pid + 1),
        ready=True,
        client_version="2.1.332",
        claimed_at_ns=NOON_NS,
    )


def envelope(
    ref: str,
    *,
    source: ActivationRow | None = None,
    target: ActivationRow | None = None,
    kind: MessageKind = MessageKind.AGENT,
    payload: str = "the API changed",
    reply_to: str = "",
    accepted_at_ns: int = NOON_NS,
    ttl_ns: int = DEFAULT_TTL_NS,
) -> Envelope:
    """A valid envelope from ``front`` (or nobody) to ``api``, unless other ends are given."""
    origin = origin_of(kind, "terminal" if kind is MessageKind.OPERATOR else "pts/3")
    sender = source or (activation("front", 20) if kind is MessageKind.AGENT else None)
    return Envelope(
        version=2,
        message_ref=ref,
        conversation_ref=conversation_ref_of(reply_to or ref),
        reply_to=reply_to,
        origin=origin,
        source=None if sender is None else route_of(sender),
        target=route_of(target or activation("api", 10)),
        authority=authority_of(origin),
        payload=payload,
        accepted_at_ns=accepted_at_ns,
        deadline_ns=accepted_at_ns + ttl_ns,
        provenance=Provenance(
            address=sender.address if sender is not None else "",
            place="shop:main",
            proof=Proof.ANCESTRY if sender is not None else Proof.NONE,
        ),
    )


def message(ref: str, *, of: Envelope | None = None, **changes: object) -> MessageRow:
    """An accepted row with ``changes``; its envelope is the usual one, or ``of``."""
    row = accepted_row(of or envelope(ref), now=NOON, consent_generation=1)
    return replace(row, **changes)  # type: ignore[arg-type]


def marked(ref: str, *, of: Envelope | None = None, **changes: object) -> MessageRow:
    """A row whose hand-off began a second after acceptance."""
    row = replace(
        message(ref, of=of),
        transport="harness-socket",
        writer_generation="generation-1",
        handoff_at_ns=NOON_NS + 1_000_000_000,
        frame_sha256="0" * 64,
    )
    return replace(row, **changes)  # type: ignore[arg-type]


def delivered(ref: str, *, of: Envelope | None = None, **changes: object) -> MessageRow:
    """A row whose frame went out whole."""
    row = replace(
        marked(ref, of=of),
        state="delivered",
        reason="provider-pipe-full-frame",
        terminal_at_ns=NOON_NS + 1_000_000_000,
    )
    return replace(row, **changes)  # type: ignore[arg-type]
