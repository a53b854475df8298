"""What every ``LineTransport`` keeps (D17, M 5.4)."""

from collections.abc import Sequence
from typing import Protocol

from tidings.ports.errors import StoreLocked
from tidings.ports.tokens import WriteResult
from tidings.ports.transport import LineTransport, WriteFact

FULL = WriteFact(result=WriteResult.FULL, reason="")
REFUSED = WriteFact(result=WriteResult.ZERO, reason="provider-prewrite-refused")


class Output(Protocol):
    """A monitor's output and what its harness has read of it."""

    @property
    def transport(self) -> LineTransport: ...

    def lines(self) -> Sequence[str]:
        """Every line that arrived, in order, without its break."""
        ...


class LineTransportContract:
    """Bind it by overriding ``make_output``."""

    def make_output(self) -> Output:
        """An output that its harness reads."""
        raise NotImplementedError

    def test_lines_arrive_whole_once_and_in_order(self) -> None:
        output = self.make_output()
        texts = ["tidings m1 from front | one", "\uac00" * 480, "\U0001f600 two"]
        for text in texts:
            assert output.transport.write(text, lambda: True) == FULL
        assert output.lines() == texts

    def test_the_fence_is_asked_once_and_its_no_is_a_known_zero(self) -> None:
        asked: list[bool] = []

        def fence() -> bool:
            asked.append(True)
            return len(asked) > 1

        output = self.make_output()
        assert output.transport.write("x", fence) == REFUSED
        assert output.lines() == []
        assert output.transport.write("y", fence) == FULL
        assert (len(asked), output.lines()) == (2, ["y"])

    def test_a_fence_that_cannot_look_has_said_no(self) -> None:
        def locked() -> bool:
            raise StoreLocked("the database stayed locked")

        output = self.make_output()
        assert output.transport.write("x", locked) == REFUSED
        assert output.lines() == []
