"""Bots on seats: the server's own, and those of others."""

from support.server.memory_server import MemoryServer, Player, dealt

BALLOON = {"game": "balloon-cup", "seats": 2}


def test_built_in_bots_fill_empty_seats_and_are_ready() -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
    bob.do("watch_lobby", on=True)
    table = ann.do("create_table", game="butterflies", seats=3)["table"]
    assert ann.refused("add_bot", table=table, strategy="clever").code == "no_such_bot"
    assert bob.refused("add_bot", table=table).code == "not_seated"
    added = ann.do("add_bot", table=table, seat=2)
    assert added["seat"] == 2
    chair = ann.memory(table).known["info"]["chairs"][2]
    assert (chair["bot"], chair["ready"], chair["here"]) == (True, True, False)
    token, where, strategy = server.bots.orders[0]
    assert (where, strategy) == (table, "random")
    bot = Player(server, added["name"])
    assert bot.hello(token=token)["tables"] == [table]
    assert bot.resume(table) == {"snapshot": True}
    assert ann.memory(table).known["info"]["chairs"][2]["here"] is True
    assert bob.last("lobby_table")["info"]["chairs"][2]["name"] == added["name"]


def test_a_name_like_a_bots_keeps_no_bot_away() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    for name in ("bot ada", "BOT-BEA"):
        server.player(name)
    table = ann.do("create_table", game="butterflies", seats=3)["table"]
    assert ann.do("add_bot", table=table)["name"] == "Bot Bea"


def test_a_table_without_bots_takes_none_in() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    robo = server.player("Robo", bot=True)
    table = ann.do("create_table", **BALLOON, bots=False)["table"]
    assert ann.refused("add_bot", table=table).facts == {"setting": "bots"}
    assert robo.refused("join", table=table).facts == {"setting": "bots"}
    assert robo.refused("create_table", **BALLOON, bots=False).facts == {"setting": "bots"}
    assert set(server.tables.sessions) == {"Ann", "Robo"}


def test_a_table_with_only_built_in_bots_left_is_cleared_away_and_the_bots_are_sent_home() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table = ann.do("create_table", **BALLOON)["table"]
    name = ann.do("add_bot", table=table)["name"]
    bot = Player(server, name)
    bot.hello(token=server.bots.orders[0][0])
    ann.do("leave", table=table)
    assert not server.tables.by_id
    assert bot.peer.closed == (1000, "done")
    assert set(server.tables.sessions) == {"Ann"}
    assert len(server.tables.sessions) == 1


def test_a_kicked_bot_goes_home_and_its_name_is_free() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table = ann.do("create_table", **BALLOON)["table"]
    name = ann.do("add_bot", table=table)["name"]
    ann.do("kick", table=table, seat=1)
    assert name not in server.tables.sessions
    assert ann.do("add_bot", table=table)["name"] == name


def test_a_built_in_bot_that_gets_up_by_itself_is_forgotten_when_its_line_ends() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table = ann.do("create_table", **BALLOON)["table"]
    bot = Player(server, ann.do("add_bot", table=table)["name"])
    bot.hello(token=server.bots.orders[0][0])
    bot.do("leave", table=table)
    bot.drop()
    assert set(server.tables.sessions) == {"Ann"}


def test_bots_of_others_play_on_among_themselves() -> None:
    server = MemoryServer()
    table, (ann, robo, _) = dealt(server, "butterflies", 3, bots=(1, 2))
    ann.do("leave", table=table)
    assert server.table(table).stage == "playing"
    assert robo.memory(table).known["info"]["host"] == "Bob"


def test_a_built_in_bot_that_gets_lost_is_started_anew_but_not_for_ever() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table = ann.do("create_table", **BALLOON)["table"]
    name = ann.do("add_bot", table=table)["name"]
    for times in range(1, 4):
        bot = Player(server, name)
        bot.hello(token=server.bots.orders[-1][0])
        bot.drop()
        assert len(server.bots.orders) == 1 + times
        assert server.bots.orders[-1][1:] == (table, "random")
    bot = Player(server, name)
    assert bot.hello(token=server.bots.orders[-1][0])["tables"] == [table]
    bot.drop()
    assert len(server.bots.orders) == 4
