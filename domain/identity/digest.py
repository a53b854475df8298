"""SHA-256 without the weight of ``hashlib``, which loads OpenSSL. Light: the hook imports it."""

TYPE_CHECKING = False  # a type checker reads it as true; ``typing`` would cost a hook 10 ms

if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha256 import sha256  # Python 3.11
    except ImportError:
        try:
            from _sha2 import sha256  # Python 3.12 and later
        except ImportError:
            from hashlib import sha256

__all__ = ["sha256"]
