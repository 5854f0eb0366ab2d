"""Built-in bots that play for somebody who is not connected, until that player is back."""

from typing import Any

import pytest
from support.results import check_result
from support.server.memory_server import MemoryServer, Player, asked, dealt
from support.server.memory_store import MemoryStore

from parlour.engine.maps import to_map
from parlour.engine.secret import Seat, project
from parlour.protocol.codec import pack, unpack
from parlour.protocol.messages import REACTION
from parlour.server.limits import Limits
from parlour.server.records.reading import read_record
from parlour.server.records.record import without_by
from parlour.server.records.verify import verify

Plain = dict[str, Any]


@pytest.fixture
def server() -> MemoryServer:
    return MemoryServer(store=MemoryStore())


def stepped_in(server: MemoryServer, host: Player, table: str, seat: int) -> Player:
    """A bot that the host has put in for a player who is away, connected."""
    name = check_result("substitute", host.do("substitute", table=table, seat=seat))["name"]
    bot = Player(server, name, bot=True)
    assert bot.hello(token=server.bots.orders[-1][0])["tables"] == [table]
    bot.resume(table)
    return bot


def chair(player: Player, table: str, seat: int) -> Plain:
    found: Plain = player.memory(table).known["info"]["chairs"][seat]
    return found


def move(people: list[Player], table: str, number: int) -> Player:
    player = asked(people, table)[0]
    (answer,) = player.answers(player.act(table, number * 7))
    assert answer["type"] == "ok", answer
    return player


def test_who_is_away_is_told_at_once_with_since_when(server: MemoryServer) -> None:
    table, (ann, bob) = dealt(server)
    server.wait(12.0)
    bob.drop()
    seat = chair(ann, table, 1)
    assert (seat["here"], seat["away_since"], seat["substitute"]) == (False, server.at, None)
    server.wait(5.0)
    bob.come_back()
    assert (chair(ann, table, 1)["here"], chair(ann, table, 1)["away_since"]) == (True, None)


def test_a_substitute_plays_the_seat_until_its_player_is_back(server: MemoryServer) -> None:
    table, (ann, bob) = dealt(server)
    bob.drop()
    bot = stepped_in(server, ann, table, 1)
    assert (chair(ann, table, 1)["name"], chair(ann, table, 1)["substitute"]) == ("Bob", bot.name)
    assert bot.memory(table).known["view"] == server_view(server, table, 1)
    before = bob.memory(table).seq
    movers = [move([ann, bot], table, number).name for number in range(6)]
    assert bot.name in movers
    bob.come_back()
    assert bob.resume(table, before) == {"snapshot": False}
    news = [event for event in bob.seen if event["type"] == "update" and event["seq"] > before]
    assert len(news) == 6, "what was played meanwhile"
    assert bob.memory(table).known["view"] == server_view(server, table, 1)
    assert chair(ann, table, 1)["substitute"] is None
    assert bot.peer.closed == (1000, "done")
    assert bot.name not in server.tables.sessions
    move([ann, bob], table, 6)
    move([ann, bob], table, 7)


def server_view(server: MemoryServer, table: str, seat: int) -> Plain:
    """What a snapshot for a seat shows."""
    view: Plain = unpack(pack(to_map(project(server.match(table).view, Seat(seat)))))
    return view


def test_a_substitute_can_do_nothing_but_play(server: MemoryServer) -> None:
    table, (ann, bob) = dealt(server)
    bob.drop()
    bot = stepped_in(server, ann, table, 1)
    for word, fields in {
        "leave": {},
        "resign": {},
        "rematch": {},
        "say": {"text": "hello"},
        "kick": {"seat": 0},
    }.items():
        assert bot.refused(word, table=table, **fields).code == "not_seated"


def test_the_record_says_who_chose_and_can_be_verified(server: MemoryServer) -> None:
    table, (ann, bob) = dealt(server)
    move([ann, bob], table, 0)
    bob.drop()
    bot = stepped_in(server, ann, table, 1)
    chosen: list[tuple[str | None, int]] = []
    number = 1
    while server.table(table).stage == "playing" and number < 1000:
        player = move([ann, bot], table, number)
        chosen.append((bot.name if player is bot else None, 1 if player is bot else 0))
        number += 1
    assert server.table(table).stage == "finished"
    assert server.store is not None
    header, lines, end = server.store.record(f"{table}-1")
    plain = [without_by(line) for line in lines]
    told = [(line.get("substitute"), line["seat"]) for line in plain if line["cause"] == "act"]
    assert told[1:] == chosen
    record = read_record(header, plain, end)
    assert verify(record).sound
    liar = [{**line, "substitute": "Bot Bea"} if "substitute" in line else line for line in plain]
    assert not verify(read_record(header, liar, end)).sound
    assert bot.name not in server.tables.sessions
    assert chair(ann, table, 1)["substitute"] is None


def grab(player: Player, table: str, pawn: str) -> int:
    return player.send("act", table=table, turn=player.turn(table), action={"type": "grab", "pawn": pawn})


