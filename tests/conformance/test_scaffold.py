"""The scaffolding of the conformance tests, without any real client."""

import json
import shutil
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from conformance.clients import PINNED_VERSION, Client, Skip, another_release, claude_client
from conformance.launcher import ScenarioFailed, run_scenario
from conformance.model_answers import answer_message, stream_events
from conformance.model_script import Step, answering_script, next_step, parse_script
from conformance.model_server import ModelServer
from conformance.namespace import emptied_at_the_end
from conformance.plain import document, parsed
from conformance.table import table_lines
from support.waiting import until
from tidings.ports.codec import Document

ASKED: Document = {"role": "user", "content": '%%[{"text": "one"}, {"text": "two"}]%%'}
ANSWERED: Document = {"role": "assistant", "content": "one"}
UNSCRIPTED: Document = {"role": "user", "content": "go on"}


def test_the_script_of_the_newest_scripted_message_answers_step_by_step() -> None:
    assert next_step([ASKED]) == Step(text="one")
    assert next_step([ASKED, ANSWERED, UNSCRIPTED]) == Step(text="two")
    assert next_step([ASKED, ANSWERED, ASKED]) == Step(text="one")
    assert next_step([ASKED, ANSWERED, ANSWERED, UNSCRIPTED]) is None
    assert next_step([UNSCRIPTED]) is None


def test_an_answering_script_goes_to_the_address_of_the_message_that_carries_it() -> None:
    text = f'<cross-session-message from="uds:/tmp/x.sock">\n| {answering_script("yes")}\n'
    loaded: Document = {"role": "assistant", "content": "loaded"}

    step = next_step([{"role": "user", "content": text}, loaded])

    assert step is not None
    assert [document(call.input).get("to") for call in step.calls] == ["uds:/tmp/x.sock"]


def test_a_script_that_is_no_array_says_so() -> None:
    (step,) = parse_script("[{]")

    assert step.text.startswith("unreadable script")


def test_a_streamed_answer_brings_the_tools_input_as_json() -> None:
    (step,) = parse_script('[{"tool": "Bash", "input": {"command": "ls"}}]')

    events = list(stream_events(answer_message(step, 7)))

    kinds = [event["type"] for event in events]
    assert kinds[0] == "message_start"
    assert kinds[-2:] == ["message_delta", "message_stop"]
    assert parsed(str(document(events[2]["delta"])["partial_json"])) == {"command": "ls"}


def test_the_model_server_counts_what_reached_it_and_logs_it(tmp_path: Path) -> None:
    body = {"messages": [ASKED, ANSWERED, UNSCRIPTED], "tools": [{"name": "Bash"}]}
    with ModelServer(tmp_path / "log.jsonl") as model:
        answer = _post(f"{model.url}/v1/messages?beta=true", body)
        _post(f"{model.url}/v1/messages", {**body, "tools": []})

        assert answer["content"] == [{"type": "text", "text": "two"}]
        assert model.reach("go on") == {"brought_by": 1, "copies": 1}
        assert model.reach("one") == {"brought_by": 0, "copies": 2}
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 2


def test_a_failing_step_is_answered_with_its_status(tmp_path: Path) -> None:
    asked: Document = {
        "role": "user",
        "content": '%%[{"http": 529, "error": "overloaded_error"}]%%',
    }
    with (
        ModelServer(tmp_path / "log.jsonl") as model,
        pytest.raises(urllib.error.HTTPError) as failure,
    ):
        _post(f"{model.url}/v1/messages", {"messages": [asked], "tools": [{"name": "Bash"}]})

    with failure.value as answer:
        assert answer.code == 529
        assert document(document(parsed(answer.read()))["error"])["type"] == "overloaded_error"


def test_a_machine_without_npm_is_skipped_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDINGS_CLIENT_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", "")

    found = claude_client(PINNED_VERSION)

    assert isinstance(found, Skip)
    assert "npm" in found.reason


def test_the_other_release_is_the_newest_or_else_the_one_before_the_pinned() -> None:
    listed = ["2.1.9", "2.1.10", "2.2.0", "2.2.0-beta"]

    assert another_release(listed, pinned="2.1.10") == "2.2.0"
    assert another_release(listed, pinned="2.2.0") == "2.1.10"
    assert isinstance(another_release(["2.2.0"], pinned="2.2.0"), Skip)


def test_the_table_tells_scenario_client_verdict_and_time() -> None:
    node = "tests/conformance/test_x.py::test_it_works[pinned-one]@group"
    reports = {
        "": [_report(node, 1.5, client="2.1.9"), _report("tests/x.py::test_without_client", 1.0)],
        "passed": [_report(node, 2.0)],
    }

    heading, row, counts = table_lines(reports)

    assert heading.split() == ["scenario", "client", "verdict", "seconds"]
    assert row == "it works, one  2.1.9 (pinned)  passed   3.5"
    assert counts == "2.1.9 (pinned): 1 passed"


def test_a_scenario_that_fails_tells_what_it_saw(entering: tuple[str, ...]) -> None:
    program = shutil.which("false")
    assert program is not None
    client = Client(version="0.0.0", program=Path(program))

    with pytest.raises(ScenarioFailed, match="--- terminal of") as failure:
        run_scenario("native_answer", client=client, entering=entering)

    assert "the client ended with 1" in str(failure.value)


def test_whatever_a_scenario_leaves_in_its_namespace_is_ended(
    tmp_path: Path, entering: tuple[str, ...]
) -> None:
    left = tmp_path / "left"
    script = f"setsid sh -c 'echo $$ > {left}.part; mv {left}.part {left}; exec sleep 300' & wait"
    process = subprocess.Popen([*entering, "sh", "-c", script])
    with emptied_at_the_end(process.pid):
        until(left.exists, what="the detached process")
        process.kill()
        process.wait()
    detached = int(left.read_text())

    assert not _runs(detached)


def _report(node: str, seconds: float, **properties: str) -> pytest.TestReport:
    return pytest.TestReport(
        nodeid=node,
        location=("", None, ""),
        keywords={},
        outcome="passed",
        longrepr=None,
        when="call",
        duration=seconds,
        user_properties=[*properties.items()],
    )


def _runs(pid: int) -> bool:
    """Whether ``pid`` still executes: an unreaped zombie does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def _post(url: str, body: object) -> Document:
    asked = urllib.request.Request(url, data=json.dumps(body).encode(), method="POST")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(asked, timeout=10) as answer:
        return document(parsed(answer.read()))
