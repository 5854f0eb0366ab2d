"""Writes the vectors, then the generated blocks of the pages."""

from tools.protocol_page import page, vectors
from tools.protocol_page.blocks import written

vectors.write_all()
for path in page.paths():
    path.write_text(page.filled(path.read_text(encoding="utf-8"), written), encoding="utf-8")
