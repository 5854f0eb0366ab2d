"""A client's connection over real sockets: lost, opened again, replaced, refused."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from random import Random
from typing import Any

import pytest
from support.server.sockets import PATIENCE, own_port
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosedError
from websockets.http11 import Request
from websockets.typing import Subprotocol

from parlour.client import connection as module
from parlour.client.boards.refusals import refusal_text
from parlour.client.bot import play
from parlour.client.bots.random import RandomBot
from parlour.client.connection import Connection, Gone, Refused, pauses
from parlour.client.language import Texts
from parlour.client.lines import wire
from parlour.client.session import Session
from parlour.protocol import messages as m
from parlour.protocol.codec import pack
from parlour.server.app import ListeningServer, running
from parlour.server.config import make
from parlour.server.limits import Limits
from parlour.server.people.rate_limit import Budget
from parlour.server.wire.outbox import Outbox

LOCAL = {"port": 0, "host": "127.0.0.1"}


@pytest.fixture
async def server() -> AsyncIterator[ListeningServer]:
    async with running(make(LOCAL)) as ready:
        yield ready


class Sleeper:
    """Sleeps through every pause at once, and remembers how long it should have been."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.pauses.append(seconds)
        await asyncio.sleep(0)


def no_pauses() -> Iterator[float]:
    while True:
        yield 0.0


def quick(url: str, session: Session, **more: Any) -> Connection:
    return Connection(url, session, pauses=no_pauses, **{"sleep": Sleeper(), **more})


def outbox_of(server: ListeningServer, name: str) -> Outbox:
    peer = server.lobby.tables.sessions[name].peer
    assert isinstance(peer, Outbox)
    return peer


async def ended(connection: Connection) -> Gone:
    """Waits until it is over."""
    while True:
        try:
            await connection.changed()
        except Gone as gone:
            return gone


# Talking


async def test_a_command_brings_its_result_and_a_refusal_is_raised(server: ListeningServer) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann:
        made = await ann.ask(m.CreateTable, game="balloon-cup", seats=2)
        assert ann.session.tables[made["table"]].hosting
        with pytest.raises(Refused) as refused:
            await ann.ask(m.CreateTable, game="chess", seats=2)
    assert (refused.value.code, refused.value.facts) == ("no_such_game", {"game": "chess"})


async def test_more_commands_than_may_wait_are_all_answered(server: ListeningServer) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann:
        answers = await asyncio.gather(*[ann.ask(m.Ping) for _ in range(module.MOST_PENDING + 20)])
    assert len(answers) == module.MOST_PENDING + 20


async def test_leaving_says_goodbye_and_the_server_knows_at_once(server: ListeningServer) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann:
        await ann.ask(m.CreateTable, game="balloon-cup", seats=2)
    assert server.lobby.tables.sessions["Ann"].peer is None
    with pytest.raises(Gone) as gone:
        await ann.ask(m.Ping)
    assert gone.value.reason == "bye"


async def test_a_listener_hears_what_took_effect(server: ListeningServer) -> None:
    messages: list[m.Message] = []
    async with Connection(server.url, Session(name="Ann"), on_message=messages.append) as ann:
        await ann.ask(m.CreateTable, game="balloon-cup", seats=2)
    assert [message.WORD for message in messages] == ["welcome", "snapshot", "ok", "ok"]


async def test_who_asks_for_too_much_at_once_waits_and_gets_it_all() -> None:
    waits: list[float] = []
    lists = Budget(10.0, 2, 1000.0, 1000)
    async with (
        running(make(LOCAL), Limits(lists=lists)) as server,
        Connection(server.url, Session(name="Ann"), on_wait=waits.append) as ann,
    ):
        found = await asyncio.gather(*(ann.ask(m.Tournaments) for _ in range(6)))
    assert [each["tournaments"] for each in found] == [[]] * 6
    assert waits and all(0 < seconds <= 0.1 for seconds in waits)


# Coming back


