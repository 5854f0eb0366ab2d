"""Which keys of the catalogues the client's code asks for, found by reading it."""

import ast
import re
from collections.abc import Iterator

import attrs
from support.paths import ROOT

CLIENT = ROOT / "client"
RULES = sorted(CLIENT.glob("boards/**/rules.py"))
"""The modules that ask for the texts of the rules."""


@attrs.frozen
class Asked:
    """A key in the code, or a pattern of keys where a part of it is worked out."""

    where: str
    key: str
    pattern: bool
    direct: bool
    """It is what a `texts(…)` is called with, so that there must be a text."""

    def means(self, key: str) -> bool:
        return re.fullmatch(self.key, key) is not None if self.pattern else self.key == key


def keys_asked(source: str, where: str) -> Iterator[Asked]:
    """All that may be a key: what texts are called with, and any literal like one."""
    tree = ast.parse(source)
    called = {id(part) for node in ast.walk(tree) for part in _first_of_texts(node)}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in inside:
                yield Asked(f"{where}:{node.lineno}", text, False, id(node) in called)
            case ast.JoinedStr(values=parts):
                pattern = "".join(_written(part) for part in parts)
                if id(node) in called or re.match(r"[a-z-]+\\\.", pattern):
                    yield Asked(f"{where}:{node.lineno}", pattern, True, id(node) in called)


def _first_of_texts(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Name(id="texts") | ast.Attribute(attr="texts"), args=[first, *_]):
            match first:
                case ast.IfExp(body=one, orelse=other):
                    yield from (one, other)
                case _:
                    yield first
        case _:
            return


def _written(part: ast.expr) -> str:
    return re.escape(part.value) if isinstance(part, ast.Constant) and isinstance(part.value, str) else ".+"


def of_the_client() -> list[Asked]:
    """Everywhere in the client but in the rules, which have a catalogue of their own."""
    paths = [path for path in sorted(CLIENT.rglob("*.py")) if path not in RULES]
    return [each for path in paths for each in keys_asked(path.read_text(encoding="utf-8"), path.name)]


def of_the_rules() -> list[Asked]:
    return [each for path in RULES for each in keys_asked(path.read_text(encoding="utf-8"), path.name)]
