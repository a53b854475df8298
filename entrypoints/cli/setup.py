"""``tidings setup``: puts Tidings into Claude Code, or takes it out again."""

import os
import sys
from collections.abc import Sequence

from tidings.adapters.harnesses.claude_record import config_folder
from tidings.domain.consent.widening import Widening, judge_widening
from tidings.domain.setup.pieces import PLUGIN_ID
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.output import note, tell_act, write_json, write_line
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.places import find_places
from tidings.entrypoints.setting_up import Plan, SetupDesk
from tidings.ports.codec import Document
from tidings.ports.errors import NotAllowed, UsageError

FAILED = 1
CONFIG_VARIABLE = "CLAUDE_CONFIG_DIR"


def run(words: Sequence[str]) -> int:
    """Shows one difference, asks one question, and does it."""
    parser = VerbParser("setup")
    parser.option("--remove")
    parser.either("--dry-run", "--yes")
    parser.option("--json")
    options = parser.read(words)
    if not options.dry_run:
        _require_person(is_agreed=options.yes, as_json=options.json)
    desk = _open_desk(only_looks=options.dry_run)
    plan = desk.planned_removal() if options.remove else desk.planned_adding()
    if options.dry_run or not plan.does_something:
        return _tell(desk, plan, options.remove, is_done=not options.dry_run, as_json=options.json)
    if not options.remove:
        _require_working_hook(desk)
    if not options.yes:
        _show(plan)
        if not _ask():
            write_line("nothing was changed")
            return FAILED
    shown = None if options.yes else plan
    plan = desk.remove(shown) if options.remove else desk.add(shown)
    return _tell(
        desk, plan, options.remove, is_done=True, as_json=options.json, is_shown=not options.yes
    )


def _open_desk(*, only_looks: bool) -> SetupDesk:
    chosen = os.environ.get(CONFIG_VARIABLE, "")
    if chosen and not os.path.isabs(chosen):
        raise UsageError(
            f"{CONFIG_VARIABLE}={chosen!r} is not an absolute path",
            next_step="write it from the root",
        )
    folder = config_folder(os.environ)
    if not folder:
        raise UsageError(
            "there is no home in which Claude Code would keep settings",
            next_step=f"set HOME or {CONFIG_VARIABLE}",
        )
    if not os.path.isabs(sys.executable):
        raise UsageError(
            "this interpreter does not know its own path", next_step="run it by its full path"
        )
    return SetupDesk(find_places(os.environ), folder, os.environ, only_looks=only_looks)


def _require_person(*, is_agreed: bool, as_json: bool) -> None:
    """Not an agent, whose own rules this would widen; and somebody who can be asked, or ``--yes``."""
    judged = judge_widening(open_call().caller, "", own_key="", environment=os.environ)
    if judged in (Widening.NOT_YOURS, Widening.CALLER_UNCLEAR):
        raise NotAllowed(
            "setup changes what agents may do, and this shell is an agent's or carries its variables",
            reason="setup-from-agent",
            next_step="ask the operator to run `tidings setup` in a terminal of its own",
        )
    if is_agreed:
        return
    if as_json or not sys.stdin.isatty():
        raise UsageError(
            "nobody can be asked here" if not as_json else "--json asks no question",
            next_step="--dry-run shows what would change, --yes agrees to it",
        )


def _require_working_hook(desk: SetupDesk) -> None:
    """Before anything is written: a hook that fails can block its user's prompts (D10)."""
    fault = desk.hook_fault()
    if fault:
        raise UsageError(
            f"the hook does not work: {fault}",
            next_step=f"run it by itself: {desk.command}; nothing was changed",
        )


def _ask() -> bool:
    sys.stdout.write("Do this? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _show(plan: Plan) -> None:
    write_line(plan.now.path)
    for line in plan.diff:
        write_line(line.replace("\t", "    "))
    for command in plan.commands:
        write_line(f"$ {command}")


def _tell(
    desk: SetupDesk,
    plan: Plan,
    is_removal: bool,
    *,
    is_done: bool,
    as_json: bool,
    is_shown: bool = False,
) -> int:
    """What was or would be done, and after setup what the live probe says."""
    probed = is_done and not is_removal
    fault = desk.hook_fault() if probed else ""
    listed = desk.is_listed() if probed else None
    no_hooks = "" if is_removal else desk.why_no_hooks(plan)
    document: Document = {
        "settings": plan.now.path,
        "action": "remove" if is_removal else "add",
        "done": is_done,
        "changed": plan.does_something,
        "diff": [*plan.diff],
        "commands": [*plan.commands],
        "backup": desk.backup_path(plan) if plan.added else None,
        "hook_works": not fault if probed else None,
        "plugin_listed": listed,
        "hooks_off": no_hooks or None,
    }
    said = _said(plan, is_removal, is_done=is_done)

    def show() -> None:
        if as_json:
            write_json(document)
            return
        if plan.does_something and not is_shown:
            _show(plan)
        write_line(said)
        if is_done and plan.added:
            write_line(f"the settings as they were: {desk.backup_path(plan)}")
        if no_hooks:
            write_line(
                f"warning: the client runs no hooks: {no_hooks}; until that is changed sessions that"
                " lack the plugin are not reached, and none tells what its model has seen"
            )
        if probed and plan.does_something:
            write_line(
                "new sessions have it, and /tidings:connect lets one hear; those that run already"
                " are found at their next event, and have the skill after /reload-plugins"
            )

    wrong = fault or ("" if listed in (None, True) else f"claude does not list {PLUGIN_ID}")
    code = FAILED if wrong else 0
    tell_act(show, done=said, code=code, as_json=as_json)
    if wrong:
        note(
            f"the probe failed: {wrong}",
            code=code,
            as_json=as_json,
            next_step="`tidings setup --remove` takes everything out again",
        )
    return code


def _said(plan: Plan, is_removal: bool, *, is_done: bool) -> str:
    if not plan.does_something:
        return "nothing of Tidings is there" if is_removal else "all of it is there already"
    if not is_done:
        return "nothing was changed; without --dry-run this would be done"
    if is_removal:
        return "Tidings is out of Claude Code; running sessions keep their monitor until they end"
    return "Tidings is in Claude Code: hooks, plugin, and permission to send and reply"