async def test_a_lost_line_is_opened_again_and_the_table_resumed(server: ListeningServer) -> None:
    sleeper = Sleeper()
    async with quick(server.url, Session(name="Ann"), sleep=sleeper) as ann:
        made = await ann.ask(m.CreateTable, game="balloon-cup", seats=2)
        first = ann.session.welcome
        outbox_of(server, "Ann").abort(4004, "")
        while ann.session.welcome is first:
            await ann.changed()
        await ann.ask(m.Ready, table=made["table"])
        chair = ann.session.tables[made["table"]].me
        assert chair is not None and chair.ready and chair.here
    assert sleeper.pauses == [0.0]


async def test_a_command_on_a_lost_line_is_done_once_and_answered(server: ListeningServer) -> None:
    async with quick(server.url, Session(name="Ann")) as ann:
        await ann.ask(m.Ping)
        outbox_of(server, "Ann").abort(4004, "")
        made = await ann.ask(m.CreateTable, game="balloon-cup", seats=2)
        assert set(server.lobby.tables.by_id) == {made["table"]} == set(ann.session.tables)


@pytest.mark.parametrize("game", ["balloon-cup", "hurry-cup", "butterflies"])
async def test_a_player_whose_line_breaks_again_and_again_plays_to_the_end(
    game: str, server: ListeningServer
) -> None:
    seats = 3 if game == "hurry-cup" else 2
    names = ("Ann", "Bob", "Cleo")[:seats]
    server.lobby.tables.random = Random(game).randbytes  # by chance a game may be too short
    broken = 0

    def take(message: m.Message) -> None:
        nonlocal broken
        if isinstance(message, m.Update) and message.seq % 7 == 0 and message.result is None:
            broken += 1
            outbox_of(server, "Ann").abort(4004, "")

    async with contextlib.AsyncExitStack() as stack:
        people = []
        for name in names:
            listening = {"on_message": take} if name == "Ann" else {}
            connection = quick(server.url, Session(name=name), **listening)
            people.append(await stack.enter_async_context(connection))
        id = (await people[0].ask(m.CreateTable, game=game, seats=seats, reaction=0.0))["table"]
        for person in people[1:]:
            await person.ask(m.Join, table=id)
        for person in people:
            await person.ask(m.Ready, table=id)
        await people[0].ask(m.Start, table=id)
        bots = [RandomBot(Random(seat)) for seat in range(seats)]
        games = await asyncio.gather(
            *[play(bot, person, id) for bot, person in zip(bots, people, strict=True)]
        )
    assert broken >= 3
    assert all(played is not None for played in games)
    assert len({played.result.places for played in games if played}) == 1


def test_pauses_grow_up_to_a_limit_and_are_never_quite_the_same() -> None:
    for number, pause in zip(range(30), pauses(), strict=False):
        whole = min(module.LONGEST_PAUSE, module.FIRST_PAUSE * 2**number)
        assert whole / 2 <= pause <= whole
    assert len({next(pauses()) for _ in range(20)}) > 1


async def test_after_a_restart_it_waits_as_long_as_it_was_told_and_then_is_a_stranger() -> None:
    sleeper = Sleeper()
    with own_port() as port:
        async with running(make({**LOCAL, "port": port})) as first:
            ann = quick(first.url, Session(name="Ann"), sleep=sleeper)
            run = asyncio.create_task(ann.run())
            await ann.ask(m.Ping)
        async with running(make({**LOCAL, "port": port})):
            with pytest.raises(Gone) as gone:
                await run
    assert gone.value.reason == "bad_token"
    assert sleeper.pauses[0] == 2.0
    goodbye = ann.session.home.goodbye
    assert goodbye is not None and goodbye.reason == "restart"


# For good


async def test_the_newest_connection_wins_and_the_older_does_not_come_back(server: ListeningServer) -> None:
    older = quick(server.url, Session(name="Ann"))
    async with older:
        await older.ask(m.Ping)
        async with quick(server.url, Session(token=older.session.token)) as newer:
            await newer.ask(m.Ping)
            assert (await ended(older)).reason == "replaced"
            await newer.ask(m.Ping)


async def test_whoever_rests_hears_at_once_that_it_is_over(server: ListeningServer) -> None:
    async with quick(server.url, Session(name="Ann")) as older:
        await older.ask(m.Ping)
        await older.rest(0.01)
        resting = asyncio.create_task(older.rest(10 * PATIENCE))
        async with quick(server.url, Session(token=older.session.token)) as newer:
            await newer.ask(m.Ping)
            with pytest.raises(Gone, match="replaced"):
                await asyncio.wait_for(resting, PATIENCE)


