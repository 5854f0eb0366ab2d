"""What comes back after a restart, from the archive alone: everything, and each thing once."""

from typing import Any

import pytest
from support.server.memory_server import MemoryServer, Player, asked, dealt, seated
from support.server.memory_store import MemoryStore
from support.server.restarted_servers import back, play, restarted
from support.server.table_memory import Gap

from parlour.protocol.errors import ProtocolError
from parlour.server.storage.errors import Unreadable
from parlour.server.tables.recovery import FIRST_LOOK

Plain = dict[str, Any]


@pytest.fixture
def server() -> MemoryServer:
    return MemoryServer(store=MemoryStore())


# Tables


def test_a_table_that_gathers_comes_back_as_it_was(server: MemoryServer) -> None:
    settings: Plain = {
        "public": False,
        "watching": "everything",
        "options": {"edition": "italian"},
        "clocks": {"decision": 33.0, "bank": 4.0, "scramble": 5.0, "grace": 6.0, "late": "forfeit"},
        "reaction": 0.7,
        "hints": False,
    }
    table, people = seated(server, "balloon-cup", 2, **settings)
    people[1].do("ready", table=table, nonce="seven")
    server.wait(5.0)
    people[0].do("say", table=table, text="Well met")
    before = people[0].memory(table).known
    after = back(server, people)
    for person in people:
        known = person.memory(table).known
        assert known["info"] == before["info"] and known["code"] == before["code"] is not None
        assert [line["text"] for line in known["chat"]] == ["Well met"]
        assert all(line["at"] <= after.at for line in known["chat"])
    eve = after.player("Eve")
    assert eve.refused("join", code=before["code"]).code == "no_seat"
    assert eve.refused("join", table=table).code == "no_such_table"
    people[0].do("ready", table=table)
    people[0].do("start", table=table)
    assert after.live_game(table).nonces == (None, "seven")


def test_whoever_was_kicked_stays_away_over_a_restart(server: MemoryServer) -> None:
    table, people = seated(server, "balloon-cup", 2)
    ann, bob = people
    ann.do("kick", table=table, seat=1)
    back(server, people)
    assert bob.refused("join", table=table).code == "kicked"
    ann.do("let_back", table=table, name="Bob")
    bob.do("join", table=table)


KINDS: list[tuple[str, int, Plain]] = [
    ("balloon-cup", 2, {}),
    ("butterflies", 3, {}),
    ("hurry-cup", 3, {"options": {"grab": "race"}}),
    ("hurry-cup", 4, {"options": {"grab": "sealed", "races": 2}}),
]


@pytest.mark.parametrize(("game", "seats", "settings"), KINDS)
def test_a_game_over_many_restarts_is_the_game_without_any(
    server: MemoryServer, game: str, seats: int, settings: Plain
) -> None:
    """State, journal, luck, questions with their numbers: also in a scramble, and with sealed rankings."""
    table, people = dealt(server, game, seats, **settings)
    straight = MemoryServer(store=MemoryStore())
    same, others = dealt(straight, game, seats, **settings)
    moves = 0
    for slice in range(30):
        until = play(others, same, slice % 5, moves)
        assert play(people, table, slice % 5, moves) == until
        moves = until
        server = back(server, people)
        ours, theirs = server.match(table), straight.match(same)
        assert (ours.state, ours.journal, ours.left) == (theirs.state, theirs.journal, theirs.left)
        for person, other in zip(people, others, strict=True):
            known, expected = person.memory(table).known, other.memory(same).known
            assert all(known[part] == expected[part] for part in ("view", "question", "awaited", "result"))
    assert moves > 50 and server.bugs == []


def test_a_resume_over_a_restart_brings_a_snapshot_and_then_every_event(server: MemoryServer) -> None:
    table, people = dealt(server)
    play(people, table, 5)
    last = people[0].memories[table].seq
    restarted(server, people)
    for person in people:
        person.come_back()
    for after in (last, 0, None):
        assert people[0].resume(table, after) == {"snapshot": True}
    people[1].resume(table)
    seq = people[0].memories[table].seq
    assert seq is not None and last is not None and seq > last
    play(people, table, 5)
    assert people[0].memories[table].seq == seq + 5
    assert people[0].resume(table, seq) == {"snapshot": False}
    with pytest.raises(Gap):
        people[0].memories[table].take({"type": "chat", "seq": seq + 7, "line": {}})


