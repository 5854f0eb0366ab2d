"""Writes the vectors, then the generated parts of the page."""

from protocol_page import vectors

vectors.write_all()
