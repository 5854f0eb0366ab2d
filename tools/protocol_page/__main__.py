"""Writes the vectors, then the generated blocks of the page."""

from tools.protocol_page import vectors
from tools.protocol_page.blocks import written
from tools.protocol_page.page import PATH, filled, text

vectors.write_all()
PATH.write_text(filled(text(), written), encoding="utf-8")
