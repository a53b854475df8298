"""Binds ``features/receipts`` to the step library."""

from pytest_bdd import scenarios

scenarios("receipts")
