"""What every ``Processes`` keeps."""

from dataclasses import astuple

from tidings.ports.processes import Processes, ProcessGone, ProcessSeen, ProcessUnreadable


class ProcessesContract:
    """Bind it by overriding the four ``make``/``start``/``end``/``leave`` methods.

    ``gives_starts`` is False for a platform that has no start tokens.
    """

    gives_starts = True

    def make_processes(self) -> Processes:
        """The adapter under test; every call looks at the same kernel."""
        raise NotImplementedError

    def start_child(self) -> int:
        """Starts a child of this process and returns its pid."""
        raise NotImplementedError

    def end_child(self, pid: int) -> None:
        """Ends it and reaps it."""
        raise NotImplementedError

    def leave_zombie(self) -> int:
        """A child that has ended and is not reaped."""
        raise NotImplementedError

    def _seen(self, pid: int) -> ProcessSeen:
        fact = self.make_processes().look(pid)
        assert isinstance(fact, ProcessSeen), fact
        return fact

    def test_it_sees_itself(self) -> None:
        pid = self.make_processes().self_pid()
        assert self._seen(pid).birth.pid == pid

    def test_a_birth_is_the_same_at_every_look(self) -> None:
        pid = self.make_processes().self_pid()
        assert self._seen(pid).birth == self._seen(pid).birth

    def test_a_start_is_a_token_or_empty(self) -> None:
        start = self._seen(self.make_processes().self_pid()).birth.start
        assert bool(start) is self.gives_starts
        assert len(start.encode()) <= 160
        assert not set(start) & set("\r\n\0")

    def test_a_child_comes_with_its_parent(self) -> None:
        pid = self.start_child()
        try:
            assert self._seen(pid).parent_pid == self.make_processes().self_pid()
        finally:
            self.end_child(pid)

    def test_a_reaped_child_is_gone(self) -> None:
        pid = self.start_child()
        self.end_child(pid)
        assert self.make_processes().look(pid) == ProcessGone(pid=pid)

    def test_a_zombie_is_seen_as_one_with_at_most_one_task(self) -> None:
        pid = self.leave_zombie()
        try:
            fact = self._seen(pid)
            assert (fact.state, fact.tasks <= 1) == ("Z", True)
        finally:
            self.end_child(pid)

    def test_no_process_has_a_number_below_one(self) -> None:
        for pid in (0, -1, -(2**40)):
            assert isinstance(self.make_processes().look(pid), ProcessUnreadable)

    def test_a_number_beyond_all_bounds_is_no_crash(self) -> None:
        assert not isinstance(self.make_processes().look(2**63), ProcessSeen)

    def test_the_place_is_constant(self) -> None:
        place = self.make_processes().place()
        assert place == self.make_processes().place()
        assert all(isinstance(part, str | bool) for part in astuple(place))
