"""What is done at a table counts when it is stored: refusals, waiting, and everything in its order."""

from pathlib import Path
from typing import Any

import attrs
import pytest
from support.server.memory_server import MemoryServer, Player, asked, dealt, seated
from support.server.memory_store import MemoryStore
from support.server.sockets import Caller, gather, generous_limits, move_on, open_server

from parlour.server.storage.change import TABLE, Row
from parlour.server.tables.stored_maps import table_map
from parlour.server.tables.table import Table

Plain = dict[str, Any]


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def server(store: MemoryStore) -> MemoryServer:
    return MemoryServer(store=store)


def full(_rows: list[Row]) -> bool:
    return True


def everything(server: MemoryServer) -> Plain:
    """All that a refused command must leave as it was: tables, games, luck, clocks, numbers, seats."""
    found: Plain = {}
    for id, table in server.tables.by_id.items():
        game = table.live_game
        found[id] = {
            "kept": table_map(table),
            "journal": list(game.match.journal) if game else None,
            "state": game.match.state if game else None,
            "luck": repr(game.match._source) if game else None,
            "clock": attrs.asdict(game.clock) if game else None,
            "scramble": game.scramble and list(game.scramble.held) if game else None,
            "mail": list(table.event_log.outgoing),
            "same": [
                game is None or player is game.players[seat] for seat, player in enumerate(table.players)
            ]
            if table.stage == "playing"
            else None,
        }
    for name, session in server.tables.sessions.items():
        found[f"{name}'s"] = (set(session.tables), set(session.following), set(session.watching))
    return found


# Refused


def gathering(server: MemoryServer) -> tuple[str, list[Player]]:
    return seated(server, "balloon-cup", 2)


def playing(server: MemoryServer) -> tuple[str, list[Player]]:
    return dealt(server)


def finished(server: MemoryServer) -> tuple[str, list[Player]]:
    table, people = dealt(server)
    people[1].do("resign", table=table)
    return table, people


COMMANDS: list[tuple[Any, str, Plain]] = [
    (gathering, "create_table", {"game": "balloon-cup", "seats": 2}),
    (gathering, "ready", {"nonce": "abc"}),
    (gathering, "leave", {}),
    (gathering, "kick", {"seat": 1}),
    (gathering, "say", {"text": "Hello"}),
    (playing, "say", {"text": "Hello"}),
    (playing, "resign", {}),
    (playing, "leave", {}),
    (finished, "rematch", {}),
    (finished, "leave", {}),
    (finished, "say", {"text": "Hello"}),
]


@pytest.mark.parametrize(("begin", "word", "fields"), COMMANDS)
def test_a_command_that_cannot_be_kept_is_refused_and_has_changed_nothing(
    server: MemoryServer, store: MemoryStore, begin: Any, word: str, fields: Plain
) -> None:
    table, people = begin(server)
    told = [len(person.peer.frames) for person in people]
    before, kept = everything(server), store.everything()
    store.refuses = full
    where = {} if word == "create_table" else {"table": table}
    refused = people[0].refused(word, **where, **fields)
    assert (refused.code, refused.retry_after is not None) == ("not_kept", True)
    assert everything(server) == before
    assert store.everything() == kept
    assert [len(person.peer.frames) for person in people] == [told[0] + 1, *told[1:]]
    store.refuses = lambda _: False
    people[0].do(word, **where, **fields)
    assert server.bugs == []


def test_a_seat_that_cannot_be_kept_is_free_again(server: MemoryServer, store: MemoryStore) -> None:
    ann, bob = server.players(2)
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    before = everything(server)
    store.refuses = full
    assert bob.refused("join", table=table).code == "not_kept"
    assert ann.refused("sit", table=table, seat=1).code == "not_kept"
    assert everything(server) == before
    store.refuses = lambda _: False
    assert bob.do("join", table=table)["seat"] == 1


