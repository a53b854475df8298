"""What every ``MessageStore`` keeps (D30)."""

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from tidings.domain.messages.drafts import route_of
from tidings.domain.messages.wishes import Wishes
from tidings.entrypoints.testing.message_rows import (
    NOON,
    NOON_NS,
    activation,
    birth,
    delivered,
    envelope,
    marked,
    message,
    registration,
)
from tidings.ports.agents import AgentRow
from tidings.ports.interactions import InteractionRow
from tidings.ports.messages import EventRow, MessageRow, MessageStore, StoreTransaction
from tidings.ports.trials import TrialEnd, TrialRow
from tidings.ports.values import replace

T = TypeVar("T")
REFS = [f"m{digit * 28}" for digit in "0123456789"]


class MessageStoreContract:
    """Bind it by overriding ``make_store``."""

    def make_store(self) -> MessageStore:
        """The store under test, empty; every call within one test gives the same store."""
        raise NotImplementedError

    def put(self, *rows: MessageRow) -> list[MessageRow]:
        """The rows as they were stored, all in one transaction."""
        return self.change(lambda tx: [tx.insert_message(row) for row in rows])

    def change(self, work: Callable[[StoreTransaction], T]) -> T:
        """One transaction with time to wait."""
        return self.make_store().transact(work, wait_seconds=10)

    def look(self, work: Callable[[StoreTransaction], T]) -> T:
        """One view."""
        return self.make_store().view(work, wait_seconds=5)

    def test_an_empty_store_has_nothing(self) -> None:
        assert self.look(lambda tx: tx.message(REFS[0])) is None
        assert list(self.look(lambda tx: tx.queue("agent-api"))) == []
        assert list(self.look(lambda tx: tx.open_activations())) == []
        assert self.look(lambda tx: tx.registration("activation")) is None
        assert self.look(lambda tx: tx.interaction("10-0123abcd")) is None

    def test_agents_come_back_and_are_found_by_conversation(self) -> None:
        first = AgentRow(agent_uid="a", provider="claude", conversation_id="c", created_at_ns=1)
        second, other = replace(first, agent_uid="b"), replace(first, agent_uid="d", provider="x")

        def work(tx: StoreTransaction) -> None:
            for row in (first, second, other, replace(second, created_at_ns=2)):
                tx.put_agent(row)

        self.change(work)
        assert self.look(lambda tx: tx.agent("a")) == first
        assert self.look(lambda tx: tx.agent("unknown")) is None
        found = self.look(lambda tx: tx.agents_of_conversation("claude", "c"))
        assert list(found) == [first, replace(second, created_at_ns=2)]

    def test_what_waits_under_a_key_is_found_in_order(self) -> None:
        rows = self.put(
            *[self._with_key(ref, "pr-412") for ref in REFS[:3]],
            self._with_key(REFS[3], "pr-413"),
            message(REFS[4]),
        )
        ended = replace(rows[1], state="refused", reason="x", terminal_at_ns=NOON_NS)
        self.change(lambda tx: tx.update_message(ended))
        found = self.look(lambda tx: tx.waiting_with_key("agent-api", "pr-412"))
        assert [row.ref for row in found] == [REFS[0], REFS[2]]
        assert list(self.look(lambda tx: tx.waiting_with_key("agent-front", "pr-412"))) == []

    def test_the_newest_of_a_pair_is_found_by_how_many_are_newer(self) -> None:
        other = activation("other", 30)
        to_other = [message(ref, of=envelope(ref, target=other)) for ref in REFS[3:5]]
        self.put(*[message(ref) for ref in REFS[:3]], *to_other)

        def newest(tx: StoreTransaction) -> list[MessageRow | None]:
            return [tx.latest_of_pair("agent-front", "agent-api", skip=n) for n in range(4)]

        found = self.look(newest)
        assert [row.ref if row else "" for row in found] == [REFS[2], REFS[1], REFS[0], ""]

    def test_messages_are_listed_the_newest_first_page_by_page(self) -> None:
        rows = self.put(*[message(ref) for ref in REFS[:4]])
        first = self.look(lambda tx: tx.newest(before_seq=None, limit=3))
        assert [row.ref for row in first] == [REFS[3], REFS[2], REFS[1]]
        rest = self.look(lambda tx: tx.newest(before_seq=rows[1].seq, limit=3))
        assert [row.ref for row in rest] == [REFS[0]]

    def test_open_targets_are_those_with_something_on_its_way(self) -> None:
        other, third = activation("other", 30), activation("third", 40)
        self.put(
            message(REFS[0]),
            message(REFS[1]),
            message(REFS[2], of=envelope(REFS[2], target=other)),
            replace(
                message(REFS[3], of=envelope(REFS[3], target=third)),
                state="stale",
                reason="x",
                terminal_at_ns=NOON_NS,
            ),
            marked(REFS[4]),
        )
        assert list(self.look(lambda tx: tx.open_targets())) == ["agent-api", "agent-other"]

    def test_the_stream_of_events_goes_on_where_it_was_left(self) -> None:
        self.put(*[message(ref) for ref in REFS[:2]])
        events = [
            EventRow(ref=REFS[n % 2], at_ns=NOON_NS + n, name="held", reason=f"r{n}")
            for n in range(5)
        ]

        def work(tx: StoreTransaction) -> None:
            for event in events:
                tx.add_event(event)

        self.change(work)
        last = self.look(lambda tx: tx.latest_events(limit=2))
        assert [one.event for one in last] == events[3:]
        after = self.look(lambda tx: tx.events_after(last[0].number, limit=10))
        assert list(after) == [last[1]]
        first = self.look(lambda tx: tx.events_after(0, limit=2))
        assert [one.event for one in first] == events[:2]
        assert list(self.look(lambda tx: tx.events_after(last[1].number, limit=2))) == []

    def _with_key(self, ref: str, key: str) -> MessageRow:
        return message(ref, of=replace(envelope(ref), wishes=Wishes(supersede_key=key)))

    def test_activations_come_back_newest_first(self) -> None:
        old, new, other = activation("api", 10), activation("api", 11), activation("front", 20)
        ended = replace(old, ended_at_ns=NOON_NS, end_reason="gone")

        def work(tx: StoreTransaction) -> None:
            for row in (old, new, other, ended):
                tx.put_activation(row)

        self.change(work)
        assert self.look(lambda tx: tx.activation(old.activation_id)) == ended
        assert list(self.look(lambda tx: tx.activations_of_agent("agent-api"))) == [new, ended]
        assert list(self.look(lambda tx: tx.activations_at("api"))) == [new, ended]
        assert list(self.look(lambda tx: tx.open_activations())) == [new, other]
        assert self.look(lambda tx: tx.activation_of_session("20-0123abcd")) == other

    def test_the_latest_ends_come_first(self) -> None:
        first, later, open_ = activation("api", 10), activation("front", 11), activation("api", 12)
        ends = [replace(later, ended_at_ns=NOON_NS), replace(first, ended_at_ns=NOON_NS + 1)]

        def work(tx: StoreTransaction) -> None:
            for row in (open_, *ends):
                tx.put_activation(row)

        self.change(work)
        assert list(self.look(lambda tx: tx.ended_activations(limit=9))) == ends[::-1]
        assert list(self.look(lambda tx: tx.ended_activations(limit=1))) == ends[1:]
        assert list(self.look(lambda tx: tx.ended_activations(limit=0))) == []

    def test_the_newest_activation_of_a_session_counts(self) -> None:
        first = activation("api", 10)
        second = replace(first, activation_id="activation-later")

        def work(tx: StoreTransaction) -> None:
            tx.put_activation(first)
            tx.put_activation(second)

        self.change(work)
        assert self.look(lambda tx: tx.activation_of_session("10-0123abcd")) == second

    def test_registrations_come_back_with_and_without_a_resident(self) -> None:
        row = registration(activation("api", 10))
        bare = replace(row, resident=None, ready=False)
        odd = replace(row, resident=replace(birth(3), start=""))
        for put in (row, bare, odd):
            self.change(lambda tx, put=put: tx.put_registration(put))  # type: ignore[misc]
            assert self.look(lambda tx: tx.registration(row.activation_id)) == put

    def test_the_trial_of_a_client_comes_back_as_it_was_put_last(self) -> None:
        row = TrialRow(client="claude 2.1.400", ref=REFS[0], end="")
        other = replace(row, client="claude 2.1.401", ref=REFS[1])
        assert self.look(lambda tx: tx.trial(row.client)) is None
        for put in (row, other, replace(row, end=TrialEnd.SEEN), replace(row, end=TrialEnd.UNSEEN)):
            self.change(lambda tx, put=put: tx.put_trial(put))  # type: ignore[misc]
            assert self.look(lambda tx, put=put: tx.trial(put.client)) == put  # type: ignore[misc]
        assert self.look(lambda tx: tx.trial(other.client)) == other

    def test_interactions_come_back(self) -> None:
        row = InteractionRow(
            session_key="10-0123abcd", state={"open": [{"n": 1}], "ü": None}, spool_offset=77
        )
        self.change(lambda tx: tx.put_interaction(row))
        self.change(lambda tx: tx.put_interaction(replace(row, spool_offset=78)))
        found = self.look(lambda tx: tx.interaction("10-0123abcd"))
        assert found == replace(row, spool_offset=78)

    def test_a_message_comes_back_as_it_was_stored(self) -> None:
        (stored,) = self.put(message(REFS[0]))
        assert stored.seq > 0
        assert stored == replace(message(REFS[0]), seq=stored.seq)
        assert self.look(lambda tx: tx.message(REFS[0])) == stored

    def test_numbers_rise_with_acceptance(self) -> None:
        rows = self.put(*(message(ref) for ref in reversed(REFS)))
        numbers = [row.seq for row in rows]
        assert numbers == sorted(set(numbers))

    def test_a_ref_is_stored_once(self) -> None:
        import pytest

        self.put(message(REFS[0]))
        with pytest.raises(ValueError, match="already"):
            self.put(message(REFS[0]))
        with pytest.raises(ValueError, match="number"):
            self.put(message(REFS[1], seq=5))
        assert self.look(lambda tx: tx.message(REFS[1])) is None

    def test_an_update_changes_delivery_and_evidence_only(self) -> None:
        import pytest

        (stored,) = self.put(message(REFS[0]))
        after = replace(delivered(REFS[0]), seq=stored.seq, seen_at_ns=NOON_NS + 5)
        forged = replace(after, payload_sha256="f" * 64, target_agent="agent-evil")
        self.change(lambda tx: tx.update_message(forged))
        assert self.look(lambda tx: tx.message(REFS[0])) == after
        with pytest.raises(ValueError, match="not stored"):
            self.change(lambda tx: tx.update_message(message(REFS[1])))

    def test_the_queue_holds_open_unmarked_messages_in_order(self) -> None:
        other = envelope(REFS[5], target=activation("other", 30))
        self.put(
            message(REFS[3]),
            delivered(REFS[1]),
            marked(REFS[2]),
            message(REFS[0], state="held", reason="pacing"),
            message(REFS[5], of=other),
        )
        assert self._refs(lambda tx: tx.queue("agent-api")) == [REFS[3], REFS[0]]
        assert self._refs(lambda tx: tx.queue("agent-api", limit=1)) == [REFS[3]]
        assert self._refs(lambda tx: tx.queue("agent-api", but_kind="notice")) == [REFS[3], REFS[0]]
        assert self._refs(lambda tx: tx.queue("agent-api", but_kind="agent")) == []
        assert self._refs(lambda tx: tx.marked("agent-api")) == [REFS[2]]
        assert self._refs(lambda tx: tx.queue("agent-other")) == [REFS[5]]

    def test_what_is_not_proved_yet_is_listed(self) -> None:
        self.put(
            delivered(REFS[0]),
            delivered(REFS[1], seen_at_ns=NOON_NS + 2),
            delivered(REFS[2], unseen_at_ns=NOON_NS + 2),
            delivered(REFS[3], answered_at_ns=NOON_NS + 2, answer_ref=REFS[9]),
            delivered(REFS[4]),
        )
        assert self._refs(lambda tx: tx.unproved("agent-api")) == [REFS[0], REFS[4]]
        waiting = [REFS[0], REFS[1], REFS[2], REFS[4]]
        assert self._refs(lambda tx: tx.awaiting_reply_from("agent-api")) == waiting

    def test_the_sender_sees_what_may_still_be_answered(self) -> None:
        self.put(
            message(REFS[0]),
            message(REFS[1], state="expired", reason="x", terminal_at_ns=NOON_NS),
            delivered(REFS[2]),
            delivered(REFS[3], answered_at_ns=NOON_NS + 2, answer_ref=REFS[9]),
        )
        assert self._refs(lambda tx: tx.waiting_for_answer("agent-front")) == [REFS[0], REFS[2]]
        assert self._refs(lambda tx: tx.waiting_for_answer("agent-api")) == []

    def test_replies_are_found_by_their_original(self) -> None:
        reply = envelope(
            REFS[1],
            source=activation("api", 10),
            target=activation("front", 20),
            reply_to=REFS[0],
        )
        self.put(delivered(REFS[0]), message(REFS[1], of=reply))
        assert self._refs(lambda tx: tx.replies(REFS[0])) == [REFS[1]]
        assert self._refs(lambda tx: tx.replies(REFS[1])) == []

    def test_recent_messages_come_in_pages(self) -> None:
        rows = self.put(*(message(ref) for ref in REFS))
        page = self._refs(lambda tx: tx.recent(after_seq=rows[3].seq, limit=4))
        assert page == REFS[4:8]

    def test_prefixes_are_letters_and_no_patterns(self) -> None:
        self.put(message("m0%aaaa"), message("m0_aaaa"), message("m0xaaaa"), message("M0xaaaa"))
        prefixes = ["m0", "m0%", "m0_", "m0xaaaa", "m0xaaaab", "n"]
        found = [self._prefixed(prefix) for prefix in prefixes]
        assert found == [
            ["m0%aaaa", "m0_aaaa", "m0xaaaa"],
            ["m0%aaaa"],
            ["m0_aaaa"],
            ["m0xaaaa"],
            [],
            [],
        ]
        assert list(self.look(lambda tx: tx.refs_with_prefix("m0", limit=1))) == ["m0%aaaa"]

    def test_events_are_kept_in_order(self) -> None:
        names = ["accepted", "held", "delivered", "seen"]
        events = [EventRow(ref=REFS[0], at_ns=NOON_NS, name=name, reason="") for name in names]

        def work(tx: StoreTransaction) -> None:
            for event in events:
                tx.add_event(event)

        begun = replace(events[0], name="accepted", reason="because")
        self.change(lambda tx: tx.insert_message(message(REFS[0]), events=[begun]))
        self.change(work)
        assert list(self.look(lambda tx: tx.events(REFS[0]))) == [begun, *events]
        assert list(self.look(lambda tx: tx.events(REFS[1]))) == []

    def test_what_is_perhaps_over_is_found_at_the_front_of_the_queue(self) -> None:
        other = replace(envelope(REFS[1]), target=route_of(activation("api", 11)))
        rows = self.put(
            message(REFS[0]),
            message(REFS[1], of=other),
            message(REFS[2], of=envelope(REFS[2], ttl_ns=10)),
            message(REFS[3], of=envelope(REFS[3], ttl_ns=11)),
            marked(REFS[4]),
            marked(REFS[5], of=replace(other, message_ref=REFS[5])),
            delivered(REFS[6], of=replace(other, message_ref=REFS[6])),
        )
        current = rows[0].target_activation

        def found(*, wall: int, boot: int, limit: int = 32) -> list[MessageRow]:
            now = replace(NOON, wall_ns=NOON_NS + wall, boottime_ns=NOON.boottime_ns + boot)
            return list(
                self.look(lambda tx: tx.perhaps_over("agent-api", current, now=now, limit=limit))
            )

        assert found(wall=9, boot=9) == [rows[1], rows[5]]
        assert found(wall=10, boot=9) == [rows[1], rows[2], rows[5]]
        assert found(wall=9, boot=10) == [rows[1], rows[2], rows[5]]
        assert found(wall=9, boot=11, limit=3) == [rows[1], rows[2], rows[5]]

    def test_neighbours_stand_right_before_and_after_a_ref(self) -> None:
        self.put(message(REFS[3]), message(REFS[1]), message(REFS[7]))
        neighbours = [
            list(self.look(lambda tx, ref=ref: tx.neighbours(ref)))  # type: ignore[misc]
            for ref in (REFS[0], REFS[1], REFS[3], REFS[9])
        ]
        assert neighbours == [[REFS[1]], [REFS[3]], [REFS[1], REFS[7]], [REFS[7]]]

    def test_open_runs_are_found_by_their_address(self) -> None:
        old, new = activation("api", 10), activation("api", 12)
        ended = replace(activation("api", 11), ended_at_ns=NOON_NS, end_reason="left")

        def work(tx: StoreTransaction) -> None:
            for row in (old, new, ended, activation("front", 20)):
                tx.put_activation(row)

        self.change(work)
        assert list(self.look(lambda tx: tx.open_at("api"))) == [new, old]
        assert list(self.look(lambda tx: tx.open_at("nobody"))) == []

    def test_an_exception_leaves_no_trace(self) -> None:
        import pytest

        (before,) = self.put(message(REFS[0]))

        def work(tx: StoreTransaction) -> None:
            tx.insert_message(message(REFS[1]))
            tx.update_message(replace(before, state="held", reason="pacing"))
            tx.put_activation(activation("api", 10))
            tx.add_event(EventRow(ref=REFS[0], at_ns=1, name="held", reason=""))
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            self.change(work)
        assert self.look(lambda tx: tx.message(REFS[1])) is None
        assert self.look(lambda tx: tx.message(REFS[0])) == before
        assert list(self.look(lambda tx: tx.open_activations())) == []
        assert list(self.look(lambda tx: tx.events(REFS[0]))) == []

    def test_a_transaction_sees_its_own_writes(self) -> None:
        def work(tx: StoreTransaction) -> tuple[int, bool]:
            tx.insert_message(message(REFS[0]))
            return len(tx.queue("agent-api")), tx.message(REFS[0]) is not None

        assert self.change(work) == (1, True)

    def test_a_view_never_writes(self) -> None:
        import pytest

        self.put(message(REFS[1]))
        writes: list[Callable[[StoreTransaction], object]] = [
            lambda tx: tx.insert_message(message(REFS[0])),
            lambda tx: tx.update_message(message(REFS[1])),
            lambda tx: tx.put_activation(activation("api", 10)),
            lambda tx: tx.put_registration(registration(activation("api", 10))),
            lambda tx: tx.add_event(EventRow(ref=REFS[0], at_ns=1, name="x", reason="")),
            lambda tx: tx.put_trial(TrialRow(client="claude 2.1.400", ref=REFS[0], end="")),
        ]
        for write in writes:
            with pytest.raises(RuntimeError, match="view"):
                self.look(write)
        assert self.look(lambda tx: tx.message(REFS[0])) is None

    def test_what_comes_out_can_be_changed_without_harm(self) -> None:
        self.put(message(REFS[0]))
        taken = self.look(lambda tx: tx.message(REFS[0]))
        assert taken is not None
        taken.envelope["payload"] = "forged"
        assert self.look(lambda tx: tx.message(REFS[0])) == replace(message(REFS[0]), seq=1)

    def test_a_second_writer_is_told_that_it_is_locked(self) -> None:
        import pytest

        from tidings.ports.errors import StoreLocked

        store = self.make_store()
        self.put(message(REFS[0]))

        def nested(tx: StoreTransaction) -> None:
            store.transact(lambda inner: inner.insert_message(message(REFS[1])), wait_seconds=0)

        with pytest.raises(StoreLocked):
            store.transact(nested, wait_seconds=5)
        assert self.look(lambda tx: tx.message(REFS[1])) is None

    def test_a_reader_beside_a_writer_sees_the_last_commit(self) -> None:
        store = self.make_store()
        self.put(message(REFS[0]))

        def work(tx: StoreTransaction) -> list[str]:
            tx.insert_message(message(REFS[1]))
            return [row.ref for row in store.view(lambda inner: inner.queue("agent-api"))]

        assert store.transact(work, wait_seconds=5) == [REFS[0]]

    def test_a_view_stays_on_one_snapshot(self) -> None:
        store = self.make_store()
        self.put(message(REFS[0]))

        def work(tx: StoreTransaction) -> tuple[int, int]:
            before = len(tx.queue("agent-api"))
            writer = threading.Thread(target=self.put, args=[message(REFS[1])])
            writer.start()
            writer.join(timeout=20)
            return before, len(tx.queue("agent-api"))

        assert store.view(work) == (1, 1)
        assert len(self.look(lambda tx: tx.queue("agent-api"))) == 2

    def test_sixty_four_writers_lose_nothing(self) -> None:
        refs = [f"m{number:028d}" for number in range(64)]
        self.put(message(REFS[9]))
        threads = [threading.Thread(target=self.put, args=[message(ref)]) for ref in refs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=30)
        stored = self.look(lambda tx: tx.recent(after_seq=1, limit=100))
        assert sorted(row.ref for row in stored) == refs
        assert len({row.seq for row in stored}) == 64

    def _refs(self, select: Callable[[StoreTransaction], Sequence[MessageRow]]) -> list[str]:
        return [row.ref for row in self.look(select)]

    def _prefixed(self, prefix: str) -> list[str]:
        return list(self.look(lambda tx: tx.refs_with_prefix(prefix, limit=10)))
