"""Binds ``features/holds`` to the step library."""

from pytest_bdd import scenarios

scenarios("holds")
