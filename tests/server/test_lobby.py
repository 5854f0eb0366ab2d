"""The life of a table: made, found, filled, watched, talked at, left, passed on and cleared away."""

import pytest
from houses.people import Doors, Guest, Refused, asked, dealt, seated

from parlour.server.house import House
from parlour.server.table import EMPTY_FOR

BALLOON = {"game": "balloon-cup", "seats": 2}


def chairs(guest: Guest, table: str) -> list[str | None]:
    return [chair and chair["name"] for chair in guest.memory(table).known["info"]["chairs"]]


def finished(
    doors: Doors, game: str = "balloon-cup", seats: int = 2, **settings: object
) -> tuple[str, list[Guest]]:
    table, people = dealt(doors, game, seats, **settings)
    for person in people[1:]:
        person.do("resign", table=table)
    assert doors.table(table).stage == "finished"
    return table, people


# Making and finding


def test_whoever_makes_a_table_is_its_host_on_seat_0() -> None:
    ann = Doors().guest("Ann")
    made = ann.do("create_table", **BALLOON, options={"trade": "off"})
    snapshot = ann.last("snapshot")
    assert (made["seat"], snapshot["seat"], made["code"]) == (0, 0, None)
    info = snapshot["info"]
    assert (info["host"], info["stage"], info["options"]["trade"]) == ("Ann", "gathering", "off")


