"""The envelope as an ordered document, and back, strictly (M 1.6, 7.3)."""

from tidings.domain.documents import Fields, FieldWrong
from tidings.domain.identity.route import read_route, route_to_document
from tidings.domain.instants import from_rfc3339, to_rfc3339
from tidings.domain.messages.authority import Authority
from tidings.domain.messages.envelope import Envelope, fault_of
from tidings.domain.messages.limits import LONGEST_PAYLOAD_BYTES
from tidings.domain.messages.origin import MessageKind, Origin
from tidings.domain.messages.provenance import Proof, Provenance
from tidings.domain.messages.wishes import When, Wishes
from tidings.ports.codec import Document, ReadOnlyDocument
from tidings.ports.errors import StoreMalformed

_REQUIRED = frozenset(
    {"version", "messageRef", "conversationRef", "target", "authority", "payload"}
    | {"acceptedAt", "deadline"}
)
_OPTIONAL = frozenset(
    {"replyTo", "origin", "source", "provenance"}
    | {"when", "supersedeKey", "retryOf", "replyBox", "awaitedBy", "wake"}
)
_ROUTE = frozenset({"agentUID", "paneUID", "activationGeneration", "provider", "incarnation"})


def to_document(envelope: Envelope) -> Document:
    """The keys of M 1.6 in their order; what is absent is left out; our provenance and the
    sender's wishes come last."""
    document: Document = {
        "version": envelope.version,
        "messageRef": envelope.message_ref,
        "conversationRef": envelope.conversation_ref,
    }
    if envelope.reply_to:
        document["replyTo"] = envelope.reply_to
    if envelope.origin is not None:
        document["origin"] = envelope.origin.to_document()
    if envelope.source is not None:
        document["source"] = route_to_document(envelope.source)
    document["target"] = route_to_document(envelope.target)
    document["authority"] = envelope.authority.to_document()
    document["payload"] = envelope.payload
    document["acceptedAt"] = to_rfc3339(envelope.accepted_at_ns)
    document["deadline"] = to_rfc3339(envelope.deadline_ns)
    if envelope.provenance is not None:
        document["provenance"] = envelope.provenance.to_document()
    document.update(_wish_keys(envelope.wishes))
    return document


def parse_envelope(document: ReadOnlyDocument) -> Envelope:
    """The valid envelope in ``document``.

    Raises ``StoreMalformed`` for a missing or unknown key, a wrong type or any fault of M 1.6.
    """
    try:
        envelope = _parsed(Fields(document=document))
    except ValueError as error:
        raise StoreMalformed(f"a stored envelope does not read: {error}") from error
    fault = fault_of(envelope)
    if fault is not None:
        raise StoreMalformed(f"a stored envelope is invalid: {fault.token} {fault.detail}".strip())
    return envelope


def _parsed(fields: Fields) -> Envelope:
    _check_keys(fields, _REQUIRED, _OPTIONAL)
    origin, source = fields.optional_section("origin"), fields.optional_section("source")
    provenance = fields.optional_section("provenance")
    target = fields.section("target")
    for route in (target, source):
        if route is not None:
            _check_keys(route, _ROUTE)
    return Envelope(
        version=fields.integer("version", least=0),
        message_ref=fields.text("messageRef"),
        conversation_ref=fields.text("conversationRef"),
        reply_to=_given_text(fields, "replyTo"),
        origin=None if origin is None else _origin(origin),
        source=None if source is None else read_route(source),
        target=read_route(target),
        authority=_authority(fields.section("authority")),
        payload=fields.text("payload", longest_bytes=LONGEST_PAYLOAD_BYTES),
        accepted_at_ns=from_rfc3339(fields.text("acceptedAt")),
        deadline_ns=from_rfc3339(fields.text("deadline")),
        provenance=None if provenance is None else _provenance(provenance),
        wishes=_wishes(fields),
    )


def _wish_keys(wishes: Wishes) -> Document:
    """Only what was asked for: a message without wishes has the bytes it always had."""
    given: Document = {
        "when": "" if wishes.when is When.NOW else str(wishes.when),
        "supersedeKey": wishes.supersede_key,
        "retryOf": wishes.retry_of,
        "replyBox": wishes.reply_box,
        "awaitedBy": wishes.awaited_by,
        "wake": wishes.wake,
    }
    return {name: wish for name, wish in given.items() if wish}


def _wishes(fields: Fields) -> Wishes:
    when = _given_text(fields, "when")
    if when == When.NOW:
        raise FieldWrong("when is now, which is written by leaving it out")
    return Wishes(
        when=When(when) if when else When.NOW,
        supersede_key=_given_text(fields, "supersedeKey"),
        retry_of=_given_text(fields, "retryOf"),
        reply_box=_given_text(fields, "replyBox"),
        awaited_by=_given_text(fields, "awaitedBy"),
        wake=_given_flag(fields, "wake"),
    )


def _origin(fields: Fields) -> Origin:
    _check_keys(fields, frozenset({"kind", "client"}))
    return Origin(kind=MessageKind(fields.text("kind")), client=fields.text("client"))


def _authority(fields: Fields) -> Authority:
    _check_keys(fields, frozenset({"kind", "trust", "permission"}))
    return Authority(
        kind=fields.text("kind"),
        trust=fields.text("trust"),
        permission=fields.text("permission"),
    )


def _provenance(fields: Fields) -> Provenance:
    _check_keys(fields, frozenset({"address", "place", "proof"}))
    return Provenance(
        address=fields.text("address"),
        place=fields.text("place"),
        proof=Proof(fields.text("proof")),
    )


def _check_keys(
    fields: Fields, required: frozenset[str], optional: frozenset[str] = frozenset()
) -> None:
    keys = frozenset(fields.document)
    if not required <= keys or not keys <= required | optional:
        raise FieldWrong(f"{fields.path or 'envelope'} has the keys {sorted(keys)}")


def _given_text(fields: Fields, name: str) -> str:
    """Absent, or not empty: an empty key would be another writing of its absence."""
    text = fields.text(name, default="")
    if name in fields.document and not text:
        raise FieldWrong(f"{name} is empty")
    return text


def _given_flag(fields: Fields, name: str) -> bool:
    """Absent, or true: false would be another writing of its absence."""
    if name in fields.document and not fields.flag(name):
        raise FieldWrong(f"{name} is false, which is written by leaving it out")
    return fields.flag(name)
