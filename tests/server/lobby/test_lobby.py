"""The lobby: how tables are made, found, listed and talked in."""

import pytest
from support.server.memory_server import MemoryServer, Player, seated

from parlour.server.limits import Limits
from parlour.server.people.rate_limit import Budget

BALLOON = {"game": "balloon-cup", "seats": 2}


def chairs(player: Player, table: str) -> list[str | None]:
    return [chair and chair["name"] for chair in player.memory(table).known["info"]["chairs"]]


# Making and finding


def test_whoever_makes_a_table_is_its_host_on_seat_0() -> None:
    ann = MemoryServer().player("Ann")
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
        ({"practice": True, "clocks": {"decision": 30.0}}, "bad_options", "clocks.decision"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_field(
    wrong: dict[str, object], code: str, where: str | None
) -> None:
    server = MemoryServer()
    refused = server.player("Ann").refused("create_table", **{**BALLOON, **wrong})
    assert (refused.code, refused.facts.get("where")) == (code, where)
    assert not server.tables.by_id


@pytest.mark.parametrize(
    ("asked", "allowed"), [({}, True), ({"hints": True}, True), ({"hints": False}, False)]
)
def test_a_table_says_whether_hints_are_allowed(asked: dict[str, bool], allowed: bool) -> None:
    ann = MemoryServer().player("Ann")
    ann.do("create_table", **BALLOON, **asked)
    assert ann.last("snapshot")["info"]["hints"] is allowed


def test_a_table_says_whether_it_is_for_practice() -> None:
    ann = MemoryServer().player("Ann")
    ann.do("create_table", **BALLOON)
    assert ann.last("snapshot")["info"]["practice"] is False
    ann.do("create_table", **BALLOON, practice=True)
    assert ann.last("snapshot")["info"]["practice"] is True


def test_a_public_table_is_listed_and_joined_by_its_id() -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
    table = ann.do("create_table", **BALLOON)["table"]
    assert [info["table"] for info in bob.do("list_tables")["tables"]] == [table]
    assert bob.do("join", table=table) == {"table": table, "seat": 1}
    assert chairs(ann, table) == chairs(bob, table) == ["Ann", "Bob"]


def test_a_private_table_is_found_by_its_code_only() -> None:
    server = MemoryServer()
    ann, bob, cleo = server.players(3)
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
    server = MemoryServer()
    ann, bob = server.players(2)
    made = ann.do("create_table", **BALLOON, public=False)
    bob.do("watch", code=made["code"])
    assert bob.last("snapshot")["code"] is None
    assert made["code"] not in str(bob.last("snapshot"))


def test_nobody_sits_at_a_table_of_which_he_knows_only_the_id() -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
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
    server = MemoryServer(Limits(tables_each=2))
    ann, bob = server.players(2)
    other = bob.do("create_table", **BALLOON)["table"]
    for _ in range(2):
        ann.do("create_table", **BALLOON)
    assert ann.refused("create_table", **BALLOON).code == "too_many_tables"
    assert ann.refused("join", table=other).code == "too_many_tables"
    for info in ann.do("list_tables")["tables"]:
        if info["host"] == "Ann":
            bob.do("watch", table=info["table"])
    third = server.player("Cleo").do("create_table", **BALLOON)["table"]
    assert bob.refused("watch", table=third).code == "too_many_tables"


def test_a_server_has_so_many_tables_and_no_more() -> None:
    server = MemoryServer(Limits(tables=1))
    ann, bob = server.players(2)
    ann.do("create_table", **BALLOON)
    assert bob.refused("create_table", **BALLOON).code == "too_many_tables"


# Lobby, chat, presence


def test_the_lobby_tells_of_every_change_until_it_is_no_longer_watched() -> None:
    server = MemoryServer()
    wes, ann = server.player("Wes"), server.player("Ann")
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
    server = MemoryServer()
    ann, bob, cleo = server.players(3)
    bob.do("watch_lobby", on=True)
    ann.do("say", text="  hello  ")
    line = bob.last("lobby_chat")["line"]
    assert (line["name"], line["text"], line["bot"]) == ("Ann", "hello", False)
    assert cleo.events("lobby_chat") == []


def test_table_chat_reaches_players_and_watchers_and_is_in_snapshots() -> None:
    server = MemoryServer()
    table, (ann, bob) = seated(server, "balloon-cup", 2)
    wes = server.player("Wes")
    wes.do("watch", table=table)
    ann.do("say", table=table, text="hello")
    assert [person.last("chat")["line"]["text"] for person in (ann, bob, wes)] == ["hello"] * 3
    assert wes.refused("say", table=table, text="me too").code == "not_seated"
    late = server.player("Lea")
    late.do("watch", table=table)
    assert [line["text"] for line in late.memory(table).known["chat"]] == ["hello"]


@pytest.mark.parametrize("text", ["", " ", "x" * 301, "a\nb", "\x1b[31m", "\u202eabc", "\u2028", "a\x00"])
def test_what_could_play_tricks_on_a_terminal_is_not_said(text: str) -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
    bob.do("watch_lobby", on=True)
    assert ann.refused("say", text=text).facts["where"] == "text"
    assert bob.events("lobby_chat") == []


def test_whoever_talks_too_much_is_told_to_wait() -> None:
    server = MemoryServer(Limits(lines=Budget(1.0, 3, 100.0, 100)))
    ann = server.player("Ann")
    for _ in range(3):
        ann.do("say", text="bla")
    for _ in range(3):
        assert ann.refused("say", text="bla").retry_after == pytest.approx(1.0)
    server.wait(1.0)
    ann.do("say", text="bla")
    assert ann.refused("say", text="bla").code == "busy"


def test_whoever_changes_their_mind_too_often_is_told_to_wait_and_gets_ready_at_once() -> None:
    server = MemoryServer(Limits(seats=Budget(1.0, 3, 100.0, 100)))
    ann = server.player("Ann")
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    for _ in range(2):
        ann.do("ready", table=table)
        ann.do("ready", table=table, on=False)
    ann.do("ready", table=table)
    for again in ({"on": False}, {"nonce": "tea"}, {}):
        assert ann.refused("ready", table=table, **again).code == "busy"
    server.wait(1.0)
    ann.do("ready", table=table, nonce="tea")


def test_whoever_asks_for_all_tables_too_often_is_told_to_wait() -> None:
    server = MemoryServer(Limits(lists=Budget(1.0, 2, 100.0, 100)))
    ann = server.player("Ann")
    ann.do("list_tables")
    ann.do("watch_lobby", on=True)
    ann.do("watch_lobby", on=False)
    assert ann.refused("watch_lobby", on=True).code == "busy"
    assert server.tables.watchers.in_lobby(ann.session) is False
    assert ann.refused("list_tables").retry_after == pytest.approx(1.0)
    server.wait(1.0)
    ann.do("list_tables")


def test_everybody_sees_who_is_connected() -> None:
    server = MemoryServer()
    table, (ann, bob) = seated(server, "balloon-cup", 2)
    bob.drop()
    assert ann.memory(table).known["info"]["chairs"][1]["here"] is False
    bob.come_back()
    assert ann.memory(table).known["info"]["chairs"][1]["here"] is True


def test_a_new_connection_gets_nothing_of_a_table_before_it_resumes() -> None:
    server = MemoryServer()
    table, (ann, bob) = seated(server, "balloon-cup", 2)
    bob.drop()
    bob.come_back()
    ann.do("say", table=table, text="there?")
    assert [plain["type"] for plain in bob.seen if "seq" in plain][-1] != "chat"
    bob.resume(table, bob.memory(table).seq)
    assert bob.last("chat")["line"]["text"] == "there?"


# A house


def test_a_server_alone_says_nothing_of_nodes_whatever_a_client_knows() -> None:
    server = MemoryServer()
    ann = Player(server, "Ann")
    welcome = ann.hello(name="Ann", features=["nodes"])
    assert "nodes" not in welcome["features"]
    assert welcome.keys().isdisjoint({"node", "nodes", "elsewhere"})
    table = ann.do("create_table", **BALLOON)["table"]
    (listed,) = ann.do("list_tables")["tables"]
    assert "node" not in listed
    assert "node" not in ann.memory(table).known["info"]
