"""Which errors are raised with which facts, read off the source: the page must tell the same."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.protocol_page.page import ROOT

ELSEWHERE: dict[str, set[str]] = {
    "forgotten": {"last_id"},
    "moved": {"node", "url", "ticket"},
    "illegal": {"why"},
    "taken": {"why", "pawn"},
    "over": {"why", "stage"},
    "not_asked": {"why", "turn"},
    "against_rules": {"why", "phase", "name", "who", "most", "late", "there", "least"},
}
"""What is handed on from the rules, or built without an exception."""


def _sources(folders: Iterable[str]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def _calls(paths: Iterable[Path], name: str) -> Iterator[ast.Call]:
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def _codes(node: ast.expr) -> list[str]:
    """The words that an argument may be."""
    return [
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]


def raised(name: str, *folders: str) -> dict[str, set[str]]:
    """By code: the facts that any call of this exception gives it."""
    found: dict[str, set[str]] = {}
    for call in _calls(_sources(folders), name):
        if not call.args:
            continue
        code = call.args[0]
        words = _codes(code.body) + _codes(code.orelse) if isinstance(code, ast.IfExp) else _codes(code)
        for word in words:
            found.setdefault(word, set()).update(
                keyword.arg for keyword in call.keywords if keyword.arg and keyword.arg != "retry_after"
            )
    return found


def facts_by_code() -> dict[str, set[str]]:
    found = raised("ProtocolError", "server", "protocol")
    for code, facts in ELSEWHERE.items():
        found.setdefault(code, set()).update(facts)
    return found


def reasons(game: str) -> dict[str, set[str]]:
    """Why the rules of a game refuse, with the facts."""
    return raised("IllegalAction", f"engine/{game.replace('-', '_')}")
