"""The files of the page by the paths at which they are served, and its texts out of the catalogues."""

import hashlib
import json
from collections.abc import Mapping
from importlib import resources

from parlour.client.language import LANGUAGES, catalogue

SERVED = (".html", ".css", ".js")
INDEX = "index.html"
BUILD = b"{build}"
"""Stands in the first file for the sum of all of them, so that a page knows when the server has another."""


def page_files() -> Mapping[str, bytes]:
    """What is served, by its path; the first file of the page is at `/`."""
    found = {
        f"/{each.name}": each.read_bytes()
        for each in sorted(resources.files(__package__).iterdir(), key=lambda each: each.name)
        if each.name.endswith(SERVED)
    }
    found |= {f"/texts/{language}.json": _texts(language) for language in LANGUAGES}
    build = hashlib.sha256(b"".join(found.values())).hexdigest()[:16]
    index = found.pop(f"/{INDEX}")
    return {"/": index.replace(BUILD, build.encode()), **found}


def _texts(language: str) -> bytes:
    texts = {"language": language, "languages": LANGUAGES, "texts": catalogue(language)}
    rules = {"rules": catalogue(language, "rules")}
    return json.dumps(texts | rules, ensure_ascii=False, separators=(",", ":")).encode()
