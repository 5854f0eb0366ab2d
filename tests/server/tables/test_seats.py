"""Who sits where: taking seats, getting ready, hosting, clearing seats, getting up, and empty tables."""

import pytest
from support.server.memory_server import MemoryServer, Player, dealt, seated

from parlour.server.tables.absences import EMPTY_FOR

BALLOON = {"game": "balloon-cup", "seats": 2}


def chairs(player: Player, table: str) -> list[str | None]:
    return [chair and chair["name"] for chair in player.memory(table).known["info"]["chairs"]]


def finished(
    server: MemoryServer, game: str = "balloon-cup", seats: int = 2, **settings: object
) -> tuple[str, list[Player]]:
    table, people = dealt(server, game, seats, **settings)
    for person in people[1:]:
        person.do("resign", table=table)
    assert server.table(table).stage == "finished"
    return table, people


# Seats


def test_a_seat_can_be_chosen_and_changed_before_the_game() -> None:
    server = MemoryServer()
    ann, bob, cleo = server.players(3)
    table = ann.do("create_table", game="butterflies", seats=4)["table"]
    assert bob.do("join", table=table, seat=3)["seat"] == 3
    assert cleo.refused("join", table=table, seat=3).code == "no_seat"
    assert cleo.refused("join", table=table, seat=4).code == "no_seat"
    assert cleo.refused("join", table=table, seat=-1).code == "no_seat"
    assert bob.refused("join", table=table).facts == {"problem": "seated"}
    bob.do("ready", table=table, nonce="mine")
    assert bob.do("sit", table=table, seat=1) == {"seat": 1}
    assert bob.memory(table).known["seat"] == 1
    assert chairs(ann, table) == ["Ann", "Bob", None, None]
    assert ann.memory(table).known["info"]["chairs"][1]["nonce"] == "mine"
    assert bob.refused("sit", table=table, seat=0).code == "no_seat"


def test_numbers_go_on_after_a_change_of_seats_so_that_no_old_event_is_taken_for_a_new_one() -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
    table = ann.do("create_table", game="butterflies", seats=3)["table"]
    bob.do("join", table=table)
    for _ in range(5):
        bob.do("ready", table=table)
    before = bob.memory(table).seq
    assert before is not None
    bob.drop()
    bob.come_back()
    bob.do("sit", table=table, seat=2)
    assert bob.last("snapshot")["seq"] > before + 1
    assert bob.resume(table, before) == {"snapshot": True}


def test_whoever_takes_a_seat_gets_nothing_of_what_its_last_owner_was_told() -> None:
    server = MemoryServer()
    ann, bob, cleo = server.players(3)
    table = ann.do("create_table", **BALLOON)["table"]
    bob.do("join", table=table)
    bob.do("ready", table=table)
    bob.do("leave", table=table)
    cleo.do("join", table=table)
    assert cleo.resume(table, 0) == {"snapshot": False}
    assert [event["info"]["chairs"][1]["name"] for event in cleo.events("table_changed")] == ["Cleo"]


def test_a_full_table_takes_nobody_more() -> None:
    server = MemoryServer()
    table, _ = seated(server, "balloon-cup", 2)
    refused = server.player("Wes").refused("join", table=table)
    assert (refused.code, refused.facts) == ("no_seat", {"watching": "public"})


def test_a_game_begins_when_all_are_ready_and_the_host_says_so() -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
    table = ann.do("create_table", **BALLOON)["table"]
    ann.do("ready", table=table)
    assert ann.refused("start", table=table).code == "not_ready"
    bob.do("join", table=table)
    assert ann.refused("start", table=table).code == "not_ready"
    bob.do("ready", table=table)
    bob.do("ready", table=table, on=False)
    assert ann.refused("start", table=table).code == "not_ready"
    bob.do("ready", table=table)
    assert bob.refused("start", table=table).code == "not_host"
    ann.do("start", table=table)
    assert ann.memory(table).known["info"]["stage"] == "playing"
    assert ann.refused("start", table=table).facts == {"stage": "playing"}
    assert bob.refused("ready", table=table).code == "not_now"
    assert bob.refused("sit", table=table, seat=0).code == "not_now"
    assert server.player("Wes").refused("join", table=table).facts == {"watching": "public"}


