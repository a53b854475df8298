"""The Bash tool: a real shell, a real child of the harness (H 2)."""

from collections.abc import Mapping

from tidings.entrypoints.simulated.children import start_shell
from tidings.entrypoints.simulated.environment import child_environment
from tidings.entrypoints.simulated.files import append_line
from tidings.entrypoints.simulated.ran import Ran
from tidings.entrypoints.simulated.state import HarnessState


async def run_shell(state: HarnessState, base: Mapping[str, str], command: str) -> Ran:
    """Runs ``command`` to its end and notes it in ``commands-<pid>.jsonl``."""
    process = await start_shell(
        command, cwd=state.options.cwd, environment=child_environment(base, state)
    )
    output, errors = await process.communicate(b"")
    ran = Ran(
        exit_code=process.returncode or 0,
        output=output.decode("utf-8", "replace"),
        errors=errors.decode("utf-8", "replace"),
    )
    append_line(
        state.places.commands,
        {
            "command": command,
            "exit_code": ran.exit_code,
            "stdout": ran.output,
            "stderr": ran.errors,
        },
    )
    return ran
