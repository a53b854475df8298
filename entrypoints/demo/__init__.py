"""``tidings demo``: the whole story in one terminal, with two simulated agents and no client."""
