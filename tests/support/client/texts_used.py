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


_IN_SCRIPT = re.compile(
    r"""(?P<call>\b(?:texts|rule)\((?:[^"`()]*\?\s*)?)?(?:"(?P<text>[a-z][\w.-]*)"|`(?P<parts>[^`]*)`)"""
)
"""A literal of the page's JavaScript, with what calls it."""


def keys_asked_in_script(source: str, where: str) -> Iterator[tuple[str, Asked]]:
    """The same for JavaScript, each with `texts` or `rule`, or nothing, in front: what it is called with."""
    for number, line in enumerate(source.splitlines(), 1):
        for found in _IN_SCRIPT.finditer(line):
            call = re.match(r"\w*", found["call"] or "")
            pattern = found["text"] is None
            key = found["text"] or _template(found["parts"])
            if not pattern or re.match(r"[a-z-]+\\\.", key):
                asked = Asked(f"{where}:{number}", key, pattern, bool(found["call"]))
                yield call[0] if call else "", asked


def _template(text: str) -> str:
    return ".+".join(re.escape(part) for part in re.split(r"\$\{[^}]*\}", text))


def of_the_page(called: str) -> list[Asked]:
    """What the page asks for, by `texts` or by `rule`; a literal that nothing calls may be either's."""
    paths = [path for path in sorted((CLIENT / "web").glob("*.js")) if path.name != "render.js"]
    found = [
        each for path in paths for each in keys_asked_in_script(path.read_text(encoding="utf-8"), path.name)
    ]
    return [asked for call, asked in found if call in ("", called)]


def of_the_client() -> list[Asked]:
    """Everywhere in the client but in the rules, which have a catalogue of their own."""
    paths = [path for path in sorted(CLIENT.rglob("*.py")) if path not in RULES]
    ours = [each for path in paths for each in keys_asked(path.read_text(encoding="utf-8"), path.name)]
    return [*ours, *of_the_page("texts")]


def of_the_rules() -> list[Asked]:
    ours = [each for path in RULES for each in keys_asked(path.read_text(encoding="utf-8"), path.name)]
    return [*ours, *of_the_page("rule")]
