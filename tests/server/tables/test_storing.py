"""What is done at a table counts when it is kept: refusals, waiting, and everything in its order."""

from pathlib import Path
from typing import Any

import attrs
import pytest
from support.server.memory_store import Paper
from support.server.people import Doors, Guest, asked, dealt, seated
from support.server.sockets import Caller, gather, generous_limits, move_on, open_server

from parlour.server.storage.change import TABLE, Row
from parlour.server.tables.snapshots import table_map

Plain = dict[str, Any]


@pytest.fixture
def paper() -> Paper:
    return Paper()


@pytest.fixture
def doors(paper: Paper) -> Doors:
    return Doors(paper=paper)


def full(_rows: list[Row]) -> bool:
    return True


def everything(doors: Doors) -> Plain:
    """All that a refused command must leave as it was: tables, games, luck, clocks, numbers, seats."""
    found: Plain = {}
    for id, table in doors.tables.by_id.items():
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
    for name, session in doors.tables.sessions.items():
        found[f"{name}'s"] = (set(session.tables), set(session.following), set(session.watching))
    return found


# Refused


def gathering(doors: Doors) -> tuple[str, list[Guest]]:
    return seated(doors, "balloon-cup", 2)


def playing(doors: Doors) -> tuple[str, list[Guest]]:
    return dealt(doors)


def finished(doors: Doors) -> tuple[str, list[Guest]]:
    table, people = dealt(doors)
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
    doors: Doors, paper: Paper, begin: Any, word: str, fields: Plain
) -> None:
    table, people = begin(doors)
    told = [len(person.wire.frames) for person in people]
    before, kept = everything(doors), paper.everything()
    paper.refuses = full
    where = {} if word == "create_table" else {"table": table}
    refused = people[0].refused(word, **where, **fields)
    assert (refused.code, refused.retry_after is not None) == ("not_kept", True)
    assert everything(doors) == before
    assert paper.everything() == kept
    assert [len(person.wire.frames) for person in people] == [told[0] + 1, *told[1:]]
    paper.refuses = lambda _: False
    people[0].do(word, **where, **fields)
    assert doors.bugs == []


def test_a_seat_that_cannot_be_kept_is_free_again(doors: Doors, paper: Paper) -> None:
    ann, bob = doors.guests(2)
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    before = everything(doors)
    paper.refuses = full
    assert bob.refused("join", table=table).code == "not_kept"
    assert ann.refused("sit", table=table, seat=1).code == "not_kept"
    assert everything(doors) == before
    paper.refuses = lambda _: False
    assert bob.do("join", table=table)["seat"] == 1


def test_a_bot_that_cannot_be_kept_has_no_name_and_no_seat(doors: Doors, paper: Paper) -> None:
    (ann,) = doors.guests(1)
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    before = everything(doors)
    paper.refuses = full
    assert ann.refused("add_bot", table=table, strategy="random").code == "not_kept"
    assert everything(doors) == before
    assert set(doors.tables.sessions) == {"Ann"} and len(doors.tables.register) == 1


def test_a_deal_that_cannot_be_kept_is_dealt_the_same_later(doors: Doors, paper: Paper) -> None:
    table, people = gathering(doors)
    for person in people:
        person.do("ready", table=table, nonce=person.name)
    before = everything(doors)
    paper.refuses = full
    assert people[0].refused("start", table=table).code == "not_kept"
    assert everything(doors) == before
    paper.refuses = lambda _: False
    people[0].do("start", table=table)
    other = Doors()
    again, others = gathering(other)
    for person in others:
        person.do("ready", table=again, nonce=person.name)
    others[0].do("start", table=again)
    assert doors.match(table).state == other.match(again).state


