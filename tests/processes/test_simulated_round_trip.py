"""Our transport and our reply sockets against a whole simulated session (M 5.4, D29, H 3, H 10)."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from support.native_answer import reply_folder
from support.simulated import simulated
from support.waiting import until
from tidings.adapters.processes.native import native_processes
from tidings.adapters.sockets.lstat_nodes import LstatSocketNodes
from tidings.adapters.transports.harness_socket import HarnessSocketTransport
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.simulated.client import SimulatedHarness
from tidings.entrypoints.simulated.script import SendText
from tidings.ports.processes import ProcessSeen
from tidings.ports.sockets import SocketNode
from tidings.ports.tokens import WriteResult
from tidings.ports.transport import Endpoint


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[SimulatedHarness]:
    with simulated(tmp_path) as started:
        yield started


@pytest.fixture
def transport(tmp_path: Path) -> HarnessSocketTransport:
    return HarnessSocketTransport(
        processes=native_processes(state_folder=str(tmp_path)),
        sockets=LstatSocketNodes(),
        codec=JsonCodec(),
    )


def _endpoint(harness: SimulatedHarness) -> Endpoint:
    node = LstatSocketNodes().look(str(harness.socket_path))
    seen = native_processes(state_folder=str(harness.home)).look(harness.pid)
    assert isinstance(node, SocketNode)
    assert isinstance(seen, ProcessSeen)
    return Endpoint(node=node, owner=seen.birth, session_id=harness.session_id, token="t" * 32)


def test_a_frame_reaches_the_model_once_and_its_answer_comes_back_from_the_harness(
    harness: SimulatedHarness, transport: HarnessSocketTransport
) -> None:
    sockets = reply_folder(str(harness.socket_path.parent))
    content = (
        f'<cross-session-message from="{sockets.address("m1")}" from-name="front">\n'
        "| /v2/orders changed\n</cross-session-message>"
    )
    harness.plan(SendText(text="tests are green"))
    fact = transport.write(_endpoint(harness), content, lambda: True)
    assert fact.result is WriteResult.FULL
    (answer,) = until(sockets.accept_ready, what="the answer")
    assert (answer.ref, answer.text) == ("m1", "tests are green")
    assert (answer.peer_pid, answer.peer_uid) == (harness.pid, os.getuid())
    harness.wait_idle()
    assert harness.traces.times_read("/v2/orders changed") == 1
    assert any("/v2/orders changed" in str(line) for line in harness.transcript())
    assert "PermissionRequest" not in harness.traces.event_names()
    sockets.close_all()


def test_a_crashed_harness_gets_nothing_though_its_node_is_still_there(
    harness: SimulatedHarness, transport: HarnessSocketTransport
) -> None:
    endpoint = _endpoint(harness)
    harness.crash()
    assert harness.socket_path.exists()
    fact = transport.write(endpoint, "x", lambda: True)
    assert (fact.result, fact.reason) == (WriteResult.ZERO, "provider-prewrite-refused")


@pytest.mark.case("R219")
def test_a_frame_never_reaches_another_process_than_the_recorded_one(
    harness: SimulatedHarness, transport: HarnessSocketTransport
) -> None:
    endpoint = _endpoint(harness)
    stranger = replace(endpoint, owner=replace(endpoint.owner, pid=os.getpid()))
    older = replace(endpoint, owner=replace(endpoint.owner, start="linux:other:1"))
    for wrong in (stranger, older):
        fact = transport.write(wrong, "x", lambda: True)
        assert (fact.result, fact.reason) == (WriteResult.ZERO, "provider-prewrite-refused")
    assert harness.view().frames == 0


def test_a_frame_for_the_conversation_before_clear_is_written_and_not_read(
    harness: SimulatedHarness, transport: HarnessSocketTransport
) -> None:
    """H 3: full on the wire is no proof that a model sees anything."""
    endpoint = _endpoint(harness)
    harness.clear()
    assert transport.write(endpoint, "too late", lambda: True).result is WriteResult.FULL
    harness.wait_until(lambda view: view.ignored >= 1, "the drop")
    assert harness.traces.times_read("too late") == 0
