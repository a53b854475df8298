"""The command's front door."""


def main() -> int:
    """Runs one verb and returns its exit code."""
    return 0
