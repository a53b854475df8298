"""The session key (D2)."""

from dataclasses import replace
from hashlib import sha256

import pytest

from support.owners import World
from tidings.domain.identity.keys import is_session_key, session_key


def test_a_key_is_the_pid_and_eight_digits_of_the_stated_digest() -> None:
    digest = sha256(b"m\0pid:[1]\0linux:b:7\0").hexdigest()
    key = session_key(pid=7, machine_id="m", pid_namespace="pid:[1]", start="linux:b:7")
    assert key == f"7-{digest[:8]}"
    assert is_session_key(key)


@pytest.mark.parametrize("field", ["machine_id", "pid_namespace", "start", "thread_id"])
def test_each_part_makes_another_key(field: str) -> None:
    parts = {"machine_id": "m", "pid_namespace": "p", "start": "s", "thread_id": "t"}
    assert session_key(pid=7, **parts) != session_key(pid=7, **{**parts, field: "x"})


def test_a_thread_id_of_broken_text_still_names_something() -> None:
    key = session_key(pid=7, machine_id="m", pid_namespace="p", start="s", thread_id="\ud800")
    assert is_session_key(key)


@pytest.mark.parametrize(
    "text",
    ["", "7", "7-", "-0123abcd", "7-0123abc", "7-0123abcde", "7-0123ABCD", "٧-0123abcd",
     "../7-0123abcd", "7-0123abcd\n", "12345678901-0123abcd"],
)  # fmt: skip
def test_what_is_no_key(text: str) -> None:
    assert not is_session_key(text)


@pytest.mark.case("S105")
def test_the_socket_and_the_folder_are_no_part_of_the_name() -> None:
    world = World()
    owner, other = world.owner(), world.owner()
    bound = replace(owner, socket=world.owner(with_socket=True).socket)
    assert bound.key == owner.key
    assert owner.key != other.key