def test_who_has_left_who_is_played_for_and_who_is_host_come_back(server: MemoryServer) -> None:
    table, people = dealt(server, "butterflies", 4, clocks={"decision": 5.0})
    people[0].do("leave", table=table)
    people[1].do("resign", table=table)
    server.wait(120.0)
    before = people[1].memory(table).known["info"]
    assert any(chair["stand_in"] for chair in before["chairs"]) and before["host"] != "Ann"
    after = restarted(server, people)
    after.wait(FIRST_LOOK)
    told = {chair.name: chair for chair in after.table(table).info().chairs if chair}
    for chair in before["chairs"]:
        assert told[chair["name"]].stand_in == chair["stand_in"]
        assert told[chair["name"]].left == chair["left"]
    assert after.table(table).host == before["host"]
    assert people[0].come_back()["tables"] == [] and people[1].come_back()["tables"] == [table]


def test_nobody_is_played_for_who_resumed_before_the_crash(server: MemoryServer) -> None:
    table, people = dealt(server, clocks={"decision": 5.0})
    server.wait(60.0)
    (player,) = asked(people, table)
    seat = people.index(player)
    assert server.live_game(table).players[seat].stand_in
    player.resume(table)
    after = restarted(server, people)
    after.wait(FIRST_LOOK)
    assert not after.live_game(table).players[seat].stand_in


def test_nobody_is_played_for_who_acted_just_before_the_crash(server: MemoryServer) -> None:
    table, people = dealt(server, clocks={"decision": 5.0})
    server.wait(60.0)
    (player,) = asked(people, table)
    seat = people.index(player)
    assert server.live_game(table).players[seat].stand_in
    assert server.store is not None
    server.store.waits = True
    player.act(table)
    server.store.settle_one()
    after = restarted(server, people)
    after.wait(FIRST_LOOK)
    assert not after.live_game(table).players[seat].stand_in
    assert after.match(table).journal[-1].cause == "act"


# The end of games


def test_a_finished_table_comes_back_with_its_result_and_a_second_game_follows_the_first(
    server: MemoryServer,
) -> None:
    table, people = dealt(server)
    play(people, table, 4)
    people[1].do("resign", table=table)
    before = people[0].memory(table).known
    server = back(server, people)
    known = people[0].memory(table).known
    assert known["result"] == before["result"] and known["result"]["head"] is not None
    assert (known["view"], known["info"]) == (before["view"], before["info"])
    people[0].do("rematch", table=table)
    server = back(server, people)
    assert people[0].memory(table).known["info"]["number"] == 2
    for person in people:
        person.do("ready", table=table)
    people[0].do("start", table=table)
    play(people, table, 4)
    server = back(server, people)
    assert server.store is not None
    assert len(server.match(table).journal) == 5 == len(server.store.record(f"{table}-2")[1])
    assert len(server.store.record(f"{table}-1")[1]) == 6


def test_a_kill_between_the_last_move_and_the_end_of_the_game_at_its_table(server: MemoryServer) -> None:
    table, people = dealt(server)
    assert server.store is not None
    server.store.waits = True
    people[1].send("resign", table=table)
    server.store.settle_one()
    assert server.store.tables()[table]["stage"] == "playing"
    back(server, people)
    for person in people:
        known = person.memory(table).known
        assert known["info"]["stage"] == "finished" and known["result"]["reason"] == "forfeit"
        assert known["result"]["head"] == server.store.record(f"{table}-1")[2]["head"]  # type: ignore[index]


def dealt_but_not_saved(server: MemoryServer, **settings: Any) -> tuple[str, list[Player]]:
    table, people = seated(server, "balloon-cup", 2, **settings)
    for person in people:
        person.do("ready", table=table)
    assert server.store is not None
    server.store.waits = True
    people[0].send("start", table=table)
    server.store.settle_one()
    assert server.store.tables()[table]["stage"] == "gathering"
    return table, people


