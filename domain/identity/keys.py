"""The session key: the one name of a session's record, mark, locks and spool (D2).

The hook imports this module at every tool call, so it may import nothing but a digest.
"""

from tidings.domain.identity.digest import sha256

_DIGEST_LENGTH = 8
_HEX_DIGITS = frozenset("0123456789abcdef")


def session_key(
    *, pid: int, machine_id: str, pid_namespace: str, start: str, thread_id: str = ""
) -> str:
    """``<pid>-<8 hex>``: two containers on one home both have a pid 7, so the pid alone names nothing.

    ``thread_id`` is empty unless one process hosts several conversations.
    """
    text = f"{machine_id}\0{pid_namespace}\0{start}\0{thread_id}"
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{pid}-{digest[:_DIGEST_LENGTH]}"


def is_session_key(text: str) -> bool:
    """Whether ``text`` has the form of a key; only then may it become part of a file's name."""
    pid, _, digest = text.partition("-")
    return (
        pid.isascii()
        and pid.isdigit()
        and len(pid) <= 10
        and len(digest) == _DIGEST_LENGTH
        and _HEX_DIGITS.issuperset(digest)
    )


def is_legacy_name(text: str) -> bool:
    """Whether ``text`` is what records were named by before keys: a bare pid (S 1.2, 4.10)."""
    return text.isascii() and text.isdigit() and len(text) <= 10
