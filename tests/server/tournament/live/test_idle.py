"""Tournaments that come to nothing: after a check-in of too few, and when nothing happens for long."""

import contextlib
from pathlib import Path

import pytest
from support.server.running_tournaments import (
    RULES,
    Entrant,
    Organiser,
    assemble,
    eventually,
    in_the_future,
    living,
    tournament_of,
)
from support.server.sockets import Plain, generous_limits, open_server

from parlour.server.storage.store import wall_clock
from parlour.server.tournament.live.running import RunningTournament
from parlour.server.tournament.rules_reading import LAST_SECOND

DAY, STANDS = generous_limits().tournament_idle, generous_limits().tournament_stands


async def looked(found: RunningTournament) -> str:
    """The phase when there is nothing more to be done."""
    await eventually(lambda: not found.busy and found.looks_at != 0.0)
    return found.state.phase


async def test_one_in_which_nothing_happens_for_a_day_is_cancelled_and_why_is_told() -> None:
    async with open_server(generous_limits(tournaments=1)) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        await organiser.announce()
        await organiser.watch()
        found = tournament_of(server, organiser)
        in_the_future(server, DAY - 60)
        assert await looked(found) == "registration"
        ann = await Entrant(server.url, "Ann").connect()
        await ann.take_part(organiser.tournament)
        in_the_future(server, 2 * DAY - 120)
        assert await looked(found) == "registration"
        in_the_future(server, 2 * DAY)
        told = (await organiser.until_over())["info"]
        assert (told["phase"], told["cause"], told["why"]) == ("cancelled", "idle", "")
        # There is room for another.
        await organiser.announce()


@pytest.mark.parametrize("phase", ["announced", "check_in"])
async def test_also_one_that_was_never_opened_or_never_started(phase: str) -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        organiser.tournament = (await organiser.do("create_tournament", rules=RULES))["tournament"]
        if phase != "announced":
            await organiser.steer("open")
            await organiser.steer("check_in")
        found = tournament_of(server, organiser)
        in_the_future(server, DAY - 60)
        assert await looked(found) == phase
        in_the_future(server, DAY)
        await eventually(lambda: found.over)


async def test_one_that_has_a_time_waits_for_it() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        starts = wall_clock() // 1000 + int(3 * DAY)
        await organiser.announce(starts=starts)
        found = tournament_of(server, organiser)
        in_the_future(server, 2 * DAY)
        assert await looked(found) == "registration"
        in_the_future(server, 3 * DAY + 1)
        await eventually(lambda: found.state.phase == "check_in")


async def test_the_organisers_seconds_of_check_in_are_what_everybody_sees_and_the_server_keeps() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        which = {"tournament": await organiser.announce(), "to": "start"}
        await organiser.watch()
        found = tournament_of(server, organiser)
        for seconds in (0, 61):
            answer = await organiser.answer(await organiser.send("steer", **which, seconds=seconds))
            assert (answer["code"], answer["facts"]["where"]) == ("bad_message", "seconds")
        before = wall_clock() // 1000
        await organiser.do("steer", **which, seconds=40)
        opened = await organiser.until("tournament_changed", lambda told: told["info"]["phase"] == "check_in")
        assert before + 40 <= opened["info"]["until"] <= wall_clock() // 1000 + 40
        in_the_future(server, 30)
        assert await looked(found) == "check_in"
        in_the_future(server, 42)
        await eventually(lambda: found.state.phase == "registration")  # too few are there


