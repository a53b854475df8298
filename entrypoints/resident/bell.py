"""The resident's bell across its images: the same descriptors, so no ring is lost in between."""

from tidings.adapters.files.doorbells import FifoDoorbellListener, listen


def hung_up(folder: str, key: str) -> tuple[int, int]:
    """Hangs up the bell of ``key`` and returns its descriptors, for the luggage."""
    return listen(folder, key).descriptors()


def carried(descriptors: tuple[int, int]) -> FifoDoorbellListener:
    """The listener over descriptors that an earlier image opened."""
    return FifoDoorbellListener(*descriptors)
