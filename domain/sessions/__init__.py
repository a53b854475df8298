"""Presence: session records and the roster of them."""
