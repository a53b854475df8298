"""Codecs: documents and frames to bytes and back. Other families may use it."""
