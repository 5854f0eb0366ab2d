"""A bot of the library plays a whole tournament: it enters, checks in, and plays whatever it is dealt."""

import asyncio
from pathlib import Path

import pytest
from support.server.running_tournaments import Organiser, eventually, in_the_future, tournament_of
from support.server.sockets import generous_limits, open_server

from parlour.client import credentials
from parlour.client.bot import Played
from parlour.client.bots.random import RandomBot
from parlour.client.connection import Connection, Refused
from parlour.client.credentials import Credentials
from parlour.client.following import Followed
from parlour.client.launch import run
from parlour.client.session import Session
from parlour.client.tournament_bot import play_tournament
from parlour.protocol import messages as m


async def test_bots_wait_for_each_phase_and_play_all_their_games() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        made = await organiser.do(
            "create_tournament",
            rules={"name": "Cup", "game": "balloon-cup", "format": "swiss", "seed": "x", "rounds": 2},
        )
        id = organiser.tournament = made["tournament"]
        found = tournament_of(server, organiser)
        told: list[Played] = []
        names = ("Ann", "Ben", "Cid", "Dan")
        bots = [
            asyncio.create_task(play_tournament(RandomBot, server.url, id.lower(), name, over=told.append))
            for name in names
        ]
        await eventually(lambda: all(name in server.lobby.tables.sessions for name in names))
        await organiser.steer("open")
        await eventually(lambda: len(found.state.entrants) == 4)
        await organiser.steer("start")
        played = await asyncio.gather(*bots)
        assert [len(games) for games in played] == [4, 4, 4, 4]
        assert len(told) == 16
        assert found.state.phase == "finished"
        wins = sum(one.won for games in played for one in games)
        # A game that is locked with the same number of trophies and cubes has two first places and no winner.
        assert wins == sum(one.places.count(1) == 1 for one in found.state.history.results)
        assert all(nonce for nonce in found.state.nonces.values())


async def test_a_bot_that_comes_back_goes_on_where_it_was() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        id = await organiser.announce(rounds=1)
        found = tournament_of(server, organiser)
        bots = [
            asyncio.create_task(play_tournament(RandomBot, server.url, id, name)) for name in ("Ann", "Ben")
        ]
        await eventually(lambda: len(found.state.entrants) == 2)
        await organiser.steer("start")
        await eventually(lambda: any(table.stage == "playing" for table in found.open_tables().values()))
        line = server.lobby.tables.sessions["Ann"].peer
        assert line is not None
        line.hang_up(1012, "restart")
        assert [len(games) for games in await asyncio.gather(*bots)] == [2, 2]


async def test_after_a_check_in_of_too_few_bots_check_in_again() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        id = await organiser.announce(rounds=1, entry={"least": 3})
        found = tournament_of(server, organiser)
        bots = [asyncio.create_task(play_tournament(RandomBot, server.url, id, name)) for name in ("A", "B")]
        await eventually(lambda: len(found.state.entrants) == 2)
        await organiser.steer("start")
        await eventually(lambda: len(found.state.nonces) == 2 and not found.busy)
        in_the_future(server, 61)
        await eventually(lambda: found.state.phase == "registration")
        bots.append(asyncio.create_task(play_tournament(RandomBot, server.url, id, "C")))
        await eventually(lambda: len(found.state.entrants) == 3)
        await organiser.steer("start")
        assert sum(map(len, await asyncio.gather(*bots))) == 4
        assert found.state.phase == "finished"


async def test_a_bot_that_may_not_enter_is_told_why() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        id = await organiser.announce(entry={"who": "people"})
        with pytest.raises(Refused) as refused:
            await play_tournament(RandomBot, server.url, id, "Ann")
        assert (refused.value.code, refused.value.facts["why"]) == ("against_rules", "not_for_you")


async def test_the_standings_are_told_over_the_line_that_the_bot_has() -> None:
    names, told = ("Ann", "Ben"), list[Followed]()
    async with open_server(generous_limits(connections=len(names) + 1)) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        id = await organiser.announce(rounds=1)
        found = tournament_of(server, organiser)
        bots = [
            asyncio.create_task(play_tournament(RandomBot, server.url, id, name, ended=told.append))
            for name in names
        ]
        await eventually(lambda: len(found.state.entrants) == 2)
        await organiser.steer("start")
        await asyncio.gather(*bots)
        for followed in told:
            assert followed.over and sorted(row.name for row in followed.standings) == ["Ann", "Ben"]
        assert len(told) == 2


async def test_a_program_that_is_started_again_is_the_same_entrant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(credentials, "folder", lambda: tmp_path)
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        id = await organiser.announce(rounds=1)
        found = tournament_of(server, organiser)
        before = Credentials.of_bot("Ann", server.url)
        async with Connection(server.url, Session(name="Ann", bot=True), credentials=before) as first:
            await first.ask(m.Enter, tournament=id)
        bots = [
            asyncio.create_task(asyncio.to_thread(run, RandomBot, server.url, tournament=id, name=name))
            for name in ("Ann", "Ben")
        ]
        await eventually(lambda: len(found.state.entrants) == 2)
        await organiser.steer("start")
        assert [len(games) for games in await asyncio.gather(*bots)] == [2, 2]


def test_run_wants_a_game_or_a_tournament() -> None:
    with pytest.raises(TypeError, match="a game or a tournament"):
        run(RandomBot, "ws://127.0.0.1:1")