@pytest.mark.parametrize("game", ["balloon-cup", "hurry-cup", "butterflies"])
@pytest.mark.parametrize("nth", [2, 3, 5])
def test_games_are_played_through_while_every_nth_change_is_refused(game: str, nth: int) -> None:
    """Whoever is refused tries again, and the game is that which would have been played without refusals."""
    paper = Paper()
    doors = Doors(paper=paper)
    seats = 3 if game != "balloon-cup" else 2
    table, people = dealt(doors, game, seats)
    paper.refuses = lambda _: paper.puts % nth == 0
    refused = 0
    for number in range(150):
        players = asked(people, table)
        if not players:
            break
        before, journal = everything(doors), len(doors.match(table).journal)
        person = players[0]
        (answer,) = person.answers(person.act(table, number // 2))
        if answer["type"] == "error":
            assert answer["code"] == "not_kept"
            assert everything(doors) == before
            refused += 1
        else:
            assert len(doors.match(table).journal) > journal
    assert refused > 10 and doors.bugs == []
    _, lines, _ = paper.record(f"{table}-1")
    assert len(lines) == len(doors.match(table).journal)


def test_what_time_should_have_done_and_could_not_be_kept_is_tried_again(doors: Doors, paper: Paper) -> None:
    table, people = dealt(doors, clocks={"decision": 10.0})
    paper.refuses = full
    doors.wait(10.5)
    assert len(doors.match(table).journal) == 1 and paper.refused
    paper.refuses = lambda _: False
    doors.wait(1.0)
    assert [entry.cause for entry in doors.match(table).journal] == ["setup", "time_up"]
    assert people[0].memory(table).known["view"] is not None


def test_a_table_that_could_not_be_saved_is_saved_with_the_next_thing_there(
    doors: Doors, paper: Paper
) -> None:
    table, people = dealt(doors)
    paper.refuses = lambda rows: any(row[0] == TABLE for row in rows)
    people[1].drop()
    assert people[0].memory(table).known["info"]["chairs"][1]["here"] is False
    paper.refuses = lambda _: False
    people[0].do("say", table=table, text="Still there?")
    assert paper.tables()[table]["sitters"] == [
        attrs.asdict(player) for player in doors.table(table).players if player
    ]


def test_a_refused_line_of_chat_does_not_part_the_game_from_its_players(doors: Doors, paper: Paper) -> None:
    table, people = dealt(doors, clocks={"decision": 5.0, "late": "stand_in"})
    paper.refuses = full
    assert people[0].refused("say", table=table, text="Hello").code == "not_kept"
    paper.refuses = lambda _: False
    doors.wait(60.0)
    people[0].do("say", table=table, text="Hello?")
    info = people[0].memory(table).known["info"]
    assert any(chair["stand_in"] for chair in info["chairs"])
    assert paper.tables()[table]["sitters"] == [
        attrs.asdict(player) for player in doors.live_game(table).players
    ]


def test_somebody_who_cannot_be_kept_is_not_welcomed(doors: Doors, paper: Paper) -> None:
    paper.refuses = full
    ann = Guest(doors, "Ann")
    with pytest.raises(AssertionError):
        ann.hello(name="Ann")
    assert [(plain["type"], plain["code"]) for plain in ann.seen] == [("error", "not_kept")]
    assert ann.wire.closed == (4000, "not_kept")
    paper.refuses = lambda _: False
    assert doors.guest("Ann").token


# Waiting


def test_while_a_move_waits_nothing_is_told_and_then_everybody_is(doors: Doors, paper: Paper) -> None:
    table, people = dealt(doors)
    paper.waits = True
    (player,) = asked(people, table)
    seen = [len(person.wire.frames) for person in people]
    id = player.act(table)
    assert [len(person.wire.frames) for person in people] == seen
    assert len(doors.match(table).journal) == 1
    paper.waits = False
    doors.settle()
    assert [answer["type"] for answer in player.answers(id)] == ["ok"]
    assert all(person.events("update") for person in people)


def test_while_something_waits_the_others_at_that_table_wait_and_are_then_done_in_order(
    doors: Doors, paper: Paper
) -> None:
    table, people = dealt(doors)
    (player,) = asked(people, table)
    (other,) = [person for person in people if person is not player]
    paper.waits = True
    ids = [(player, player.act(table))]
    ids += [(other, other.send("say", table=table, text="one"))]
    ids += [(player, player.send("say", table=table, text="two"))]
    ids += [(other, other.send("say", table=table, text="three"))]
    ids += [(other, other.send("resign", table=table))]
    assert not any(person.answers(id) for person, id in ids)
    paper.waits = False
    doors.settle()
    assert all([answer["type"] for answer in person.answers(id)] == ["ok"] for person, id in ids)
    assert [line["text"] for line in player.memory(table).known["chat"]] == ["one", "two", "three"]
    assert [entry.cause for entry in doors.match(table).journal] == ["setup", "act", "leave"]


def test_other_tables_are_not_held_up(doors: Doors, paper: Paper) -> None:
    table, people = dealt(doors)
    eve = doors.guest("Eve")
    paper.waits = True
    (player,) = asked(people, table)
    id = player.act(table)
    made = eve.send("create_table", game="balloon-cup", seats=2)
    paper.waiting.rotate(1)
    paper.settle_one()
    assert eve.answers(made)[0]["type"] == "ok" and player.answers(id) == []
    paper.settle_one()
    assert player.answers(id)[0]["type"] == "ok"


def test_the_commands_of_a_connection_keep_their_order_over_all_tables(doors: Doors, paper: Paper) -> None:
    table, (ann, bob) = seated(doors, "balloon-cup", 2)
    second = bob.do("create_table", game="balloon-cup", seats=2)["table"]
    paper.waits = True
    ann.send("say", table=table, text="Ann first")
    ids = [
        bob.send("say", table=table, text="then Bob"),
        bob.send("say", table=second, text="and there"),
        bob.send("ready", table=second),
        bob.send("ping"),
        bob.send("bye"),
    ]
    assert not any(bob.answers(id) for id in ids) and bob.wire.closed is None
    paper.waits = False
    doors.settle()
    bob.read()
    answered = [plain["id"] for plain in bob.seen if plain["type"] in ("ok", "error")]
    assert answered[-len(ids) :] == ids
    assert bob.wire.closed == (1000, "bye")


def test_whoever_drops_while_something_waits_is_away_afterwards(doors: Doors, paper: Paper) -> None:
    table, people = dealt(doors)
    (player,) = asked(people, table)
    paper.waits = True
    id = player.act(table)
    player.drop()
    paper.waits = False
    doors.settle()
    assert len(doors.match(table).journal) == 2
    assert doors.table(table).players[people.index(player)].here is False  # type: ignore[union-attr]
    player.come_back()
    assert player.answers(id) == []
    player.send("act", id=id, table=table, turn=1, action={})
    assert [answer["type"] for answer in player.answers(id)] == ["ok"]
    assert len(doors.match(table).journal) == 2


def test_whoever_comes_back_while_something_waits_finds_everything_in_its_place(
    doors: Doors, paper: Paper
) -> None:
    table, people = dealt(doors)
    (player,) = asked(people, table)
    (other,) = [person for person in people if person is not player]
    other.drop()
    paper.waits = True
    player.act(table)
    other.wire.frames.clear()
    with pytest.raises(IndexError):  # the welcome waits as well: its token is to be kept first
        other.come_back()
    paper.waits = False
    doors.settle()
    other.read()
    assert other.seen[-1]["type"] == "welcome"
    other.last_id = other.seen[-1]["last_id"]
    other.resume(table)
    assert other.question(table) is not None
    assert all(chair["here"] for chair in other.memory(table).known["info"]["chairs"])


def test_time_that_runs_out_while_a_move_waits_is_the_next_players(doors: Doors, paper: Paper) -> None:
    table, people = dealt(doors, clocks={"decision": 10.0})
    (player,) = asked(people, table)
    doors.wait(9.0)
    paper.waits = True
    id = player.act(table)
    doors.wait(5.0)
    assert len(doors.match(table).journal) == 1
    paper.waits = False
    doors.settle()
    assert player.answers(id)[0]["type"] == "ok"
    assert [entry.cause for entry in doors.match(table).journal] == ["setup", "act"]
    doors.wait(10.0)
    assert [entry.cause for entry in doors.match(table).journal] == ["setup", "act", "time_up"]


def test_a_table_that_a_bug_ends_while_something_waits_leaves_nobody_waiting(
    doors: Doors, paper: Paper, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, people = dealt(doors)
    (player,) = asked(people, table)
    (other,) = [person for person in people if person is not player]
    paper.waits = True
    ids = [(player, player.act(table)), (other, other.send("say", table=table, text="Well?"))]
    monkeypatch.setattr(doors.live_game(table), "tell", lambda *_: 1 // 0)
    paper.waits = False
    doors.settle()
    assert len(doors.bugs) == 1 and table not in doors.tables.by_id and table not in paper.tables()
    assert ids[0][0].answers(ids[0][1])[0]["type"] == "ok"
    assert ids[1][0].answers(ids[1][1])[0]["code"] == "not_seated"
    assert not player.session.tables and not other.session.tables
    assert len(paper.record(f"{table}-1")[1]) == 2


def test_going_down_gives_the_answers_that_are_due_before_it_hangs_up(doors: Doors, paper: Paper) -> None:
    table, people = dealt(doors)
    (player,) = asked(people, table)
    paper.waits = True
    id = player.act(table)
    doors.lobby.announce_restart(2.0)
    late = player.send("say", table=table, text="one more thing")
    assert player.last("goodbye") == {"type": "goodbye", "reason": "restart", "retry_after": 2.0}
    assert doors.tables.busy
    paper.waits = False
    doors.settle()
    assert not doors.tables.busy
    doors.lobby.close(2.0)
    assert [answer["type"] for answer in player.answers(id)] == ["ok"]
    assert player.answers(late) == [] and player.wire.closed == (1012, "restart")
    assert len(player.events("goodbye")) == 1
    assert len(paper.record(f"{table}-1")[1]) == 2


# With a real archive


async def test_time_runs_out_also_when_nobody_says_a_word(tmp_path: Path) -> None:
    """The move before it is kept later than it came in: the alarm is to be set then."""
    async with open_server(generous_limits(heartbeat=300.0), archive=str(tmp_path / "games.db")) as server:
        table, people = await gather(
            server.url, "balloon-cup", [Caller, Caller], clocks={"decision": 0.5, "late": "forfeit"}
        )
        while people[0].known(table)["result"] is None:
            move_on(0.5)
            await people[0].event()
        assert people[0].known(table)["result"]["reason"] == "forfeit"
