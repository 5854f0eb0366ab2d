"""A client in a house of several nodes: tables elsewhere, lines that break, and nodes that die."""

import argparse
import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from support.client.scripted_house import ScriptedHouse, ScriptedTable, scripted_house
from support.server.sockets import PATIENCE

from parlour.client import credentials as credentials_module
from parlour.client.bot import play
from parlour.client.bots.random import RandomBot
from parlour.client.cli.tournament import connecting
from parlour.client.cli.tournament.connecting import connected
from parlour.client.connection import Connection, Gone, Refused
from parlour.client.credentials import Credentials
from parlour.client.lines import wire
from parlour.client.lines.line import NOT_TWICE, Line, Pending
from parlour.client.session import Session
from parlour.client.settings import Settings
from parlour.client.table import Table
from parlour.client.table_search import Wanted, take_a_seat
from parlour.protocol import messages as m
from parlour.protocol.codec import write
from parlour.protocol.version import FEATURES
from tools.protocol_page import page
from tools.protocol_page.examples import WELCOME

GO = {"type": "go", "way": "left"}


def no_pauses() -> Iterator[float]:
    while True:
        yield 0.0


async def at_once(_seconds: float) -> None:
    await asyncio.sleep(0)


@pytest.fixture
async def house() -> AsyncIterator[ScriptedHouse]:
    async with scripted_house("oak", "elm", "fir") as nodes, asyncio.timeout(PATIENCE):
        yield nodes


def client(house: ScriptedHouse, at: str = "oak", **more: Any) -> Connection:
    return Connection(house[at].url, Session(name="Ann"), pauses=no_pauses, sleep=at_once, **more)


async def known(connection: Connection, id: str, at: str) -> Table:
    """Waits until a table is known from that node, and nothing is under way any more."""
    session = connection.session
    while id not in session.tables or session.places[id].node != at or session.is_resuming(id):
        await connection.changed()
    return session.tables[id]


async def ended(connection: Connection) -> None:
    """Waits until nothing can change any more; raises Gone."""
    while True:
        await connection.changed()


async def act(connection: Connection, table: ScriptedTable) -> None:
    await connection.ask(m.Act, table=table.id, turn=table.turn, action=GO)


# At the door


async def test_a_house_is_found_again_though_the_node_of_the_last_visit_is_gone(house: ScriptedHouse) -> None:
    settings = Settings(name="Ann")
    for dead in ("oak", "elm"):
        async with client(house, credentials=Credentials(settings, house["oak"].url)) as ann:
            await ann.ask(m.Ping)
        house[dead].die()
    async with client(house, credentials=Credentials(settings, house["oak"].url)) as ann:
        await ann.ask(m.Ping)
        assert house["fir"].hellos[-1] == "token"


async def test_a_name_is_proven_at_any_node(house: ScriptedHouse, tmp_path: Path) -> None:
    settings = Settings(name="Ann", home=tmp_path)
    for at, proof in (("oak", "name"), ("elm", "token"), ("oak", "token"), ("fir", "token")):
        credentials = Credentials(settings, house[at].url.rstrip("/"))
        async with client(house, at, credentials=credentials) as ann:
            await ann.ask(m.Ping)
        assert house[at].hellos[-1] == proof
        settings = Settings.read(tmp_path)


async def test_a_name_is_proven_at_any_node_though_others_of_the_same_person_came_in_elsewhere(
    house: ScriptedHouse, tmp_path: Path
) -> None:
    for name, at, proof in (("Ben", "fir", "name"), ("Ann", "oak", "name"), ("Ann", "elm", "token")):
        settings = Settings.read(tmp_path)
        settings.name = name
        credentials = Credentials(settings, house[at].url)
        async with Connection(house[at].url, Session(name=name), credentials=credentials) as connection:
            await connection.ask(m.Ping)
        assert house[at].hellos[-1] == proof


