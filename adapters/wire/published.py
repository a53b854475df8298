"""The JSON that ``--json`` prints, as strict models: the published contract of every verb.

Verbs do not use them, since they are slow to load; the tests hold each verb's output against them.
A new key is a new line here and a new version of nothing; a key that leaves or changes its meaning
is a new ``v``.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from tidings.domain.consent.arming import ArmWord
from tidings.domain.consent.desk import Barrier
from tidings.domain.messages.delivery import State
from tidings.domain.messages.evidence import Evidence
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.qualification import Standing
from tidings.domain.messages.reasons import Stage
from tidings.domain.registration.shape import Shape
from tidings.ports.inbound import InboundPolicy
from tidings.ports.tokens import Provider, TransportName, Verdict

Instant: TypeAlias = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$")]
Ref: TypeAlias = Annotated[str, Field(min_length=1, max_length=160)]
ExitCode: TypeAlias = Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 70, 130]


class Row(BaseModel):
    """What every object and every row of an array has."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    v: Literal[1]


class SessionLine(Row):
    """A row of ``ls``."""

    address: str
    agent_uid: str
    activation_id: str
    session: str
    provider: Provider
    pid: int
    session_id: str
    label: str
    cwd: str
    folder: str
    liveness: Verdict
    state: str
    awaits_operator: bool
    consent: ArmWord
    hears: str
    registration: Shape
    reached_by: TransportName | None
    client_version: str
    qualification: Standing | None
    inbound: InboundPolicy | None
    ended_at: Instant | None
    waiting: int
    notices: int


class SessionSelf(Row):
    """``whoami`` inside a session that is registered."""

    kind: Literal["session"]
    who: str
    proof: str
    pid: int
    session: str
    address: str
    agent_uid: str
    activation_id: str
    provider: Provider


class UnregisteredSelf(Row):
    """``whoami`` inside a session that is not registered."""

    kind: Literal["session"]
    who: str
    proof: str
    pid: int
    session: str | None


class OutsideSelf(Row):
    """``whoami`` outside of any session."""

    kind: Literal["terminal", "script"]
    who: str
    proof: str


class OriginRow(BaseModel):
    """What stands behind a message that no agent wrote."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    kind: MessageKind
    client: str


class Message(Row):
    """``send`` and ``reply``; the text of a message is never in it (M 3.4)."""

    ref: Ref
    short: Ref
    conversation_ref: Ref
    reply_to: Ref | None
    kind: MessageKind
    source_agent: str | None
    target_agent: str
    state: State
    reason: str
    outcome_unknown: bool
    evidence: Evidence
    text: str
    next_step: str
    transport: TransportName | None
    accepted_at: Instant
    deadline: Instant
    handoff_at: Instant | None
    terminal_at: Instant | None
    seen_at: Instant | None
    answered_at: Instant | None
    answer_ref: Ref | None
    exit_code: ExitCode
    origin: OriginRow | None = None


class SentMessage(Message):
    """``send`` where a reply box was minted, and ``ask``. The token is told here and nowhere else."""

    reply_box: str | None = None
    answer: str | None


class PulledMessage(Row):
    """A line of ``inbox``: a message with its whole text."""

    ref: Ref
    conversation_ref: Ref
    reply_to: Ref | None
    kind: MessageKind
    source_agent: str | None
    sender: str
    proof: Proof
    accepted_at: Instant
    deadline: Instant
    answerable: bool
    text: str


class LogLine(Row):
    """A line of ``log``. What is null is in history, or was never known."""

    number: int
    at: Instant
    ref: Ref
    event: str
    reason: str
    kind: MessageKind | None
    source_agent: str | None
    target_agent: str | None


class Explained(Row):
    """``message explain``: a row of the reason catalogue."""

    ref: Ref | None
    reason: str
    stage: Stage | None
    outcome_unknown: bool
    exit_code: ExitCode
    meaning: str
    next_step: str


class Waited(Row):
    """``wait``."""

    address: str
    until: Literal["idle", "needs-you", "gone"]
    reached: bool


class MessageEvent(BaseModel):
    """One thing that happened to a message."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    at: Instant
    event: str
    reason: str


class ShownMessage(Message):
    """``show``: the message, what happened to it, and the text of its answer."""

    events: list[MessageEvent]
    answer: str | None


class PastMessage(Row):
    """``show`` and ``message status`` of a message that left the store: all but its text."""

    ref: Ref
    conversation_ref: Ref
    reply_to: Ref | None
    source_agent: str | None
    target_agent: str
    state: State
    reason: str
    outcome_unknown: bool
    evidence: Evidence
    text: str
    next_step: str
    accepted_at: Instant
    deadline: Instant
    terminal_at: Instant
    left_at: Instant
    left_because: Literal["capacity", "retention"]
    exit_code: ExitCode


class Refusal(Row):
    """``send`` and ``reply`` where nothing was stored."""

    state: Literal["refused"]
    reason: str
    text: str
    detail: str
    next_step: str
    earlier_ref: str


class PushedMessage(Message):
    """A message of ``push`` or ``notify``: its version is that of the whole."""

    v: Literal[1] = 1


class PushRefusal(Refusal):
    """Why ``push`` or ``notify`` stored nothing for a session, or for all."""

    v: Literal[1] = 1


class Pushed(Row):
    """``push`` and ``notify``, to one session or to all, refused or not.

    ``receivers`` counts the sessions for which it is stored, those included whose message left the
    store since; ``messages`` are in the order of acceptance. ``exit_code`` is the highest of theirs.
    """

    ref: Ref
    kind: MessageKind
    receivers: Annotated[int, Field(ge=0)]
    replayed: bool
    messages: list[PushedMessage]
    refused: list[PushRefusal]
    exit_code: ExitCode


