"""What ``tidings setup`` adds to a client's settings, as data, and how it goes in and out again."""
