"""Binds ``features/identity`` to the step library."""

from pytest_bdd import scenarios

scenarios("identity")