async def test_the_first_try_is_not_repeated() -> None:
    async with running(make(LOCAL)) as gone:
        url = gone.url
    sleeper = Sleeper()
    with pytest.raises(Gone) as wrong:
        await quick(url, Session(name="Ann"), sleep=sleeper).run()
    assert wrong.value.reason == "unreachable"
    assert sleeper.pauses == []


async def test_it_gives_up_when_its_patience_is_at_an_end() -> None:
    sleeper = Sleeper()
    async with running(make(LOCAL)) as server:
        ann = quick(server.url, Session(name="Ann"), sleep=sleeper, patience=0.0)
        run = asyncio.create_task(ann.run())
        await ann.ask(m.Ping)
    with pytest.raises(Gone) as wrong:
        await run
    assert wrong.value.reason == "unreachable"


@pytest.mark.parametrize(
    ("session", "reason"),
    [
        (Session(name="Ann"), "name_taken"),
        (Session(name=" "), "bad_name"),
        (Session(token="no such token"), "bad_token"),
    ],
)
async def test_a_hello_that_is_refused_is_not_said_again(
    session: Session, reason: str, server: ListeningServer
) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann:
        await ann.ask(m.CreateTable, game="balloon-cup", seats=2)
        with pytest.raises(Gone) as wrong:
            await quick(server.url, session).run()
    assert wrong.value.reason == reason


async def test_the_rule_that_a_name_breaks_is_told_in_words(server: ListeningServer) -> None:
    with pytest.raises(Gone) as wrong:
        await quick(server.url, Session(name="Жanna")).run()
    assert refusal_text(wrong.value) == "a name keeps to the letters of one alphabet"
    assert refusal_text(wrong.value, Texts("zh")) == "名字只能用一种文字"


@pytest.mark.parametrize(
    ("ending", "reason"),
    [("/nowhere", "turned_away"), ("x", "bad_url")],
)
async def test_an_address_that_is_none_is_told_at_once(
    ending: str, reason: str, server: ListeningServer
) -> None:
    with pytest.raises(Gone) as wrong:
        await quick(f"{server.url}{ending}", Session(name="Ann")).run()
    assert wrong.value.reason == reason


async def test_a_server_without_room_is_told_of() -> None:
    async with running(make(LOCAL), Limits(connections=0)) as server:
        with pytest.raises(Gone) as wrong:
            await quick(server.url, Session(name="Ann")).run()
    assert str(wrong.value) == "unreachable (too many connections there)"


async def test_whoever_waits_for_an_answer_is_told_when_there_will_be_none(server: ListeningServer) -> None:
    ann = quick(server.url, Session(name="Ann"), patience=0.0)
    async with ann:
        await ann.ask(m.Ping)
        outbox_of(server, "Ann").hang_up(4005, "errors")
        with pytest.raises(Gone) as wrong:
            await asyncio.gather(*[ann.ask(m.Ping) for _ in range(100)])
    assert wrong.value.reason == "errors"


# Servers that misbehave

WELCOME: dict[str, Any] = {
    "type": "welcome",
    "version": 1,
    "minor": 7,
    "server": "other 9",
    "features": ["telepathy"],
    "limits": {
        "frame_bytes": 1,
        "depth": 1,
        "name_length": 1,
        "chat_length": 1,
        "nonce_length": 1,
        "tables_each": 1,
        "commands_per_second": 1.0,
        "burst": 1,
        "remembered_ids": 1,
        "patience": 1,
    },
    "heartbeat": 15.0,
    "you": {"name": "Ann", "bot": False, "mood": "fine"},
    "token": "t",
    "last_id": 0,
    "tables": [],
    "now": 0.0,
}


@contextlib.asynccontextmanager
async def other_server(handler: Any, **more: Any) -> AsyncIterator[str]:
    speaks = [Subprotocol("parlour.v1")]
    async with serve(handler, "127.0.0.1", 0, subprotocols=speaks, close_timeout=0.1, **more) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}"


