"""A refusal is told in words; what machines read of it stays in JSON."""

import json

import pytest

from tidings.domain.messages.receipt import refused
from tidings.entrypoints.cli.messages import print_refusal

DETAILS = (
    ("ref-envelope-mismatch", "state=held reason=pacing", "build-1 is held, pacing"),
    ("ref-envelope-mismatch", "state=accepted reason=", "build-1 is accepted"),
    ("envelope-payload-too-large", "payloadBytes=70000 limitBytes=65536", "70000 bytes"),
    ("envelope-qualification-invalid", "ttl=999999ns limit=604800s", "at most seven days"),
    ("envelope-correlation-invalid", "messageRef", "a ref is empty"),
    ("envelope-payload-invalid", "not UTF-8", "(not UTF-8)"),
)


@pytest.mark.parametrize(("reason", "detail", "words"), DETAILS)
def test_a_refusal_shows_no_raw_key_and_value(
    reason: str, detail: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    refusal = refused(reason, detail=detail, earlier_ref="build-1")
    code = print_refusal(refusal, as_json=False)
    said = capsys.readouterr().out
    assert code == refusal.exit_code
    assert words in said
    assert "=" not in said
    assert not any(name in said for name in ("messageRef", "ns ", "limitBytes"))
    print_refusal(refusal, as_json=True)
    assert json.loads(capsys.readouterr().out)["detail"] == detail
