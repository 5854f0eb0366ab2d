"""Bots on seats: the server's own, and those of others."""

from support.server.memory_server import MemoryServer, Player, dealt

from parlour.server.limits import Limits

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


def test_everybody_is_told_how_a_built_in_bot_plays() -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
    table = ann.do("create_table", game="butterflies", seats=3)["table"]
    ann.do("add_bot", table=table, strategy="random")
    bob.do("join", table=table)
    chairs = bob.memory(table).known["info"]["chairs"]
    assert [chair["strategy"] for chair in chairs] == [None, "random", None]


def test_a_name_like_a_bots_keeps_no_bot_away() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    for name in ("bot ada", "BOT-BEA"):
        server.player(name)
    table = ann.do("create_table", game="butterflies", seats=3)["table"]
    assert ann.do("add_bot", table=table)["name"] == "Bot Bea"


def test_no_bot_is_called_like_a_person_who_is_here() -> None:
    server = MemoryServer()
    ada = server.player("Ada")
    table = ada.do("create_table", game="butterflies", seats=3)["table"]
    assert [ada.do("add_bot", table=table)["name"] for _ in range(2)] == ["Bot Bea", "Bot Cyd"]


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


def with_bot(server: MemoryServer, ann: Player) -> tuple[str, Player]:
    """A table of Ann's, and the bot that sits there, connected."""
    table = ann.do("create_table", **BALLOON)["table"]
    name = ann.do("add_bot", table=table)["name"]
    return table, arrive(server, name)


def arrive(server: MemoryServer, name: str) -> Player:
    """The bot that was started last."""
    bot = Player(server, name)
    bot.hello(token=server.bots.orders[-1][0])
    return bot


def over(server: MemoryServer, ann: Player, table: str) -> None:
    """Plays a short game."""
    ann.do("ready", table=table)
    ann.do("start", table=table)
    ann.do("resign", table=table)
    assert server.table(table).stage == "finished"


def test_a_built_in_bot_that_gets_lost_is_started_anew_at_once_and_then_after_longer_and_longer_pauses() -> (
    None
):
    server = MemoryServer()
    ann = server.player("Ann")
    table, bot = with_bot(server, ann)
    for times in range(1, 4):
        bot.drop()
        assert len(server.bots.orders) == 1 + times
        assert server.bots.orders[-1][1:] == (table, "random")
        bot = arrive(server, bot.name)
    for pause in (2, 4, 8, 16, 32, 60, 60):
        before = len(server.bots.orders)
        bot.drop()
        server.wait(pause - 0.1)
        assert len(server.bots.orders) == before
        server.wait(0.2)
        assert len(server.bots.orders) == before + 1
        bot = arrive(server, bot.name)
    server.wait(61)
    bot.drop()
    assert len(server.bots.orders) == before + 2
    assert ann.memory(table).known["info"]["chairs"][1]["here"] is False


def test_a_built_in_bot_that_never_connects_is_started_again() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table = ann.do("create_table", **BALLOON)["table"]
    name = ann.do("add_bot", table=table)["name"]
    server.wait(9)
    assert len(server.bots.orders) == 1
    server.wait(2)
    assert len(server.bots.orders) == 2
    arrive(server, name)
    server.wait(100)
    assert len(server.bots.orders) == 2


def test_built_in_bots_go_home_a_minute_after_the_game_and_a_rematch_brings_them_back() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table, bot = with_bot(server, ann)
    over(server, ann, table)
    server.wait(59)
    assert bot.peer.closed is None
    server.wait(2)
    assert bot.peer.closed == (1000, "done")
    bot.drop()
    server.wait(100)
    assert len(server.bots.orders) == 1
    ann.do("rematch", table=table)
    assert len(server.bots.orders) == 2
    bot = arrive(server, bot.name)
    assert bot.resume(table) == {"snapshot": True}
    chairs = ann.memory(table).known["info"]["chairs"]
    assert [(chair["name"], chair["here"]) for chair in chairs] == [(bot.name, True), ("Ann", True)]
    over(server, ann, table)


def test_a_rematch_within_a_minute_keeps_the_bots() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table, bot = with_bot(server, ann)
    over(server, ann, table)
    server.wait(30)
    ann.do("rematch", table=table)
    server.wait(200)
    assert bot.peer.closed is None
    assert len(server.bots.orders) == 1


def test_built_in_bots_do_not_wait_for_people_who_are_gone_and_come_back_with_them() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table, bot = with_bot(server, ann)
    ann.drop()
    server.wait(61)
    assert bot.peer.closed == (1000, "done")
    bot.drop()
    ann.come_back()
    assert len(server.bots.orders) == 2
    assert server.bots.orders[-1][1] == table


def test_too_many_built_in_bots_are_refused_until_others_go_home() -> None:
    server = MemoryServer(Limits(built_in_bots=2))
    ann, bob, cleo = server.players(3)
    (first, bot), (second, _) = with_bot(server, ann), with_bot(server, bob)
    third = cleo.do("create_table", **BALLOON)["table"]
    refused = cleo.refused("add_bot", table=third)
    assert (refused.code, refused.retry_after) == ("busy", 5.0)
    assert cleo.memory(third).known["info"]["chairs"][1] is None
    over(server, ann, first)
    server.wait(61)
    bot.drop()
    assert cleo.do("add_bot", table=third)["seat"] == 1
    orders = len(server.bots.orders)
    ann.do("rematch", table=first)
    assert len(server.bots.orders) == orders
    bob.do("leave", table=second)
    server.wait(5)
    assert server.bots.orders[-1][1] == first


def test_one_network_cannot_have_all_built_in_bots() -> None:
    server = MemoryServer(Limits(built_in_bots=3, built_in_bots_each=2))
    ann, bob = (Player(server, name, address=f"10.0.0.{seat}") for seat, name in enumerate(("Ann", "Bob")))
    for player in (ann, bob):
        player.hello(name=player.name)
    table = ann.do("create_table", game="hurry-cup", seats=4)["table"]
    for _ in range(2):
        ann.do("add_bot", table=table)
    assert ann.refused("add_bot", table=table).code == "busy"
    with_bot(server, bob)