def test_a_kill_between_the_deal_and_the_saving_of_its_table(server: MemoryServer) -> None:
    table, people = dealt_but_not_saved(server)
    dealt_hands = server.match(table).state
    after = back(server, people)
    assert after.match(table).state == dealt_hands
    assert [person.memory(table).known["info"]["stage"] for person in people] == ["playing", "playing"]
    people[0].send("start", id=people[0].last_id, table=table)
    play(people, table, 3)
    assert len(after.match(table).journal) == 4


# Being quick


def test_no_game_is_read_before_somebody_touches_its_table(server: MemoryServer) -> None:
    assert server.store is not None
    table, people = dealt(server)
    for _ in range(2):
        other = people[0].do("create_table", game="balloon-cup", seats=2)["table"]
        people[1].do("join", table=other)
    eve = server.player("Eve")
    eve.do("create_table", game="balloon-cup", seats=2)
    restarted(server, [*people, eve])
    assert server.store.reads == 0
    eve.come_back()
    assert server.store.reads == 1
    assert {told["table"] for told in eve.do("list_tables")["tables"]} >= {table}
    assert server.store.reads == 1
    people[0].come_back()
    assert server.store.reads == 4
    people[1].come_back()
    assert server.store.reads == 4


def test_games_that_nobody_asks_for_come_back_one_at_a_time(server: MemoryServer) -> None:
    assert server.store is not None
    people = server.players(4)
    for person in people:
        person.do("create_table", game="balloon-cup", seats=2)
    after = restarted(server, people)
    after.at += 100.0
    for number in range(1, 5):
        after.tables.tick(after.at)
        assert server.store.reads == number
        after.at += 1.0
    assert all(table.restores_at is None for table in after.tables.by_id.values())


def test_a_game_that_cannot_be_brought_back_ends_its_table_and_no_other(
    server: MemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert server.store is not None
    table, people = dealt(server)
    play(people, table, 4)
    fine = people[0].do("create_table", game="balloon-cup", seats=2)["table"]
    header, lines, end = server.store.record(f"{table}-1")
    lines[2]["action"]["card"] = "grey-1" if lines[2]["action"]["card"] != "grey-1" else "grey-2"
    whole = server.store.record
    told = {f"{table}-1": (header, lines, end)}
    monkeypatch.setattr(server.store, "record", lambda game: told[game] if game in told else whole(game))
    after = restarted(server, people)
    assert people[0].come_back()["tables"] == [fine]
    assert [bug[0] for bug in after.bugs] == [table] and set(after.tables.by_id) == {fine}


def test_a_game_that_cannot_be_read_for_a_while_is_brought_back_later(
    server: MemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database of the archive may be away when somebody comes back."""
    assert server.store is not None
    table, people = dealt(server)
    moves = play(people, table, 4)
    whole, away = server.store.record, True

    def record(game: str) -> tuple[Plain, list[Plain], Plain | None]:
        if away:
            raise Unreadable("games", "away")
        return whole(game)

    monkeypatch.setattr(server.store, "record", record)
    after = restarted(server, people)
    with pytest.raises(ProtocolError) as refused:
        people[0].come_back()
    assert refused.value.code.name == "not_kept"
    after.at += 100.0
    after.tables.tick(after.at)
    assert after.bugs == [] and set(after.tables.by_id) == {table}
    away = False
    after.at += 100.0
    after.tables.tick(after.at)
    for person in people:
        assert person.come_back()["tables"] == [table]
        person.resume(table)
    assert play(people, table, 2, moves) == moves + 2


def test_a_table_for_practice_is_one_after_a_restart(server: MemoryServer) -> None:
    table, people = dealt(server, "hurry-cup", 3, bots=(1, 2), practice=True)
    after = back(server, people)
    assert people[0].memory(table).known["info"]["practice"] is True
    after.wait(600.0)
    assert people[1].refused("act", table=table, turn=1, action={"type": "quiet"}).code == "not_now"
    assert people[0].question(table)["turn"] == 1
