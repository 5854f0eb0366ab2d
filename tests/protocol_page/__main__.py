"""Writes the vectors, then the generated blocks of the page."""

from protocol_page import vectors
from protocol_page.blocks import written
from protocol_page.page import PATH, filled, text

vectors.write_all()
PATH.write_text(filled(text(), written), encoding="utf-8")
