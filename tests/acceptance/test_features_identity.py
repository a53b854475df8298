"""Binds the features of identity to the step library: who lives, who is unknown, who was replaced."""

from pytest_bdd import scenarios

scenarios("identity", "living_process", "unknown")
