"""How many a push reaches: who is asked, and what is told where nobody can count (D34, SP9, SP19)."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import pytest

from tidings import Tidings
from tidings.adapters.wire.published import PushError
from tidings.domain.identity.caller import TerminalCaller
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.receipt import refused
from tidings.domain.messages.send_outcome import Receipt, SendOutcome
from tidings.domain.messages.wishes import NO_WISHES
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.desk import Call
from tidings.entrypoints.cli.pushing import Words, send_counted
from tidings.entrypoints.cli.sender import Sender
from tidings.entrypoints.twin import MemoryPorts
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import StoreLocked, TidingsError
from tidings.ports.messages import MessageStore, StoreTransaction

T = TypeVar("T")
OPERATOR = Sender(None, MessageKind.PUSH, "/dev/pts/3", Proof.TERMINAL)


@dataclass
class LockedFrom:
    """A store that is locked from the nth write on, and then for every look as well."""

    inner: MessageStore
    writes: int

    def view(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float = 0.1) -> T:
        if self.writes < 0:
            raise StoreLocked("the store is locked")
        return self.inner.view(work, wait_seconds=wait_seconds)

    def transact(self, work: Callable[[StoreTransaction], T], *, wait_seconds: float) -> T:
        self.writes -= 1
        if self.writes < 0:
            raise StoreLocked("the store is locked")
        return self.inner.transact(work, wait_seconds=wait_seconds)

    def integrity(self) -> list[str]:
        return []

    def backup(self, path: str) -> None:
        raise AssertionError(path)


@pytest.fixture
def ports() -> MemoryPorts:
    return MemoryPorts()


def joined(ports: MemoryPorts, *names: str) -> Tidings:
    tidings = Tidings(Application(ports))
    for name in names:
        tidings.join(name).arm()
    return tidings


def push_to_all(app: Application, *, as_json: bool = True) -> int:
    options = argparse.Namespace(
        everybody=True, target=None, ttl=None, key=None, ref="all-1", file=None, json=as_json
    )
    call = Call(app=app, caller=TerminalCaller(tty="/dev/pts/3"))
    words = Words(sender=OPERATOR, text="stand-up", wishes=NO_WISHES, options=options)
    return send_counted(call, words)


@pytest.mark.case("SP9")
def test_without_a_store_to_look_into_the_count_is_unknown_and_no_number(
    ports: MemoryPorts, capsys: pytest.CaptureFixture[str]
) -> None:
    joined(ports, "api", "front")
    ports.store = LockedFrom(ports.store, writes=0)  # type: ignore[assignment]
    with pytest.raises(TidingsError) as caught:
        push_to_all(Application(ports))
    assert caught.value.facts == {"receivers": None}
    assert "whether anything was stored under all-1 is not known" in caught.value.text
    assert capsys.readouterr().out == ""


def test_what_fails_after_it_was_stored_tells_for_how_many(
    ports: MemoryPorts, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined(ports, "api", "front")

    def fails(*_words: object, **_more: object) -> None:
        raise StoreLocked("the store is locked")

    monkeypatch.setattr("tidings.entrypoints.cli.pushing.follow_all", fails)
    with pytest.raises(TidingsError) as caught:
        push_to_all(Application(ports))
    assert caught.value.facts == {"receivers": 2}
    assert "all-1 is stored for 2 receivers" in caught.value.text


def test_who_is_refused_for_another_reason_than_consent_is_told_beside_those_it_reached(
    ports: MemoryPorts, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    joined(ports, "api", "front")
    app = Application(ports)
    whole = app.post_office.send_to_all

    def one_too_many(*words: Any, **more: Any) -> tuple[SendOutcome, ...]:
        first, *_others = whole(*words, **more)
        return (first, refused("pair-rate", detail="resets in 9 s"))

    monkeypatch.setattr(app.post_office, "send_to_all", one_too_many)
    assert push_to_all(app, as_json=False) == 5
    head, *rest = capsys.readouterr().out.splitlines()
    assert head == "all-1  push  1 receiver"
    assert any(line.startswith("refused  pair-rate: ") for line in rest)
    assert any("awaiting-pull" in line for line in rest)


@pytest.mark.case("SP9")
def test_an_interruption_tells_for_how_many_it_was_stored_too(
    ports: MemoryPorts, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    joined(ports, "api", "front")

    def interrupted(*_words: object, **_more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tidings.entrypoints.cli.pushing.follow_all", interrupted)
    with pytest.raises(KeyboardInterrupt):
        push_to_all(Application(ports))
    told = PushError.model_validate_json(capsys.readouterr().err)
    assert (told.receivers, told.exit_code) == (2, 130)


@pytest.mark.case("SP19")
def test_a_session_of_another_host_or_boot_is_nobody_that_a_push_to_all_reaches(
    ports: MemoryPorts,
) -> None:
    app = Application(ports)
    joined(ports, "api", "front")
    assert [one.address for one in app.audience()] == ["api", "front"]
    front = app.admission.resolve("front")
    elsewhere = replace(front.place, machine_id="another", host="another")
    put(ports, replace(front, place=elsewhere))
    assert [one.address for one in app.audience()] == ["api"]


def test_who_ended_and_who_speaks_is_not_asked(ports: MemoryPorts) -> None:
    app = Application(ports)
    tidings = joined(ports, "api", "front", "gone")
    put(ports, replace(app.admission.resolve("gone"), ended_at_ns=1, end_reason="gone"))
    speaker = tidings.join("front").agent_uid
    assert [one.address for one in app.audience(but=speaker)] == ["api"]


def test_a_message_that_left_the_store_is_counted_as_a_receiver_still(
    ports: MemoryPorts, capsys: pytest.CaptureFixture[str]
) -> None:
    tidings = joined(ports, "api", "front")
    assert push_to_all(Application(ports)) == 0
    tidings.join("api").leave()
    ports.clock.advance(2 * 24 * 3600)
    assert isinstance(tidings.join("mux").send("front", "room is made"), Receipt)
    assert Application(ports).post_office.past("all-1/" + agent_of(ports, "api")) is not None
    capsys.readouterr()
    assert push_to_all(Application(ports)) == 1, "both ended unread"
    said = capsys.readouterr().out
    assert '"receivers": 2, "replayed": true' in said
    assert said.count('"target_agent"') == 1


def agent_of(ports: MemoryPorts, address: str) -> str:
    run = Application(ports).admission.last_run(address)
    assert run is not None
    return run.agent_uid


def put(ports: MemoryPorts, row: ActivationRow) -> None:
    ports.store.transact(lambda tx: tx.put_activation(row), wait_seconds=0)