async def test_its_time_may_not_be_too_far_ahead() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        ahead = int(generous_limits().tournament_ahead)
        for starts in (wall_clock() // 1000 + ahead + 60, LAST_SECOND):
            rules = {**RULES, "starts": starts}
            answer = await organiser.answer(await organiser.send("create_tournament", rules=rules))
            assert (answer["code"], answer["facts"]["where"]) == ("bad_rules", "starts")
            assert answer["facts"]["problem"] == "must be at most 14 days ahead (1209600 seconds)"
        await organiser.announce(starts=wall_clock() // 1000 + ahead - 60)


async def test_one_from_before_there_was_a_bound_holds_its_place_no_longer(tmp_path: Path) -> None:
    kept = str(tmp_path / "parlour.db")
    async with open_server(generous_limits(tournament_ahead=1e12), archive=kept) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        await organiser.announce(starts=LAST_SECOND)
        in_the_future(server, 2 * DAY)
        assert await looked(tournament_of(server, organiser)) == "registration"
    async with open_server(archive=kept) as server:
        found = tournament_of(server, organiser)
        assert await looked(found) == "registration"
        in_the_future(server, DAY)
        await eventually(lambda: found.over)


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_paused_one_waits_for_two_weeks(restarted: bool, tmp_path: Path) -> None:
    kept = str(tmp_path / "parlour.db")
    async with contextlib.AsyncExitStack() as servers:
        server = await servers.enter_async_context(open_server(archive=kept))
        organiser, entrants = await assemble(server, 2, rounds=1)
        found = tournament_of(server, organiser)
        await organiser.steer("start")
        await eventually(lambda: bool(found.open_tables()))
        await organiser.steer("pause")
        in_the_future(server, 2 * STANDS)
        # A game goes on, and those who play it are there.
        assert await looked(found) == "paused"
        async with living(entrants):
            await organiser.until("tournament_result")
        assert await looked(found) == "paused"
        in_the_future(server, 3 * STANDS - 60)
        assert await looked(found) == "paused"
        if restarted:
            await servers.aclose()
            server = await servers.enter_async_context(open_server(archive=kept))
            found = tournament_of(server, organiser)
        in_the_future(server, 3 * STANDS + 60)
        await eventually(lambda: found.over)
        assert (found.state.phase, found.state.cause) == ("cancelled", "idle")


async def test_a_running_one_stands_still_only_if_nobody_is_there() -> None:
    async with open_server() as server:
        clocks = {"decision": None, "grace": 86400.0}
        organiser, entrants = await assemble(server, 2, rounds=1, clocks=clocks)
        found = tournament_of(server, organiser)
        await organiser.steer("start")
        await eventually(lambda: any(table.stage == "playing" for table in found.open_tables().values()))
        in_the_future(server, 2 * STANDS)
        assert await looked(found) == "running"
        for caller in (organiser, *entrants):
            await caller.drop(rudely=True)
        sessions = server.lobby.tables.sessions
        await eventually(lambda: all(sessions[one.name].peer is None for one in (organiser, *entrants)))
        in_the_future(server, 3 * STANDS - 60)
        assert await looked(found) == "running"
        # Whoever looks in holds it up.
        await entrants[0].connect()
        await eventually(lambda: found.looks_at != 0.0)
        await entrants[0].drop(rudely=True)
        await eventually(lambda: sessions[entrants[0].name].peer is None)
        in_the_future(server, 4 * STANDS - 120)
        assert await looked(found) == "running"
        in_the_future(server, 4 * STANDS)
        await eventually(lambda: found.over)
        assert (found.state.phase, found.state.cause) == ("cancelled", "idle")


async def test_a_running_one_is_given_a_day_after_a_restart(tmp_path: Path) -> None:
    kept = str(tmp_path / "parlour.db")
    async with open_server(archive=kept) as server:
        organiser, _ = await assemble(server, 2, rounds=1, clocks={"decision": None, "grace": 86400.0})
        await organiser.steer("start")
        await eventually(lambda: bool(tournament_of(server, organiser).open_tables()))
    async with open_server(generous_limits(tournament_stands=0.0), archive=kept) as server:
        found = tournament_of(server, organiser)
        in_the_future(server, DAY - 60)
        assert await looked(found) == "running"
        in_the_future(server, DAY + 60)
        await eventually(lambda: found.over)


async def test_a_check_in_that_ends_with_too_few_opens_entries_again_and_may_be_opened_anew(
    tmp_path: Path,
) -> None:
    kept = str(tmp_path / "parlour.db")
    async with open_server(archive=kept) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        rules = {**RULES, "rounds": 1, "starts": 1}
        id = organiser.tournament = (await organiser.do("create_tournament", rules=rules))["tournament"]
        await organiser.watch()
        found = tournament_of(server, organiser)
        await eventually(lambda: found.state.phase == "check_in")
        ann = await Entrant(server.url, "Ann").connect()
        await ann.take_part(id)
        await ann.check_in(id)
        in_the_future(server, 61)

        def put_off(event: Plain) -> bool:
            return bool(event["info"]["cause"] == "too_few")

        told = (await organiser.until("tournament_changed", put_off))["info"]
        assert (told["phase"], told["entrants"], told["checked_in"]) == ("registration", 1, 0)
        assert told["starts"] is told["published"] is None
        in_the_future(server, 300)
        assert await looked(found) == "registration"
    async with open_server(archive=kept) as server:
        back = tournament_of(server, organiser)
        assert (back.state.phase, list(back.state.entrants)) == ("registration", ["Ann"])
        ben = await Entrant(server.url, "Ben").connect()
        await ben.take_part(id)
        again = Organiser(server.url)
        again.token = organiser.token
        await again.connect()
        again.tournament = id
        await again.steer("start")
        assert back.state.phase == "check_in"
        assert back.state.cause == ""