async def test_a_newer_server_is_understood_and_nonsense_is_passed_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def handler(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(pack(WELCOME))
        await socket.send(pack({"type": "thunder"}))
        await socket.send(b"\xc1")
        await socket.send(pack({"type": "goodbye", "reason": 7}))
        await socket.send(pack({"type": "ok", "id": 77, "result": None}))
        await socket.recv()
        await socket.send(pack({"type": "ok", "id": 1, "result": {"now": 3.0}, "echo": True}))
        await socket.wait_closed()

    async with other_server(handler) as url:
        ann = quick(url, Session(name="Ann"))
        run = asyncio.create_task(ann.run())
        assert await ann.ask(m.Ping) == {"now": 3.0}
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
    assert [record.message.split()[0] for record in caplog.records] == ["unreadable", "unreadable"]


async def test_a_line_that_breaks_before_the_first_welcome_is_opened_again() -> None:
    hellos = 0

    async def handler(socket: ServerConnection) -> None:
        nonlocal hellos
        await socket.recv()
        hellos += 1
        if hellos == 1:
            socket.transport.abort()
            return
        await socket.send(pack(WELCOME))
        await socket.recv()
        await socket.send(pack({"type": "ok", "id": 1, "result": {"now": 3.0}}))
        await socket.wait_closed()

    sleeper = Sleeper()
    async with other_server(handler) as url:
        ann = quick(url, Session(name="Ann"), sleep=sleeper)
        run = asyncio.create_task(ann.run())
        assert await ann.ask(m.Ping) == {"now": 3.0}
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
    assert (hellos, len(sleeper.pauses)) == (2, 1)


async def test_a_server_that_dies_in_the_middle_of_a_handshake_is_tried_again() -> None:
    """It closes the connection, or resets it: what the library raises differs."""
    requests = 0

    def answer(socket: ServerConnection, _request: Request) -> None:
        nonlocal requests
        requests += 1
        if requests == 2:
            socket.transport.write_eof()
        elif requests == 3:
            socket.transport.abort()

    async def handler(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(pack(WELCOME))
        if requests == 1:
            socket.transport.abort()
            return
        await socket.recv()
        await socket.send(pack({"type": "ok", "id": 1, "result": {"now": 3.0}}))
        await socket.wait_closed()

    async with (
        other_server(handler, process_request=answer) as url,
        quick(url, Session(name="Ann")) as ann,
    ):
        assert await ann.ask(m.Ping) == {"now": 3.0}
    assert requests == 4


async def test_a_connection_that_is_lost_before_the_request_is_sent_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, server: ListeningServer
) -> None:
    dials = 0

    def dial(*where: Any, **how: Any) -> Any:
        nonlocal dials
        dials += 1
        if dials == 1:
            raise ConnectionClosedError(None, None)  # as websockets does
        return connect(*where, **how)

    monkeypatch.setattr(wire, "connect", dial)
    async with quick(server.url, Session(name="Ann")) as ann:
        await ann.ask(m.Ping)
    assert dials == 2


async def test_a_server_that_breaks_off_every_time_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_PATIENCE", 0.0)

    async def handler(socket: ServerConnection) -> None:
        await socket.recv()
        socket.transport.abort()

    async with other_server(handler) as url:
        with pytest.raises(Gone) as wrong:
            await quick(url, Session(name="Ann")).run()
    assert wrong.value.reason == "unreachable"


async def test_a_server_that_does_not_answer_any_more_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "HEARTBEAT", 0.05)
    done = asyncio.Event()

    async def handler(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(pack(WELCOME))
        socket.transport.pause_reading()
        await done.wait()

    async with other_server(handler) as url:
        with pytest.raises(Gone) as wrong:
            await quick(url, Session(name="Ann"), patience=0.0).run()
        done.set()
    assert wrong.value.reason == "unreachable"


async def test_a_server_that_gives_no_welcome_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "WITHIN", 0.05)
    done = asyncio.Event()

    async def handler(_: ServerConnection) -> None:
        await done.wait()

    async with other_server(handler) as url:
        with pytest.raises(Gone) as wrong:
            await quick(url, Session(name="Ann")).run()
        done.set()
    assert str(wrong.value) == "unreachable (no answer in time)"
