"""All games to the end over real sockets, with somebody dropping out at every single event."""

import asyncio
import random

import pytest
from laws.playing import ALL_KINDS, TableKind
from support.server.sockets import Bare, Caller, Newer, Twin, gather, gone, open_server, play_on
from support.server.table_memory import Memory

KINDS = [kind for kind in ALL_KINDS if not kind.given]
CALLERS: tuple[type[Caller], ...] = (Caller, Caller, Bare, Newer, Twin, Caller)


async def drop_at_every_event(person: Caller, table: str, rng: random.Random) -> int:
    """Goes after each event and comes back, with what it missed; how often.

    What it has put together from the first event on must at all times be what a snapshot says.
    """
    drops = 0
    while person.known(table).get("result") is None:
        before = person.memories[table].seq
        await person.act(table, rng)
        if person.memories[table].seq == before:
            await person.event()
        await person.drop(rudely=drops % 2 == 0)
        person.backlog.clear()
        await person.connect()
        assert person.welcome["tables"] == [table]
        await person.do("resume", table=table, after=person.memories[table].seq)
        first, fresh = person.memories[table], Memory()
        person.memories[table] = fresh
        id = await person.send("resume", table=table)
        while fresh.seq is None:
            plain = await person.read()
            if "seq" in plain:
                (fresh if plain["type"] == "snapshot" else first).take(plain)
        await person.answer(id)
        # Events that came after the snapshot, while its answer was on the way, belong to both.
        late = [event for event in person.backlog if event.get("seq", 0) > (first.seq or 0)]
        for event in late:
            first.take(event)
        assert first.seq == fresh.seq
        assert first.comparable() == fresh.comparable()
        person.memories[table] = first
        person.backlog.clear()
        drops += 1
    return drops


@pytest.mark.parametrize("kind", KINDS, ids=str)
async def test_a_game_is_played_to_the_end_though_somebody_drops_at_every_event(kind: TableKind) -> None:
    async with open_server(luck=random.Random(str(kind)).randbytes) as server:
        table, people = await gather(
            server.url, kind.game.name, list(CALLERS[: kind.seats]), watching="everything"
        )
        watcher = await Caller(server.url, "Wes").connect()
        await watcher.do("watch", table=table)
        async with asyncio.TaskGroup() as group:
            dropping = group.create_task(drop_at_every_event(people[1], table, random.Random(1)))
            playing = [
                group.create_task(play_on(person, table, random.Random(seat)))
                for seat, person in enumerate(people)
                if seat != 1
            ]
            while watcher.known(table)["result"] is None:
                await watcher.event()
        results = [task.result() for task in playing]
        assert all(result == results[0] for result in results)
        assert people[1].known(table)["result"] == results[0] == watcher.known(table)["result"]
        assert dropping.result() > 10
        assert not server.gateway.metrics.bugs._value.get()
        views = [person.known(table)["view"] for person in (*people, watcher)]
        assert all(view == views[0] for view in views), "after the end all see everything"


async def test_a_client_of_a_later_minor_is_told_what_is_not_known_here_and_goes_on() -> None:
    async with open_server() as server:
        ann = await Newer(server.url, "Ann").connect()
        answer = await ann.answer(await ann.send("teleport", to="the moon"))
        assert (answer["code"], answer["facts"]) == ("unknown_type", {"type": "teleport"})
        made = await ann.do("create_table", game="balloon-cup", seats=2, perfume="rose")
        refused = await ann.answer(
            await ann.send("create_table", game="balloon-cup", seats=2, options={"mood": "glad"})
        )
        assert refused["code"] == "bad_options"
        assert made["table"]


async def test_the_json_twin_says_the_same() -> None:
    async with open_server() as server:
        ann, bob = await Caller(server.url, "Ann").connect(), await Twin(server.url, "Bob").connect()
        assert await ann.do("games") == await bob.do("games")
        made = await ann.do("create_table", game="butterflies", seats=2)
        await bob.do("join", table=made["table"])
        await ann.do("ready", table=made["table"])
        await bob.do("ready", table=made["table"])
        await ann.do("start", table=made["table"])
        while not all(person.known(made["table"])["view"] for person in (ann, bob)):
            await (ann if not ann.known(made["table"])["view"] else bob).event()
        own = {"hands", "goals", "code", "seat", "question"}
        ours, theirs = (person.known(made["table"])["view"] for person in (ann, bob))
        assert {key: part for key, part in ours.items() if key not in own} == {
            key: part for key, part in theirs.items() if key not in own
        }


async def test_built_in_bots_fill_the_table_and_play_to_the_end() -> None:
    async with open_server(bots=1) as server:
        ann = await Caller(server.url, "Ann").connect()
        table = (await ann.do("create_table", game="butterflies", seats=3, reaction=0))["table"]
        names = [(await ann.do("add_bot", table=table))["name"] for _ in range(2)]
        await ann.do("ready", table=table)
        await ann.do("start", table=table)
        await play_on(ann, table, random.Random(0))
        chairs = ann.known(table)["info"]["chairs"]
        assert [chair["name"] for chair in chairs] == ["Ann", *names]
        assert [chair["bot"] for chair in chairs] == [False, True, True]
        await ann.do("leave", table=table)
        for name in names:
            await gone(server, name)
        assert set(server.lobby.tables.sessions) == {"Ann"}
