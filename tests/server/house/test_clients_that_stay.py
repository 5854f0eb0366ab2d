"""Tournaments in a house, for clients that cannot go to another node: all of it comes to where they are."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from support.server.databases import PostgresqlDatabase
from support.server.nodes import Traveller, arrive, node
from support.server.running_tournaments import Entrant, Organiser, eventually, living, tournament_of
from support.server.sockets import BALLOON, Caller, Plain

from parlour.server.app import ListeningServer
from parlour.server.tournament.live.house import ERRAND
from tools.postgresql import Cluster

Two = tuple[ListeningServer, ListeningServer]


@pytest.fixture
def database(postgresql_cluster: Cluster) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgresql_cluster)


@contextlib.asynccontextmanager
async def two_nodes(database: PostgresqlDatabase) -> AsyncIterator[Two]:
    async with node(database, "n1") as one, node(database, "n2") as two:
        for server in (one, two):
            await eventually(lambda server=server: len(server.lobby.house.nodes) == 2)  # type: ignore[misc]
        yield one, two


async def organised(server: ListeningServer, other: ListeningServer, **rules: object) -> Organiser:
    """The organiser of a tournament that is open at one node, and known at the other."""
    olga = Organiser(server.url)
    await olga.connect()
    await olga.announce(**rules)
    listed = other.lobby.tournaments.listing.infos
    await eventually(lambda: olga.tournament in listed and listed[olga.tournament].phase == "registration")
    return olga


async def refused(caller: Caller, word: str, **fields: object) -> Plain:
    answer = await caller.answer(await caller.send(word, **fields))
    assert answer["type"] == "error", answer
    return answer


async def test_they_take_part_in_a_tournament_of_another_node(database: PostgresqlDatabase) -> None:
    async with two_nodes(database) as (one, two):
        olga = await organised(one, two, format="round_robin", games=2)
        (listed,) = (await (await Caller(two.url, "Eve").connect()).do("tournaments"))["tournaments"]
        assert listed["tournament"] == olga.tournament and "node" not in listed
        players = [Entrant(two.url, "Ann"), Entrant(two.url, "Bob")]
        for player in players:
            await player.connect()
            await player.take_part(olga.tournament)
        ann = players[0]
        assert (await refused(ann, "enter", tournament=olga.tournament))["facts"]["why"] == "already_in"
        assert (await refused(ann, "steer", tournament=olga.tournament, to="start"))[
            "code"
        ] == "not_organiser"
        assert (await refused(ann, "check_in", tournament=olga.tournament))["facts"]["why"] == "not_now"
        await olga.watch()
        await olga.steer("check_in")
        for player in players:
            while (event := await player.event())["type"] != "tournament_changed":
                pass
            assert event["info"]["phase"] == "check_in"  # without watching
            await player.check_in(olga.tournament)
        async with living(players):
            await olga.steer("start")
            over = await olga.until_over()
        assert over["info"]["phase"] == "finished"
        for player in players:
            assert len(player.results) == 2 and not player.errors
        assert all(not result["failures"] for result in (await olga.watch())["results"])


async def test_what_is_done_elsewhere_is_answered_once_also_after_a_new_connection(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        olga = await organised(one, two)
        ann = await Entrant(two.url, "Ann").connect()
        id = await ann.send("enter", tournament=olga.tournament)
        assert (await ann.answer(id))["type"] == "ok"
        await ann.drop(rudely=True)
        await ann.connect()
        await ann.write({"type": "enter", "id": id, "tournament": olga.tournament})
        assert (await ann.answer(id))["type"] == "ok"
        assert [*tournament_of(one, olga).state.entrants] == ["Ann"]
        assert database.select("SELECT kept FROM people WHERE name = 'Ann'") == [(True,)]


async def test_they_see_standings_of_now_and_hear_of_changes(database: PostgresqlDatabase) -> None:
    async with two_nodes(database) as (one, two):
        olga = await organised(one, two)
        eve = await Caller(two.url, "Eve").connect()
        seen = await eve.do("watch_tournament", tournament=olga.tournament)
        assert (seen["info"]["phase"], seen["entrants"]) == ("registration", [])
        ann = await Entrant(one.url, "Ann").connect()
        await ann.do("enter", tournament=olga.tournament)
        again = await eve.do("watch_tournament", tournament=olga.tournament)
        assert [entrant["name"] for entrant in again["entrants"]] == ["Ann"]
        await olga.steer("cancel")
        heard = await eve.event()
        assert (heard["type"], heard["seq"]) == ("tournament_changed", again["seq"] + 1)
        assert heard["info"]["phase"] == "cancelled"


async def test_two_of_them_at_different_nodes_play_at_the_node_of_the_first(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        olga = await organised(one, two, format="round_robin", clocks={"grace": 0.5})
        players = {"Ann": Entrant(one.url, "Ann"), "Bob": Entrant(two.url, "Bob")}
        for player in players.values():
            await player.connect()
            await player.take_part(olga.tournament)
        await olga.watch()
        await olga.steer("check_in")
        for player in players.values():
            await player.check_in(olga.tournament)
        await olga.steer("start")
        paired = (await olga.until("tournament_round"))["round"]["tables"][0]["players"]
        first = players[paired[0]]
        while (event := await first.event())["type"] != "snapshot":
            pass
        chairs = event["info"]["chairs"]
        assert [(chair["name"], chair["here"]) for chair in chairs] == [(paired[0], True), (paired[1], False)]


async def test_an_invitation_leads_to_the_node_of_the_tournament(database: PostgresqlDatabase) -> None:
    async with two_nodes(database) as (one, two):
        olga = Organiser(one.url)
        await olga.connect()
        made = await olga.do(
            "create_tournament",
            rules={
                "name": "Cup",
                "game": "balloon-cup",
                "format": "swiss",
                "seed": "lots",
                "entry": {"invitation": True},
            },
        )
        olga.tournament = made["tournament"]
        await olga.steer("open")
        await eventually(lambda: olga.tournament in two.lobby.house.directory.entries)
        ann = await arrive(two, "Ann")
        facts = await ann.moved("enter", tournament=olga.tournament, code=made["code"])
        assert facts["node"] == "n1"
        bob = await Entrant(two.url, "Bob").connect()
        assert (await refused(bob, "enter", tournament=olga.tournament, code="X"))["facts"][
            "why"
        ] == "not_invited"
        await bob.do("enter", tournament=olga.tournament, code=made["code"])


async def test_games_of_a_round_that_goes_on_elsewhere_are_shown_to_nobody(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        olga = await organised(one, two, format="round_robin", games=2)
        players = []
        for name in ("Ann", "Bob"):
            player = Entrant(one.url, name)
            await player.connect()
            await player.take_part(olga.tournament)
            players.append(player)
        await olga.steer("check_in")
        for player in players:
            await player.check_in(olga.tournament)
        await olga.steer("start")
        listed = two.lobby.tournaments.listing
        await eventually(lambda: listed.info(olga.tournament).round == 1)
        assert listed.shows(f"{olga.tournament}-1-1-1-1") is False
        async with living(players):
            await eventually(lambda: listed.info(olga.tournament).phase == "finished")
        assert listed.shows(f"{olga.tournament}-1-1-1-1") is True


class Stays(Traveller):
    """Comes by a ticket, and goes no further."""

    def features(self) -> list[str]:
        return []


async def test_lines_of_one_name_at_two_nodes_get_each_its_own_answer(database: PostgresqlDatabase) -> None:
    async with two_nodes(database) as (one, two), node(database, "n3") as three:
        await eventually(lambda: len(one.lobby.house.nodes) == 3)
        olga = await organised(one, three)
        handlers: Any = one.lobby.house.handlers  # type: ignore[attr-defined]
        do, errands = handlers[ERRAND], list[Plain]()

        def do_both(errand: Plain) -> None:
            errands.append(errand)
            if len(errands) == 2:
                for each in errands:
                    do(each)

        handlers[ERRAND] = do_both
        ann, cara, bob = await arrive(two, "Ann"), await arrive(three, "Cara"), await arrive(one, "Bob")
        asked = {}
        for host, word in ((ann, "enter"), (cara, "check_in")):
            table = (await host.do("create_table", **BALLOON))["table"]
            facts = await bob.moved("join", table=table)
            line = Stays(facts["url"], "Bob")
            assert (await line.greet(ticket=facts["ticket"]))["type"] == "welcome"
            asked[line] = await line.send(word, tournament=olga.tournament)
        answers = [await line.answer(id) for line, id in asked.items()]
        assert [answer["type"] for answer in answers] == ["ok", "error"]
