"""Ways to write to a harness, and the sockets at which it answers."""
