"""Dependencies point one way: every import of every package is read, and any other fails."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.paths import ROOT

PACKAGES = ("engine", "machine", "protocol", "server", "client")
IMPURE = {
    *("asyncio", "concurrent", "multiprocessing", "select", "selectors", "signal", "subprocess", "threading"),
    *("http", "socket", "socketserver", "ssl", "urllib"),
    *("datetime", "sched", "time", "random", "secrets", "uuid"),
}
"""No clock, no sockets, no luck of its own, no waiting: the engine has none of the library's."""
PUBLIC_WORDS = re.compile(r"parlour\.engine\.\w+\.public")
ALSO_PUBLIC = {"parlour.engine.hurry_cup.track", "parlour.engine.butterflies.near_rows"}
"""Modules besides `public` that boards need, made of public words alone."""
STRICT_READING = "parlour.engine.plain"
"""Knows no game: how plain values are read, and the bound of whole numbers."""
DYNAMIC = {"importlib", "__import__", "exec", "eval", "runpy", "pkgutil"}
"""Ways around this test. `importlib.metadata` and `importlib.resources` import nothing."""


def tree() -> dict[str, Path]:
    """Every module of the four packages by its dotted name."""
    found = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(("parlour", *(parts[:-1] if parts[-1] == "__init__" else parts)))] = path
    return found


def runtime() -> set[str]:
    """The names under which the declared dependencies are imported."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    return {re.split(r"\W", name.replace("-", "_"))[0] for name in declared} | {"attr"}


MODULES = tree()
RUNTIME = runtime()


def inside(target: str, *packages: str) -> bool:
    return any(f"{target}.".startswith(f"parlour.{package}.") for package in packages)


def third_party(target: str, names: set[str]) -> bool:
    return target.partition(".")[0] in names


def standard(target: str) -> bool:
    return third_party(target, set(sys.stdlib_module_names))


def engine_may(_: str, target: str) -> bool:
    pure = standard(target) and not third_party(target, IMPURE)
    return pure or third_party(target, {"attr", "attrs", "cattrs"}) or inside(target, "engine")


def machine_may(_: str, target: str) -> bool:
    return standard(target) or third_party(target, {"ifaddr"}) or inside(target, "machine")


def protocol_may(_: str, target: str) -> bool:
    known = third_party(target, {"attr", "attrs", "cattrs", "msgpack"})
    return standard(target) or known or target == STRICT_READING or inside(target, "protocol")


def server_may(module: str, target: str) -> bool:
    in_extra = inside(module, "server.storage.postgresql") and third_party(target, {"psycopg"})
    return (
        standard(target)
        or third_party(target, RUNTIME)
        or in_extra
        or inside(target, "engine", "machine", "protocol", "server")
    )


def client_may(module: str, target: str) -> bool:
    if standard(target) or third_party(target, RUNTIME) or inside(target, "machine", "protocol", "client"):
        return True
    if inside(module, "client.bots.cluster") and third_party(target, {"distributed"}):
        return True
    if inside(module, "client.cli"):
        return inside(target, *PACKAGES)
    if inside(module, "client.bots"):
        return inside(target, "engine")
    return PUBLIC_WORDS.fullmatch(target) is not None or target in ALSO_PUBLIC


MAY = {
    "engine": engine_may,
    "machine": machine_may,
    "protocol": protocol_may,
    "server": server_may,
    "client": client_may,
}


def targets(source: str) -> Iterator[str]:
    """What a source imports, wherever in it: modules by their full names, and ways around."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(level=0, module=str(origin), names=names):
                for name in names:
                    full = f"{origin}.{name.name}"
                    yield full if full in MODULES or origin in ("parlour", "importlib") else origin
            case ast.ImportFrom():
                yield "a relative import"
            case ast.Call(func=ast.Name(id=called)) if called in DYNAMIC:
                yield called


def forbidden(module: str, source: str) -> list[str]:
    """The imports of a module's source that the architecture does not allow."""
    may = MAY[module.split(".")[1]]
    return [
        target
        for target in targets(source)
        if not may(module, target)
        or (third_party(target, DYNAMIC) and target not in ("importlib.metadata", "importlib.resources"))
    ]


def waiting(source: str) -> list[int]:
    """The lines of a source at which it waits for something."""
    waits = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    return [node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, waits)]


def test_no_module_imports_what_the_architecture_does_not_allow() -> None:
    found = {name: forbidden(name, path.read_text(encoding="utf-8")) for name, path in MODULES.items()}
    assert {name: targets for name, targets in found.items() if targets} == {}


