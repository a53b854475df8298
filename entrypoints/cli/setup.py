"""``tidings setup``: puts Tidings into Claude Code, or takes it out again."""

import os
import sys
from collections.abc import Iterator, Sequence

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
from tidings.ports.values import dataclass

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
        looked = _outcome(desk, plan, is_removal=options.remove, is_done=not options.dry_run)
        return _tell(looked, as_json=options.json)
    if not options.remove:
        _require_working_hook(desk)
    if not options.yes:
        _show(plan)
        if not _ask():
            write_line("nothing was changed")
            return FAILED
    shown = None if options.yes else plan
    plan = desk.remove(shown) if options.remove else desk.add(shown)
    done = _outcome(desk, plan, is_removal=options.remove, is_done=True)
    return _tell(done, as_json=options.json, is_shown=not options.yes)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What was or would be done, and what the live probe says of it (None: not probed)."""

    plan: Plan
    is_removal: bool
    is_done: bool
    backup: str
    hook_fault: str | None
    is_listed: bool | None
    hooks_off: str
    home: str

    @property
    def said(self) -> str:
        """All of it in one line."""
        if not self.plan.does_something:
            return (
                "nothing of Tidings is there" if self.is_removal else "all of it is there already"
            )
        if not self.is_done:
            return "nothing was changed; without --dry-run this would be done"
        if self.is_removal:
            return (
                "Tidings is out of Claude Code; running sessions keep their monitor until they end"
            )
        return "Tidings is in Claude Code: hooks, plugin, and permission to send and reply"

    @property
    def wrong(self) -> str:
        """Why what was done does not work; empty where it does, or nobody looked."""
        unlisted = f"claude does not list {PLUGIN_ID}" if self.is_listed is False else ""
        return self.hook_fault or unlisted

    def lines(self) -> Iterator[str]:
        """What a person reads, after the difference itself."""
        yield self.said
        if self.is_done and self.plan.added:
            yield f"the settings as they were: {self.backup}"
        if self.hooks_off:
            yield (
                f"warning: the client runs no hooks: {self.hooks_off}; until that is changed sessions"
                " that lack the plugin are not reached, and none tells what its model has seen"
            )
        if self.home and not self.is_removal:
            yield (
                f"warning: TIDINGS_HOME is {self.home} here, and the plugin lies in there; a session"
                " that is started without that variable keeps its state elsewhere"
            )
        if self.hook_fault is not None and self.plan.does_something:
            yield (
                "new sessions have it, and /tidings:connect lets one hear; those that run already"
                " are found at their next event, and have the skill after /reload-plugins"
            )

    def document(self) -> Document:
        """The same for a program."""
        return {
            "settings": self.plan.now.path,
            "action": "remove" if self.is_removal else "add",
            "done": self.is_done,
            "changed": self.plan.does_something,
            "diff": [*self.plan.diff],
            "commands": [*self.plan.commands],
            "backup": self.backup if self.plan.added else None,
            "hook_works": None if self.hook_fault is None else not self.hook_fault,
            "plugin_listed": self.is_listed,
            "hooks_off": self.hooks_off or None,
        }


def _outcome(desk: SetupDesk, plan: Plan, *, is_removal: bool, is_done: bool) -> _Outcome:
    probed = is_done and not is_removal
    return _Outcome(
        plan=plan,
        is_removal=is_removal,
        is_done=is_done,
        backup=desk.backup_path(plan),
        hook_fault=desk.hook_fault() if probed else None,
        is_listed=desk.is_listed() if probed else None,
        hooks_off="" if is_removal else desk.why_no_hooks(plan),
        home=os.environ.get("TIDINGS_HOME", ""),
    )


def _tell(outcome: _Outcome, *, as_json: bool, is_shown: bool = False) -> int:
    """Prints it, and where the probe failed what to do; the exit code."""

    def show() -> None:
        if as_json:
            write_json(outcome.document())
            return
        if outcome.plan.does_something and not is_shown:
            _show(outcome.plan)
        for line in outcome.lines():
            write_line(line)

    code = FAILED if outcome.wrong else 0
    tell_act(show, done=outcome.said, code=code, as_json=as_json)
    if outcome.wrong:
        note(
            f"the probe failed: {outcome.wrong}",
            code=code,
            as_json=as_json,
            next_step="`tidings setup --remove` takes everything out again",
        )
    return code
