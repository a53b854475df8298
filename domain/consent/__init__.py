"""Consent: the grant, its scope and generation, and the desk that changes it."""