def test_a_watcher_who_is_gone_when_a_seat_cannot_be_kept_has_been_refused_it(
    server: MemoryServer, store: MemoryStore
) -> None:
    """That one less watches is the table's next work, and comes between the refusal and its answer."""
    ann, wes = server.player("Ann"), server.player("Wes")
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    wes.do("watch", table=table)
    store.waits, store.refuses = True, full
    id = wes.send("join", table=table)
    wes.drop()
    store.waits = False
    store.settle_one()
    store.refuses = lambda _: False
    server.settle()
    assert server.table(table).info().watchers == 0
    wes.come_back()
    wes.send("join", id=id, table=table)
    assert [answer["code"] for answer in wes.answers(id)] == ["not_kept"]


def test_a_bot_that_cannot_be_kept_has_no_name_and_no_seat(server: MemoryServer, store: MemoryStore) -> None:
    (ann,) = server.players(1)
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    before = everything(server)
    store.refuses = full
    assert ann.refused("add_bot", table=table, strategy="random").code == "not_kept"
    assert everything(server) == before
    assert set(server.tables.sessions) == {"Ann"} and not server.tables.register.taken("Bob")


def test_a_deal_that_cannot_be_kept_is_dealt_the_same_later(server: MemoryServer, store: MemoryStore) -> None:
    table, people = gathering(server)
    for person in people:
        person.do("ready", table=table, nonce=person.name)
    before = everything(server)
    store.refuses = full
    assert people[0].refused("start", table=table).code == "not_kept"
    assert everything(server) == before
    store.refuses = lambda _: False
    people[0].do("start", table=table)
    other = MemoryServer()
    again, others = gathering(other)
    for person in others:
        person.do("ready", table=again, nonce=person.name)
    others[0].do("start", table=again)
    assert server.match(table).state == other.match(again).state


