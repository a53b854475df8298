"""What a client gives its monitor: taken out of the environment first (R 2.2, M 5.1)."""

import pytest

from tidings.entrypoints.resident.credentials import (
    LONGEST_TOKEN,
    SECRET_KEYS,
    Credentials,
    take_credentials,
)

TOKEN = "t0k3n" * 9


def environment(**changes: str) -> dict[str, str]:
    given = {
        "CLAUDE_PID": "4711",
        "CLAUDE_CODE_SESSION_ID": "c0ffee",
        "CLAUDE_CODE_MESSAGING_SOCKET": "/tmp/cc-socks/4711.sock",
        "CLAUDE_CODE_MESSAGING_TOKEN": TOKEN,
        "CLAUDE_CODE_EXECPATH": "/opt/claude",
        "AI_AGENT": "claude-code_2-1-332_agent",
        "HOME": "/home/dev",
    }
    return {**given, **changes}


def taken(**changes: str) -> Credentials:
    return take_credentials(environment(**changes))


def test_everything_that_is_well_formed_is_taken() -> None:
    assert taken() == Credentials(
        harness_pid=4711,
        conversation_id="c0ffee",
        socket_path="/tmp/cc-socks/4711.sock",
        token=TOKEN,
        client_version="2.1.332",
        command="/opt/claude",
    )


def test_the_secrets_leave_the_environment_and_nothing_else_does() -> None:
    given = environment()
    take_credentials(given)
    assert set(environment()) - set(given) == set(SECRET_KEYS)
    assert TOKEN not in str(given)


def test_secrets_leave_even_where_they_are_unusable() -> None:
    given = environment(CLAUDE_CODE_MESSAGING_TOKEN="a\nb", CLAUDE_CODE_MESSAGING_SOCKET="")
    take_credentials(given)
    assert not set(SECRET_KEYS) & set(given)


def test_the_token_is_never_shown() -> None:
    assert TOKEN not in repr(taken())


@pytest.mark.parametrize("token", ["a\nb", "a\rb", "a\0b", "x" * (LONGEST_TOKEN + 1), ""])
def test_a_token_that_does_not_fit_a_frame_is_none(token: str) -> None:
    assert taken(CLAUDE_CODE_MESSAGING_TOKEN=token).token == ""


def test_the_longest_token_is_one() -> None:
    longest = "x" * LONGEST_TOKEN
    assert taken(CLAUDE_CODE_MESSAGING_TOKEN=longest).token == longest


@pytest.mark.parametrize("pid", ["", "0", "-4", " 5", "1_0", "٣", "abc", "5.0"])
def test_a_pid_that_is_none_names_nobody(pid: str) -> None:
    assert taken(CLAUDE_PID=pid).harness_pid == 0


@pytest.mark.parametrize(
    ("agent", "version"),
    [
        ("claude-code_2-1-332_agent", "2.1.332"),
        ("claude-code_10-0-0", "10.0.0"),
        ("claude-code_2-1", ""),
        ("codex_2-1-332_agent", ""),
        ("xclaude-code_2-1-332", ""),
        ("claude-code_٢-1-3", ""),
        ("", ""),
    ],
)
def test_the_version_is_read_or_unknown(agent: str, version: str) -> None:
    assert taken(AI_AGENT=agent).client_version == version


def test_an_empty_environment_is_nobody() -> None:
    assert take_credentials({}) == Credentials(
        harness_pid=0, conversation_id="", socket_path="", token="", client_version="", command=""
    )
