"""The session record: presence on disk (S 1.4). It says that a session is; it grants nothing."""

from typing import TypeAlias, assert_never

from tidings.domain.documents import Fields, FieldWrong, without_empty
from tidings.domain.identity.keys import is_legacy_name
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.owner_document import owner_to_document, read_owner
from tidings.domain.sessions.legacy import LegacySession, read_legacy
from tidings.ports.codec import Document
from tidings.ports.sessions import RecordFact, RecordMalformed, RecordRead
from tidings.ports.tokens import Provider
from tidings.ports.values import dataclass

RECORD_FORM = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """One harness process with its conversation.

    ``agent`` is the declared label, for attribution only; ``name`` is what the harness calls the
    session. ``owner_source`` tells how the owner was named (``ancestor``, ``self``, or a
    variable), ``owner_verified`` whether it was the registrar or above it. ``registrar_pid`` is
    the process that wrote the record; it has usually exited.
    """

    key: str
    owner: SessionOwner
    owner_source: str
    owner_verified: bool
    provider: Provider
    session_id: str
    agent: str
    name: str
    cwd: str
    registered_at_ns: int
    registrar_pid: int
    path: str = ""

    def to_document(self) -> Document:
        """The record as it is stored. Neither its key nor its path is inside: its name says them."""
        return {
            "v": RECORD_FORM,
            **without_empty(
                {
                    "owner": owner_to_document(self.owner),
                    "owner_source": self.owner_source,
                    "owner_verified": self.owner_verified,
                    "provider": str(self.provider),
                    "session_id": self.session_id,
                    "agent": self.agent,
                    "name": self.name,
                }
            ),
            "cwd": self.cwd,
            "registered_at_ns": self.registered_at_ns,
            "registrar_pid": self.registrar_pid,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MalformedSession:
    """A file in a record's place that is none. Whose it is, and whether that lives, is unknown."""

    key: str
    path: str
    modified_at_ns: int
    why: str


ParsedRecord: TypeAlias = SessionRecord | LegacySession | MalformedSession


def parse_record(fact: RecordFact) -> ParsedRecord:
    """The record in ``fact``: every field has its type and bounds, or the whole is malformed."""
    match fact:
        case RecordMalformed():
            return _malformed(fact, fact.why)
        case RecordRead():
            try:
                return read_legacy(fact) if is_legacy_name(fact.key) else _read(fact)
            except FieldWrong as wrong:
                return _malformed(fact, str(wrong))
        case _:
            assert_never(fact)


def _read(fact: RecordRead) -> SessionRecord:
    fields = Fields(document=fact.document)
    fields.version(RECORD_FORM)
    owner = read_owner(fields.section("owner"))
    if owner.key != fact.key:
        raise FieldWrong("the owner inside is not the one in the file's name")
    return SessionRecord(
        key=fact.key,
        owner=owner,
        owner_source=fields.text("owner_source", default=""),
        owner_verified=fields.flag("owner_verified"),
        provider=_provider(fields),
        session_id=fields.text("session_id", default=""),
        agent=fields.text("agent", default=""),
        name=fields.text("name", default=""),
        cwd=_folder(fields),
        registered_at_ns=fields.integer("registered_at_ns", least=1),
        registrar_pid=fields.integer("registrar_pid", least=1),
        path=fact.path,
    )


def _provider(fields: Fields) -> Provider:
    try:
        return Provider(fields.text("provider"))
    except ValueError:
        raise FieldWrong("provider is not one we know") from None


def _folder(fields: Fields) -> str:
    cwd = fields.text("cwd")
    if not cwd:
        raise FieldWrong("cwd is empty")
    return cwd


def _malformed(fact: RecordFact, why: str) -> MalformedSession:
    return MalformedSession(
        key=fact.key, path=fact.path, modified_at_ns=fact.modified_at_ns, why=why
    )
