"""The plugin's files: what the client reads of them, and what an agent does."""

import json
import subprocess
import sys

from tidings.adapters.harnesses.claude_plugins import hook_fault
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.setup.pieces import hook_program
from tidings.domain.setup.plugin import (
    MOST_WORDS,
    SKILLS,
    marketplace_files,
    monitor_command,
    word_count,
)
from tidings.entrypoints.cli.verbs import VERBS

FILES = {
    file.path: file
    for file in marketplace_files(python="/opt/py thon", version="1.2.3", codec=JsonCodec())
}


def test_the_marketplace_offers_the_plugin_by_its_folder() -> None:
    market = json.loads(FILES[".claude-plugin/marketplace.json"].data)
    (offer,) = market["plugins"]
    assert (market["name"], offer["name"], offer["source"]) == ("tidings", "tidings", "./tidings")
    manifest = json.loads(FILES["tidings/.claude-plugin/plugin.json"].data)
    assert (manifest["name"], manifest["version"]) == ("tidings", "1.2.3")
    assert not any("hooks" in path for path in FILES), "hooks are in the settings only (D12)"


def test_the_command_for_agents_runs_this_installation() -> None:
    command = FILES["tidings/bin/tidings"]
    assert command.executable
    assert command.data == b"#!/bin/sh\nexec '/opt/py thon' -I -m tidings \"$@\"\n"


def test_a_monitor_whose_tidings_is_gone_stays_and_says_nothing() -> None:
    """It would wake the model by ending (H 9)."""
    for python in ("/gone/python", sys.executable):
        command = monitor_command(python).replace("import tidings", "import tidings_gone")
        command = command.replace("exec tail -f /dev/null", "exec echo stayed")
        done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=20, check=False)
        assert (done.stdout, done.stderr, done.returncode) == (b"stayed\n", b"", 0)


def test_there_are_four_skills_and_the_one_for_agents_is_short() -> None:
    assert set(SKILLS) == {"connect", "disconnect", "status", "messages"}
    assert word_count(SKILLS["messages"]) < MOST_WORDS
    for name in ("connect", "disconnect", "status"):
        assert "disable-model-invocation: true" in SKILLS[name], "these are the operator's to call"


def test_skills_name_only_verbs_that_exist() -> None:
    named = {
        line.split()[1]
        for text in SKILLS.values()
        for line in text.splitlines()
        if line.startswith("    tidings ")
    }
    assert named >= {"send", "reply", "arm", "disarm"}
    assert named - set(VERBS) == set()


def test_the_live_probe_sees_through_the_silence_of_the_command() -> None:
    """The hook's command says nothing whatever happens; so the probe runs what is inside of it."""
    assert hook_fault(hook_program(sys.executable), environment={}) == ""
    assert hook_fault(hook_program("/gone/python"), environment={}) == "it ended with 127"
    talking = f"echo hello; {hook_program(sys.executable)}"
    assert hook_fault(talking, environment={}) == "it printed something"
