"""The protocol library of the page, run by Node: bytes, luck, legal actions, games over lines that break."""

import asyncio
import contextlib
import json
import random
import re
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from laws.playing import ALL_KINDS, TableKind
from support.client import node
from support.client.scripted_house import ScriptedHouse, ScriptedTable, scripted_house
from support.paths import ROOT
from support.server.sockets import PATIENCE, open_server, own_port

from parlour.client import legal as patterns
from parlour.engine.catalogue import GAMES
from parlour.engine.maps import to_map
from parlour.protocol import messages as m

KINDS = [kind for kind in ALL_KINDS if not kind.given]
LEGAL: list[list[dict[str, Any]]] = [
    [{"type": "turn"}],
    [{"type": "play", "card": {"one_of": ["red-3", "red-9"]}, "tile": 3, "side": {"one_of": [0, 1]}}],
    [{"type": "exchange", "cards": {"subset": list("abcd"), "min": 1, "max": 3}}],
    [{"type": "rank", "pawns": {"order": ["red", "green", "blue"]}}, {"type": "stay"}],
    [{"type": "claim", "trades": {"one_of": [{}, {"red": 1}]}, "trophy": "grey"}],
    [{"type": "claim", "trades": {"red": 1}, "trophy": {"one_of": ["grey", "red"]}}],
    [{"type": "place", "at": [0, 1], "declare": {"one_of": [None, {"goal": "colour", "seat": 0}]}}],
]


def vectors(name: str) -> Any:
    return json.loads((ROOT / "protocol" / "vectors" / f"{name}.json").read_text(encoding="utf-8"))


