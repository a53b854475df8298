"""What a caller wants to send, and the envelope it becomes (M 3.1, D20, D26)."""

from tidings.domain.identity.route import Route, incarnation_of
from tidings.domain.messages.authority import authority_of
from tidings.domain.messages.envelope import Envelope, EnvelopeFault, FaultClass, fault_of
from tidings.domain.messages.labels import plain_field, plain_place
from tidings.domain.messages.limits import DEFAULT_TTL_NS, ENVELOPE_VERSION
from tidings.domain.messages.origin import MessageKind, origin_of
from tidings.domain.messages.provenance import Proof, Provenance
from tidings.domain.messages.refs import conversation_ref_of, is_usable_ref
from tidings.domain.messages.wishes import NO_WISHES, Wishes
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Instant
from tidings.ports.tokens import Provider
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A message before acceptance.

    ``source`` None: no agent sends it (push, automation, operator). ``client`` then names the
    terminal, the script or the in-process client. ``place`` is where the sender works, such as
    ``shop:main``, for the reader's eyes. ``ref`` None mints one; a given ref makes a retry.
    """

    source: ActivationRow | None
    target: ActivationRow
    kind: MessageKind
    text: str
    proof: Proof
    client: str = ""
    place: str = ""
    ttl_ns: int = DEFAULT_TTL_NS
    ref: str | None = None
    allow_self: bool = False
    wishes: Wishes = NO_WISHES


def route_of(row: ActivationRow) -> Route:
    """The route of an activation in its present conversation. Its session key stands for the pane."""
    return Route(
        agent_uid=row.agent_uid,
        pane_uid=row.session_key,
        activation_generation=row.activation_id,
        provider=row.provider,
        incarnation=incarnation_of(Provider(row.provider), row.conversation_id),
    )


def envelope_of_draft(draft: Draft, *, ref: str, now: Instant) -> Envelope:
    """The envelope that ``draft`` becomes when it is accepted at ``now``."""
    origin = origin_of(draft.kind, draft.client)
    return Envelope(
        version=ENVELOPE_VERSION,
        message_ref=ref,
        conversation_ref=conversation_ref_of(ref),
        reply_to="",
        origin=origin,
        source=None if draft.source is None else route_of(draft.source),
        target=route_of(draft.target),
        authority=authority_of(origin),
        payload=draft.text,
        accepted_at_ns=now.wall_ns,
        deadline_ns=now.wall_ns + draft.ttl_ns,
        provenance=provenance_of(draft.source, place=draft.place, proof=draft.proof),
        wishes=draft.wishes,
    )


def provenance_of(source: ActivationRow | None, *, place: str, proof: Proof) -> Provenance:
    """How the sender was proved, in the words its frame will carry."""
    address = source.address if source is not None else ""
    project, _, branch = place.partition(":")
    return Provenance(address=plain_field(address), place=plain_place(project, branch), proof=proof)


def usage_fault(draft: Draft, envelope: Envelope) -> EnvelopeFault | None:
    """What is wrong with the call itself, before anything is looked up."""
    if not draft.text.strip():
        return EnvelopeFault(token=FaultClass.PAYLOAD, detail="the text is blank")
    if draft.ref is not None and not is_usable_ref(draft.ref):
        return EnvelopeFault(token=FaultClass.CORRELATION, detail="messageRef")
    return fault_of(envelope)


def guard_fault(draft: Draft) -> str:
    """The token of the guard that stops the draft (D4, D21), or empty."""
    if draft.source is None:
        return ""
    if draft.kind is MessageKind.PUSH:
        return "push-from-agent"
    is_self = draft.source.agent_uid == draft.target.agent_uid
    return "self-send" if is_self and not draft.allow_self else ""
