"""Binds ``features/delivery`` to the step library."""

from pytest_bdd import scenarios

scenarios("delivery")