def test_its_types_hold() -> None:
    tsc = node.package("typescript") / "bin" / "tsc"
    command = [node.node(), str(tsc), "--project", str(node.PROGRAMS)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_it_agrees_with_every_published_vector() -> None:
    broken = [each for each in vectors("broken") if each["error"] == "bad_frame" and "msgpack" in each]
    deals = vectors("deals")
    for deal in deals:
        options = GAMES[deal["game"]].read_options(deal["options"], deal["seats"])
        deal["options"] = to_map(options)
    given = {name: vectors(name) for name in ("messages", "fair", "chance")}
    assert all(given.values()) and broken and deals
    assert node.run("vectors.mjs", {**given, "broken": broken, "deals": deals}) == []


def test_it_counts_and_lists_legal_actions_as_the_python_library_does() -> None:
    ours = [
        {
            "count": patterns.count(legal),
            "every": list(patterns.every(legal)),
            "picked": patterns.nth(legal, patterns.count(legal) // 2),
        }
        for legal in LEGAL
    ]
    assert node.run("legal.mjs", LEGAL) == ours


@attrs.define
class Played:
    cuts: int
    told: dict[str, Any]


async def play(kind: TableKind, *more: str) -> Played:
    """Plays a game between players in Node, and cuts the line of each whom the program names."""
    cuts = 0
    async with open_server(luck=random.Random(str(kind)).randbytes) as server:
        words = (server.url, kind.game.name, str(kind.seats), *more)
        program = await node.start(node.PROGRAMS / "players.mjs", *words)
        assert program.stdout is not None and program.stderr is not None
        last = ""
        async for line in program.stdout:
            last = line.decode().strip()
            if last.startswith("cut "):
                peer = server.lobby.tables.sessions[last.removeprefix("cut ")].peer
                if peer is not None:
                    peer.abort(1006, "cut")  # type: ignore[attr-defined]
                    cuts += 1
        assert await program.wait() == 0, (await program.stderr.read()).decode()
    return Played(cuts, json.loads(last))


@pytest.mark.parametrize("kind", KINDS, ids=str)
async def test_a_game_is_played_to_its_end_over_lines_that_are_cut(kind: TableKind) -> None:
    node.node()
    played = await play(kind)
    assert played.cuts > 0 and played.told["losses"] > 0
    results, views = played.told["results"], played.told["views"]
    assert results[0] is not None and all(result == results[0] for result in results)
    assert all(view == views[0] for view in views), "after the end all see everything"
    assert played.told["unfair"] == [[]] * kind.seats


async def test_bots_at_a_table_for_practice_wait_for_people() -> None:
    node.node()
    (race,) = [kind for kind in KINDS if kind.game.name == "hurry-cup" and kind.seats == 3]
    played = await play(race, "practice")
    assert played.told["results"][0] is not None


async def run_bot(program: Path, url: str) -> str:
    bot = await node.start(program, url)
    out, errors = await bot.communicate()
    assert bot.returncode == 0, errors.decode()
    return out.decode()


async def test_the_bot_of_the_protocol_page_plays_a_whole_game(tmp_path: Path) -> None:
    node.node()
    page = (ROOT / "PROTOCOL.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"```js\n(.*?)```", page, re.DOTALL)
    assert len(source.splitlines()) <= 20
    program = tmp_path / "bot.mjs"
    program.write_text(source.replace('"./parlour.js"', f'"{node.WEB}/parlour.js"'), encoding="utf-8")
    async with open_server(bots=1) as server:
        assert re.fullmatch(r"(won|not won): \w+\n", await run_bot(program, server.url))


def test_messages_of_a_later_minor_are_ignored() -> None:
    assert node.run("later.mjs", None) == [["welcome"], "Anna", "open"]


def test_a_server_that_is_busy_is_asked_again_when_it_says_so() -> None:
    given = [
        {"command": "enter", "busy": []},
        {"command": "enter", "busy": [0.01, 0.02]},
        {"command": "enter", "busy": [0.01, 1.5]},
        {"command": "enter", "busy": [None]},
        {"command": "say", "busy": [0.01]},
    ]
    once_more_under_new_ids = ["enter", 3, 3]
    told, last = node.run("busy.mjs", given)
    assert told == [["enter", 1, 1], once_more_under_new_ids, ["busy", 2, 2], ["busy", 1, 1], ["busy", 1, 1]]
    assert last == "closed"


def test_after_sleep_a_line_that_does_not_answer_is_opened_anew() -> None:
    assert node.run("sleep.mjs", None) == [["open", 1], ["open", 1], ["open", 1], ["open", 2]]


def test_a_node_that_is_frozen_is_not_waited_for_a_second_time() -> None:
    assert node.run("frozen.mjs", None) == [["ws://oak.lan/", "ws://elm.lan/"], "open"]


def test_a_server_that_cannot_store_a_hello_is_asked_again() -> None:
    assert node.run("unkept.mjs", None) == [["lost", None], ["lost", None], ["open", None]]


def test_a_server_that_is_not_there_is_not_waited_for() -> None:
    with own_port() as port:
        assert node.run("nobody.mjs", {"url": f"ws://127.0.0.1:{port}/"}) == "unreachable"


# A house of several nodes


@contextlib.asynccontextmanager
async def player_in(
    house: ScriptedHouse, at: str, table: ScriptedTable
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Ann in Node, who plays at a table as soon as she has found it."""
    program = await node.start(node.PROGRAMS / "nodes.mjs", house[at].url, "Ann", table.id)
    try:
        assert program.stdout is not None
        assert (await program.stdout.readline()).decode() == "there\n"
        yield program
    finally:
        if program.returncode is None:
            program.kill()
        await program.communicate()


async def moves(table: ScriptedTable, more: int) -> None:
    until = len(table.acts) + more
    while len(table.acts) < until:
        await asyncio.sleep(0)


@pytest.mark.parametrize("home", ["oak", "elm"])
async def test_a_game_is_played_on_when_its_nodes_die(home: str) -> None:
    async with scripted_house("oak", "elm", "fir") as house, asyncio.timeout(PATIENCE):
        table = house.deal("T", "Ann", "elm", turns=12)
        async with player_in(house, home, table) as ann:
            for dead, heir in (("elm", "fir"), ("fir", "oak")):
                await moves(table, 3)
                house[dead].die()
                house.take_over(dead, heir)
            assert ann.stdout is not None
            told = json.loads(await ann.stdout.readline())
        assert told["winners"] == [0] and told["node"] == "oak"
        assert table.acts == list(range(1, 13))


async def test_a_table_is_asked_for_where_one_was_sent_though_it_has_not_come_there_yet() -> None:
    async with scripted_house("oak", "elm", "fir") as house, asyncio.timeout(PATIENCE):
        table = ScriptedTable("T", "Ann", "fir")

        async def deal() -> None:
            while "Ann" not in house["oak"].lines:
                await asyncio.sleep(0)
            house.tables[table.id], house.places[table.id] = table, table.node
            told = m.TableAt("T", "elm", house["elm"].url, house.ticket("Ann", "elm"))
            await house["oak"].tell("Ann", told)

        async with asyncio.TaskGroup() as group:
            group.create_task(deal())
            async with player_in(house, "oak", table) as ann:
                assert ann.stdout is not None
                assert json.loads(await ann.stdout.readline())["winners"] == [0]
        assert house["elm"].hellos == ["ticket"]


async def test_a_move_does_not_wait_for_a_node_that_is_frozen() -> None:
    async with scripted_house("oak", "elm", "fir") as house, asyncio.timeout(PATIENCE):
        table = house.deal("T", "Ann", "elm", turns=12)
        async with player_in(house, "oak", table) as ann:
            await moves(table, 3)
            house["elm"].freeze()
            while not house["elm"].unanswered:
                await asyncio.sleep(0)
            house.take_over("elm", "fir")
            told = m.TableAt("T", "fir", house["fir"].url, house.ticket("Ann", "fir"))
            await house["oak"].tell("Ann", told)
            assert ann.stdout is not None
            assert json.loads(await ann.stdout.readline())["winners"] == [0]
        assert table.acts == list(range(1, 13))


async def test_a_node_that_ends_on_purpose_costs_nothing_but_a_new_line() -> None:
    async with scripted_house("oak", "elm") as house, asyncio.timeout(PATIENCE):
        table = house.deal("T", "Ann", "oak", turns=12)
        async with player_in(house, "oak", table) as ann:
            await moves(table, 3)
            await house["oak"].restart_elsewhere()
            assert ann.stdout is not None
            assert json.loads(await ann.stdout.readline()) == {"winners": [0], "node": "elm", "lines": 1}
        assert table.acts == list(range(1, 13))


async def test_what_might_be_said_twice_is_refused_when_its_node_dies() -> None:
    async with scripted_house("oak", "elm") as house, asyncio.timeout(PATIENCE):
        table = house.deal("T", "Ann", "elm", turns=100)
        async with player_in(house, "oak", table) as ann:
            house["elm"].dies_at = ("say", True)
            assert ann.stdin is not None and ann.stdout is not None
            ann.stdin.write(b"say hello\n")
            while house["elm"].server is not None:
                await asyncio.sleep(0)
            house.take_over("elm", "oak")
            assert (await ann.stdout.readline()).decode() == "unanswered\n"
        assert table.said == ["hello"]
