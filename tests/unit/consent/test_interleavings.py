"""Random interleavings of all that changes what a session hears, against a model (P3, D6 to D9).

After every step the product and the model agree, for every session and sender, on who is heard;
every message that went out was one that the model lets go, and none that it lets go stays behind.
"""

from dataclasses import dataclass, replace

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from support.consent_model import Limits, Repository, Session
from support.post import Bench, endpoint_of
from tidings.adapters.memory.approvals import MemoryApprovals
from tidings.adapters.memory.clock import SECOND_NS
from tidings.adapters.memory.sessions import MemorySessionRecords
from tidings.adapters.memory.settings import PERSONAL, MemorySettings
from tidings.domain.consent.arming import ConsentRequest, Granted, decide_consent
from tidings.domain.consent.defaults import ConsentDefaults
from tidings.domain.consent.desk import Barrier
from tidings.domain.consent.opt_in import OptIn
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.consent.trust import TrustDesk
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.interaction.prompts import PromptSeen
from tidings.domain.messages.dispatcher import DeliveryPost
from tidings.domain.messages.evidence import note_prompts
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outcomes import Delivered, Settled
from tidings.domain.messages.send_outcome import Receipt
from tidings.domain.sessions.roster import Roster
from tidings.ports.agents import ActivationRow
from tidings.ports.codec import Document
from tidings.ports.consent import MarkRead
from tidings.ports.errors import OwnerUnprovable, StateUnreadable
from tidings.ports.processes import ProcessFact
from tidings.ports.tokens import LockKind, Provider

SHOP = "/shop/web"
FOLDERS = {"api": SHOP, "web": SHOP, "elsewhere": "/plain"}
NAMES = st.sampled_from(("api", "api", "api", "web", "elsewhere"))
"""Most happens to one of them, so that much happens to it in one run."""
DAY_NS = 24 * 3_600 * SECOND_NS
SENDERS = ("front", "you")
REQUESTS = {
    sender: ConsentRequest(sender_agent=None, sender_address=sender, kind="message")
    for sender in SENDERS
}
KINDS = {"front": MessageKind.AGENT, "you": MessageKind.PUSH}
MISFORTUNES = ("hidden", "ended", "reused", "main", "off", "set back", "set on")
PERSONAL_FILES: dict[str, "Document | None"] = {
    "nothing": None,
    "yes": {"auto_arm": True},
    "veto": {"auto_arm": False},
    "approval": {"require_approval": True},
    "both": {"auto_arm": False, "require_approval": True},
}
LIMITS = st.builds(
    Limits, only_from=st.sampled_from(("", "front")), ends_at=st.sampled_from((None, 40))
)


@dataclass(slots=True)
class Ours:
    """A session as the product knows it."""

    name: str
    cwd: str
    row: ActivationRow
    post: DeliveryPost
    generation: int = 0
    hidden: ProcessFact | None = None

    @property
    def path(self) -> str:
        return f"/cc-socks/{self.row.owner.pid}.sock"


@dataclass(slots=True)
class Waiting:
    """A message that was accepted: for whom, from whom, and after how many withdrawals."""

    session: str
    sender: str
    withdrawals: int
    is_stale: bool = False


