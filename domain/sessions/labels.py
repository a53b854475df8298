"""The declared label of a session (S 2.2): for attribution only, never proof and never a route."""

from collections.abc import Mapping

LABEL_VARIABLE = "TIDINGS_AGENT"

LONGEST_LABEL = 128
"""Characters of a label. A longer text is none: it would have to be cut, or fill every list."""

DETECTED = {"CLAUDECODE": "claude-code"}
"""What a runtime's own marker implies. Nobody chose such a label, so it becomes no address."""


def choose_label(*, registered: str, repository: str, environment: Mapping[str, str]) -> str:
    """The first that says something: the session's own record, the repository's file, the variable,
    the runtime's marker; empty for none. What is empty, or too long for a label, says nothing."""
    said = (registered, repository, environment.get(LABEL_VARIABLE, ""))
    declared = next((text for text in said if text and len(text) <= LONGEST_LABEL), "")
    return declared or next(
        (label for marker, label in DETECTED.items() if environment.get(marker)), ""
    )


def address_idea(label: str) -> str:
    """What a label offers as an address: nothing, where only the runtime was recognised."""
    return "" if label in DETECTED.values() else label
