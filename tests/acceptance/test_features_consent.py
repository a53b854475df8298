"""Binds ``features/consent`` to the step library."""

from pytest_bdd import scenarios

scenarios("consent")