def test_the_engine_never_waits() -> None:
    engine = {name: path for name, path in MODULES.items() if inside(name, "engine")}
    found = {name: waiting(path.read_text(encoding="utf-8")) for name, path in engine.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_all_packages_are_read() -> None:
    assert {name.split(".")[1] for name in MODULES} == set(PACKAGES)
    assert {"parlour.engine", "parlour.engine.match", "parlour.client.terminal.screen"} <= set(MODULES)


@pytest.mark.parametrize("source", ["async def late(): ...", "class Late:\n    async def come(self): ..."])
def test_waiting_is_found(source: str) -> None:
    assert waiting(source) != []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("parlour.engine.match", "import random"),
        ("parlour.engine.match", "from random import choice"),
        ("parlour.engine.match", "import asyncio.queues"),
        ("parlour.engine.match", "from time import monotonic"),
        ("parlour.engine.match", "def late():\n    import datetime"),
        ("parlour.engine.match", "import socket as plug"),
        ("parlour.engine.match", "import msgpack"),
        ("parlour.engine.match", "from prompt_toolkit.utils import get_cwidth"),
        ("parlour.engine.match", "from parlour.protocol import messages"),
        ("parlour.engine.match", "import parlour.server"),
        ("parlour.engine.match", "from parlour import client"),
        ("parlour.engine.match", "from . import game"),
        ("parlour.engine.match", "import importlib"),
        ("parlour.engine.match", "__import__('random')"),
        ("parlour.protocol.codec", "import websockets"),
        ("parlour.protocol.codec", "from parlour.engine.maps import to_map"),
        ("parlour.protocol.codec", "from parlour.engine.balloon_cup import public"),
        ("parlour.protocol.codec", "from parlour.server.tables.table import Table"),
        ("parlour.server.tables.table", "from parlour.client.session import Session"),
        ("parlour.server.tables.table", "import parlour.client"),
        ("parlour.server.tables.table", "import requests"),
        ("parlour.server.tables.table", "from importlib import import_module"),
        ("parlour.client.session", "from parlour.engine.match import Match"),
        ("parlour.client.session", "from parlour.engine.balloon_cup import rules"),
        ("parlour.client.session", "from parlour.engine.balloon_cup import public, rules"),
        ("parlour.client.session", "from parlour.engine.balloon_cup.rules import BalloonCup"),
        ("parlour.client.session", "import parlour.engine"),
        ("parlour.client.session", "from parlour.server.tables.table import Table"),
        ("parlour.client.terminal.replay", "from parlour.engine.catalogue import GAMES"),
        ("parlour.client.bots.greedy", "from parlour.server.tables.table import Table"),
        ("parlour.client.bot", "from parlour.engine.match import Match"),
    ],
)
def test_an_import_against_the_architecture_is_found(module: str, source: str) -> None:
    assert len(forbidden(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("parlour.engine.match", "import attrs, functools\nfrom cattrs.gen import override"),
        ("parlour.engine.match", "from parlour.engine.balloon_cup.rules import BalloonCup"),
        ("parlour.protocol.codec", "import msgpack, attrs\nfrom parlour.protocol.messages import Hello"),
        ("parlour.server.tables.table", "import asyncio, websockets\nfrom parlour.engine.match import Match"),
        ("parlour.protocol.codec", "from parlour.engine.plain import BOUND"),
        ("parlour.client.session", "from parlour.engine.balloon_cup import public as p"),
        ("parlour.client.session", "from parlour.engine.balloon_cup.public import Play"),
        ("parlour.client.session", "from parlour.protocol.messages import Hello"),
        ("parlour.client.bots.greedy", "from parlour.engine.match import Match"),
        (
            "parlour.client.cli.main",
            "from parlour.server.lobby.lobby import Lobby\nfrom importlib.metadata import version",
        ),
    ],
)
def test_an_import_within_the_architecture_passes(module: str, source: str) -> None:
    assert forbidden(module, source) == []


def foreign(room: str, *may: str) -> dict[str, list[str]]:
    """By module of a room, without its folders: what it imports of ours besides these packages."""
    found = {}
    for name, path in MODULES.items():
        if name.rpartition(".")[0] == f"parlour.{room}":
            ours = [
                target for target in targets(path.read_text(encoding="utf-8")) if inside(target, *PACKAGES)
            ]
            found[name] = [target for target in ours if not inside(target, *may)]
    return {name: others for name, others in found.items() if others}


def test_records_know_the_engine_the_protocol_and_how_text_is_written_only() -> None:
    assert foreign("server.records", "engine", "protocol", "machine.output", "server.records") == {}


def test_the_pure_half_of_tournaments_knows_no_limits_and_does_no_input_or_output() -> None:
    assert (
        foreign(
            "server.tournament", "engine", "protocol", "server.tournament", "server.records", "server.toml"
        )
        == {}
    )
    pure = {
        name: path for name, path in MODULES.items() if name.rpartition(".")[0] == "parlour.server.tournament"
    }
    sources = {name: path.read_text(encoding="utf-8") for name, path in pure.items()}
    assert pure and all(waiting(source) == [] for source in sources.values())
    moving = IMPURE - {"datetime"} | {"pathlib", "os", "io", "shutil", "sqlite3", "tempfile"}
    found = {
        name: [one for one in targets(text) if third_party(one, moving)] for name, text in sources.items()
    }
    assert {name: others for name, others in found.items() if others} == {}