def test_what_a_substitute_has_chosen_in_a_scramble_does_not_count_when_its_player_is_back(
    server: MemoryServer,
) -> None:
    table, (ann, bob, cleo) = dealt(server, "hurry-cup", 3)
    for player in (ann, bob, cleo):
        player.send("act", table=table, turn=1, action={"type": "quiet"})
    bob.drop()
    bot = stepped_in(server, ann, table, 1)
    chosen = grab(bot, table, "red")
    assert bot.answers(chosen) == [], "held: bots are slow in a scramble with people"
    bob.come_back()
    bob.resume(table)
    server.wait(REACTION + 1.0)
    assert bob.memory(table).known["view"]["pawns"][1] is None
    (answer,) = bob.answers(grab(bob, table, "green"))
    assert answer["type"] == "ok"


def test_the_clock_of_a_seat_runs_again_for_its_substitute(server: MemoryServer) -> None:
    table, people = dealt(server, clocks={"decision": 30.0, "grace": 10.0})
    (asked_first,) = asked(people, table)
    seat = people.index(asked_first)
    other = people[1 - seat]
    server.wait(5.0)
    asked_first.drop()
    server.table(table).host = other.name
    server.wait(4.0)
    assert other.memory(table).known["clock"]["ends"][seat] is None
    bot = stepped_in(server, other, table, seat)
    clock = other.memory(table).known["clock"]
    assert clock["ends"][seat] == pytest.approx(clock["now"] + 25.0)
    bot.drop()
    assert other.memory(table).known["clock"]["ends"][seat] is None


@pytest.mark.parametrize(
    ("seat", "code", "facts"),
    [
        (0, "not_now", {"problem": "here"}),
        (7, "no_seat", {"seat": 7}),
        (-1, "no_seat", {"seat": -1}),
    ],
)
def test_nobody_is_put_in_for_who_is_there_or_nobody(
    seat: int, code: str, facts: Plain, server: MemoryServer
) -> None:
    table, (ann, bob) = dealt(server)
    bob.drop()
    refused = ann.refused("substitute", table=table, seat=seat)
    assert (refused.code, refused.facts) == (code, facts)
    assert not server.bots.orders


def test_where_bots_may_not_sit_none_is_put_in(server: MemoryServer) -> None:
    ann, bob = server.players(2)
    table = ann.do("create_table", game="balloon-cup", seats=2, bots=False)["table"]
    bob.do("join", table=table)
    for player in (ann, bob):
        player.do("ready", table=table)
    ann.do("start", table=table)
    bob.drop()
    assert ann.refused("substitute", table=table, seat=1).facts == {"setting": "bots"}


def test_only_the_host_of_a_running_game_puts_a_bot_in(server: MemoryServer) -> None:
    table, (ann, bob, cleo) = dealt(server, "butterflies", 3)
    cleo.drop()
    assert bob.refused("substitute", table=table, seat=2).code == "not_host"
    assert ann.refused("substitute", table=table, seat=2, strategy="oracle").code == "no_such_bot"
    open_table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    assert ann.refused("substitute", table=open_table, seat=1).facts == {"stage": "gathering"}
    ann.do("add_bot", table=open_table)


def test_a_built_in_bot_has_no_substitute(server: MemoryServer) -> None:
    ann = server.player("Ann")
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    ann.do("add_bot", table=table)
    ann.do("ready", table=table)
    ann.do("start", table=table)
    assert ann.refused("substitute", table=table, seat=1).facts == {"seat": 1}


def test_the_host_takes_a_substitute_out_again_or_puts_another_in(server: MemoryServer) -> None:
    table, (ann, bob) = dealt(server)
    bob.drop()
    first = stepped_in(server, ann, table, 1)
    second = stepped_in(server, ann, table, 1)
    assert first.peer.closed == (1000, "done")
    assert chair(ann, table, 1)["substitute"] == second.name
    assert ann.do("substitute", table=table, seat=1, strategy=None) == {"name": None}
    assert second.peer.closed == (1000, "done")
    assert chair(ann, table, 1)["substitute"] is None
    assert not [name for name in server.tables.sessions if name.startswith("Bot")]


def test_substitutes_count_as_built_in_bots() -> None:
    server = MemoryServer(Limits(built_in_bots=1))
    table, (ann, bob) = dealt(server)
    bob.drop()
    stepped_in(server, ann, table, 1)
    refused = ann.refused("substitute", table=table, seat=1)
    assert (refused.code, refused.retry_after) == ("busy", 5.0)


def test_the_seat_of_somebody_with_a_substitute_can_be_cleared(server: MemoryServer) -> None:
    table, (ann, bob, cleo) = dealt(server, "butterflies", 3)
    cleo.drop()
    bot = stepped_in(server, ann, table, 2)
    assert ann.refused("kick", table=table, seat=2).code == "not_now"
    server.wait(61.0)
    ann.do("kick", table=table, seat=2)
    assert bot.peer.closed == (1000, "done")
    assert chair(bob, table, 2)["left"] is True
    assert chair(bob, table, 2)["substitute"] is None


def test_a_substitute_that_could_not_be_stored_never_was(server: MemoryServer) -> None:
    table, (ann, bob) = dealt(server)
    bob.drop()
    assert server.store is not None
    server.store.refuses = lambda _: True
    assert ann.refused("substitute", table=table, seat=1).code == "not_kept"
    server.store.refuses = lambda _: False
    assert server.table(table).players[1].substitute is None  # type: ignore[union-attr]
    assert not [name for name in server.tables.sessions if name.startswith("Bot")]
    stepped_in(server, ann, table, 1)
