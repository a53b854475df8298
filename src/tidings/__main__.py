"""``python -m tidings``."""

from tidings.entrypoints.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
