"""Every example plays a whole game on a server, as a program of its own."""

import ast
import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest
from support.client import node
from support.paths import ROOT

from parlour.client.bot import play, play_games
from parlour.client.bots.random import RandomBot
from parlour.client.connection import Connection
from parlour.client.session import Session
from parlour.client.table_search import Wanted
from parlour.protocol import messages as m
from parlour.server.app import ListeningServer, running
from parlour.server.config import make

EXAMPLES = ROOT / "examples"
ALONE = {"bare.py"}
"""These seat the server's own bots; the others look for somebody to play with."""
ON_STDIN = {"by_lines.py"}
"""These are run by `parlour bot --exec`: see test_bots_exec.py."""
WATCHING = {"watch_game.py", "watch_game.mjs"}
LEAGUES = {"league_of_four.py", "league_of_four.mjs"}
GAMES = {
    "highest_card.py": ["balloon-cup"],
    "looks_ahead.py": ["balloon-cup"],
    "patient.py": ["balloon-cup", "butterflies", "hurry-cup"],
    "bare.py": ["balloon-cup", "butterflies", "hurry-cup"],
}
SCRIPTS = {
    "smallest.mjs": ["balloon-cup", "butterflies", "hurry-cup"],
    "patient.mjs": ["balloon-cup", "hurry-cup"],
    "looks_ahead.mjs": ["balloon-cup"],
}
"""In JavaScript, against the server's own bots."""
SEATS = {"balloon-cup": 2, "butterflies": 2, "hurry-cup": 3}


@pytest.fixture
async def server() -> AsyncIterator[ListeningServer]:
    async with running(make({"port": 0, "host": "127.0.0.1", "bots": 1})) as ready:
        yield ready


def test_no_example_goes_without_a_game() -> None:
    programs = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".mjs")}
    assert programs - ON_STDIN - WATCHING - LEAGUES == {*GAMES, *SCRIPTS}


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


async def output(name: str, *arguments: str) -> list[str]:
    """What an example prints, once it has ended well."""
    pipe = subprocess.PIPE
    if name.endswith(".mjs"):
        process = await node.start(EXAMPLES / name, *arguments)
    else:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(EXAMPLES / name), *arguments, stdout=pipe, stderr=pipe
        )
    async with asyncio.timeout(120):
        out, err = await process.communicate()
    assert (process.returncode, err) == (0, b"")
    return out.decode().splitlines()


@pytest.mark.parametrize(
    ("name", "game"), [(name, game) for name, games in SCRIPTS.items() for game in games]
)
async def test_a_script_plays_a_whole_game(name: str, game: str, server: ListeningServer) -> None:
    (line,) = await output(name, server.url, game)
    assert line.startswith(("won: ", "not won: "))


@pytest.mark.parametrize("name", sorted(LEAGUES))
async def test_a_league_of_four_ends_with_its_standings(name: str, server: ListeningServer) -> None:
    lines = await output(name, server.url)
    assert len(lines) == 4
    points = [float(line.split()[-2]) for line in lines]
    assert points == sorted(points, reverse=True) and sum(points) == 12  # six pairs, two games each


@pytest.mark.parametrize("name", sorted(WATCHING))
async def test_a_spectator_tells_a_game_to_its_end(name: str, server: ListeningServer) -> None:
    watching = asyncio.create_task(output(name, server.url))
    async with (
        Connection(server.url, Session(name="Ann")) as ann,
        Connection(server.url, Session(name="Bob")) as bob,
    ):
        made = await ann.ask(m.CreateTable, game="butterflies", seats=2)
        id = made["table"]
        await bob.ask(m.Join, table=id)
        for player in (ann, bob):
            await player.ask(m.Ready, table=id)
        await ann.ask(m.Start, table=id)
        # The game waits for its spectator.
        while ann.session.tables[id].info.watchers == 0:
            await ann.changed()
        await asyncio.gather(play(RandomBot(), ann, id), play(RandomBot(), bob, id))
        lines = await watching
    assert len(lines) > 10
    assert lines[-1].startswith("won: ")
