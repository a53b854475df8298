"""The list of approved opt-ins: which file, with which content, since when (D9). Pure."""

from collections.abc import Sequence

from tidings.domain.documents import Fields, FieldWrong
from tidings.ports.codec import Document, Value
from tidings.ports.settings import SettingsRead
from tidings.ports.values import dataclass

APPROVALS_FORM = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One repository file that the operator approved, as it was: a changed one has another digest."""

    path: str
    digest: str
    approved_at_ns: int


def read_approvals(document: Document) -> tuple[Approval, ...]:
    """The approvals in ``document``. Raises ``FieldWrong``: one wrong row makes the whole wrong."""
    fields = Fields(document=document)
    fields.version(APPROVALS_FORM)
    rows = document.get("approved")
    if not isinstance(rows, list):
        raise FieldWrong("approved is not a list")
    return tuple(map(_row, rows))


def to_document(approvals: Sequence[Approval]) -> Document:
    """The list as it is stored."""
    rows: list[Document] = [
        {"path": one.path, "digest": one.digest, "approved_at_ns": one.approved_at_ns}
        for one in approvals
    ]
    return {"v": APPROVALS_FORM, "approved": [*rows]}


def with_approval(approvals: Sequence[Approval], new: Approval) -> tuple[Approval, ...]:
    """``new`` in the place of what was said of that path before."""
    return (*without_approval(approvals, new.path), new)


def without_approval(approvals: Sequence[Approval], path: str) -> tuple[Approval, ...]:
    """The others."""
    return tuple(one for one in approvals if one.path != path)


def approves(approvals: Sequence[Approval], file: SettingsRead) -> bool:
    """Whether exactly this content at exactly this path was approved."""
    return any((one.path, one.digest) == (file.path, file.digest) for one in approvals)


def _row(value: Value) -> Approval:
    if not isinstance(value, dict):
        raise FieldWrong("an approval is not an object")
    fields = Fields(document=value, path="approved.")
    return Approval(
        path=fields.text("path"),
        digest=fields.text("digest"),
        approved_at_ns=fields.integer("approved_at_ns", least=1),
    )
