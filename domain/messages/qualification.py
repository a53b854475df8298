"""Which client versions may have frames at their socket (D19, decision 0015)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from tidings.domain.messages.deadline import since_handoff_ns
from tidings.domain.messages.delivery import State
from tidings.domain.messages.limits import TRIAL_NS
from tidings.ports.agents import ActivationRow
from tidings.ports.clock import Instant
from tidings.ports.messages import MessageRow, StoreTransaction
from tidings.ports.tokens import Provider
from tidings.ports.trials import TrialEnd, TrialRow
from tidings.ports.values import replace

CONFORMING: Final[Mapping[str, frozenset[str]]] = {Provider.CLAUDE: frozenset({"2.1.332"})}
"""The exact versions that the conformance tests of this release ran with."""


class Standing(StrEnum):
    """How far the socket of one exact client version is trusted on this machine."""

    QUALIFIED = "qualified"
    UNTRIED = "untried"
    ON_TRIAL = "on-trial"
    UNQUALIFIED = "unqualified"


def standing_of(tx: StoreTransaction, target: ActivationRow, now: Instant) -> Standing:
    """The standing of the version that hosts ``target``. A client that names none was never
    qualified."""
    version = _version(tx, target)
    if not version:
        return Standing.UNQUALIFIED
    if version in CONFORMING.get(target.provider, ()):
        return Standing.QUALIFIED
    trial = _trial(tx, target)
    if trial is None:
        return Standing.UNTRIED
    if trial.end:
        return Standing.QUALIFIED if trial.end == TrialEnd.SEEN else Standing.UNQUALIFIED
    return _standing_of_frame(tx.message(trial.ref), now)


def begin_trial(tx: StoreTransaction, target: ActivationRow, ref: str) -> None:
    """The message ``ref`` is the one frame; to be written in the transaction of its mark."""
    tx.put_trial(TrialRow(client=_client(tx, target), ref=ref, end=""))


def conclude_trial(tx: StoreTransaction, target: ActivationRow, now: Instant) -> None:
    """Keeps how the trial of the target's version ended, so that it outlives its message."""
    trial = _trial(tx, target)
    if trial is None or trial.end:
        return
    row = tx.message(trial.ref)
    end = _end_by_reading(row)
    if end is None and _standing_of_frame(row, now) is Standing.UNQUALIFIED:
        end = TrialEnd.UNSEEN
    if end is not None:
        tx.put_trial(replace(trial, end=end))


def note_trial_read(tx: StoreTransaction, target: ActivationRow, ref: str) -> None:
    """The message ``ref`` to ``target`` was read just now; if it was a trial, that decides it."""
    trial = _trial(tx, target)
    if trial is None or trial.end or trial.ref != ref:
        return
    end = _end_by_reading(tx.message(ref))
    if end is not None:
        tx.put_trial(replace(trial, end=end))


def _standing_of_frame(row: MessageRow | None, now: Instant) -> Standing:
    """What the one frame tells. Where no byte of it left, nothing was tried."""
    if row is None:
        return Standing.UNQUALIFIED
    if row.handoff_at_ns is None or (row.state == State.FAILED and not row.outcome_unknown):
        return Standing.UNTRIED
    match _end_by_reading(row):
        case TrialEnd.SEEN:
            return Standing.QUALIFIED
        case TrialEnd.UNSEEN:
            return Standing.UNQUALIFIED
        case None:
            is_over = since_handoff_ns(row, now) > TRIAL_NS
            return Standing.UNQUALIFIED if is_over else Standing.ON_TRIAL


def _end_by_reading(row: MessageRow | None) -> TrialEnd | None:
    """Whether it was read in time, by the harness's own word or by its answer; None: not yet."""
    if row is None or row.handoff_at_ns is None:
        return None
    read = [at_ns for at_ns in (row.seen_at_ns, row.answered_at_ns) if at_ns is not None]
    if not read:
        return None
    return TrialEnd.SEEN if min(read) - row.handoff_at_ns <= TRIAL_NS else TrialEnd.UNSEEN


def _trial(tx: StoreTransaction, target: ActivationRow) -> TrialRow | None:
    return tx.trial(_client(tx, target))


def _client(tx: StoreTransaction, target: ActivationRow) -> str:
    return f"{target.provider} {_version(tx, target)}"


def _version(tx: StoreTransaction, target: ActivationRow) -> str:
    lease = tx.registration(target.activation_id)
    return lease.client_version if lease is not None else ""
