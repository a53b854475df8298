"""Setting Tidings up in Claude Code and taking it out again: one plan, made twice.

It is made once to be shown, and once more under the lock, since twenty of us may run at once and
the client writes the same file.
"""

import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from tidings import __version__
from tidings.adapters.files.setup_files import SetupFiles
from tidings.adapters.harnesses.claude_plugins import ClaudePlugins, find_client, hook_fault
from tidings.adapters.harnesses.claude_policy import ClaudePolicy
from tidings.adapters.harnesses.claude_settings import ClaudeSettings, SettingsMoved, SettingsNow
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.identity.digest import sha256
from tidings.domain.setup.difference import difference
from tidings.domain.setup.json_text import JsonWords
from tidings.domain.setup.merging import SettingsMerger, same_but_plugin
from tidings.domain.setup.pieces import (
    EVENTS,
    MARKETPLACES,
    NAME,
    PLUGIN_ID,
    PLUGINS,
    Piece,
    command_at,
    hook_program,
    wanted_pieces,
)
from tidings.domain.setup.plugin import marketplace_files
from tidings.domain.setup.remembered import Remembered
from tidings.entrypoints.assembly import locks
from tidings.entrypoints.places import Places
from tidings.ports.codec import Codec
from tidings.ports.errors import NotFound, StateUnreadable, StateUnwritable
from tidings.ports.tokens import LockKind
from tidings.ports.values import dataclass, replace

LOCK_SECONDS = 120.0
"""Twenty at once, each of which waits for the client at most a few seconds."""

TRIES = 5
"""How often we begin again where somebody else wrote the file meanwhile."""

UNDER_WAY = "under way"
"""In the place of a digest: the client may write its file anew any moment, and we may be killed
before we put our text in its place. Then the backup is the file, if what is left says the same."""

