"""Editing JSON as text: what is not edited keeps every byte, and taking out undoes putting in.

All of it works on text that was decoded strictly before: one valid JSON object.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from tidings.ports.codec import Codec, Value
from tidings.ports.values import dataclass

UNIT = "  "
"""The indentation of a file that shows none of its own."""

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]|[^\s\[\]{},:"]+')
_CLOSING = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A value at ``text[start:end]``; ``opening`` is ``{``, ``[``, or empty for any other.

    ``key`` is as the text spells it, empty for an element; ``begin`` is where key or element begins.
    """

    start: int
    end: int
    begin: int
    opening: str = ""
    key: str = ""
    children: "tuple[Node, ...]" = ()


class JsonWords:
    """How JSON spells texts, numbers and flags, by the product's own codec."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec

    def spell(self, value: Value) -> str:
        """``value`` in one line."""
        return self._codec.encode({"v": value}).decode()[len('{"v":') : -1]

    def read(self, spelled: str) -> Value:
        """The value that ``spelled`` is. Raises ``DocumentUnreadable``."""
        return self._codec.decode(f'{{"v":{spelled}}}'.encode())["v"]


class _Open:
    """A container whose end was not reached yet, or at the bottom the whole text."""

    def __init__(self, opening: str, start: int, key: str, begin: int) -> None:
        self.opening, self.start, self.key, self.begin = opening, start, key, begin
        self.waiting: tuple[str, int] | None = None
        self.children: list[Node] = []

    def take_key(self) -> tuple[str, int] | None:
        """The key, with its place, whose value is not there yet."""
        waiting, self.waiting = self.waiting, None
        return waiting


@lru_cache(maxsize=2)
def parse(text: str) -> Node:
    """The value in ``text``, with the places of all that is in it. Every edit asks it several times
    of one text, which may have megabytes, so the last ones are kept."""
    stack = [_Open("", 0, "", 0)]
    for token in _TOKEN.finditer(text):
        _take(stack, token[0], token.start(), token.end())
    return stack[0].children[0]


def _take(stack: list[_Open], word: str, start: int, end: int) -> None:
    around = stack[-1]
    if word in ("}", "]"):
        stack.pop()
        _add(stack[-1], around, end)
    elif word in (",", ":"):
        return
    elif around.opening == "{" and around.waiting is None:
        around.waiting = (word, start)
    else:
        key, begin = around.take_key() or ("", start)
        found = _Open(word if word in _CLOSING else "", start, key, begin)
        if found.opening:
            stack.append(found)
        else:
            _add(around, found, end)


def _add(around: _Open, found: _Open, end: int) -> None:
    around.children.append(
        Node(
            start=found.start,
            end=end,
            begin=found.begin,
            opening=found.opening,
            key=found.key,
            children=tuple(found.children),
        )
    )


def remove(text: str, around: Node, at: int) -> str:
    """``text`` without the child ``at`` of ``around``, and without the comma that goes with it."""
    children = around.children
    if len(children) == 1:
        return text[: around.start + 1] + text[around.end - 1 :]
    if at == 0:
        return text[: children[0].begin] + text[children[1].begin :]
    return text[: children[at - 1].end] + text[children[at].end :]


def replace(text: str, node: Node, value: Value, words: JsonWords) -> str:
    """``text`` with ``value`` in the place of ``node``, in one line."""
    return text[: node.start] + words.spell(value) + text[node.end :]


def insert(text: str, around: Node, key: str, value: Value, words: JsonWords) -> str:
    """``text`` with one more child at the end of ``around``, laid out as its neighbours are; an
    empty ``key`` for an element of an array."""
    layout = Layout(text, words)
    if around.children:
        gap = _gap_before_last(text, around)
        margin = gap.rpartition("\n")[2] if "\n" in gap else None
        child = layout.child(key, value, margin)
        end = around.children[-1].end
        return f"{text[:end]},{' ' if margin is None else gap}{child}{text[end:]}"
    margin = _line_margin(text, around.start) if layout.is_spread else None
    inside = layout.spread([layout.child(key, value, layout.deeper(margin))], margin)
    return text[: around.start + 1] + inside + text[around.end - 1 :]


class Layout:
    """How a text is laid out: a line for each member, or all of it in one."""

    def __init__(self, text: str, words: JsonWords) -> None:
        root = parse(text)
        first = root.children[0].begin if root.children else root.start + 1
        _, line_break, margin = text[root.start + 1 : first].rpartition("\n")
        self.is_spread = bool(line_break) or not root.children
        self._unit = margin or UNIT
        self._end = "\r\n" if "\r\n" in text else "\n"
        self._words = words

    def child(self, key: str, value: Value, margin: str | None) -> str:
        """A member or an element; its further lines begin with ``margin``, None for one line."""
        name = f"{self._words.spell(key)}: " if key else ""
        return name + self._value(value, margin)

    def deeper(self, margin: str | None) -> str | None:
        """The margin one level further in."""
        return None if margin is None else margin + self._unit

    def spread(self, children: Sequence[str], margin: str | None) -> str:
        """What stands between the brackets of a container at ``margin``."""
        inner = self.deeper(margin)
        if inner is None or not children:
            return ", ".join(children)
        lines = f",{self._end}".join(f"{inner}{child}" for child in children)
        return f"{self._end}{lines}{self._end}{margin}"

    def _value(self, value: Value, margin: str | None) -> str:
        inner = self.deeper(margin)
        if isinstance(value, Mapping):
            members = [self.child(key, one, inner) for key, one in value.items()]
            return f"{{{self.spread(members, margin)}}}"
        if isinstance(value, list):
            return f"[{self.spread([self._value(one, inner) for one in value], margin)}]"
        return self._words.spell(value)


def _gap_before_last(text: str, around: Node) -> str:
    """The blanks before the last child, behind the comma or the opening."""
    last = around.children[-1].begin
    if len(around.children) == 1:
        return text[around.start + 1 : last]
    return text[around.children[-2].end : last].partition(",")[2]


def _line_margin(text: str, place: int) -> str:
    """The blanks at the beginning of the line that holds ``place``."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]
