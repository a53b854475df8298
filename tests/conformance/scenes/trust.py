"""Sessions in which nothing is asked, and sessions from under which Tidings is taken away."""

import shutil
import sys
from pathlib import Path

import tidings
from conformance.hearing import Hearing, bash
from conformance.plain import text_of
from conformance.product import Command, Product
from conformance.stage import Stage
from conformance.world import World
from tidings.ports.codec import Document

TEXT = "for a session that asks nobody"
DONE: Document = {"text": "done"}
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"


def bypass(stage: Stage) -> Document:
    """A message for a session whose operator lets it do everything unasked."""
    world = stage.world()
    world.bypass_permissions()
    session = Hearing(stage, Product(world), "api", mode="bypassPermissions")
    session.product.arm("api")
    heard = session.heard(session.send(TEXT), TEXT)
    session.rest()
    return {
        **heard,
        "modes": [*{text_of(call.payload.get("permission_mode")) for call in world.hook_calls()}],
        "dialogs": world.count("PermissionRequest"),
        "shown": session.terminal.screen(),
    }


def removed(stage: Stage) -> Document:
    """The package goes, then its interpreter, under one session that is armed and one that is not."""
    world = stage.world()
    world.allow("Bash(touch:*)")
    world.use_program(stage.client)
    own = _own_installation(world)
    command = Command(world, own / "bin" / "python")
    setup = command.call("setup", "--yes")
    armed = Hearing(stage, command, "armed")
    silent = Hearing(stage, command, "silent")
    command.arm("armed")
    command.wait_for_process(armed.pid)

    told: Document = {
        "setup": setup.code,
        "is_set_up": str(own) in world.settings_file.read_text(),
        "asked_before": stage.model.requests(),
    }
    shutil.rmtree(own / "lib" / PYTHON / "site-packages" / "tidings")
    told["without_package"] = [_works(armed, "one"), _works(silent, "two")]
    shutil.rmtree(own)
    told["without_interpreter"] = [_works(armed, "three"), _works(silent, "four")]
    return {
        **told,
        "made": [*sorted(path.name for path in world.project.iterdir())],
        "asked": [armed.asked(), silent.asked()],
        "prompts": [*world.prompts()],
        "alive": [armed.terminal.exit_code(), silent.terminal.exit_code()],
    }


def _works(session: Hearing, name: str) -> Document:
    """Types a prompt whose tool makes a file, and waits for its turn to end."""
    turns = session.world.count("Stop")
    session.ask(bash(f"touch {name}"), DONE)
    session.wait_for_turns(turns + 1)
    session.rest()
    return {"turns": session.world.count("Stop") - turns}


def _own_installation(world: World) -> Path:
    """A virtual environment with a copy of the package, which may be taken away."""
    own = world.home / "own"
    world.run([sys.executable, "-m", "venv", "--without-pip", str(own)])
    packages = own / "lib" / PYTHON / "site-packages"
    shutil.copytree(Path(tidings.__file__).parent, packages / "tidings")
    others = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "others.pth").write_text("\n".join(others), encoding="utf-8")
    return own
