"""Advisory file locks."""
