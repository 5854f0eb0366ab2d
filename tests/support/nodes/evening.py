"""An evening at a house: tables of every game, players that follow them, and what holds in the end."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from support.nodes.following_players import FollowingPlayer, FollowingWatcher, seat_followers
from support.nodes.history import check_acknowledged, check_chat, check_views
from support.nodes.house import House
from support.server.journaled_games import games_at, games_can_be_verified
from support.server.returning_players import TablePlan

from parlour.server.storage.archive import Archive


def some_tables() -> list[tuple[TablePlan, float]]:
    """What is played, and how often the last player there ignores a question."""
    return [
        (TablePlan("balloon-cup", 2, {}), 0.0),
        (TablePlan("balloon-cup", 2, {"clocks": {"decision": 60.0, "bank": 5.0}, "public": False}), 0.0),
        (TablePlan("hurry-cup", 3, {"options": {"grab": "sealed"}}), 0.0),
        (TablePlan("hurry-cup", 4, {"clocks": {"decision": 0.5, "scramble": 0.5, "grace": 0.0}}), 0.1),
        (TablePlan("butterflies", 3, {"watching": "everything"}), 0.0),
    ]


class Evening:
    """All who play, and all who watch."""

    def __init__(self, house: House, seed: object) -> None:
        self.house = house
        self.plans = [plan for plan, _ in some_tables()]
        self.people: list[FollowingPlayer] = []
        self.watchers: list[FollowingWatcher] = []
        for number, (plan, (_, ignores)) in enumerate(zip(self.plans, some_tables(), strict=True)):
            names = [f"P{number}{seat}" for seat in range(plan.seats)]
            self.people += seat_followers(house, plan, names, f"{seed}/{number}", ignores)
            if plan.settings.get("public", True):
                self.watchers.append(FollowingWatcher(house, f"W{number}", seed, plan))

    async def until_all_play(self) -> None:
        """Until everybody sits at a table where a game has begun."""
        while not all(person.known_here.get("view") for person in self.people):
            await asyncio.sleep(0.02)

    async def until_over(self) -> None:
        """Until the games of now have ended: no other is begun."""
        for person in self.people:
            person.plan.last, person.ignores = True, 0.0
        try:
            await asyncio.gather(*[person.until_over() for person in self.people])
        except asyncio.CancelledError:
            for person in self.people:  # whoever waits for something, if that takes too long
                if person.unanswered or person.resuming or person.known_here.get("result") is None:
                    print(*person.diary, sep="\n")
            raise

    def check(self) -> None:
        """Nothing acknowledged is lost, nothing is there twice, and no table was told of by two nodes."""
        with Archive.open(self.house.place, readonly=True) as archive:
            for plan in self.plans:
                assert plan.table is not None
                games = games_at(archive, plan.table)
                players = [person for person in self.people if person.plan is plan]
                watchers = [person for person in self.watchers if person.plan is plan]
                check_acknowledged(games, players)
                check_views(games, [*players, *watchers])
                check_chat(players)
        games_can_be_verified(self.house.place, {plan.game for plan in self.plans})
        assert "Traceback" not in self.house.logs and "bug at=" not in self.house.logs, self.house.logs

    def summary(self, what: str) -> str:
        """What happened, in figures; `check` has found that nothing is lost, and nothing there twice."""
        moves = sum(person.acknowledged_moves() for person in self.people)
        doubtful = sum(len(person.in_doubt) for person in self.people)
        told = f"{what}: {moves} moves acknowledged, 0 lost, 0 twice, {doubtful} commands without an answer"
        times = sorted(self.house.takeovers)
        if not times:
            return told
        middle, longest = times[len(times) // 2], times[-1]
        return f"{told}; {len(times)} tables taken over after {middle:.1f} s, at most {longest:.1f} s"


@contextlib.asynccontextmanager
async def evening(house: House, seed: object) -> AsyncIterator[Evening]:
    """Everybody plays while the context is open; in the end all games are over, and everything is checked."""
    made = Evening(house, seed)
    async with asyncio.TaskGroup() as group:
        lives = [group.create_task(person.live()) for person in [*made.people, *made.watchers]]
        await made.until_all_play()
        yield made
        await house.start_all()
        await made.until_over()
        for life in lives:
            life.cancel()
        await asyncio.gather(*[person.looks_again() for person in made.people])
        # Nobody reads any more, so that nobody would notice when a node closes the line.
        await asyncio.gather(*[person.drop(rudely=True) for person in [*made.people, *made.watchers]])
    for node in house.nodes:
        assert await house.end(node) == 0
    made.check()