@pytest.mark.parametrize(
    ("wrong", "code", "where"),
    [
        ({"game": "go"}, "no_such_game", None),
        ({"seats": 3}, "bad_options", "seats"),
        ({"options": {"trade": "maybe"}}, "bad_options", "trade"),
        ({"options": {"colour": "red"}}, "bad_options", "colour"),
        ({"clocks": {"decision": 0.1}}, "bad_options", "clocks.decision"),
        ({"clocks": {"bank": -1}}, "bad_options", "clocks.bank"),
        ({"clocks": {"grace": 1e9}}, "bad_options", "clocks.grace"),
        ({"clocks": {"scramble": 0}}, "bad_options", "clocks.scramble"),
        ({"reaction": 6}, "bad_options", "reaction"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_field(
    wrong: dict[str, object], code: str, where: str | None
) -> None:
    doors = Doors()
    refused = doors.guest("Ann").refused("create_table", **{**BALLOON, **wrong})
    assert (refused.code, refused.facts.get("where")) == (code, where)
    assert not doors.hall.tables


def test_a_public_table_is_listed_and_joined_by_its_id() -> None:
    doors = Doors()
    ann, bob = doors.guests(2)
    table = ann.do("create_table", **BALLOON)["table"]
    assert [info["table"] for info in bob.do("list_tables")["tables"]] == [table]
    assert bob.do("join", table=table) == {"table": table, "seat": 1}
    assert chairs(ann, table) == chairs(bob, table) == ["Ann", "Bob"]


def test_a_private_table_is_found_by_its_code_only() -> None:
    doors = Doors()
    ann, bob, cleo = doors.guests(3)
    cleo.do("watch_lobby", on=True)
    made = ann.do("create_table", **BALLOON, public=False)
    assert len(made["code"]) == 6
    assert bob.do("list_tables") == {"tables": []}
    assert bob.refused("join", table=made["table"]).code == "no_such_table"
    assert bob.refused("watch", table=made["table"]).code == "no_such_table"
    assert bob.refused("join", code="AAAAAA").code == "no_such_table"
    assert bob.refused("join").code == "no_such_table"
    bob.do("watch", code=made["code"])
    bob.do("join", code=made["code"].lower())
    assert ann.memory(made["table"]).known["code"] == made["code"]
    ann.do("leave", table=made["table"])
    bob.do("leave", table=made["table"])
    assert cleo.events("lobby_table") == cleo.events("lobby_gone") == []


def test_a_watcher_of_a_private_table_does_not_learn_its_code() -> None:
    doors = Doors()
    ann, bob = doors.guests(2)
    made = ann.do("create_table", **BALLOON, public=False)
    bob.do("watch", code=made["code"])
    assert bob.last("snapshot")["code"] is None
    assert made["code"] not in str(bob.last("snapshot"))


def test_nobody_sits_at_a_table_of_which_he_knows_only_the_id() -> None:
    doors = Doors()
    ann, bob = doors.guests(2)
    private = ann.do("create_table", **BALLOON, public=False)["table"]
    for word, fields in (
        ("sit", {"seat": 1}),
        ("ready", {}),
        ("start", {}),
        ("leave", {}),
        ("kick", {"seat": 0}),
        ("add_bot", {}),
        ("rematch", {}),
        ("say", {"text": "hi"}),
        ("act", {"turn": 1, "action": {}}),
        ("resign", {}),
        ("resume", {}),
    ):
        there = bob.refused(word, table=private, **fields)
        nowhere = bob.refused(word, table="nowhere", **fields)
        assert (there.code, there.facts) == (nowhere.code, nowhere.facts) == ("not_seated", {})


def test_a_player_has_a_few_tables_at_most() -> None:
    doors = Doors(House(tables_each=2))
    ann, bob = doors.guests(2)
    other = bob.do("create_table", **BALLOON)["table"]
    for _ in range(2):
        ann.do("create_table", **BALLOON)
    assert ann.refused("create_table", **BALLOON).code == "too_many_tables"
    assert ann.refused("join", table=other).code == "too_many_tables"
    for info in ann.do("list_tables")["tables"]:
        if info["host"] == "Ann":
            bob.do("watch", table=info["table"])
    third = doors.guest("Cleo").do("create_table", **BALLOON)["table"]
    assert bob.refused("watch", table=third).code == "too_many_tables"


def test_a_house_has_so_many_tables_and_no_more() -> None:
    doors = Doors(House(tables=1))
    ann, bob = doors.guests(2)
    ann.do("create_table", **BALLOON)
    assert bob.refused("create_table", **BALLOON).code == "too_many_tables"


# Seats


def test_a_seat_can_be_chosen_and_changed_before_the_game() -> None:
    doors = Doors()
    ann, bob, cleo = doors.guests(3)
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
    doors = Doors()
    ann, bob = doors.guests(2)
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
    doors = Doors()
    ann, bob, cleo = doors.guests(3)
    table = ann.do("create_table", **BALLOON)["table"]
    bob.do("join", table=table)
    bob.do("ready", table=table)
    bob.do("leave", table=table)
    cleo.do("join", table=table)
    assert cleo.resume(table, 0) == {"snapshot": False}
    assert [event["info"]["chairs"][1]["name"] for event in cleo.events("table_changed")] == ["Cleo"]


def test_a_full_table_takes_nobody_more() -> None:
    doors = Doors()
    table, _ = seated(doors, "balloon-cup", 2)
    assert doors.guest("Wes").refused("join", table=table).code == "no_seat"


def test_a_game_begins_when_all_are_ready_and_the_host_says_so() -> None:
    doors = Doors()
    ann, bob = doors.guests(2)
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
    assert doors.guest("Wes").refused("join", table=table).code == "not_now"


@pytest.mark.parametrize("nonce", ["", "a b", "x" * 65, "é", "a\n"])
def test_a_nonce_is_printable_ascii(nonce: str) -> None:
    ann = Doors().guest("Ann")
    table = ann.do("create_table", **BALLOON)["table"]
    assert ann.refused("ready", table=table, nonce=nonce).facts["where"] == "nonce"
    assert ann.memory(table).known["info"]["chairs"][0]["ready"] is False


# Hosts


def test_the_host_leaving_passes_the_table_on_to_people_first_and_to_who_is_there() -> None:
    doors = Doors()
    ann, away, cleo = doors.guests(3)
    robo = doors.guest("Robo", bot=True)
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
    assert table not in doors.hall.tables


def test_the_host_clears_a_seat_and_nobody_else_does() -> None:
    doors = Doors()
    table, (ann, bob) = seated(doors, "balloon-cup", 2)
    assert bob.refused("kick", table=table, seat=0).code == "not_host"
    assert ann.refused("kick", table=table, seat=0).code == "no_seat"
    assert ann.refused("kick", table=table, seat=7).code == "no_seat"
    ann.do("kick", table=table, seat=1)
    assert bob.last("lobby_gone") == {"type": "lobby_gone", "table": table}
    assert bob.refused("ready", table=table).code == "not_seated"
    assert chairs(ann, table) == ["Ann", None]
    assert ann.refused("kick", table=table, seat=1).code == "no_seat"


def test_in_a_game_the_host_clears_only_the_seat_of_somebody_long_gone() -> None:
    doors = Doors()
    table, (ann, bob, cleo) = dealt(doors, "butterflies", 3, clocks={"grace": 30})
    assert ann.refused("kick", table=table, seat=1).facts == {"stage": "playing"}
    bob.drop()
    doors.wait(30)
    assert ann.refused("kick", table=table, seat=1).code == "not_now"
    doors.wait(1)
    ann.do("kick", table=table, seat=1)
    assert ann.memory(table).known["info"]["chairs"][1]["left"] is True
    assert bob.come_back()["tables"] == []
    assert doors.table(table).stage == "playing"
    assert cleo.memory(table).known["info"]["host"] == "Ann"


def test_somebody_who_has_gone_is_not_kicked_again() -> None:
    doors = Doors()
    table, (ann, bob) = finished(doors)
    bob.do("leave", table=table)
    before = len(bob.events("lobby_gone"))
    assert ann.refused("kick", table=table, seat=1).code == "no_seat"
    assert len(bob.events("lobby_gone")) == before


# Leaving


def test_the_last_to_leave_takes_the_table_along() -> None:
    doors = Doors()
    table, (ann, bob) = seated(doors, "balloon-cup", 2)
    watcher = doors.guest("Wes")
    watcher.do("watch", table=table)
    ann.do("leave", table=table)
    assert table in doors.hall.tables
    bob.do("leave", table=table)
    assert table not in doors.hall.tables
    assert watcher.last("lobby_gone")["table"] == table
    assert watcher.refused("resume", table=table).code == "not_seated"


def test_leaving_in_a_game_is_resigning_first() -> None:
    doors = Doors()
    table, (ann, bob) = dealt(doors)
    bob.do("leave", table=table)
    assert ann.memory(table).known["result"]["winners"] == [0]
    chair = ann.memory(table).known["info"]["chairs"][1]
    assert (chair["name"], chair["here"], chair["left"]) == ("Bob", False, True)
    seen = len(bob.wire.frames)
    ann.do("say", table=table, text="well played")
    assert len(bob.wire.frames) == seen


def test_whoever_resigned_stays_at_the_table_and_can_come_back_to_it() -> None:
    doors = Doors()
    table, (ann, bob, _) = dealt(doors, "butterflies", 3)
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
    doors = Doors()
    table, people = seated(doors, "balloon-cup", 2)
    people[0].drop()
    doors.wait(2 * EMPTY_FOR["gathering"])
    people[1].drop()
    doors.wait(EMPTY_FOR["gathering"] - 1)
    people[1].come_back()
    doors.wait(EMPTY_FOR["gathering"])
    assert table in doors.hall.tables
    people[1].drop()
    doors.wait(EMPTY_FOR["gathering"])
    assert table not in doors.hall.tables
    assert people[1].come_back()["tables"] == []


def test_a_game_waits_longer_for_its_players_than_an_empty_table() -> None:
    doors = Doors()
    table, people = dealt(doors)
    for person in people:
        person.drop()
    doors.wait(EMPTY_FOR["playing"] - 1)
    assert table in doors.hall.tables
    doors.wait(1)
    assert table not in doors.hall.tables


# Bots


def test_built_in_bots_fill_empty_seats_and_are_ready() -> None:
    doors = Doors()
    ann, bob = doors.guests(2)
    bob.do("watch_lobby", on=True)
    table = ann.do("create_table", game="butterflies", seats=3)["table"]
    assert ann.refused("add_bot", table=table, strategy="clever").code == "no_such_bot"
    assert bob.refused("add_bot", table=table).code == "not_seated"
    added = ann.do("add_bot", table=table, seat=2)
    assert added["seat"] == 2
    chair = ann.memory(table).known["info"]["chairs"][2]
    assert (chair["bot"], chair["ready"], chair["here"]) == (True, True, False)
    token, where, strategy = doors.bots.orders[0]
    assert (where, strategy) == (table, "random")
    bot = Guest(doors, added["name"])
    assert bot.hello(token=token)["tables"] == [table]
    assert bot.resume(table) == {"snapshot": True}
    assert ann.memory(table).known["info"]["chairs"][2]["here"] is True
    assert bob.last("lobby_table")["info"]["chairs"][2]["name"] == added["name"]


def test_a_name_like_a_bots_keeps_no_bot_away() -> None:
    doors = Doors()
    ann = doors.guest("Ann")
    for name in ("bot ada", "BOT-BEA"):
        doors.guest(name)
    table = ann.do("create_table", game="butterflies", seats=3)["table"]
    assert ann.do("add_bot", table=table)["name"] == "Bot Bea"


def test_a_table_without_bots_takes_none_in() -> None:
    doors = Doors()
    ann = doors.guest("Ann")
    robo = doors.guest("Robo", bot=True)
    table = ann.do("create_table", **BALLOON, bots=False)["table"]
    assert ann.refused("add_bot", table=table).facts == {"setting": "bots"}
    assert robo.refused("join", table=table).facts == {"setting": "bots"}
    assert robo.refused("create_table", **BALLOON, bots=False).facts == {"setting": "bots"}
    assert set(doors.hall.sessions) == {"Ann", "Robo"}


def test_a_table_with_only_built_in_bots_left_is_cleared_away_and_the_bots_are_sent_home() -> None:
    doors = Doors()
    ann = doors.guest("Ann")
    table = ann.do("create_table", **BALLOON)["table"]
    name = ann.do("add_bot", table=table)["name"]
    bot = Guest(doors, name)
    bot.hello(token=doors.bots.orders[0][0])
    ann.do("leave", table=table)
    assert not doors.hall.tables
    assert bot.wire.closed == (1000, "done")
    assert set(doors.hall.sessions) == {"Ann"}
    assert len(doors.hall.register) == 1


def test_a_kicked_bot_goes_home_and_its_name_is_free() -> None:
    doors = Doors()
    ann = doors.guest("Ann")
    table = ann.do("create_table", **BALLOON)["table"]
    name = ann.do("add_bot", table=table)["name"]
    ann.do("kick", table=table, seat=1)
    assert name not in doors.hall.sessions
    assert ann.do("add_bot", table=table)["name"] == name


def test_a_built_in_bot_that_gets_up_by_itself_is_forgotten_when_its_line_ends() -> None:
    doors = Doors()
    ann = doors.guest("Ann")
    table = ann.do("create_table", **BALLOON)["table"]
    bot = Guest(doors, ann.do("add_bot", table=table)["name"])
    bot.hello(token=doors.bots.orders[0][0])
    bot.do("leave", table=table)
    bot.drop()
    assert set(doors.hall.sessions) == {"Ann"}


def test_bots_of_others_play_on_among_themselves() -> None:
    doors = Doors()
    table, (ann, robo, _) = dealt(doors, "butterflies", 3, bots=(1, 2))
    ann.do("leave", table=table)
    assert doors.table(table).stage == "playing"
    assert robo.memory(table).known["info"]["host"] == "Bob"


# Rematch


def test_a_rematch_moves_the_seats_on_by_one() -> None:
    doors = Doors()
    table, (ann, bob, cleo) = finished(doors, "butterflies", 3)
    first = ann.memory(table).known["info"]["commitment"]
    cleo.do("rematch", table=table)
    assert chairs(ann, table) == ["Cleo", "Ann", "Bob"]
    assert [person.memory(table).known["seat"] for person in (ann, bob, cleo)] == [1, 2, 0]
    info = ann.memory(table).known["info"]
    assert (info["number"], info["stage"], info["host"]) == (2, "gathering", "Ann")
    assert info["commitment"] != first
    assert ann.memory(table).known["view"] is None
    assert ann.refused("rematch", table=table).code == "not_now"


def test_a_rematch_begins_with_everybody_whole_and_without_old_nonces() -> None:
    doors = Doors()
    table, people = seated(doors, "butterflies", 3)
    for person in people:
        person.do("ready", table=table, nonce=person.name)
    people[0].do("start", table=table)
    people[1].do("resign", table=table)
    people[2].do("resign", table=table)
    assert people[0].memory(table).known["result"]["nonces"] == ["Ann", "Bob", "Cleo"]
    people[0].do("rematch", table=table)
    for chair in people[0].memory(table).known["info"]["chairs"]:
        assert (chair["ready"], chair["left"], chair["stand_in"], chair["nonce"]) == (
            False,
            False,
            False,
            None,
        )
    for person in people:
        person.do("ready", table=table)
    people[0].do("start", table=table)
    assert asked(people, table)[0].turn(table) == 1


def test_whoever_got_up_has_no_seat_in_the_rematch() -> None:
    doors = Doors()
    table, (ann, bob, cleo) = finished(doors, "butterflies", 3)
    bob.do("leave", table=table)
    assert chairs(ann, table) == ["Ann", "Bob", "Cleo"]
    assert bob.refused("rematch", table=table).code == "not_seated"
    ann.do("rematch", table=table)
    assert chairs(cleo, table) == ["Cleo", "Ann", None]
    bob.do("join", table=table)
    assert chairs(cleo, table) == ["Cleo", "Ann", "Bob"]


def test_whoever_missed_the_rematch_gets_a_snapshot_and_no_wrong_events() -> None:
    doors = Doors()
    table, (ann, bob) = finished(doors)
    last = bob.memory(table).seq
    bob.drop()
    ann.do("rematch", table=table)
    for on in (True, False) * 20:
        ann.do("ready", table=table, on=on)
    bob.come_back()
    assert bob.resume(table, last) == {"snapshot": True}
    assert bob.memory(table).known["seat"] == 0
    assert bob.memory(table).picture() | {"seat": 1} == ann.memory(table).picture()


def test_there_is_no_rematch_before_the_end() -> None:
    doors = Doors()
    table, (ann, _) = dealt(doors)
    assert ann.refused("rematch", table=table).facts == {"stage": "playing"}


def test_a_finished_table_goes_when_all_have_left() -> None:
    doors = Doors()
    table, people = finished(doors)
    for person in people:
        person.do("leave", table=table)
    assert not doors.hall.tables
    assert doors.hall.wake_at() is None


# Lobby, chat, presence


def test_the_lobby_tells_of_every_change_until_it_is_no_longer_watched() -> None:
    doors = Doors()
    wes, ann = doors.guest("Wes"), doors.guest("Ann")
    assert wes.do("watch_lobby", on=True) == {"tables": []}
    table = ann.do("create_table", **BALLOON)["table"]
    assert wes.last("lobby_table")["info"]["chairs"][0]["name"] == "Ann"
    ann.do("leave", table=table)
    assert wes.last("lobby_gone")["table"] == table
    assert wes.do("watch_lobby", on=False) is None
    count = len(wes.seen)
    ann.do("create_table", **BALLOON)
    assert len(wes.events("lobby_table")) == 1
    assert len(wes.seen) == count


def test_lobby_chat_reaches_whoever_watches_the_lobby() -> None:
    doors = Doors()
    ann, bob, cleo = doors.guests(3)
    bob.do("watch_lobby", on=True)
    ann.do("say", text="  hello  ")
    line = bob.last("lobby_chat")["line"]
    assert (line["name"], line["text"], line["bot"]) == ("Ann", "hello", False)
    assert cleo.events("lobby_chat") == []


def test_table_chat_reaches_players_and_watchers_and_is_in_snapshots() -> None:
    doors = Doors()
    table, (ann, bob) = seated(doors, "balloon-cup", 2)
    wes = doors.guest("Wes")
    wes.do("watch", table=table)
    ann.do("say", table=table, text="hello")
    assert [person.last("chat")["line"]["text"] for person in (ann, bob, wes)] == ["hello"] * 3
    assert wes.refused("say", table=table, text="me too").code == "not_seated"
    late = doors.guest("Lea")
    late.do("watch", table=table)
    assert [line["text"] for line in late.memory(table).known["chat"]] == ["hello"]


@pytest.mark.parametrize("text", ["", " ", "x" * 301, "a\nb", "\x1b[31m", "\u202eabc", "\u2028", "a\x00"])
def test_what_could_play_tricks_on_a_terminal_is_not_said(text: str) -> None:
    doors = Doors()
    ann, bob = doors.guests(2)
    bob.do("watch_lobby", on=True)
    assert ann.refused("say", text=text).facts["where"] == "text"
    assert bob.events("lobby_chat") == []


def test_whoever_talks_too_much_is_told_to_wait() -> None:
    doors = Doors(House(lines_per_second=1.0, lines_burst=3))
    ann = doors.guest("Ann")
    for _ in range(3):
        ann.do("say", text="bla")
    for _ in range(3):
        assert ann.refused("say", text="bla").retry_after == pytest.approx(1.0)
    doors.wait(1.0)
    ann.do("say", text="bla")
    assert ann.refused("say", text="bla").code == "busy"


def test_whoever_asks_for_all_tables_too_often_is_told_to_wait() -> None:
    doors = Doors(House(lists_per_second=1.0, lists_burst=2))
    ann = doors.guest("Ann")
    ann.do("list_tables")
    ann.do("watch_lobby", on=True)
    ann.do("watch_lobby", on=False)
    assert ann.refused("watch_lobby", on=True).code == "busy"
    assert ann.session.in_lobby is False
    assert ann.refused("list_tables").retry_after == pytest.approx(1.0)
    doors.wait(1.0)
    ann.do("list_tables")


def test_everybody_sees_who_is_connected() -> None:
    doors = Doors()
    table, (ann, bob) = seated(doors, "balloon-cup", 2)
    bob.drop()
    assert ann.memory(table).known["info"]["chairs"][1]["here"] is False
    bob.come_back()
    assert ann.memory(table).known["info"]["chairs"][1]["here"] is True


def test_a_new_connection_gets_nothing_of_a_table_before_it_resumes() -> None:
    doors = Doors()
    table, (ann, bob) = seated(doors, "balloon-cup", 2)
    bob.drop()
    bob.come_back()
    ann.do("say", table=table, text="there?")
    assert [plain["type"] for plain in bob.seen if "seq" in plain][-1] != "chat"
    bob.resume(table, bob.memory(table).seq)
    assert bob.last("chat")["line"]["text"] == "there?"


# Watching


def test_a_table_says_who_may_watch() -> None:
    doors = Doors()
    ann, wes = doors.guests(2)
    shut = ann.do("create_table", **BALLOON, watching="nobody")["table"]
    assert wes.refused("watch", table=shut).facts == {"setting": "watching"}
    assert ann.refused("watch", table=shut).code == "not_allowed"
    open_ = ann.do("create_table", **BALLOON, watching="public")["table"]
    wes.do("watch", table=open_)
    assert ann.memory(open_).known["info"]["watchers"] == 1
    assert ann.refused("watch", table=open_).code == "not_now"
    wes.do("watch", table=open_)
    assert ann.memory(open_).known["info"]["watchers"] == 1
    wes.do("leave", table=open_)
    assert ann.memory(open_).known["info"]["watchers"] == 0
    wes.do("watch", table=open_)
    wes.drop()
    assert ann.memory(open_).known["info"]["watchers"] == 0


@pytest.mark.parametrize("watching", ["public", "everything"])
def test_watchers_see_the_public_part_and_after_the_end_everything_if_the_table_says_so(
    watching: str,
) -> None:
    doors = Doors()
    table, (ann, bob) = dealt(doors, "balloon-cup", 2, watching=watching)
    wes = doors.guest("Wes")
    wes.do("watch", table=table)
    assert [type(hand) for hand in wes.memory(table).known["view"]["hands"]] == [int, int]
    assert [type(hand) for hand in ann.memory(table).known["view"]["hands"]] == [list, int]
    assert wes.memory(table).known["question"] is None
    bob.do("resign", table=table)
    assert [type(hand) for hand in ann.memory(table).known["view"]["hands"]] == [list, list]
    shown = list if watching == "everything" else int
    assert [type(hand) for hand in wes.memory(table).known["view"]["hands"]] == [shown, shown]
    result = wes.memory(table).known["result"]
    assert (result["secret"] is not None) == (watching == "everything")
    late = doors.guest("Lea")
    late.do("watch", table=table)
    assert late.memory(table).picture() | {"info": None} == wes.memory(table).picture() | {"info": None}
    assert ann.memory(table).known["result"]["secret"] is not None


def test_all_watchers_share_one_packed_frame() -> None:
    doors = Doors()
    table, people = dealt(doors)
    watchers = [doors.guest(name) for name in ("Wes", "Lea")]
    for watcher in watchers:
        watcher.do("watch", table=table)
    asked(people, table)[0].act(table)
    assert watchers[0].wire.frames[-1] is watchers[1].wire.frames[-1]


def test_a_watcher_who_joins_watches_no_longer() -> None:
    doors = Doors()
    ann, bob = doors.guests(2)
    table = ann.do("create_table", **BALLOON)["table"]
    bob.do("watch", table=table)
    with pytest.raises(Refused):
        bob.do("join", table=table, seat=0)
    assert ann.memory(table).known["info"]["watchers"] == 1
    bob.do("join", table=table)
    assert ann.memory(table).known["info"]["watchers"] == 0
    assert bob.memory(table).known["seat"] == 1
    ann.do("say", table=table, text="once")
    assert len(bob.events("chat")) == 1
