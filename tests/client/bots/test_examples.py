"""Every example plays a whole game on a server, as a program of its own."""

import ast
import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest
from support.paths import ROOT

from parlour.client.bot import play_games
from parlour.client.bots.random import RandomBot
from parlour.client.table_search import Wanted
from parlour.server.app import ListeningServer, running
from parlour.server.config import make

EXAMPLES = ROOT / "examples"
ALONE = {"bare.py"}
"""These seat the server's own bots; the others look for somebody to play with."""
ON_STDIN = {"by_lines.py"}
"""These are run by `parlour bot --exec`: see test_bots_exec.py."""
GAMES = {
    "highest_card.py": ["balloon-cup"],
    "looks_ahead.py": ["balloon-cup"],
    "patient.py": ["balloon-cup", "butterflies", "hurry-cup"],
    "bare.py": ["balloon-cup", "butterflies", "hurry-cup"],
}
SEATS = {"balloon-cup": 2, "butterflies": 2, "hurry-cup": 3}


@pytest.fixture
async def server() -> AsyncIterator[ListeningServer]:
    async with running(make({"port": 0, "host": "127.0.0.1", "bots": 1})) as ready:
        yield ready


def test_no_example_goes_without_a_game() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} - ON_STDIN == set(GAMES)


@pytest.mark.parametrize(("name", "game"), [(name, game) for name, games in GAMES.items() for game in games])
async def test_an_example_plays_a_whole_game(name: str, game: str, server: ListeningServer) -> None:
    command = [sys.executable, str(EXAMPLES / name), server.url, game]
    pipe = subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    partners = 0 if name in ALONE else SEATS[game] - 1
    wanted = Wanted(game, seats=SEATS[game])
    async with asyncio.timeout(120):
        await asyncio.gather(
            *[play_games(RandomBot, server.url, wanted, f"Partner {number}") for number in range(partners)]
        )
        out, err = await process.communicate()
    assert (process.returncode, err) == (0, b"")
    assert out.decode().startswith(("won", "not won") if name in ALONE else ("True", "False"))


def test_one_example_needs_nothing_but_websockets_and_msgpack() -> None:
    tree = ast.parse((EXAMPLES / "bare.py").read_text(encoding="utf-8"))
    named = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert named - set(sys.stdlib_module_names) == {"websockets", "msgpack"}


def test_the_shortest_example_is_a_whole_bot_in_less_than_15_lines() -> None:
    tree = ast.parse((EXAMPLES / "highest_card.py").read_text(encoding="utf-8"))
    code = [node for node in tree.body if not (isinstance(node, ast.Expr))]
    lines = {line for node in code for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    assert len(lines) < 15
