"""What every ``HarnessStatus`` keeps."""

from tidings.ports.harness_status import HarnessStatus, StatusSeen, StatusUnreadable
from tidings.ports.tokens import StatusWord


class HarnessStatusContract:
    """Bind it by overriding the ``make_`` and the publishing methods."""

    def make_status(self) -> HarnessStatus:
        """The adapter under test; every call of one test looks at the same harness."""
        raise NotImplementedError

    def pid(self) -> int:
        """The harness's process, alive."""
        raise NotImplementedError

    def publish(self, word: str, *, waiting_for: str = "", session_id: str = "s-1") -> None:
        """The harness publishes this in both views, whether we know the word or not."""
        raise NotImplementedError

    def withdraw(self) -> None:
        """The harness publishes nothing any more."""
        raise NotImplementedError

    def test_each_word_is_seen_in_both_views(self) -> None:
        status = self.make_status()
        for word in StatusWord:
            self.publish(word.value, waiting_for="input needed", session_id="s-7")
            for fact in (status.glance(self.pid()), status.confirm(self.pid())):
                assert isinstance(fact, StatusSeen)
                assert (fact.word, fact.waiting_for, fact.session_id) == (
                    word,
                    "input needed",
                    "s-7",
                )

    def test_readings_begin_one_after_the_other(self) -> None:
        status = self.make_status()
        self.publish("idle")
        first, second = status.confirm(self.pid()), status.confirm(self.pid())
        assert isinstance(first, StatusSeen)
        assert isinstance(second, StatusSeen)
        assert 0 < first.begun <= second.begun

    def test_nothing_published_is_unreadable(self) -> None:
        status = self.make_status()
        self.publish("idle")
        self.withdraw()
        assert isinstance(status.glance(self.pid()), StatusUnreadable)
        assert isinstance(status.confirm(self.pid()), StatusUnreadable)

    def test_another_process_is_unreadable(self) -> None:
        status = self.make_status()
        self.publish("idle")
        assert isinstance(status.glance(self.pid() + 1), StatusUnreadable)
        assert isinstance(status.confirm(self.pid() + 1), StatusUnreadable)
