"""Writes the folder of a whole tournament, as a zip: `PYTHONPATH=tests python -m tools.sample_tournament`.

It ships beside the vectors, for authors who want to verify a tournament without having played one.
"""

import io
import zipfile

from support.server.tournament_folders import usual

from tools.protocol_page.page import ROOT

PATH = ROOT / "protocol" / "vectors" / "games" / "tournament.zip"


def packed() -> bytes:
    """All files in their order, with one and the same date: the same bytes whenever it is written."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, text in sorted(usual().items()):
            folder.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return found.getvalue()


if __name__ == "__main__":
    PATH.write_bytes(packed())
    print(f"{PATH.relative_to(ROOT)}: {PATH.stat().st_size} bytes")
