"""What a person types through an in-process client: the library only, labelled for what it is (M 9)."""

import pytest

from support.post import Bench
from tidings import Operator, Receipt, Refused, Tidings
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.messages.frame import frame_of
from tidings.domain.messages.frame_text import frame_text
from tidings.domain.messages.origin import (
    MessageKind,
    Origin,
    is_operator_input,
    operator_fault,
)
from tidings.domain.messages.outcomes import Delivered
from tidings.domain.messages.provenance import Proof
from tidings.entrypoints.application import Application
from tidings.entrypoints.twin import MemoryPorts
from tidings.ports.errors import UsageError
from tidings.ports.tokens import Provider

BAD_NAMES = ["", "Console", "2console", "a console", "x" * 33, "consolé", "console\n"]


@pytest.fixture
def app() -> Application:
    """A world in memory in which this process is a Claude session called api, armed for all."""
    app = Application(MemoryPorts())
    owner = app.probe.capture(app.probe.self_pid(), socket_path=None, thread_id="")
    app.roster.register(
        owner, provider=Provider.CLAUDE, session_id="s", label="api", cwd="/", name="api"
    )
    app.admission.admit(
        owner, provider=Provider.CLAUDE, conversation_id="s", label="api", cwd="/", wanted=["api"]
    )
    app.desk.arm(owner, cwd="/", scope=ConsentScope())
    return app


def receipt_of(outcome: Receipt | Refused) -> Receipt:
    assert isinstance(outcome, Receipt), outcome
    return outcome


@pytest.mark.case("M29")
@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_outside_the_rules_makes_no_operator_and_is_quoted_with_the_bounds(
    name: str, app: Application
) -> None:
    with pytest.raises(UsageError) as caught:
        Tidings(app).operator(name)
    assert caught.value.text.startswith("operator-client-invalid: ")
    assert repr(name[:40]) in caught.value.text
    assert "1 to 32" in caught.value.text


@pytest.mark.case("M30")
@pytest.mark.parametrize("kind", list(MessageKind))
def test_only_the_kind_and_the_name_together_are_operator_input(kind: MessageKind) -> None:
    assert operator_fault("console") == ""
    is_operator = kind is MessageKind.OPERATOR
    assert is_operator_input(Origin(kind=kind, client="console")) is is_operator
    assert not is_operator_input(Origin(kind=kind, client="Console"))
    assert not is_operator_input(None)


def test_what_is_typed_is_stored_as_operator_input_with_no_source(app: Application) -> None:
    operator = Tidings(app).operator("console")
    assert (type(operator), operator.client) == (Operator, "console")
    receipt = receipt_of(operator.send("api", "please stop", ref="op-1"))
    assert (receipt.state, receipt.reason) == ("held", "target-not-ready")
    view = app.post_office.view(receipt.ref)
    assert view.envelope.origin == Origin(kind=MessageKind.OPERATOR, client="console")
    assert (view.row.kind, view.row.source_agent) == ("operator", None)
    again = receipt_of(operator.send("api", "please stop", ref="op-1"))
    assert (again.ref, again.replayed) == (receipt.ref, True)
    label = frame_text(frame_of(view.envelope, answer_address="")).splitlines()[0]
    assert label.endswith("through the Tidings client console; the person was not verified")


def test_another_client_is_another_sender(app: Application) -> None:
    tidings = Tidings(app)
    receipt_of(tidings.operator("console").send("api", "please stop", ref="op-1"))
    other = tidings.operator("board").send("api", "please stop", ref="op-1")
    assert isinstance(other, Refused)
    assert (other.reason, other.earlier_ref) == ("ref-envelope-mismatch", "op-1")


def test_operator_input_needs_consent_like_any_other_message(app: Application) -> None:
    key = app.admission.resolve("api").session_key
    app.desk.disarm(key, cwd="/")
    outcome = Tidings(app).operator("console").send("api", "please stop")
    assert isinstance(outcome, Refused)
    assert outcome.reason == "target-not-armed"


def test_operator_input_goes_to_claude_sessions_only(app: Application) -> None:
    tidings = Tidings(app)
    tidings.join("mux").arm()
    outcome = tidings.operator("console").send("mux", "please stop")
    assert isinstance(outcome, Refused)
    assert outcome.reason == "operator-origin-target-not-claude"


def test_a_moment_that_is_none_is_a_usage_error_and_a_bad_key_is_refused(app: Application) -> None:
    tidings = Tidings(app)
    operator = tidings.operator("console")
    with pytest.raises(UsageError):
        operator.send("api", "x", when="later")  # type: ignore[arg-type]
    outcome = operator.send("api", "x", key="a b")
    assert isinstance(outcome, Refused)
    assert (outcome.reason, outcome.detail) == ("envelope-qualification-invalid", "supersedeKey")


def test_a_member_chooses_moment_and_key_too(app: Application) -> None:
    tidings = Tidings(app)
    tidings.join("mux").arm()
    front = tidings.join("front")
    old = receipt_of(front.send("mux", "build 1", key="pr-412"))
    new = receipt_of(front.send("mux", "build 2", key="pr-412", when="idle"))
    assert tidings.show(old.ref).reason == "superseded-by-newer"
    assert app.post_office.view(new.ref).envelope.wishes.when == "idle"


@pytest.mark.case("M202", "R302")
@pytest.mark.parametrize("proof", [Proof.ANCESTRY, Proof.KERNEL_PEER, Proof.OWN_PROCESS])
def test_operator_input_is_never_answered_on_any_way_in(proof: Proof) -> None:
    """The verb, the kernel's socket and the library all come through this one door."""
    bench = Bench()
    ref = bench.send("please stop", kind=MessageKind.OPERATOR).ref
    assert bench.dispatcher.step(bench.post) == Delivered(ref=ref)
    outcome = bench.office.answer(ref, "done", replier=bench.api, proof=proof)
    assert isinstance(outcome, Refused)
    assert outcome.reason == "explicit-reply-operator-origin"
    assert bench.row(ref).answered_at_ns is None