async def test_a_bot_that_is_started_anew_is_known_at_any_node(
    house: ScriptedHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(credentials_module, "folder", lambda: tmp_path)
    for at, proof in (("oak", "name"), ("elm", "token"), ("oak", "token")):
        async with client(house, at, credentials=Credentials.of_bot("Ann", house[at].url)) as ann:
            await ann.ask(m.Ping)
        assert house[at].hellos[-1] == proof


async def test_an_organiser_is_known_at_any_node(
    house: ScriptedHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "folder", lambda: tmp_path)
    given = argparse.Namespace(name="Ann", trust=None)
    for at, proof in (("oak", "name"), ("elm", "token"), ("fir", "token")):
        async with connected(house[at].url, given, own=True):
            assert house[at].hellos[-1] == proof


def test_a_server_gets_no_token_of_another_that_it_has_called_a_node_of_its_house() -> None:
    settings = Settings(name="Ann")
    settings.remember("ws://liar:1", "Ann", "of liar")
    settings.nodes["ws://liar:1"] = {"liar": "ws://liar:1/", "victim": "ws://victim:1/"}
    at_victim = Credentials(settings, "ws://victim:1")
    assert at_victim.token(None) == "of liar"
    assert at_victim.outdated("bad_token")
    at_victim.keep(attrs.evolve(WELCOME, you=attrs.evolve(WELCOME.you, name="Ann"), token="of victim"))
    assert Credentials(settings, "ws://victim:1").token(None) == "of victim"
    assert Credentials(settings, "ws://liar:1").token(None) is None


def test_no_server_takes_the_place_of_another_by_calling_it_a_node_of_its_house() -> None:
    settings = Settings(name="Ann")
    settings.remember("ws://victim:1", "Ann", "of victim")
    settings.remember("ws://liar:1", "Ann", "of liar")
    settings.nodes["ws://liar:1"] = {"liar": "ws://liar:1/", "victim": "ws://victim:1/"}
    assert Credentials(settings, "ws://victim:1").token(None) == "of victim"


async def test_a_house_that_is_gone_is_given_up_when_each_node_was_tried(house: ScriptedHouse) -> None:
    settings = Settings(name="Ann")
    async with client(house, credentials=Credentials(settings, house["oak"].url)) as ann:
        await ann.ask(m.Ping)
    for node in house.nodes.values():
        node.die()
    with pytest.raises(Gone, match="unreachable"):
        await client(house, credentials=Credentials(settings, house["oak"].url)).run()


# Tables elsewhere


async def test_a_command_for_a_table_of_another_node_goes_there_by_a_ticket(house: ScriptedHouse) -> None:
    async with client(house) as ann:
        await ann.ask(m.Ping)
        table = house.deal("T", "Ann", "elm")
        await ann.ask(m.Say, table="T", text="hello")
        await act(ann, table)
        assert (table.said, table.acts) == (["hello"], [1])
        assert (house["oak"].hellos, house["elm"].hellos) == (["name"], ["ticket"])
        assert set(house["oak"].lines) == set(house["elm"].lines) == {"Ann"}


async def test_tables_that_one_has_at_other_nodes_are_found_at_hello(house: ScriptedHouse) -> None:
    house.deal("T", "Ann", "elm")
    house.deal("U", "Ann", "oak")
    house.deal("V", "Ann", "fir")
    async with client(house) as ann:
        for id, node in (("T", "elm"), ("U", "oak"), ("V", "fir")):
            assert (await known(ann, id, node)).view == {"turn": 1}


async def test_a_table_that_a_tournament_deals_elsewhere_is_gone_to(house: ScriptedHouse) -> None:
    async with client(house) as ann:
        await ann.ask(m.Ping)
        house.deal("T", "Ann", "fir", tournament="CUP")
        told = m.TableAt("T", "fir", house["fir"].url, house.ticket("Ann", "fir"))
        await house["oak"].tell("Ann", told)
        assert (await known(ann, "T", "fir")).info.tournament == "CUP"


async def test_a_table_is_asked_for_where_one_was_sent_though_it_has_not_come_there_yet(
    house: ScriptedHouse,
) -> None:
    async with client(house) as ann:
        await ann.ask(m.Ping)
        house.deal("T", "Ann", "fir", tournament="CUP")
        told = m.TableAt("T", "elm", house["elm"].url, house.ticket("Ann", "elm"))
        await house["oak"].tell("Ann", told)
        await known(ann, "T", "fir")
        assert house["elm"].hellos == ["ticket"]


async def test_a_move_does_not_wait_for_a_node_that_is_frozen(house: ScriptedHouse) -> None:
    table = house.deal("T", "Ann", "elm")
    async with client(house) as ann:
        await known(ann, "T", "elm")
        house["elm"].freeze()
        moving = asyncio.create_task(ann.ask(m.Act, table="T", turn=1, action=GO))
        while not house["elm"].unanswered:
            await asyncio.sleep(0)
        house.take_over("elm", "fir")
        await house["oak"].tell("Ann", m.TableAt("T", "fir", house["fir"].url, house.ticket("Ann", "fir")))
        await moving
    assert table.acts == [1]


async def test_what_is_asked_of_a_tournament_goes_to_its_node(house: ScriptedHouse) -> None:
    house.places["CUP"] = "elm"
    async with client(house) as ann:
        await ann.ask(m.Enter, tournament="CUP")
        await ann.ask(m.CheckIn, tournament="CUP")
        assert house["elm"].last_ids["Ann"] == 2
        assert house["oak"].last_ids["Ann"] == 1


async def test_a_used_up_ticket_is_no_end(house: ScriptedHouse) -> None:
    async with client(house) as ann:
        await ann.ask(m.Ping)
        table = house.deal("T", "Ann", "elm")
        await house["oak"].tell("Ann", m.TableAt("T", "elm", house["elm"].url, "used up"))
        await known(ann, "T", "elm")
        await act(ann, table)
        assert house["elm"].hellos == ["ticket", "ticket"]


async def test_a_client_without_the_feature_is_told_nothing_and_goes_nowhere(house: ScriptedHouse) -> None:
    house.deal("T", "Ann", "elm")
    session = Session(name="Ann", features=FEATURES)
    async with Connection(house["oak"].url, session) as ann:
        await ann.ask(m.Ping)
        assert (session.nodes, list(session.tables)) == ({}, [])
    assert house["elm"].hellos == []


async def test_only_a_hello_with_the_token_brings_the_next_one(house: ScriptedHouse) -> None:
    settings = Settings(name="Ann")
    credentials = Credentials(settings, "house")
    async with client(house, credentials=credentials) as ann:
        await ann.ask(m.Ping)
        token = settings.token("house")
        table = house.deal("T", "Ann", "elm")
        await act(ann, table)
        assert house["elm"].hellos == ["ticket"]
        assert settings.token("house") == token == ann.session.token


async def test_nobody_goes_from_a_line_that_is_secure_to_one_that_is_not(house: ScriptedHouse) -> None:
    async with client(house) as ann:
        await ann.ask(m.Ping)
        ann.session.home.url = ann.session.home.url.replace("ws:", "wss:")
        house.deal("T", "Ann", "elm")
        with pytest.raises(Refused, match="moved"):
            await ann.ask(m.Say, table="T", text="hello")


# Lines that break


async def test_what_has_no_answer_on_a_broken_line_is_answered_by_the_same_node(house: ScriptedHouse) -> None:
    table = house.deal("T", "Ann", "elm")
    async with client(house) as ann:
        await known(ann, "T", "elm")
        for number in range(3):
            saying = asyncio.create_task(ann.ask(m.Say, table="T", text=str(number)))
            await asyncio.sleep(0)
            house["elm"].lines["Ann"].transport.abort()
            await saying
        assert table.said == ["0", "1", "2"]
        assert house["oak"].hellos == ["name"]


async def test_after_all_lines_broke_the_token_is_used_once_and_tickets_for_the_rest(
    house: ScriptedHouse,
) -> None:
    table = house.deal("T", "Ann", "elm")
    async with client(house) as ann:
        await known(ann, "T", "elm")
        house["oak"].lines["Ann"].transport.abort()
        house["elm"].lines["Ann"].transport.abort()
        while ann.session.home.open:
            await asyncio.sleep(0)
        await act(ann, table)
        assert sum(node.hellos.count("token") for node in house.nodes.values()) == 1
        assert house["elm"].hellos[-1] in ("ticket", "token")


async def test_whoever_says_hello_elsewhere_replaces_all_lines(house: ScriptedHouse) -> None:
    house.deal("T", "Ann", "elm")
    async with client(house) as ann:
        await known(ann, "T", "elm")
        async with Connection(house["fir"].url, Session(token=ann.session.token)) as newer:
            await newer.ask(m.Ping)
            with pytest.raises(Gone, match="replaced"):
                await ended(ann)


# Nodes that end


@pytest.mark.parametrize("done", [False, True])
async def test_a_move_on_which_its_node_dies_is_made_once(house: ScriptedHouse, done: bool) -> None:
    table = house.deal("T", "Ann", "elm")
    async with client(house) as ann:
        await known(ann, "T", "elm")
        house["elm"].dies_at = ("act", done)
        moving = asyncio.create_task(ann.ask(m.Act, table="T", turn=1, action=GO))
        while house["elm"].lines:
            await asyncio.sleep(0)
        house.take_over("elm", "fir")
        if done:
            with pytest.raises(Refused, match="stale"):
                await moving
        else:
            await moving
        assert (await known(ann, "T", "fir")).view == {"turn": 2}
        assert table.acts == [1]


@pytest.mark.parametrize("done", [False, True])
async def test_nobody_says_twice_what_may_have_been_said(house: ScriptedHouse, done: bool) -> None:
    table = house.deal("T", "Ann", "elm")
    async with client(house) as ann:
        await known(ann, "T", "elm")
        house["elm"].dies_at = ("say", done)
        saying = asyncio.create_task(ann.ask(m.Say, table="T", text="hello"))
        while house["elm"].lines:
            await asyncio.sleep(0)
        house.take_over("elm", "fir")
        with pytest.raises(Refused, match="unanswered"):
            await saying
        assert table.said == ["hello"] * done


@pytest.mark.parametrize("home", ["oak", "elm"])
async def test_a_bot_plays_on_when_the_node_of_its_table_dies(house: ScriptedHouse, home: str) -> None:
    """Whether that node was the only one that it had a line to, or not."""
    table = house.deal("T", "Ann", "elm", turns=12)
    async with client(house, home) as ann:
        await known(ann, "T", "elm")
        playing = asyncio.create_task(play(RandomBot(), ann, "T"))
        for dead, heir in (("elm", "fir"), ("fir", "oak")):
            moves = len(table.acts)
            while len(table.acts) < moves + 3:
                await asyncio.sleep(0)
            house[dead].die()
            house.take_over(dead, heir)
        played = await playing
    assert played is not None and played.won
    assert table.acts == list(range(1, 13))


async def test_a_node_is_asked_again_until_another_has_its_tables(house: ScriptedHouse) -> None:
    """Until then the others send clients to the one that is dead."""
    table = house.deal("T", "Ann", "elm")
    async with client(house) as ann:
        await known(ann, "T", "elm")
        tickets = len(house.tickets)
        house["elm"].die()
        moving = asyncio.create_task(act(ann, table))
        while len(house.tickets) < tickets + 3:
            await asyncio.sleep(0)
        house.take_over("elm", "oak")
        await moving
        assert table.acts == [1]


async def test_a_table_that_was_asked_for_at_a_node_that_dies_as_well_is_asked_for_at_a_third(
    house: ScriptedHouse,
) -> None:
    house.deal("T", "Ann", "elm")
    house.deal("U", "Ann", "fir")
    async with client(house) as ann:
        await known(ann, "T", "elm")
        await known(ann, "U", "fir")
        house["oak"].freeze()
        house["elm"].die()
        while not any(isinstance(command, m.Resume) for command in house["oak"].unanswered):
            await asyncio.sleep(0)
        house.take_over("elm", "fir")
        house["oak"].die()
        await known(ann, "T", "fir")


async def test_a_node_that_is_frozen_is_not_waited_for_a_second_time(
    house: ScriptedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as hurried:
        hurried.setattr(wire, "QUIET", 0.001)
        hurried.setattr(wire, "PATIENCE", 0.01)
        ann = await client(house).__aenter__()
        await ann.ask(m.Ping)
    house["oak"].lines["Ann"].transport.pause_reading()
    while ann.session.home.node == "oak" and len(house["oak"].hellos) == 1:
        await ann.changed()
    assert house["oak"].hellos == ["name"]
    await ann.__aexit__()


async def test_a_node_that_ends_on_purpose_costs_nothing_but_a_new_line(house: ScriptedHouse) -> None:
    table = house.deal("T", "Ann", "oak", turns=10)
    async with client(house) as ann:
        await known(ann, "T", "oak")
        playing = asyncio.create_task(play(RandomBot(), ann, "T"))
        while len(table.acts) < 3:
            await asyncio.sleep(0)
        await house["oak"].restart_elsewhere()
        played = await playing
        assert ann.url != house["oak"].url
    assert played is not None and table.acts == list(range(1, 11))


async def test_nodes_are_tried_in_turn_until_one_answers(house: ScriptedHouse) -> None:
    async with client(house) as ann:
        await ann.ask(m.Ping)
        for dead in ("oak", "elm"):
            house[dead].die()
        await ann.ask(m.Ping)
        assert ann.session.home.node == "fir"
        assert house["fir"].hellos == ["token"]


async def test_a_node_that_is_gone_to_already_is_not_tried_a_second_time_meanwhile() -> None:
    may_end = asyncio.Event()

    async def sleep(seconds: float) -> None:
        await (may_end.wait() if seconds else asyncio.sleep(0))

    async with scripted_house("oak", "elm") as house, asyncio.timeout(PATIENCE):
        table = house.deal("T", "Ann", "elm")
        house["elm"].die()
        losses = 0

        def lose(_told: str) -> None:
            nonlocal losses
            losses += 1

        session = Session(name="Ann")
        async with Connection(house["oak"].url, session, pauses=no_pauses, sleep=sleep, on_loss=lose) as ann:
            while not house.tickets or not any(line.ticket for line in session.lines):
                await asyncio.sleep(0)
            port = int(house["oak"].url.strip("/").rpartition(":")[2])
            house["oak"].die()
            while losses < 2:
                await asyncio.sleep(0)
            may_end.set()
            house.take_over("elm", "oak")
            await house["oak"].start(port)
            await act(ann, table)
            assert table.acts == [1]


async def test_a_table_is_asked_for_at_home_though_home_changed_while_its_node_was_not_reached() -> None:
    may_end = asyncio.Event()
    may_end.set()

    async def sleep(seconds: float) -> None:
        await (may_end.wait() if seconds else asyncio.sleep(0))

    async with scripted_house("oak", "elm", "fir") as house, asyncio.timeout(PATIENCE):
        table = house.deal("T", "Ann", "elm")
        session = Session(name="Ann")
        async with Connection(house["oak"].url, session, pauses=no_pauses, sleep=sleep) as ann:
            while "T" not in session.tables:
                await ann.changed()
            may_end.clear()
            house["elm"].die()
            while not any(line.ticket for line in session.lines):  # sent there by oak, which knows no better
                await asyncio.sleep(0)
            await house["oak"].tell("Ann", m.NodesChanged((house.listed()[0], house.listed()[2])))
            while "elm" in session.nodes:
                await ann.changed()
            house["oak"].die()
            while session.home.node != "fir":
                await asyncio.sleep(0)
            house.take_over("elm", "fir")
            may_end.set()
            await act(ann, table)
            assert table.acts == [1]


def test_a_line_that_opens_when_home_is_lost_is_home() -> None:
    nodes = tuple(m.Node(name, f"ws://{name}") for name in ("oak", "elm"))
    session = Session(name="Ann")

    def welcome(line: Line, node: str, token: str) -> None:
        session.receive(write(attrs.evolve(WELCOME, node=node, nodes=nodes, token=token)), 0.0, line)

    session.home.url = "ws://oak"
    oak = session.home
    welcome(oak, "oak", "secret")
    elm = session.line_to("elm", "ws://elm")
    elm.ticket = "ticket"
    session.lose(oak)
    session.ask(m.Tournaments)
    welcome(elm, "elm", "")
    assert session.home is elm and session.token == "secret"
    assert [plain["type"] for plain in elm.outgoing] == ["tournaments"] and not oak.pending


def test_what_is_taken_from_a_line_that_is_being_opened_does_not_go_out_there() -> None:
    line = Line(ticket="t")
    for table in ("T", "U"):
        line.ask(Pending(m.Join(0, table), moves=1))
    (taken,) = line.take(lambda command: command.table == "T")
    assert not line.may_be_done(taken)
    assert [pending.command.table for pending in line.take_back()] == ["U"]


async def test_nodes_that_came_later_are_tried_too(house: ScriptedHouse) -> None:
    all_nodes = house.listed()
    house.nodes, later = {"oak": house["oak"]}, house.nodes
    async with client(house) as ann:
        await ann.ask(m.Ping)
        house.nodes = later
        await house["oak"].tell("Ann", m.NodesChanged(all_nodes))
        while len(ann.session.nodes) < 3:
            await ann.changed()
        house["oak"].die()
        await ann.ask(m.Ping)
        assert ann.session.home.node in ("elm", "fir")


async def test_when_no_node_answers_patience_ends(house: ScriptedHouse) -> None:
    async with client(house, patience=0.0) as ann:
        await ann.ask(m.Ping)
        for node in house.nodes.values():
            node.die()
        with pytest.raises(Gone, match="unreachable"):
            await ann.ask(m.Ping)


async def test_the_lobby_is_watched_at_another_node_when_its_own_is_gone(house: ScriptedHouse) -> None:
    house.deal("T", "Ann", "elm")
    async with client(house) as ann:
        await known(ann, "T", "elm")
        await ann.ask(m.WatchLobby, on=True)
        house.deal("U", "Ben", "fir")
        house["oak"].die()
        while "U" not in (ann.session.lobby or {}):
            await ann.changed()
        assert ann.session.home.node == "elm"


async def test_a_table_made_by_a_node_that_died_before_it_said_so_is_found(house: ScriptedHouse) -> None:
    async with client(house) as ann:
        await ann.ask(m.Ping)
        house["oak"].dies_at = ("create_table", True)
        seat = asyncio.create_task(take_a_seat(ann, Wanted("race", seats=1)))
        while house["oak"].lines:
            await asyncio.sleep(0)
        house.take_over("oak", "fir")
        assert [await seat] == list(house.tables)


# The page


def test_what_is_not_sent_twice_is_what_the_page_names() -> None:
    _, _, commands = page.tables(page.section(page.text(), "Appendix G: several nodes"))
    advice = "send it again, under a new id"
    named = [row["command"] for row in commands if row[advice].startswith(("not ", "if "))]
    assert {word for cell in named for word in page.words(cell)} == {kind.WORD for kind in NOT_TWICE}