class Scope(BaseModel):
    """How far a grant reaches; what is not there has no limit."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    senders: list[str] | None = Field(default=None, alias="from")
    kind: list[MessageKind] | None = None
    until_ns: int | None = None
    wake: Literal[True] | None = None


class Armed(Row):
    """``arm``."""

    session: str
    address: str
    state: Literal[ArmWord.ARMED]
    armed: Literal[True]
    local_state: Literal[ArmWord.ARMED]
    path: str
    generation: int
    scope: Scope


class Disarmed(Row):
    """``disarm``."""

    session: str
    address: str
    state: Literal["disarmed"]
    armed: Literal[False]
    disarmed: Literal[True]
    path: str
    auto_arm_would_arm: bool
    generation: int
    barrier: Barrier


class WasReset(Row):
    """``reset``. ``removed``: there was a word to take back."""

    session: str
    address: str
    path: str
    removed: bool


class SignalRow(BaseModel):
    """One look at one side of an owner."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    signal: str
    verdict: Verdict
    evidence: str


class Status(Row):
    """``status``."""

    session: str
    address: str
    state: ArmWord
    generation: int
    scope: Scope
    why: str
    local_state: ArmWord
    local_armed: bool
    auto_arm: bool
    auto_arm_repo: bool
    auto_arm_user_veto: bool
    auto_arm_config_error: bool
    auto_arm_awaits_approval: bool
    announced_armed: bool
    liveness: Verdict
    signals: list[SignalRow]


class RegistryRow(Row):
    """A row of ``session list``, and what ``session register`` prints (S 1.5).

    ``agent`` is the declared label. A malformed file has pid 0 and says why; of a legacy one only
    its process, folder and time are told.
    """

    key: str
    session_pid: int
    session_pid_source: str | None = None
    session_pid_verified: bool
    provider: Provider | None = None
    agent: str
    cwd: str
    name: str | None = None
    session_id: str | None = None
    messaging_socket_path: str | None = None
    liveness: Verdict
    registered_at: Instant
    legacy: Literal[True] | None = None
    malformed: Literal[True] | None = None
    why: str | None = None
    path: str


class ShownSession(RegistryRow):
    """``session show``: the row, and each signal of its owner's life."""

    signals: list[SignalRow]


class PrunedRow(RegistryRow):
    """A row that went: its version is that of the whole."""

    v: Literal[1] = 1


class Pruned(Row):
    """``session prune``."""

    removed: list[PrunedRow]
    dead_removed: int
    unknown_removed: int
    kept: int


class HistoryLine(Row):
    """``message history``: one message that left, in the words of the export."""

    line: dict[str, object]


class Exported(Row):
    """``message history --export``."""

    exported: int


class Integrity(Row):
    """``message integrity``."""

    sound: bool
    problems: list[str]


class BackedUp(Row):
    """``message backup``."""

    backup: str


class FirstConnect(Row):
    """``first-connect``."""

    session: str
    first_connect: bool


class Trusted(Row):
    """``trust``, and a row of ``trust --list``: this file, as it was then."""

    path: str
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    approved_at_ns: int


class Untrusted(Row):
    """``trust --remove``; the rest is there where something was removed."""

    removed: bool
    path: str | None = None
    digest: str | None = None
    approved_at_ns: int | None = None


class SetUp(Row):
    """``setup``. ``done`` is false for ``--dry-run``; ``backup`` is there where the file was, or would
    be, changed by adding; what was not probed is null. ``hooks_off`` says what keeps the client from
    running hooks at all; null where nothing does, and for a removal."""

    settings: str
    action: Literal["add", "remove"]
    done: bool
    changed: bool
    diff: list[str]
    commands: list[str]
    backup: str | None
    hook_works: bool | None
    plugin_listed: bool | None
    hooks_off: str | None


class Error(Row):
    """Any verb that failed, on standard error."""

    error: str
    next_step: str
    exit_code: ExitCode
    reason: str | None = None
    near: list[str] | None = None
    candidates: list[str] | None = None


class PushError(Error):
    """``push`` and ``notify`` that failed: ``receivers`` is null where nobody can tell for how many
    sessions it is stored."""

    receivers: Annotated[int, Field(ge=0)] | None


class DemoStep(Row):
    """A line of ``demo``."""

    step: int
    of: int
    name: str
    title: str
    ok: Literal[True]
    seconds: float
    detail: str


class DemoReceipt(Message):
    """A receipt at the end of ``demo``: a message without a version of its own."""

    v: Literal[1] = 1


class DemoEnd(Row):
    """The last line of ``demo``."""

    ok: bool
    failed: str
    seconds: float
    receipts: list[DemoReceipt]


REGISTRY: TypeAdapter[list[RegistryRow]] = TypeAdapter(list[RegistryRow])
TRUSTED: TypeAdapter[list[Trusted]] = TypeAdapter(list[Trusted])
MESSAGES: TypeAdapter[list[Message]] = TypeAdapter(list[Message])
"""``message list``, ``message thread`` and ``message settle``."""

SESSION_LINES: TypeAdapter[list[SessionLine]] = TypeAdapter(list[SessionLine])
SELF: TypeAdapter[SessionSelf | UnregisteredSelf | OutsideSelf] = TypeAdapter(
    SessionSelf | UnregisteredSelf | OutsideSelf
)
