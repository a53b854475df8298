"""Putting pieces into settings and taking them out again; everything else keeps its bytes."""

from collections.abc import Iterable, Mapping, Sequence

from tidings.domain.setup.json_text import JsonWords, Node, insert, parse, remove, replace
from tidings.domain.setup.pieces import Piece, commands_in, is_our_command
from tidings.ports.codec import Document, Value
from tidings.ports.errors import StateUnreadable
from tidings.ports.values import dataclass

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Settings with all that is wanted: ``added`` was not there, nor were the containers ``made``."""

    text: str
    added: tuple[Piece, ...]
    made: tuple[Path, ...]


class SettingsMerger:
    """Edits the text of a settings file: one valid JSON object."""

    def __init__(self, words: JsonWords) -> None:
        self._words = words

    def merge(self, text: str, pieces: Iterable[Piece]) -> Merged:
        """The settings with ``pieces``. Raises ``StateUnreadable`` where something of another kind
        stands in the place of a container."""
        added: list[Piece] = []
        made: list[Path] = []
        for piece in pieces:
            if not self._has(text, piece):
                text = self._put(text, piece, made)
                added.append(piece)
        return Merged(text=text, added=tuple(added), made=tuple(made))

    def strip(self, text: str, pieces: Iterable[Piece], made: Iterable[Path]) -> str:
        """The settings without ``pieces``, and without those containers ``made`` that are empty."""
        for piece in pieces:
            text = self._take(text, piece)
        for path in sorted(made, key=len, reverse=True):
            text = self._drop_empty(text, path)
        return text

    def without_hooks(self, text: str, *, but: Mapping[str, str] | None = None) -> str:
        """The settings without any hook that runs our program, except at an event by the command
        that ``but`` names for it, and without the arrays that this emptied."""
        before, kept = text, but or {}
        for event in self._events(text):
            path = ("hooks", event)
            groups = self._elements(text, self._node(text, path))
            commands = [command for group in groups for command in commands_in(group)]
            ours = [one for one in commands if is_our_command(one) and one != kept.get(event)]
            for command in ours:
                text = self._take_command(text, path, command)
            text = self._drop_empty(text, path) if ours else text
        return text if text == before else self._drop_empty(text, ("hooks",))

    def _events(self, text: str) -> list[str]:
        hooks = self._node(text, ("hooks",))
        if hooks is None or hooks.opening != "{":
            return []
        return [str(self._words.read(one.key)) for one in hooks.children if one.opening == "["]

    def _has(self, text: str, piece: Piece) -> bool:
        around = self._container(text, piece)
        if around is None:
            return False
        if piece.key:
            child = self._member(around, piece.key)
            return child is not None and self._value(text, child) == piece.value
        elements = self._elements(text, around)
        wanted = commands_in(piece.value)
        return piece.value in elements or any(
            command in wanted for one in elements for command in commands_in(one)
        )

    def _put(self, text: str, piece: Piece, made: list[Path]) -> str:
        around, rest = self._deepest(text, piece)
        made += [piece.path[: len(piece.path) - at] for at in range(len(rest))]
        names = (*rest, piece.key) if piece.key else rest
        value: Value = piece.value if piece.key else [piece.value]
        if not names:
            return insert(text, around, "", piece.value, self._words)
        there = self._member(around, names[0])
        if there is not None:
            return replace(text, there, piece.value, self._words)
        return insert(text, around, names[0], _nested(names[1:], value), self._words)

    def _take(self, text: str, piece: Piece) -> str:
        around = self._node(text, piece.path)
        if around is None or around.opening != ("{" if piece.key else "["):
            return text
        if piece.key:
            child = self._member(around, piece.key)
            return text if child is None else remove(text, around, around.children.index(child))
        elements = self._elements(text, around)
        if piece.value in elements:
            return remove(text, around, elements.index(piece.value))
        for command in commands_in(piece.value):
            text = self._take_command(text, piece.path, command)
        return text

    def _take_command(self, text: str, path: Path, command: Value) -> str:
        """Without the first hook of that command, and without its group if it was alone there."""
        around = self._node(text, path)
        assert around is not None
        for at, group in enumerate(self._elements(text, around)):
            commands = commands_in(group)
            if command not in commands:
                continue
            if len(commands) == 1:
                return remove(text, around, at)
            entries = self._member(around.children[at], "hooks")
            assert entries is not None
            return remove(text, entries, commands.index(command))
        return text

    def _drop_empty(self, text: str, path: Path) -> str:
        around, node = self._node(text, path[:-1]), self._node(text, path)
        if around is None or node is None or not node.opening or node.children:
            return text
        return remove(text, around, around.children.index(node))

    def _container(self, text: str, piece: Piece) -> Node | None:
        """Where the piece belongs; None where that has to be made first."""
        around, rest = self._deepest(text, piece)
        return None if rest else around

    def _deepest(self, text: str, piece: Piece) -> tuple[Node, Path]:
        """The innermost container on the way that is there, and what is missing below it."""
        node, kinds = parse(text), ["{"] * len(piece.path) + ["{" if piece.key else "["]
        for at, name in enumerate(piece.path):
            child = self._member(node, name)
            if child is None:
                return node, piece.path[at:]
            if child.opening != kinds[at + 1]:
                kind = "object" if kinds[at + 1] == "{" else "list"
                raise StateUnreadable(
                    f"{'.'.join(piece.path[: at + 1])} in the settings is no {kind}",
                    next_step="mend it there; nothing was changed",
                )
            node = child
        return node, ()

    def _node(self, text: str, path: Path) -> Node | None:
        node: Node | None = parse(text)
        for name in path:
            node = self._member(node, name) if node is not None else None
        return node

    def _member(self, around: Node, name: str) -> Node | None:
        if around.opening != "{":
            return None
        return next((one for one in around.children if self._words.read(one.key) == name), None)

    def _elements(self, text: str, around: Node | None) -> list[Value]:
        return [self._value(text, one) for one in around.children] if around is not None else []

    def _value(self, text: str, node: Node) -> Value:
        return self._words.read(text[node.start : node.end])


def _nested(names: Path, value: Value) -> Value:
    return {names[0]: _nested(names[1:], value)} if names else value


def same_but_plugin(one: Document, other: Document, *, keys: Sequence[tuple[str, str]]) -> bool:
    """Whether two settings say the same, apart from the members ``keys`` of their objects.

    The client writes its file anew when it installs: another order, 1.0 as 1, an empty object left.
    """
    return _compared(one, keys) == _compared(other, keys)


def _compared(document: Document, keys: Sequence[tuple[str, str]]) -> Document:
    copy = {name: _plain(value) for name, value in document.items()}
    for name, key in keys:
        value = copy.get(name)
        if isinstance(value, dict):
            copy[name] = {k: v for k, v in value.items() if k != key}
    emptied = {name for name, _key in keys if copy.get(name) == {}}
    return {name: value for name, value in copy.items() if name not in emptied}


def _plain(value: Value) -> Value:
    """A number as the client reads it: all of them are floating point there."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