class Interleavings(RuleBasedStateMachine):
    """One machine, its sessions in two folders, and everything that happens there."""

    def __init__(self) -> None:
        super().__init__()
        self.settings = MemorySettings()
        self.approvals = MemoryApprovals()
        self.records = MemorySessionRecords()
        self.bench = Bench(default_of=self.default_of)
        self.roster = Roster(
            records=self.records,
            locks=self.bench.locks,
            clock=self.bench.clock,
            probe=self.bench.probe,
        )
        self.trusting = TrustDesk(
            settings=self.settings,
            approvals=self.approvals,
            locks=self.bench.locks,
            clock=self.bench.clock,
        )
        self.shop, self.plain = Repository(), Repository()
        self.ours: dict[str, Ours] = {}
        self.model: dict[str, Session] = {}
        self.waiting: dict[str, Waiting] = {}
        self.files = 0
        self.now = 0

    def default_of(self, key: str) -> OptIn:
        return ConsentDefaults(
            records=self.records,
            settings=self.settings,
            approvals=self.approvals,
            probe=self.bench.probe,
        ).of_session(key)

    # Sessions begin, change their sockets, hide and end

    @initialize()
    def two_in_one_folder_and_one_elsewhere(self) -> None:
        for name in FOLDERS:
            self.begin(name)

    @rule(name=NAMES, registers=st.sampled_from((True, True, False)))
    def the_socket_is_made_anew(self, name: str, registers: bool) -> None:
        ours, model = self.ours[name], self.model[name]
        if model.runs:
            node = self.bench.nodes.bind(ours.path)
            self.bench.transport.listen(node, ours.row.owner)
            ours.post = replace(ours.post, endpoint=replace(endpoint_of(ours.post), node=node))
            model.bound += 1
        if model.is_provable and registers:
            self.register(name)

    @rule(name=NAMES, what=st.sampled_from(MISFORTUNES))
    def misfortune(self, name: str, what: str) -> None:
        ours, model = self.ours[name], self.model[name]
        if not model.is_provable:
            return
        match what:
            case "hidden":
                ours.hidden = self.bench.kernel.table[ours.row.owner.pid]
                self.bench.kernel.become_unreadable(ours.row.owner.pid)
                model.is_hidden = True
            case "ended" | "reused":
                self.bench.kernel.exit(ours.row.owner.pid)
                if what == "reused":
                    self.bench.kernel.spawn(ours.row.owner.pid)
                model.runs = False
            case "main" | "off":
                self.spoil(name, what)
            case _:
                self.bench.clock.jump_wall_ns(-DAY_NS if what == "set back" else DAY_NS)

    @precondition(lambda self: not all(one.is_provable for one in self.model.values()))
    @rule()
    def what_ended_begins_anew_and_what_was_hidden_shows(self) -> None:
        for name, model in list(self.model.items()):
            ours = self.ours[name]
            if not model.runs:
                self.begin(name)
            elif model.is_hidden and ours.hidden is not None:
                self.bench.kernel.table[ours.row.owner.pid] = ours.hidden
                model.is_hidden = False

    # What the operator and the agents say

    @rule(name=NAMES, limits=LIMITS)
    def arm(self, name: str, limits: Limits) -> None:
        ours, model = self.ours[name], self.model[name]
        ends_at = None if limits.ends_at is None else self.now + limits.ends_at
        reach = Limits(only_from=limits.only_from, ends_at=ends_at)
        if not model.is_provable or model.spoiled:
            self.expect_no_arm(ours, reach)
        else:
            self.bench.desk.arm(self.owner(ours), cwd=ours.cwd, scope=self.scope_of(reach))
            model.say_yes(reach)
            self.reaped()

    @rule(name=NAMES)
    def disarm(self, name: str) -> None:
        ours = self.ours[name]
        done = self.bench.desk.disarm(self.owner(ours), cwd=ours.cwd)
        assert done.barrier is Barrier.PASSED
        self.model[name].say_no(beside=False)
        self.reaped()

    @rule(name=NAMES)
    def disarm_beside_a_hung_writer(self, name: str) -> None:
        ours, model = self.ours[name], self.model[name]
        with self.bench.locks.hold(LockKind.CONSENT, ours.row.session_key, wait_seconds=0):
            self.bench.desk.disarm(self.owner(ours), cwd=ours.cwd)
        model.say_no(beside=True)
        self.reaped(but=name)

    @rule(name=NAMES, limits=LIMITS)
    def disarm_and_arm_in_one_breath(self, name: str, limits: Limits) -> None:
        self.accept(name)
        self.disarm(name)
        self.arm(name, limits)

    @rule(name=NAMES)
    def reset(self, name: str) -> None:
        ours, model = self.ours[name], self.model[name]
        done = self.bench.desk.reset(self.owner(ours))
        had_mark = model.has_mark
        assert done.removed is model.take_back()
        if had_mark:
            self.reaped()

    @rule()
    def reap(self) -> None:
        heard = self.heard()
        self.bench.desk.reap()
        self.reaped()
        assert self.heard() == heard, "reaping changes nothing that anybody hears"

    @rule(name=NAMES)
    def first_connect(self, name: str) -> None:
        model = self.model[name]
        is_first = self.bench.desk.first_connect(self.owner(self.ours[name]))
        has_living_word = not model.spoiled and model.is_provable and model.word != "nothing"
        if not has_living_word or model.is_over(self.now):
            assert is_first
        else:
            assert is_first is not model.was_greeted
            model.was_greeted = True

    # The repository and its user

    @rule(proposes=st.sampled_from((True, True, False, None)))
    def the_repository_writes_or_removes_its_file(self, proposes: bool | None) -> None:
        self.files += 1
        if proposes is None:
            self.settings.remove("/shop")
            self.shop.file = None
            return
        self.shop.file, self.shop.proposes = self.files, proposes
        self.settings.write_repository(
            "/shop", {"agent_name": f"version-{self.files}", "push": {"auto_arm": proposes}}
        )

    @rule(said=st.sampled_from(list(PERSONAL_FILES)))
    def the_user_says(self, said: str) -> None:
        push = PERSONAL_FILES[said]
        if push is None:
            self.settings.remove(PERSONAL)
        else:
            self.settings.write_personal({"push": push})
        self.shop.is_vetoed = said in ("veto", "both")
        self.shop.wants_approval = said in ("approval", "both")

    @precondition(lambda self: self.shop.file is not None)
    @rule()
    def the_user_approves_the_file(self) -> None:
        self.trusting.approve(SHOP)
        self.shop.approved = self.shop.file

    # Messages

    @rule(name=NAMES)
    def accept(self, name: str) -> None:
        for sender in SENDERS:
            self.accept_from(name, sender)

    @rule(name=NAMES)
    def accept_and_deliver(self, name: str) -> None:
        self.accept(name)
        self.deliver()

    def accept_from(self, name: str, sender: str) -> None:
        model = self.model[name]
        draft = self.bench.draft(kind=KINDS[sender], target=self.ours[name].row)
        outcome = self.bench.office.send(draft)
        assert isinstance(outcome, Receipt) is model.hears(sender, self.now), outcome
        if isinstance(outcome, Receipt):
            self.waiting[outcome.ref] = Waiting(name, sender, model.withdrawals)

    @precondition(lambda self: self.waiting)
    @rule()
    def deliver(self) -> None:
        for name in self.ours:
            self.deliver_to(name)

    def deliver_to(self, name: str) -> None:
        free = {ref for ref, one in self.waiting.items() if one.session == name and self.may(one)}
        went, ended = self.hand_off(name)
        assert went == free, "just what the model lets go goes out"
        for ref in ended:
            assert not self.may(self.waiting[ref]), "nothing that may go out is turned away"
        for ref in went | ended:
            del self.waiting[ref]

    @precondition(lambda self: self.waiting)
    @rule(name=NAMES)
    def disarm_while_a_write_begins(self, name: str) -> None:
        ours, model = self.ours[name], self.model[name]
        met: list[Barrier] = []

        def withdraw() -> None:
            met.append(self.bench.desk.disarm(self.owner(ours), cwd=ours.cwd).barrier)

        self.bench.transport.before_write = withdraw
        went, ended = self.hand_off(name)
        self.bench.transport.before_write = _nothing
        if met:
            assert met == [Barrier.WRITE_UNDER_WAY]
            assert not went, "the fence saw the OFF"
            model.say_no(beside=False)
            self.reaped()
        for ref in went | ended:
            del self.waiting[ref]

    @rule(seconds=st.sampled_from((1, 39, 40)))
    def time_passes(self, seconds: int) -> None:
        self.bench.clock.advance(seconds)
        self.now += seconds

    # What always holds

    @invariant()
    def the_model_agrees_on_who_is_heard(self) -> None:
        assert self.heard() == {
            (name, sender): model.hears(sender, self.now)
            for name, model in self.model.items()
            for sender in SENDERS
        }

    @invariant()
    def no_generation_goes_back(self) -> None:
        for ours in self.ours.values():
            highest = self.highest_generation(ours)
            if highest and self.model[ours.name].runs and not self.model[ours.name].spoiled:
                assert highest >= ours.generation, "a withdrawal was forgotten"
                ours.generation = highest

    # How it is done

    def teardown(self) -> None:
        if self.ours:
            self.deliver()

    def begin(self, name: str) -> None:
        """A session that registered once, with a resident and a socket; the one before is over."""
        cwd = FOLDERS[name]
        row = self.bench.run(name)
        post = self.bench.take_post(row)
        self.ours[name] = Ours(name=name, cwd=cwd, row=row, post=post)
        self.model[name] = Session(repository=self.shop if cwd == SHOP else self.plain)
        for one in self.waiting.values():
            one.is_stale |= one.session == name
        self.register(name)

    def register(self, name: str) -> None:
        ours = self.ours[name]
        self.roster.register(
            self.owner(ours),
            provider=Provider.CLAUDE,
            session_id="",
            label="",
            cwd=ours.cwd,
            name="",
        )
        self.model[name].known_at = self.model[name].bound

    def owner(self, ours: Ours) -> SessionOwner:
        """The owner as a verb would name it: captured while it can be, else as it was known."""
        known = SessionOwner(birth=ours.row.owner, place=ours.row.place, socket=None)
        try:
            found = self.bench.probe.capture(ours.row.owner.pid, socket_path=ours.path)
        except OwnerUnprovable:
            return known
        return found if found.birth == known.birth else known

    def scope_of(self, limits: Limits) -> ConsentScope:
        wall_ns = self.bench.clock.now().wall_ns
        left = None if limits.ends_at is None else limits.ends_at - self.now
        return ConsentScope(
            senders=(limits.only_from,) if limits.only_from else None,
            until_ns=None if left is None else wall_ns + left * SECOND_NS,
        )

    def spoil(self, name: str, file: str) -> None:
        """One file of the mark can no longer be read; what it counted up to is forgotten."""
        ours, model = self.ours[name], self.model[name]
        spoil = self.bench.marks.spoil if file == "main" else self.bench.marks.spoil_off
        spoil(ours.row.session_key)
        self.bench.clock.advance_ns(1_000)
        ours.generation = min(ours.generation, self.highest_generation(ours))
        model.spoiled.add(file)
        model.has_mark = True
        model.was_greeted = False

    def expect_no_arm(self, ours: Ours, limits: Limits) -> None:
        before = self.bench.marks.read(ours.row.session_key)
        with pytest.raises(StateUnreadable):
            self.bench.desk.arm(self.owner(ours), cwd=ours.cwd, scope=self.scope_of(limits))
        assert self.bench.marks.read(ours.row.session_key) == before

    def heard(self) -> dict[tuple[str, str], bool]:
        """Who is heard by whom, as the product says. Nothing dead is open for anybody."""
        heard: dict[tuple[str, str], bool] = {}
        now_ns = self.bench.clock.now().wall_ns
        for name, ours in self.ours.items():
            state = self.bench.desk.state(ours.row.session_key)
            assert self.model[name].runs or not state.is_open
            for sender, request in REQUESTS.items():
                said = decide_consent(state, request, now_ns=now_ns)
                heard[name, sender] = isinstance(said, Granted)
        return heard

    def may(self, one: Waiting) -> bool:
        """Whether the model lets the message go now."""
        model = self.model[one.session]
        is_its_own = not one.is_stale and model.withdrawals == one.withdrawals
        return is_its_own and model.hears(one.sender, self.now)

    def hand_off(self, name: str) -> tuple[set[str], set[str]]:
        """All that can be handed off now: what went out, and what was turned away for good."""
        went, ended = set[str](), set[str]()
        while True:
            outcome = self.bench.dispatcher.step(self.ours[name].post)
            if isinstance(outcome, Delivered):
                went.add(outcome.ref)
                self.see(self.ours[name].row.session_key, outcome.ref)
            elif isinstance(outcome, Settled):
                ended.add(outcome.ref)
            else:
                return went, ended

    def see(self, session_key: str, ref: str) -> None:
        """The model behind the session is shown the frame, so that the next one may follow."""
        digest = self.bench.row(ref).frame_sha256
        assert digest is not None
        prompt = PromptSeen(refs=(ref,), digests=(digest,))
        self.bench.store.transact(
            lambda tx: note_prompts(tx, session_key=session_key, prompts=[prompt], at_ns=1),
            wait_seconds=0,
        )

    def reaped(self, *, but: str = "") -> None:
        """What any change of consent clears away: words without an owner or a socket."""
        for name, model in self.model.items():
            if model.spoiled or name == but:
                continue
            if not model.runs:
                model.forget(has_mark=False)

    def highest_generation(self, ours: Ours) -> int:
        """The highest that a file of the session states."""
        pair = self.bench.marks.read(ours.row.session_key)
        facts = [fact for fact in (pair.main, pair.off) if isinstance(fact, MarkRead)]
        return max((int(str(fact.document["generation"])) for fact in facts), default=0)


def _nothing() -> None:
    """Nothing happens before the next write."""


TestInterleavings = Interleavings.TestCase
TestInterleavings.settings = settings(
    max_examples=80,
    stateful_step_count=30,
    deadline=None,
    database=None,
    phases=(Phase.generate,),  # to shrink takes longer than a test may; add it to look into one
)