@pytest.mark.parametrize("game", ["balloon-cup", "hurry-cup", "butterflies"])
@pytest.mark.parametrize("nth", [2, 3, 5])
def test_games_are_played_through_while_every_nth_change_is_refused(game: str, nth: int) -> None:
    """Whoever is refused tries again, and the game is that which would have been played without refusals."""
    store = MemoryStore()
    server = MemoryServer(store=store)
    seats = 3 if game != "balloon-cup" else 2
    table, people = dealt(server, game, seats)
    store.refuses = lambda _: store.puts % nth == 0
    refused = 0
    for number in range(150):
        players = asked(people, table)
        if not players:
            break
        before, journal = everything(server), len(server.match(table).journal)
        person = players[0]
        (answer,) = person.answers(person.act(table, number // 2))
        if answer["type"] == "error":
            assert answer["code"] == "not_kept"
            assert everything(server) == before
            refused += 1
        else:
            assert len(server.match(table).journal) > journal
    assert refused > 10 and server.bugs == []
    _, lines, _ = store.record(f"{table}-1")
    assert len(lines) == len(server.match(table).journal)


def test_what_time_should_have_done_and_could_not_be_kept_is_tried_again(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, people = dealt(server, clocks={"decision": 10.0})
    store.refuses = full
    server.wait(10.5)
    assert len(server.match(table).journal) == 1 and store.refused
    store.refuses = lambda _: False
    server.wait(1.0)
    assert [entry.cause for entry in server.match(table).journal] == ["setup", "time_up"]
    assert people[0].memory(table).known["view"] is not None


def test_a_table_that_could_not_be_saved_is_saved_with_the_next_thing_there(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, people = dealt(server)
    store.refuses = lambda rows: any(row[0] == TABLE for row in rows)
    people[1].drop()
    assert people[0].memory(table).known["info"]["chairs"][1]["here"] is False
    store.refuses = lambda _: False
    people[0].do("say", table=table, text="Still there?")
    assert store.tables()[table]["sitters"] == [
        attrs.asdict(player) for player in server.table(table).players if player
    ]


def test_a_refused_line_of_chat_does_not_part_the_game_from_its_players(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, people = dealt(server, clocks={"decision": 5.0, "late": "stand_in"})
    store.refuses = full
    assert people[0].refused("say", table=table, text="Hello").code == "not_kept"
    store.refuses = lambda _: False
    server.wait(60.0)
    people[0].do("say", table=table, text="Hello?")
    info = people[0].memory(table).known["info"]
    assert any(chair["stand_in"] for chair in info["chairs"])
    assert store.tables()[table]["sitters"] == [
        attrs.asdict(player) for player in server.live_game(table).players
    ]


def test_somebody_who_cannot_be_kept_is_not_welcomed(server: MemoryServer, store: MemoryStore) -> None:
    store.refuses = full
    ann = Player(server, "Ann")
    with pytest.raises(AssertionError):
        ann.hello(name="Ann")
    assert [(plain["type"], plain["code"]) for plain in ann.seen] == [("error", "not_kept")]
    assert ann.peer.closed == (4000, "not_kept")
    store.refuses = lambda _: False
    assert server.player("Ann").token


# Waiting


def test_while_a_move_waits_nothing_is_told_and_then_everybody_is(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, people = dealt(server)
    store.waits = True
    (player,) = asked(people, table)
    seen = [len(person.peer.frames) for person in people]
    id = player.act(table)
    assert [len(person.peer.frames) for person in people] == seen
    assert len(server.match(table).journal) == 1
    store.waits = False
    server.settle()
    assert [answer["type"] for answer in player.answers(id)] == ["ok"]
    assert all(person.events("update") for person in people)


def test_while_something_waits_the_others_at_that_table_wait_and_are_then_done_in_order(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, people = dealt(server)
    (player,) = asked(people, table)
    (other,) = [person for person in people if person is not player]
    store.waits = True
    ids = [(player, player.act(table))]
    ids += [(other, other.send("say", table=table, text="one"))]
    ids += [(player, player.send("say", table=table, text="two"))]
    ids += [(other, other.send("say", table=table, text="three"))]
    ids += [(other, other.send("resign", table=table))]
    assert not any(person.answers(id) for person, id in ids)
    store.waits = False
    server.settle()
    assert all([answer["type"] for answer in person.answers(id)] == ["ok"] for person, id in ids)
    assert [line["text"] for line in player.memory(table).known["chat"]] == ["one", "two", "three"]
    assert [entry.cause for entry in server.match(table).journal] == ["setup", "act", "leave"]


def test_other_tables_are_not_held_up(server: MemoryServer, store: MemoryStore) -> None:
    table, people = dealt(server)
    eve = server.player("Eve")
    store.waits = True
    (player,) = asked(people, table)
    id = player.act(table)
    made = eve.send("create_table", game="balloon-cup", seats=2)
    store.waiting.rotate(1)
    store.settle_one()
    assert eve.answers(made)[0]["type"] == "ok" and player.answers(id) == []
    store.settle_one()
    assert player.answers(id)[0]["type"] == "ok"


def test_the_commands_of_a_connection_keep_their_order_over_all_tables(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, (ann, bob) = seated(server, "balloon-cup", 2)
    second = bob.do("create_table", game="balloon-cup", seats=2)["table"]
    store.waits = True
    ann.send("say", table=table, text="Ann first")
    ids = [
        bob.send("say", table=table, text="then Bob"),
        bob.send("say", table=second, text="and there"),
        bob.send("ready", table=second),
        bob.send("ping"),
        bob.send("bye"),
    ]
    assert not any(bob.answers(id) for id in ids) and bob.peer.closed is None
    store.waits = False
    server.settle()
    bob.read()
    answered = [plain["id"] for plain in bob.seen if plain["type"] in ("ok", "error")]
    assert answered[-len(ids) :] == ids
    assert bob.peer.closed == (1000, "bye")


def test_whoever_drops_while_something_waits_is_away_afterwards(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, people = dealt(server)
    (player,) = asked(people, table)
    store.waits = True
    id = player.act(table)
    player.drop()
    store.waits = False
    server.settle()
    assert len(server.match(table).journal) == 2
    assert server.table(table).players[people.index(player)].here is False  # type: ignore[union-attr]
    player.come_back()
    assert player.answers(id) == []
    player.send("act", id=id, table=table, turn=1, action={})
    assert [answer["type"] for answer in player.answers(id)] == ["ok"]
    assert len(server.match(table).journal) == 2


def test_whoever_comes_back_while_something_waits_finds_everything_in_its_place(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, people = dealt(server)
    (player,) = asked(people, table)
    (other,) = [person for person in people if person is not player]
    other.drop()
    store.waits = True
    player.act(table)
    other.peer.frames.clear()
    with pytest.raises(IndexError):  # the welcome waits as well: its token is to be kept first
        other.come_back()
    store.waits = False
    server.settle()
    other.read()
    assert other.seen[-1]["type"] == "welcome"
    other.last_id = other.seen[-1]["last_id"]
    other.resume(table)
    assert other.question(table) is not None
    assert all(chair["here"] for chair in other.memory(table).known["info"]["chairs"])


def test_time_that_runs_out_while_a_move_waits_is_the_next_players(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, people = dealt(server, clocks={"decision": 10.0})
    (player,) = asked(people, table)
    server.wait(9.0)
    store.waits = True
    id = player.act(table)
    server.wait(5.0)
    assert len(server.match(table).journal) == 1
    store.waits = False
    server.settle()
    assert player.answers(id)[0]["type"] == "ok"
    assert [entry.cause for entry in server.match(table).journal] == ["setup", "act"]
    server.wait(10.0)
    assert [entry.cause for entry in server.match(table).journal] == ["setup", "act", "time_up"]


def test_a_table_that_a_bug_ends_while_something_waits_leaves_nobody_waiting(
    server: MemoryServer, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, people = dealt(server)
    (player,) = asked(people, table)
    (other,) = [person for person in people if person is not player]
    store.waits = True
    ids = [(player, player.act(table)), (other, other.send("say", table=table, text="Well?"))]
    monkeypatch.setattr(Table, "_announce", lambda *_: 1 // 0)
    store.waits = False
    server.settle()
    assert len(server.bugs) == 1 and table not in server.tables.by_id and table not in store.tables()
    assert ids[0][0].answers(ids[0][1])[0]["type"] == "ok"
    assert ids[1][0].answers(ids[1][1])[0]["code"] == "not_seated"
    assert not player.session.tables and not other.session.tables
    assert len(store.record(f"{table}-1")[1]) == 2


def test_going_down_gives_the_answers_that_are_due_before_it_hangs_up(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, people = dealt(server)
    (player,) = asked(people, table)
    store.waits = True
    id = player.act(table)
    server.lobby.announce_restart(2.0)
    late = player.send("say", table=table, text="one more thing")
    assert player.last("goodbye") == {"type": "goodbye", "reason": "restart", "retry_after": 2.0}
    assert server.tables.busy
    store.waits = False
    server.settle()
    assert not server.tables.busy
    server.lobby.close(2.0)
    assert [answer["type"] for answer in player.answers(id)] == ["ok"]
    assert player.answers(late) == [] and player.peer.closed == (1012, "restart")
    assert len(player.events("goodbye")) == 1
    assert len(store.record(f"{table}-1")[1]) == 2


def test_names_of_those_who_are_cut_off_by_a_restart_are_not_given_up(
    server: MemoryServer, store: MemoryStore
) -> None:
    """Another node may have read them by then, with a table at which they stand."""
    ann = server.player("Ann")
    server.lobby.announce_restart(2.0)
    ann.drop()
    server.settle()
    assert "Ann" in store.people()


# With a real archive


async def test_time_runs_out_also_when_nobody_says_a_word(tmp_path: Path) -> None:
    """The move before it is stored later than it came in: the alarm is set then."""
    async with open_server(generous_limits(heartbeat=300.0), archive=str(tmp_path / "games.db")) as server:
        table, people = await gather(
            server.url, "balloon-cup", [Caller, Caller], clocks={"decision": 0.5, "late": "forfeit"}
        )
        while people[0].known(table)["result"] is None:
            move_on(0.5)
            await people[0].event()
        assert people[0].known(table)["result"]["reason"] == "forfeit"


# Found by reading


def test_a_code_finds_the_busy_table_that_a_command_waits_for(
    server: MemoryServer, store: MemoryStore
) -> None:
    ann, bob = server.players(2)
    made = ann.do("create_table", game="balloon-cup", seats=2, public=False)
    store.waits = True
    ann.send("say", table=made["table"], text="on its way")
    id = bob.send("join", table="NOSUCH", code=made["code"])
    store.settle_one()
    assert bob.answers(id) == []
    store.waits = False
    server.settle()
    assert bob.answers(id)[0]["type"] == "ok"
    assert [player and player["name"] for player in store.tables()[made["table"]]["sitters"]] == [
        "Ann",
        "Bob",
    ]


def test_a_move_that_cannot_be_recorded_ends_its_table_and_is_answered(
    server: MemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, people = dealt(server)
    (player,) = asked(people, table)
    monkeypatch.setattr(Table, "record", lambda *_: 1 // 0)
    id = player.act(table)
    server.settle()
    assert player.answers(id)[0]["code"] == "failed"
    assert table not in server.tables.by_id and len(server.bugs) == 1


def test_a_store_with_a_bug_ends_the_table_and_answers_everybody(
    server: MemoryServer, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, people = dealt(server)
    (player,) = asked(people, table)
    (other,) = [person for person in people if person is not player]
    with monkeypatch.context() as patch:
        patch.setattr(store, "put", lambda *_: 1 // 0)
        id = player.act(table)
    assert player.answers(id)[0]["code"] == "failed"
    assert other.refused("say", table=table, text="Well?").code == "not_seated"


def test_what_nobody_waits_for_and_was_not_stored_is_tried_again_soon(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, people = dealt(server)
    store.refuses = full
    people[0].drop()
    store.refuses = lambda _: False
    assert [player["here"] for player in store.tables()[table]["sitters"]] == [True, True]
    server.wait(6.0)
    assert [player["here"] for player in store.tables()[table]["sitters"]] == [False, True]


def test_a_command_that_waited_for_a_name_that_was_given_up_is_not_done(
    server: MemoryServer, store: MemoryStore
) -> None:
    ann, bob = server.players(2)
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    store.waits = True
    ann.send("say", table=table, text="on its way")
    bob.send("join", table=table)
    bob.drop()
    server.tables.forget(bob.session)
    store.waits = False
    server.settle()
    assert [player and player.name for player in server.table(table).players] == ["Ann", None]


def test_a_table_that_is_closed_twice_is_closed_once(server: MemoryServer) -> None:
    table, people = dealt(server)
    found = server.table(table)
    server.tables.close(found)
    server.tables._close(found)
    assert [message["type"] for message in people[0].read()].count("lobby_gone") == 1


def test_a_table_that_is_closed_while_a_move_is_stored_answers_the_move_first(
    server: MemoryServer, store: MemoryStore
) -> None:
    table, people = dealt(server)
    player = asked(people, table)[0]
    entries = len(server.match(table).journal)
    store.waits = True
    id = player.act(table)
    player.read()
    server.tables.close(server.table(table))
    store.waits = False
    server.settle()
    answers = [message for message in player.read() if message["type"] in ("ok", "error")]
    assert [(message["type"], message["id"]) for message in answers] == [("ok", id)]
    _, lines, _ = store.record(f"{table}-1")
    assert len(lines) == entries + 1 and table not in server.tables.by_id
