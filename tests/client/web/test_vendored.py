"""The rendering library that the page carries: as it was published, with its licence."""

import hashlib

from support.client import node
from support.client.texts_used import Asked, keys_asked_in_script

PUBLISHED = "bdcbd9abdf2c77c5c45326eab42191e949222d479d0d5f69467387a77040cb55"
"""SHA-256 of dist/preact.mjs in the npm package preact 11.2.0."""


def test_it_is_what_was_published_below_its_licence() -> None:
    notice, end, code = (node.WEB / "render.js").read_bytes().partition(b"*/\n")
    assert end and b"The MIT License" in notice and b"Jason Miller" in notice and b"Preact 11.2.0" in notice
    assert hashlib.sha256(code).hexdigest() == PUBLISHED


def test_it_is_the_file_that_npm_has() -> None:
    published = (node.package("preact") / "dist" / "preact.mjs").read_bytes()
    assert hashlib.sha256(published).hexdigest() == PUBLISHED


def test_keys_of_texts_are_found_in_javascript() -> None:
    source = 'texts("a.b"); texts(on ? "c.d" : "e.f"); texts(`g.${kind}.h`, {}); rule("i.j")'
    found = list(keys_asked_in_script(source, "x.js"))
    asked = [(call, each.key) for call, each in found]
    assert asked == [("texts", "a.b"), ("texts", "c.d"), ("", "e.f"), ("texts", r"g\..+\.h"), ("rule", "i.j")]
    assert found[3][1] == Asked("x.js:1", r"g\..+\.h", True, True)
