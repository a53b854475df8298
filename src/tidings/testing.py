"""The public face of the contract suites and fakes (see ``tidings.entrypoints.testing``)."""
