"""What `make check` runs: a few cases of each test that starts no program, terminal or server."""

import ast
import functools
import zlib
from collections import defaultdict
from pathlib import Path

import pytest
from support.paths import TESTS

SLOW = {"multiprocessing", "playwright", "psycopg", "pty", "pyte", "socket", "subprocess", "websockets"}
"""Whoever imports one of these, itself or through a module of tests/, waits for other programs."""
CASES = 2
"""Of a test with many cases so many are run."""


def is_quick(path: Path) -> bool:
    return not _reached(path) & SLOW


@functools.cache
def _reached(path: Path) -> frozenset[str]:
    """The packages that a test's module imports, itself or through other modules of tests/."""
    todo, read, packages = [path], set[Path](), set[str]()
    while todo:
        source = todo.pop()
        if source not in read and source.exists():
            read.add(source)
            for name in _imported(source):
                packages.add(name.partition(".")[0])
                near = TESTS.joinpath(*name.split("."))
                todo += [near.with_suffix(".py"), near / "__init__.py"]
    return frozenset(packages)


@functools.cache
def _imported(path: Path) -> frozenset[str]:
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                found.update(each.name for each in names)
            case ast.ImportFrom(module=str(origin), names=names):
                found.update([origin, *(f"{origin}.{each.name}" for each in names)])
    return frozenset(found)


def few_cases(items: list[pytest.Item]) -> list[pytest.Item]:
    """Cases far apart; the first depends on the name of the test, so that each law has other tables."""
    by_test: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        by_test[item.nodeid.partition("[")[0]].append(item)
    chosen = []
    for name, cases in by_test.items():
        start, few = zlib.crc32(name.encode()), min(CASES, len(cases))
        chosen += [cases[(start + number * len(cases) // few) % len(cases)] for number in range(few)]
    return chosen
