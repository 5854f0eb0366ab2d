"""The files of the page by the paths at which they are served, and its texts out of the catalogues."""

import hashlib
import json
from collections.abc import Mapping
from importlib import resources

from parlour.client.language import LANGUAGES, catalogue
from parlour.client.web.bundle import bundle

BUILD = "{build}"
"""Stands in the first file for the sum of all that it loads: their folder is named so. They can be kept for
ever, all files of a page are of one build, and a page knows when the server has another."""


def page_files() -> Mapping[str, bytes]:
    """What is served, by its path: the first file, the protocol library, and what the page loads."""
    folder = resources.files(__package__)
    found = {each.name: each.read_bytes() for each in folder.iterdir() if each.name.endswith((".css", ".js"))}
    scripts = {name[:-3]: content.decode() for name, content in found.items() if name.endswith(".js")}
    loaded = {"style.css": found["style.css"], "page.js": bundle(scripts, "app").encode()}
    loaded |= {f"texts/{language}.json": page_texts(language) for language in LANGUAGES}
    index = folder.joinpath("index.html").read_text(encoding="utf-8")
    parts = [index.encode(), *loaded.values()]
    build = hashlib.sha256(b"".join(parts)).hexdigest()[:16]
    served = {f"/{build}/{path}": content for path, content in loaded.items()}
    return {"/": index.replace(BUILD, build).encode(), "/parlour.js": found["parlour.js"], **served}


def page_texts(language: str) -> bytes:
    """All that the page may say in a language."""
    texts = {"language": language, "languages": LANGUAGES, "texts": catalogue(language)}
    rules = {"rules": catalogue(language, "rules")}
    return json.dumps(texts | rules, ensure_ascii=False, separators=(",", ":")).encode()