@pytest.mark.parametrize("nonce", ["", "a b", "x" * 65, "é", "a\n"])
def test_a_nonce_is_printable_ascii(nonce: str) -> None:
    ann = MemoryServer().player("Ann")
    table = ann.do("create_table", **BALLOON)["table"]
    assert ann.refused("ready", table=table, nonce=nonce).facts["where"] == "nonce"
    assert ann.memory(table).known["info"]["chairs"][0]["ready"] is False


# Hosts


def test_the_host_leaving_passes_the_table_on_to_people_first_and_to_who_is_there() -> None:
    server = MemoryServer()
    ann, away, cleo = server.players(3)
    robo = server.player("Robo", bot=True)
    table = ann.do("create_table", game="butterflies", seats=4)["table"]
    for person in (robo, away, cleo):
        person.do("join", table=table)
    away.drop()
    ann.do("leave", table=table)
    assert cleo.memory(table).known["info"]["host"] == "Cleo"
    cleo.do("leave", table=table)
    assert robo.memory(table).known["info"]["host"] == "Bob"
    away.come_back()
    away.do("leave", table=table)
    assert robo.memory(table).known["info"]["host"] == "Robo"
    robo.do("leave", table=table)
    assert table not in server.tables.by_id


def test_the_host_clears_a_seat_and_nobody_else_does() -> None:
    server = MemoryServer()
    table, (ann, bob) = seated(server, "balloon-cup", 2)
    assert bob.refused("kick", table=table, seat=0).code == "not_host"
    assert ann.refused("kick", table=table, seat=0).code == "no_seat"
    assert ann.refused("kick", table=table, seat=7).code == "no_seat"
    ann.do("kick", table=table, seat=1)
    assert bob.last("lobby_gone") == {"type": "lobby_gone", "table": table, "reason": "kicked"}
    assert bob.refused("ready", table=table).code == "not_seated"
    assert chairs(ann, table) == ["Ann", None]
    assert ann.refused("kick", table=table, seat=1).code == "no_seat"


def test_whoever_was_kicked_comes_back_when_the_host_lets_them() -> None:
    server = MemoryServer()
    ann, bob, cleo = server.players(3)
    made = ann.do("create_table", game="butterflies", seats=3, public=False)
    table, code = made["table"], made["code"]
    bob.do("join", code=code)
    cleo.do("join", code=code)
    ann.do("kick", table=table, seat=1)
    assert ann.memory(table).known["info"]["kicked"] == ["Bob"]
    assert bob.refused("join", code=code).code == "kicked"
    assert bob.refused("watch", code=code).code == "kicked"
    assert cleo.refused("let_back", table=table, name="Bob").code == "not_host"
    ann.do("let_back", table=table, name="Nobody")
    assert bob.refused("join", code=code).code == "kicked"
    ann.do("let_back", table=table, name="Bob")
    assert ann.memory(table).known["info"]["kicked"] == []
    assert bob.do("join", code=code)["seat"] == 1


def test_the_name_of_a_built_in_bot_that_was_kicked_is_not_kept() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table = ann.do("create_table", **BALLOON)["table"]
    ann.do("add_bot", table=table)
    ann.do("kick", table=table, seat=1)
    assert ann.memory(table).known["info"]["kicked"] == []


def test_in_a_game_the_host_clears_only_the_seat_of_somebody_long_gone() -> None:
    server = MemoryServer()
    table, (ann, bob, cleo) = dealt(server, "butterflies", 3, clocks={"grace": 30})
    assert ann.refused("kick", table=table, seat=1).facts == {"stage": "playing"}
    bob.drop()
    server.wait(30)
    assert ann.refused("kick", table=table, seat=1).code == "not_now"
    server.wait(1)
    ann.do("kick", table=table, seat=1)
    assert ann.memory(table).known["info"]["chairs"][1]["left"] is True
    assert bob.come_back()["tables"] == []
    assert server.table(table).stage == "playing"
    assert cleo.memory(table).known["info"]["host"] == "Ann"


