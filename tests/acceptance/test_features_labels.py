"""Binds ``features/labels`` to the step library."""

from pytest_bdd import scenarios

scenarios("labels")
