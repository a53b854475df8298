"""What every ``Ids`` keeps."""

from tidings.ports.ids import Ids


class IdsContract:
    """Bind it by overriding ``make_ids``."""

    def make_ids(self) -> Ids:
        """A source of the adapter under test."""
        raise NotImplementedError

    def test_as_many_bytes_as_asked_for(self) -> None:
        ids = self.make_ids()
        assert [len(ids.random_bytes(count)) for count in (1, 18, 24, 64)] == [1, 18, 24, 64]

    def test_no_two_draws_are_alike(self) -> None:
        ids = self.make_ids()
        assert len({ids.random_bytes(18) for _ in range(500)}) == 500

    def test_other_counts_are_refused(self) -> None:
        import pytest

        for count in (-1, 0, 65):
            with pytest.raises(ValueError, match="1 to 64"):
                self.make_ids().random_bytes(count)
