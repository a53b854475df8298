"""The parts of the library's face: what callers hand in, what they hold, what they are given."""
