"""The desk at which processes become agents, and at which agents are found again (D1, D5, D12)."""

from collections.abc import Sequence

from tidings.domain.identity.addresses import near_names
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.probe import OwnerProbe
from tidings.domain.registration.activation import Arrival, follow_conversation, welcome, with_end
from tidings.domain.registration.claim import (
    Claimed,
    ClaimOutcome,
    ClaimRefusal,
    ClaimRefused,
    cleared,
    decide_claim,
)
from tidings.domain.registration.shape import Shape, classify
from tidings.domain.sessions.record import SessionRecord, parse_record
from tidings.ports.agents import ActivationRow, RegistrationRow
from tidings.ports.clock import Clock
from tidings.ports.errors import Ambiguous, NotFound, NotRunning, UsageError
from tidings.ports.ids import Ids
from tidings.ports.messages import MessageStore, StoreTransaction
from tidings.ports.processes import ProcessBirth
from tidings.ports.sessions import SessionRecords
from tidings.ports.tokens import Provider, Verdict
from tidings.ports.values import dataclass

WRITE_WAIT_SECONDS = 2.0
"""How long a writer waits for the store (D30)."""

GENERATION_BYTES = 24
"""A registration generation is 24 random bytes in hex (R 1.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LivingAgent:
    """An activation with what the evidence says of it now."""

    activation: ActivationRow
    verdict: Verdict
    shape: Shape


class Admission:
    """Adopts, joins, resolves, claims and ends. Liveness comes from the one probe."""

    def __init__(
        self,
        *,
        store: MessageStore,
        records: SessionRecords,
        clock: Clock,
        ids: Ids,
        probe: OwnerProbe,
    ) -> None:
        self._store = store
        self._records = records
        self._clock = clock
        self._ids = ids
        self._probe = probe

    def admit(
        self,
        owner: SessionOwner,
        *,
        provider: Provider,
        conversation_id: str,
        label: str,
        cwd: str,
        wanted: Sequence[str],
    ) -> ActivationRow:
        """The activation of ``owner``: found, or made with an address of its own.

        ``wanted`` are address ideas, best first; the first free one is taken, then ``-2``, ``-3``…
        """
        arrival = Arrival(
            owner=owner,
            provider=provider,
            conversation_id=conversation_id,
            label=label,
            cwd=cwd,
            wanted=tuple(wanted),
            agent_uid=f"agent-{self._ids.random_bytes(12).hex()}",
            activation_id=f"activation-{self._ids.random_bytes(12).hex()}",
            now_ns=self._clock.now().wall_ns,
        )
        verdicts = {row.activation_id: self._verdict(row) for row in self.open_activations()}
        return self._store.transact(
            lambda tx: welcome(tx, arrival, verdicts=verdicts), wait_seconds=WRITE_WAIT_SECONDS
        )

    def open_activations(self) -> Sequence[ActivationRow]:
        """Activations that are not marked as ended; their processes may be dead all the same."""
        return self._store.view(lambda tx: tuple(tx.open_activations()))

    def departed(self, *, limit: int) -> Sequence[ActivationRow]:
        """Up to ``limit`` open runs whose process is proved dead, and whose resident, which would
        end them itself once it has stored the last answers, is so too."""
        rows = self._store.view(
            lambda tx: [(row, tx.registration(row.activation_id)) for row in tx.open_activations()]
        )
        gone = [row for row, lease in rows if self._has_departed(row, lease)]
        return tuple(gone[:limit])

    def ended(self, *, limit: int) -> Sequence[LivingAgent]:
        """The latest ``limit`` runs that are marked as ended, the latest end first."""
        rows = self._store.view(lambda tx: tuple(tx.ended_activations(limit=limit)))
        return tuple(
            LivingAgent(activation=row, verdict=Verdict.DEAD, shape=Shape.SESSION_GONE)
            for row in rows
        )

    def living(self) -> Sequence[LivingAgent]:
        """Every open activation with its verdict and its shape; changes nothing."""
        rows = self._store.view(
            lambda tx: [(row, tx.registration(row.activation_id)) for row in tx.open_activations()]
        )
        return tuple(self._judged(row, registration) for row, registration in rows)

    def resolve(self, target: str) -> ActivationRow:
        """The one living activation that ``target`` names (D5).

        ``agent:UID``, ``session:KEY`` or an address, exactly. Raises ``NotFound`` with near names,
        ``Ambiguous`` with candidates, ``NotRunning`` where only a dead or ended one matches.
        Nothing is created. Raises ``UsageError`` for a blank name.
        """
        if not target.strip():
            raise UsageError("the name of a session is blank", next_step="`tidings ls` lists them")
        present = self._present(target)
        if len(present) == 1:
            return present[0]
        if present:
            raise Ambiguous(
                f"{target} names {len(present)} sessions",
                candidates=[f"session:{one.session_key}" for one in present],
                next_step="name one of them by session:KEY",
            )
        raise self._absent(target)

    def _present(self, target: str) -> Sequence[ActivationRow]:
        """The runs that ``target`` names and that nothing proves to be over; only they are judged."""
        runs = self._store.view(lambda tx: tuple(_open_runs_of(tx, target)))
        return [row for row in runs if self._full_verdict(row) is not Verdict.DEAD]

    def _absent(self, target: str) -> NotRunning | NotFound:
        """Why nothing living is called ``target``, and what is."""
        agents = self.living()
        matching = [one for one in agents if _matches(one.activation, target)]
        if matching or self._ever_known(target):
            return NotRunning(
                f"{target} is known, but {self._why_gone(matching)}",
                next_step="`tidings ls --all` shows what is known of it",
            )
        known = [one.activation.address for one in agents if one.verdict is not Verdict.DEAD]
        near = near_names(target, known)
        return NotFound(
            f"no session is called {target}",
            near=near,
            next_step=f"did you mean {', '.join(near)}?" if near else "`tidings ls` lists them",
        )

    def last_run(self, target: str) -> ActivationRow | None:
        """The newest run that ``target`` names, whether or not it has ended; None where none did."""
        runs = self._store.view(lambda tx: tuple(_runs_of(tx, target)))
        return runs[0] if runs else None

    def activation_of(self, session_key: str) -> ActivationRow | None:
        """The open activation of that session key, if there is one."""
        row = self._store.view(lambda tx: tx.activation_of_session(session_key))
        return row if row is not None and row.ended_at_ns is None else None

    def address_of(self, agent_uid: str) -> str:
        """The address of the agent's newest run, or its ``agent:UID`` where it never had one."""
        runs = self._store.view(lambda tx: tx.activations_of_agent(agent_uid))
        return runs[0].address if runs else f"agent:{agent_uid}"

    def registration_of(self, activation_id: str) -> RegistrationRow | None:
        """The registration row as stored; its processes are not judged."""
        return self._store.view(lambda tx: tx.registration(activation_id))

    def claim(
        self,
        activation: ActivationRow,
        *,
        resident: ProcessBirth,
        observed_prior: str,
        client_version: str,
    ) -> ClaimOutcome:
        """One compare-and-set transaction: claim and ready together, or nothing (R 3.2, 3.3)."""
        if self._verdict(activation) is Verdict.DEAD:
            return ClaimRefused(reason=ClaimRefusal.GONE)
        wanted = RegistrationRow(
            activation_id=activation.activation_id,
            generation=self._ids.random_bytes(GENERATION_BYTES).hex(),
            conversation_id=activation.conversation_id,
            resident=resident,
            ready=True,
            client_version=client_version,
            claimed_at_ns=self._clock.now().wall_ns,
        )

        def work(tx: StoreTransaction) -> ClaimOutcome:
            stored = tx.activation(activation.activation_id)
            if stored is None or stored.ended_at_ns is not None or stored.owner != activation.owner:
                return ClaimRefused(reason=ClaimRefusal.ACTIVATION)
            current = tx.registration(activation.activation_id)
            outcome = decide_claim(current, observed_prior=observed_prior, wanted=wanted)
            if isinstance(outcome, Claimed) and outcome.changed:
                tx.put_registration(outcome.row)
            return outcome

        return self._store.transact(work, wait_seconds=WRITE_WAIT_SECONDS)

    def clear(self, activation_id: str, *, generation: str, resident: ProcessBirth) -> bool:
        """Gives the lease back; False where somebody else holds it by now."""

        def work(tx: StoreTransaction) -> bool:
            row = cleared(tx.registration(activation_id), generation=generation, resident=resident)
            if row is not None:
                tx.put_registration(row)
            return row is not None

        return self._store.transact(work, wait_seconds=WRITE_WAIT_SECONDS)

    def follow(self, activation_id: str, conversation_id: str) -> ActivationRow:
        """The activation in its new conversation: ``/clear`` keeps agent and activation (D1).

        Raises ``NotRunning`` where the activation has ended meanwhile.
        """

        def work(tx: StoreTransaction) -> ActivationRow:
            row = tx.activation(activation_id)
            if row is None or row.ended_at_ns is not None:
                raise NotRunning("this run of the agent has ended")
            return follow_conversation(tx, row, conversation_id)

        return self._store.transact(work, wait_seconds=WRITE_WAIT_SECONDS)

    def look(self, activation_id: str) -> LivingAgent | None:
        """The run as it is now; None once it is marked as ended."""
        row, lease = self._store.view(
            lambda tx: (tx.activation(activation_id), tx.registration(activation_id))
        )
        return None if row is None or row.ended_at_ns is not None else self._judged(row, lease)

    def end_dead(self, agent_uid: str) -> Sequence[ActivationRow]:
        """Marks the agent's runs as ended whose process is proved gone; those runs."""
        runs = [row for row in self.open_activations() if row.agent_uid == agent_uid]
        dead = [row for row in runs if self._verdict(row) is Verdict.DEAD]
        for row in dead:
            self.end(row.activation_id, reason="process-gone")
        return dead

    def end(self, activation_id: str, *, reason: str) -> None:
        """Marks the activation as ended; a second call changes nothing."""
        now_ns = self._clock.now().wall_ns

        def work(tx: StoreTransaction) -> None:
            row = tx.activation(activation_id)
            if row is not None and row.ended_at_ns is None:
                tx.put_activation(with_end(row, now_ns=now_ns, reason=reason))

        self._store.transact(work, wait_seconds=WRITE_WAIT_SECONDS)

    def _why_gone(self, matching: Sequence[LivingAgent]) -> str:
        if any(self._verdict(one.activation) is Verdict.ALIVE for one in matching):
            return "its messaging socket is not the one that was recorded"
        return "no process of it is running"

    def _ever_known(self, target: str) -> bool:
        return self.last_run(target) is not None

    def _judged(self, row: ActivationRow, registration: RegistrationRow | None) -> LivingAgent:
        verdict = self._full_verdict(row)
        resident = Verdict.DEAD
        if registration is not None and registration.resident is not None:
            resident = self._probe.alive_birth(registration.resident, row.place)
        return LivingAgent(
            activation=row,
            verdict=verdict,
            shape=classify(registration, owner=verdict, resident=resident),
        )

    def _has_departed(self, row: ActivationRow, lease: RegistrationRow | None) -> bool:
        resident = None if lease is None else lease.resident
        if self._verdict(row) is not Verdict.DEAD:
            return False
        return resident is None or self._probe.alive_birth(resident, row.place) is Verdict.DEAD

    def _full_verdict(self, row: ActivationRow) -> Verdict:
        """What every list, gate and prune says of the session: its record names the socket too.

        A library process has none; its own birth is all the evidence there is (D1).
        """
        if row.provider == Provider.PROCESS:
            return self._verdict(row)
        fact = self._records.read(row.session_key)
        record = parse_record(fact) if fact is not None else None
        if isinstance(record, SessionRecord) and record.owner.birth == row.owner:
            return self._probe.judge(record.owner).verdict
        return self._verdict(row)

    def _verdict(self, row: ActivationRow) -> Verdict:
        """The process alone: a run ends with its process, not with a socket that moved."""
        return self._probe.alive_birth(row.owner, row.place)


def _open_runs_of(tx: StoreTransaction, target: str) -> Sequence[ActivationRow]:
    kind, colon, _ = target.partition(":")
    if colon and kind in ("agent", "session"):
        return [row for row in _runs_of(tx, target) if row.ended_at_ns is None]
    return tx.open_at(target)


def _runs_of(tx: StoreTransaction, target: str) -> Sequence[ActivationRow]:
    kind, colon, value = target.partition(":")
    if colon and kind == "agent":
        return tx.activations_of_agent(value)
    if colon and kind == "session":
        run = tx.activation_of_session(value)
        return () if run is None else (run,)
    return tx.activations_at(target)


def _matches(row: ActivationRow, target: str) -> bool:
    kind, colon, value = target.partition(":")
    if colon and kind == "agent":
        return row.agent_uid == value
    if colon and kind == "session":
        return row.session_key == value
    return row.address == target