PLUGIN_KEYS = ((MARKETPLACES, NAME), (PLUGINS, PLUGIN_ID))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What would be done: ``after`` None takes the file away. ``commands`` are the client's own.

    ``base`` is the file as it would be without us; ``memory`` what is known of earlier additions.
    """

    now: SettingsNow
    after: str | None
    commands: tuple[str, ...]
    base: str
    added: tuple[Piece, ...] = ()
    made: tuple[tuple[str, ...], ...] = ()
    existed: bool = True
    writes_plugin: bool = False

    @property
    def diff(self) -> tuple[str, ...]:
        """The change of the file, line by line."""
        before = self.now.text if self.now.existed else ""
        return difference(before, "" if self.after is None else self.after)

    @property
    def changes_file(self) -> bool:
        """Whether the settings file would be another."""
        return self.after != (self.now.text if self.now.existed else None)

    @property
    def does_something(self) -> bool:
        """Whether anything at all would be done."""
        return self.changes_file or bool(self.commands) or self.writes_plugin


class SetupDesk:
    """Over the real machine: ``folder`` is the client's configuration folder.

    ``only_looks``: the client, which may write at every start, is not run; nor may anything be done.
    """

    def __init__(
        self, places: Places, folder: str, environment: Mapping[str, str], *, only_looks: bool
    ) -> None:
        codec = JsonCodec()
        self._only_looks = only_looks
        self._environment = environment
        self._codec = codec
        self._merger = SettingsMerger(JsonWords(codec))
        self._settings = ClaudeSettings(folder, codec=codec)
        self._files = SetupFiles(places.state, codec=codec)
        self._locks = locks(places)
        self._plugin = marketplace_files(python=sys.executable, version=__version__, codec=codec)
        self._policy = ClaudePolicy(codec=codec)
        program = find_client(environment)
        self._client = ClaudePlugins(program, environment=environment) if program else None
        self.command = hook_program(sys.executable)
        self._commands = {event: command_at(sys.executable, event) for event in EVENTS}
        self._wanted = wanted_pieces(python=sys.executable, marketplace=self._files.marketplace)

    def backup_path(self, plan: Plan) -> str:
        """Where the backup of the file is, or will be."""
        return self._files.backup_path(plan.now.path)

    def planned_adding(self) -> Plan:
        """What setup would do now. Raises ``NotFound`` without a client, and what reading raises."""
        now, memory = self._look()
        listed = self._has_plugin(now)
        add = f"claude plugin marketplace add {self._files.marketplace}"
        commands = () if listed else (add, f"claude plugin install {PLUGIN_ID}")
        writes_plugin = not self._files.is_current(self._plugin)
        kept = self._merger.without_hooks(now.text, but=self._commands)
        if kept == now.text and not self._merger.merge(kept, self._wanted).added:
            return Plan(
                now=now,
                after=now.text,
                commands=commands,
                base=now.text,
                writes_plugin=writes_plugin,
            )
        base = self._base(now, memory)
        without = self._merger.without_hooks(base, but=self._commands)
        merged = self._merger.merge(without, self._wanted)
        return Plan(
            now=now,
            after=merged.text,
            commands=commands,
            base=base,
            added=merged.added,
            made=merged.made,
            existed=now.existed if memory is None else memory.existed,
            writes_plugin=writes_plugin,
        )

    def planned_removal(self) -> Plan:
        """What taking it out would do now; without a client its plugin list stays as it is."""
        now, memory = self._look()
        after = self._without_us(now) if memory is None else self._base(now, memory)
        existed = now.existed if memory is None else memory.existed
        gone = not existed and self._codec.decode(after.encode()) == {}
        return Plan(
            now=now,
            after=None if gone else after,
            commands=self._removing_commands(now),
            base=after,
            existed=existed,
        )

    def add(self, shown: Plan | None) -> Plan:
        """Does it; ``shown`` is what somebody agreed to. Raises ``StateUnreadable`` where it would
        be something else by now, and then nothing was changed."""
        with self._locks.hold(LockKind.SETUP, "", wait_seconds=LOCK_SECONDS):
            plan = _agreed(self.planned_adding(), shown)
            self._files.write_marketplace(self._plugin)
            if plan.commands:
                self._remember(plan, digest=UNDER_WAY)
                with self._kept(plan.now):
                    self._require_client().install(PLUGIN_ID, folder=self._files.marketplace)
            self._write(plan, removal=False)
            return plan

    def remove(self, shown: Plan | None) -> Plan:
        """Takes it out, as ``add`` puts it in."""
        with self._locks.hold(LockKind.SETUP, "", wait_seconds=LOCK_SECONDS):
            plan = _agreed(self.planned_removal(), shown)
            if self._client is not None and plan.commands:
                self._remember_removal(plan)
                with self._kept(plan.now):
                    self._client.uninstall(PLUGIN_ID, marketplace=NAME)
            self._write(plan, removal=True)
            self._files.forget(plan.now.path)
            self._files.remove_marketplace(self._plugin)
            return plan

    def hook_fault(self) -> str:
        """What the live probe says against the hook; empty where it is fine."""
        return hook_fault(self.command, environment=self._environment)

    def why_no_hooks(self, plan: Plan) -> str:
        """What keeps the client from running any hook of the user's, or nothing."""
        return self._policy.why_no_hooks(plan.now.path, plan.now.text)

    def is_listed(self) -> bool:
        """Whether the client lists our plugin as installed and enabled."""
        return self._require_client().has(PLUGIN_ID)

    def _look(self) -> tuple[SettingsNow, Remembered | None]:
        now = self._settings.read()
        return now, self._files.remembered(now.path)

    def _base(self, now: SettingsNow, memory: Remembered | None) -> str:
        """The file without us: the backup where nobody wrote since, else what is left of it.

        The plugin's two members are ours by their name, whoever wrote them: the client does too.
        """
        members = [piece for piece in self._wanted if piece.key]
        if memory is None:
            return self._merger.strip(now.text, members, ())
        backup = self._files.backup(now.path)
        if backup is not None and memory.digest == _digest(now.text):
            return backup
        current = self._merger.without_hooks(now.text, but=self._commands)
        left = self._merger.strip(current, (*memory.added, *members), memory.made)
        if backup is None or memory.digest != UNDER_WAY:
            return left
        return backup if self._mean_the_same(left, backup) else left

    def _without_us(self, now: SettingsNow) -> str:
        """Where nothing is remembered, what is ours by its name goes."""
        stripped = self._base(now, None)
        if stripped != now.text:
            stripped = self._merger.strip(stripped, (), [(name,) for name, _key in PLUGIN_KEYS])
        return self._merger.without_hooks(stripped)

    def _has_plugin(self, now: SettingsNow) -> bool:
        client = self._require_client()
        return _enables(now, self._codec) if self._only_looks else client.has(PLUGIN_ID)

    def _removing_commands(self, now: SettingsNow) -> tuple[str, ...]:
        if self._client is None:
            return ()
        has_plugin = self._has_plugin(now)
        known = has_plugin if self._only_looks else self._client.knows_marketplace(NAME)
        commands = {
            f"claude plugin uninstall {PLUGIN_ID}": has_plugin,
            f"claude plugin marketplace remove {NAME}": known,
        }
        return tuple(command for command, is_needed in commands.items() if is_needed)

    @contextmanager
    def _kept(self, before: SettingsNow) -> Generator[None]:
        """Where the client fails in the block, what it wrote to the settings is taken back: the
        next run then begins from the very bytes of this one."""
        try:
            yield
        except (StateUnreadable, StateUnwritable):
            now = self._settings.read()
            if now != before and self._says_the_same(now, before):
                self._settings.replace(now, before.text if before.existed else None)
            raise

    def _write(self, plan: Plan, *, removal: bool) -> None:
        """The file as planned. Where more than the plugin was changed meanwhile, planned anew."""
        for left in reversed(range(TRIES)):
            now = self._settings.read()
            if not self._says_the_same(now, plan.now):
                plan = self.planned_removal() if removal else self.planned_adding()
                now = plan.now
            after = plan.after
            try:
                if not removal:
                    self._remember(plan)
                if after != (now.text if now.existed else None):
                    self._settings.replace(now, after)
                return
            except SettingsMoved:
                if not left:
                    raise

    def _remember(self, plan: Plan, *, digest: str = "") -> None:
        if plan.added and plan.after is not None:
            memory = Remembered(
                added=plan.added,
                made=plan.made,
                digest=digest or _digest(plan.after),
                existed=plan.existed,
            )
            self._files.remember(plan.now.path, memory, backup=plan.base)

    def _remember_removal(self, plan: Plan) -> None:
        """So that one that is cut short, when the client has written, still ends with these bytes."""
        memory = self._files.remembered(plan.now.path)
        if memory is not None:
            under_way = replace(memory, digest=UNDER_WAY)
            self._files.remember(plan.now.path, under_way, backup=plan.base)

    def _says_the_same(self, one: SettingsNow, other: SettingsNow) -> bool:
        return one.path == other.path and self._mean_the_same(one.text, other.text)

    def _mean_the_same(self, one: str, other: str) -> bool:
        first, second = (self._codec.decode(text.encode()) for text in (one, other))
        return same_but_plugin(first, second, keys=PLUGIN_KEYS)

    def _require_client(self) -> ClaudePlugins:
        if self._client is None:
            raise NotFound(
                "there is no `claude` on the PATH",
                next_step="install Claude Code or put it on the PATH; nothing was changed",
            )
        return self._client


def _agreed(plan: Plan, shown: Plan | None) -> Plan:
    if shown is None or (plan.now, plan.after) == (shown.now, shown.after) or not plan.changes_file:
        return plan
    raise StateUnreadable(
        f"{plan.now.path} changed while you were asked",
        next_step="run it again and look at the new difference; nothing was changed",
    )


def _enables(now: SettingsNow, codec: Codec) -> bool:
    """Whether the settings themselves enable the plugin."""
    enabled = codec.decode(now.text.encode()).get(PLUGINS)
    return isinstance(enabled, dict) and enabled.get(PLUGIN_ID) is True


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
