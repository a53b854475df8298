"""A program that manages plugins as Claude Code does, as far as setup can tell (H 9).

``python pretended_client.py plugin …``: it writes the settings file anew, in another order and
layout, each time that it installs or removes. ``FAILS`` in the environment names a command that
fails after it wrote, ``KILLS`` one that ends its caller then, as by ``kill -9``.
"""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path(os.environ["HOME"]) / ".claude")
SETTINGS, STATE, LOG = FOLDER / "settings.json", FOLDER / "plugins.json", FOLDER / "calls.log"


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    return found


def write_settings(document: dict[str, Any]) -> None:
    ordered = dict(sorted(document.items()))
    SETTINGS.write_text(json.dumps(ordered, indent=2))


def marketplace(state: dict[str, Any], settings: dict[str, Any], words: list[str]) -> object:
    known = settings.setdefault("extraKnownMarketplaces", {})
    match words:
        case ["list", "--json"]:
            return [{"name": name} for name in state.get("markets", {})]
        case ["add", folder]:
            state.setdefault("markets", {})["tidings"] = folder
            known["tidings"] = {"source": {"source": "directory", "path": folder}}
        case ["remove", name]:
            del state["markets"][name]
            known.pop(name, None)
        case _:
            raise SystemExit(2)
    return None


def plugin(state: dict[str, Any], settings: dict[str, Any], words: list[str]) -> object:
    match words:
        case ["list", "--json"]:
            return [{"id": one, "enabled": True} for one in state.get("plugins", [])]
        case ["install", name]:
            market = state["markets"][name.partition("@")[2]]
            assert (Path(market) / ".claude-plugin" / "marketplace.json").is_file()
            state["plugins"] = [name]
            settings.setdefault("enabledPlugins", {})[name] = True
        case ["uninstall", name]:
            state["plugins"].remove(name)
            settings["enabledPlugins"].pop(name, None)
        case ["marketplace", *rest]:
            return marketplace(state, settings, rest)
        case _:
            raise SystemExit(2)
    return None


def main() -> None:
    state, settings, words = read(STATE), read(SETTINGS), sys.argv[2:]
    shown = plugin(state, settings, words)
    if shown is not None:
        print(json.dumps(shown))  # noqa: T201 - the client's own list
        return
    with LOG.open("a") as log:
        log.write(f"{' '.join(words[:2])}\n")
    if os.environ.get("FAILS") != words[0] or words[0] == "marketplace":
        STATE.write_text(json.dumps(state))
    write_settings(settings)
    if os.environ.get("KILLS") == words[0]:
        os.kill(os.getppid(), signal.SIGKILL)
    if os.environ.get("FAILS") == words[0]:
        raise SystemExit("it is not to be")


if __name__ == "__main__":
    main()
