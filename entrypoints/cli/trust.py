"""``tidings trust``: approves a repository's opt-in, by path and digest (D9)."""

import os
from collections.abc import Sequence

from tidings.domain.consent.approving import Approval
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.output import tell_done, write_json_array, write_line, write_table
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.cli.subject import require_operator
from tidings.entrypoints.places import from_root
from tidings.ports.codec import Document
from tidings.ports.errors import UsageError


def run(words: Sequence[str]) -> int:
    """Approves the file that counts for a folder, takes that back, or lists what is approved."""
    parser = VerbParser("trust")
    parser.operand("FOLDER", "a folder of the repository (default: this one)", nargs="?")
    parser.either("--list", "--remove")
    parser.option("--json")
    options = parser.read(words)
    if options.list and options.folder is not None:
        raise UsageError("--list shows all that is approved", next_step="leave the folder out")
    call = open_call()
    if options.list:
        return _list(call.app, as_json=options.json)
    folder = os.path.realpath(from_root(options.folder or os.curdir))
    if options.remove:
        return _remove(call.app, folder, as_json=options.json)
    require_operator(call, "", "trust")
    approval = call.app.trust.approve(folder)
    says_yes = call.app.defaults.of_folder(folder)
    said = f"{approval.path} is approved as it is now: {'it opts in' if says_yes.is_on else says_yes.why}"
    return tell_done(said, _document(approval), code=0, as_json=options.json)


def _remove(app: Application, folder: str, *, as_json: bool) -> int:
    gone = app.trust.revoke(folder)
    said = "nothing was approved there" if gone is None else f"{gone.path} is approved no more"
    document: Document = {"removed": gone is not None, **(_document(gone) if gone else {})}
    return tell_done(said, document, code=0, as_json=as_json)


def _list(app: Application, *, as_json: bool) -> int:
    approved = app.trust.approved()
    if as_json:
        write_json_array([_document(one) for one in approved])
    elif approved:
        write_table(("DIGEST", "FILE"), [(one.digest[:12], one.path) for one in approved])
    else:
        write_line("nothing is approved")
    return 0


def _document(approval: Approval) -> Document:
    return {
        "path": approval.path,
        "digest": approval.digest,
        "approved_at_ns": approval.approved_at_ns,
    }
