"""How long something takes: a number of seconds, or until somebody says so."""

import asyncio
import contextlib


class Pace:
    """One thing at a time is waited for; ``go_on`` ends the wait well, ``escape`` ends it badly."""

    def __init__(self) -> None:
        self._outcome: asyncio.Future[bool] | None = None

    @property
    def is_waiting(self) -> bool:
        return self._outcome is not None and not self._outcome.done()

    async def wait(self, seconds: float | None) -> bool:
        """True after ``seconds`` or ``go_on``; False after ``escape``."""
        self._outcome = asyncio.get_running_loop().create_future()
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(self._outcome, seconds)
        return True

    def go_on(self) -> bool:
        return self._end(went_on=True)

    def escape(self) -> bool:
        return self._end(went_on=False)

    def _end(self, *, went_on: bool) -> bool:
        if self._outcome is None or self._outcome.done():
            return False
        self._outcome.set_result(went_on)
        return True