def test_somebody_who_has_gone_is_not_kicked_again() -> None:
    server = MemoryServer()
    table, (ann, bob) = finished(server)
    bob.do("leave", table=table)
    before = len(bob.events("lobby_gone"))
    assert ann.refused("kick", table=table, seat=1).code == "no_seat"
    assert len(bob.events("lobby_gone")) == before


# Leaving


def test_the_last_to_leave_takes_the_table_along() -> None:
    server = MemoryServer()
    table, (ann, bob) = seated(server, "balloon-cup", 2)
    watcher = server.player("Wes")
    watcher.do("watch", table=table)
    ann.do("leave", table=table)
    assert table in server.tables.by_id
    bob.do("leave", table=table)
    assert table not in server.tables.by_id
    assert watcher.last("lobby_gone")["table"] == table
    assert watcher.refused("resume", table=table).code == "not_seated"


def test_leaving_in_a_game_is_resigning_first() -> None:
    server = MemoryServer()
    table, (ann, bob) = dealt(server)
    bob.do("leave", table=table)
    assert ann.memory(table).known["result"]["winners"] == [0]
    chair = ann.memory(table).known["info"]["chairs"][1]
    assert (chair["name"], chair["here"], chair["left"]) == ("Bob", False, True)
    seen = len(bob.peer.frames)
    ann.do("say", table=table, text="well played")
    assert len(bob.peer.frames) == seen


def test_whoever_resigned_stays_at_the_table_and_can_come_back_to_it() -> None:
    server = MemoryServer()
    table, (ann, bob, _) = dealt(server, "butterflies", 3)
    bob.do("resign", table=table)
    assert bob.refused("resign", table=table).code == "not_asked"
    bob.drop()
    assert ann.memory(table).known["info"]["chairs"][1]["here"] is False
    assert bob.come_back()["tables"] == [table]
    bob.resume(table)
    assert (
        bob.memory(table).known["info"]["chairs"][1] | {"here": True, "left": True}
        == (ann.memory(table).known["info"]["chairs"][1])
    )
    bob.do("say", table=table, text="go on")
    assert ann.last("chat")["line"]["text"] == "go on"


def test_a_table_that_everybody_has_lost_is_cleared_away_in_time() -> None:
    server = MemoryServer()
    table, people = seated(server, "balloon-cup", 2)
    people[0].drop()
    server.wait(2 * EMPTY_FOR["gathering"])
    people[1].drop()
    server.wait(EMPTY_FOR["gathering"] - 1)
    people[1].come_back()
    server.wait(EMPTY_FOR["gathering"])
    assert table in server.tables.by_id
    people[1].drop()
    server.wait(EMPTY_FOR["gathering"])
    assert table not in server.tables.by_id
    assert people[1].come_back()["tables"] == []


def test_a_game_waits_longer_for_its_players_than_an_empty_table() -> None:
    server = MemoryServer()
    table, people = dealt(server)
    for person in people:
        person.drop()
    server.wait(EMPTY_FOR["playing"] - 1)
    assert table in server.tables.by_id
    server.wait(1)
    assert table not in server.tables.by_id


def test_a_host_who_is_away_for_a_minute_is_host_no_more_if_somebody_else_is_there() -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
    table = ann.do("create_table", game="butterflies", seats=3)["table"]
    bob.do("join", table=table)
    ann.drop()
    server.wait(59)
    assert bob.refused("add_bot", table=table).code == "not_host"
    server.wait(2)
    assert bob.memory(table).known["info"]["host"] == "Bob"
    assert bob.do("add_bot", table=table)["seat"] == 2


def test_a_host_who_is_back_in_time_stays_host() -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
    table = ann.do("create_table", game="butterflies", seats=3)["table"]
    bob.do("join", table=table)
    ann.drop()
    server.wait(50)
    ann.come_back()
    server.wait(60)
    bob.drop()
    ann.resume(table)
    assert ann.memory(table).known["info"]["host"] == "Ann"
