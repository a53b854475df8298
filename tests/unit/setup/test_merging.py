"""What goes into a settings file and comes out again, byte for byte."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.setup.difference import difference
from tidings.domain.setup.json_text import JsonWords, parse
from tidings.domain.setup.merging import SettingsMerger, same_but_plugin
from tidings.domain.setup.pieces import (
    CLOSES,
    EVENTS,
    RULES,
    Piece,
    command_at,
    hook_command,
    parse_piece,
    wanted_pieces,
)
from tidings.ports.codec import Document
from tidings.ports.errors import StateUnreadable

PYTHON = "/opt/tidings/bin/python"
WANTED = wanted_pieces(python=PYTHON, marketplace="/state/claude-plugin")
COMMANDS = {event: command_at(PYTHON, event) for event in EVENTS}
KEYS = (("extraKnownMarketplaces", "tidings"), ("enabledPlugins", "tidings@tidings"))
OTHERS = '{"type": "command", "command": "true"}'

FILES = [
    "{}",
    "{}\n",
    '{"a":1}',
    '{"a": 1, "hooks": {}}\n',
    '{\n  "model": "opus"\n}\n',
    f'{{\n    "z": 1.50,\n    "hooks": {{"Stop": [{{"hooks": [{OTHERS}]}}]}},\n    "b":   []\n}}\n',
    '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"Bash(ls:*)"\n\t\t],\n\t\t"deny": []\n\t}\n}',
    '{\r\n  "enabledPlugins": {\r\n    "other@place": true\r\n  },\r\n  "n": 12345678901234567890\r\n}\r\n',
    '{"te\\"xt": "a \\\\", "ümlaut": "\\u00e4 {[,:]}", "hooks": {"Stop": []}}',
]


@pytest.fixture
def merger() -> SettingsMerger:
    return SettingsMerger(JsonWords(JsonCodec()))


def added_hooks(text: str) -> dict[str, list[Any]]:
    document: dict[str, Any] = json.loads(text)
    hooks: dict[str, list[Any]] = document["hooks"]
    return hooks


@pytest.mark.parametrize("before", FILES)
def test_what_was_put_in_comes_out_and_nothing_else_does(
    merger: SettingsMerger, before: str
) -> None:
    merged = merger.merge(before, WANTED)
    assert json.loads(merged.text) != json.loads(before)
    assert merger.strip(merged.text, merged.added, merged.made) == before


@pytest.mark.parametrize("before", FILES)
def test_every_line_that_was_there_stays_and_the_second_time_adds_nothing(
    merger: SettingsMerger, before: str
) -> None:
    merged = merger.merge(before, WANTED)
    again = merger.merge(merged.text, WANTED)
    assert (again.text, again.added) == (merged.text, ())
    document, was = json.loads(merged.text), json.loads(before)
    assert [key for key in document if key in was] == list(was)


def test_each_event_gets_the_command_of_d10_and_no_rule_covers_arm(merger: SettingsMerger) -> None:
    document = json.loads(merger.merge("{}", WANTED).text)
    program = f"{PYTHON} -I -m tidings.entrypoints.hook claude 2>/dev/null || :"
    command = f"[ -x {PYTHON} ] || exit 0; {program}"
    sign = (
        '"${TIDINGS_HOME:-${XDG_STATE_HOME:-$HOME/.local/state}/tidings}/events/$CLAUDE_PID.quiet"'
    )
    shortened = f"[ -e {sign} ] && exit 0; {command}"
    for event in EVENTS:
        (group,) = document["hooks"][event]
        expected = shortened if event in CLOSES else command
        assert group["hooks"] == [{"type": "command", "command": expected, "timeout": 5}]
        assert group.get("matcher") == ("AskUserQuestion" if event == "PreToolUse" else None)
    assert set(document["hooks"]) == set(EVENTS)
    assert document["permissions"] == {"allow": [*RULES]}
    assert not any("arm" in rule for rule in RULES)


def test_a_path_with_blanks_is_one_word_of_the_shell() -> None:
    quoted = "'/my \"own\" it'\"'\"'s/python'"
    assert hook_command('/my "own" it\'s/python').startswith(
        f"[ -x {quoted} ] || exit 0; {quoted} "
    )


def test_what_somebody_added_between_stays_byte_for_byte(merger: SettingsMerger) -> None:
    before = '{\n  "model": "opus"\n}\n'
    merged = merger.merge(before, WANTED)
    others = f'{{ "hooks":[{OTHERS}] }},\n      '
    changed = merged.text.replace('"Stop": [\n      ', f'"Stop": [\n      {others}')
    assert changed != merged.text
    left = merger.strip(changed, merged.added, merged.made)
    assert '{ "hooks":[{"type": "command", "command": "true"}] }' in left
    assert json.loads(left) == {
        "model": "opus",
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]},
    }


def test_our_hook_is_found_where_somebody_put_it_into_a_group_of_theirs(
    merger: SettingsMerger,
) -> None:
    ours = json.dumps({"type": "command", "command": hook_command(PYTHON), "timeout": 9})
    text = f'{{"hooks": {{"Stop": [{{"hooks": [{OTHERS}, {ours}]}}]}}}}'
    merged = merger.merge(text, WANTED)
    assert len(added_hooks(merged.text)["Stop"]) == 1
    stop = Piece(path=("hooks", "Stop"), value={"hooks": [json.loads(ours)]})
    assert merger.strip(text, [stop], ()) == f'{{"hooks": {{"Stop": [{{"hooks": [{OTHERS}]}}]}}}}'


def test_a_hook_of_an_earlier_interpreter_goes_and_no_other_does(merger: SettingsMerger) -> None:
    old = merger.merge(FILES[5], wanted_pieces(python="/old/python", marketplace="/m"))
    text = merger.without_hooks(old.text, but=COMMANDS)
    assert "/old/python" not in text
    assert added_hooks(text) == added_hooks(FILES[5])
    kept = merger.merge(FILES[5], WANTED).text
    assert merger.without_hooks(kept, but=COMMANDS) == kept


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"hooks": []}', "hooks in the settings is no object"),
        ('{"hooks": {"Stop": {}}}', "hooks.Stop in the settings is no list"),
        ('{"permissions": {"allow": null}}', "permissions.allow in the settings is no list"),
        ('{"enabledPlugins": 7}', "enabledPlugins in the settings is no object"),
    ],
)
def test_what_has_another_shape_is_named_and_nothing_is_guessed(
    merger: SettingsMerger, text: str, named: str
) -> None:
    with pytest.raises(StateUnreadable, match=named):
        merger.merge(text, WANTED)


def test_a_plugin_that_was_switched_off_is_switched_on(merger: SettingsMerger) -> None:
    text = '{"enabledPlugins": {"a": true, "tidings@tidings": false}}'
    document = json.loads(merger.merge(text, WANTED).text)
    assert document["enabledPlugins"] == {"a": True, "tidings@tidings": True}


def test_pieces_are_remembered_as_they_are() -> None:
    assert tuple(parse_piece(piece.document()) for piece in WANTED) == WANTED


def test_the_client_writing_the_file_anew_is_no_change_of_somebody_else() -> None:
    plugin: Document = {"enabledPlugins": {"tidings@tidings": True}}
    before: Document = {"z": 1.0, "model": "opus", "n": 2**64}
    after: Document = {"model": "opus", "n": 2.0**64, "z": 1, **plugin}
    assert same_but_plugin(before, after, keys=KEYS)
    others: list[Document] = [
        {"enabledPlugins": {}},
        {**after, "model": "other"},
        {**after, "enabledPlugins": {"b": True}},
    ]
    assert not any(same_but_plugin(before, other, keys=KEYS) for other in others)


def test_the_difference_shows_what_comes_and_nothing_where_nothing_does() -> None:
    assert difference("{}\n", "{}\n") == ()
    assert difference("a\nb\n", "a\nc\n") == ("@@ -1,2 +1,2 @@", " a", "-b", "+c")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    document=st.dictionaries(st.text(max_size=6), values, max_size=4),
    indent=st.none() | st.integers(min_value=1, max_value=4),
    is_ascii=st.booleans(),
)
def test_any_settings_come_back_as_they_were(
    document: dict[str, Any], indent: int | None, is_ascii: bool
) -> None:
    merger = SettingsMerger(JsonWords(JsonCodec()))
    before = json.dumps(document, indent=indent, ensure_ascii=is_ascii)
    merged = merger.merge(before, WANTED)
    assert {key: json.loads(merged.text)[key] for key in document} == document
    assert merger.strip(merged.text, merged.added, merged.made) == before


def test_places_are_those_of_the_text() -> None:
    text = ' {"a" : [1, "x,]"], "b":{}} '
    root = parse(text)
    first, second = root.children
    assert text[root.start : root.end] == text.strip()
    assert text[first.begin : first.end] == '"a" : [1, "x,]"]'
    assert [text[one.start : one.end] for one in first.children] == ["1", '"x,]"']
    assert (second.key, second.opening, second.children) == ('"b"', "{", ())
