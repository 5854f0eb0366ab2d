"""Tournaments that come to nothing: after a check-in of too few, and when nothing happens for a day."""

from pathlib import Path

import pytest
from houses.contests import RULES, Entrant, Organiser, contest, eventually, in_the_future
from houses.sockets import Plain, house, open_house

from parlour.server.contest import Contest
from parlour.server.ledger import wall_clock

DAY = house().tournament_idle


async def looked(found: Contest) -> str:
    """The phase when there is nothing more to be done."""
    await eventually(lambda: not found.busy and found.looks_at != 0.0)
    return found.tournament.phase


async def test_one_in_which_nothing_happens_for_a_day_is_cancelled_and_why_is_told() -> None:
    async with open_house(house(tournaments=1)) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        await organiser.announce()
        await organiser.watch()
        found = contest(server, organiser)
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
    async with open_house() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        organiser.tournament = (await organiser.do("create_tournament", rules=RULES))["tournament"]
        if phase != "announced":
            await organiser.steer("open")
            await organiser.steer("check_in")
        found = contest(server, organiser)
        in_the_future(server, DAY - 60)
        assert await looked(found) == phase
        in_the_future(server, DAY)
        await eventually(lambda: found.over)


async def test_one_that_has_a_time_waits_for_it() -> None:
    async with open_house() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        starts = wall_clock() // 1000 + int(3 * DAY)
        await organiser.announce(starts=starts)
        found = contest(server, organiser)
        in_the_future(server, 2 * DAY)
        assert await looked(found) == "registration"
        in_the_future(server, 3 * DAY + 1)
        await eventually(lambda: found.tournament.phase == "check_in")


async def test_a_check_in_that_ends_with_too_few_opens_entries_again_and_may_be_opened_anew(
    tmp_path: Path,
) -> None:
    kept = str(tmp_path / "parlour.db")
    async with open_house(archive=kept) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        rules = {**RULES, "rounds": 1, "starts": 1}
        id = organiser.tournament = (await organiser.do("create_tournament", rules=rules))["tournament"]
        await organiser.watch()
        found = contest(server, organiser)
        await eventually(lambda: found.tournament.phase == "check_in")
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
    async with open_house(archive=kept) as server:
        back = contest(server, organiser)
        assert (back.tournament.phase, list(back.tournament.entrants)) == ("registration", ["Ann"])
        ben = await Entrant(server.url, "Ben").connect()
        await ben.take_part(id)
        again = Organiser(server.url)
        again.token = organiser.token
        await again.connect()
        again.tournament = id
        await again.steer("start")
        assert back.tournament.phase == "check_in"
        assert back.tournament.cause == ""
