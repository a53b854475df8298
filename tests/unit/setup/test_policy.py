"""What keeps a client from running hooks: the user's switch, and settings that outweigh it."""

import json
from pathlib import Path

import pytest

from tidings.adapters.harnesses.claude_policy import ClaudePolicy
from tidings.adapters.wire.json_codec import JsonCodec

USERS = "/home/u/.claude/settings.json"


def why(folder: Path, text: str = "{}") -> str:
    return ClaudePolicy(codec=JsonCodec(), folder=str(folder)).why_no_hooks(USERS, text)


@pytest.mark.parametrize("place", ["managed-settings.json", "managed-settings.d/10-hooks.json"])
@pytest.mark.parametrize("key", ["disableAllHooks", "allowManagedHooksOnly"])
def test_managed_settings_are_read_wherever_they_stand(
    tmp_path: Path, place: str, key: str
) -> None:
    file = tmp_path / place
    file.parent.mkdir(exist_ok=True)
    for value in (False, "true", None):
        file.write_text(json.dumps({key: value}))
        assert why(tmp_path) == ""
    file.write_text(json.dumps({key: True}))
    assert why(tmp_path) == f"{key} is set in {file}"


def test_the_users_own_switch_is_named_first(tmp_path: Path) -> None:
    (tmp_path / "managed-settings.json").write_text('{"disableAllHooks": true}')
    assert why(tmp_path, '{"disableAllHooks": true}') == f"disableAllHooks is set in {USERS}"
    only_managed = '{"allowManagedHooksOnly": true}'
    (tmp_path / "managed-settings.json").write_text("{}")
    assert why(tmp_path, only_managed) == "", "that key counts in managed settings only"


def test_what_is_not_there_or_does_not_read_says_nothing(tmp_path: Path) -> None:
    assert why(tmp_path) == ""
    assert why(tmp_path / "nowhere") == ""
    (tmp_path / "managed-settings.json").write_text("// a comment")
    (tmp_path / "managed-settings.d").write_text("no folder")
    assert why(tmp_path) == ""
