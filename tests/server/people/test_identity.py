"""Who is who: names, tokens, and which of two connections counts."""

import pytest
from support.server.memory_server import MemoryServer, Player

from parlour.protocol.errors import ProtocolError
from parlour.server.limits import Limits
from parlour.server.people.identity import Register


def refused(player: Player, **who: object) -> ProtocolError:
    with pytest.raises(ProtocolError) as wrong:
        player.hello(**who)
    return wrong.value


def test_tokens_have_256_bits_and_only_their_hashes_are_kept() -> None:
    register = Register()
    _, token = register.add("Ann", bot=False)
    assert len(token) >= 43
    assert token not in repr(register)


def test_a_name_is_owned_by_whoever_has_its_token() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    assert refused(Player(server, "x"), name="ann").code.name == "name_taken"
    ann.do("ping")
    ann.drop()
    assert refused(Player(server, "x"), name="Ann").code.name == "name_taken"
    assert ann.come_back()["you"] == {"name": "Ann", "bot": False}


def test_a_token_is_new_after_each_use() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    first = ann.token
    ann.come_back()
    second = ann.token
    ann.come_back()
    assert len({first, second, ann.token}) == 3
    assert refused(Player(server, "x"), token=first).code.name == "bad_token"
    assert Player(server, "Ann").hello(token=ann.token)["you"]["name"] == "Ann"


def test_a_lost_welcome_locks_nobody_out() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    kept = ann.token
    for _ in range(3):
        Player(server, "Ann").hello(token=kept)  # the next token never arrives
    lost = server.lobby.tables.sessions["Ann"]
    again = Player(server, "Ann")
    again.hello(token=kept)
    assert again.session is lost
    again.come_back()
    assert refused(Player(server, "x"), token=kept).code.name == "bad_token"


def test_a_token_that_was_overtaken_by_its_forerunner_is_no_good() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    first = ann.token
    ann.come_back()
    second = ann.token
    Player(server, "Ann").hello(token=first)
    assert refused(Player(server, "x"), token=second).code.name == "bad_token"


def test_a_token_that_nobody_gave_out_is_refused() -> None:
    assert refused(Player(MemoryServer(), "x"), token="x" * 43).code.name == "bad_token"


def test_the_newest_connection_wins_and_the_older_is_told_why() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    older = ann.peer
    newer = Player(server, "Ann")
    assert newer.hello(token=ann.token)["tables"] == [table]
    assert ann.events("goodbye") == [{"type": "goodbye", "reason": "replaced", "retry_after": None}]
    assert older.closed == (4001, "replaced")
    server.lobby.disconnect(ann.session, older, server.at)  # comes late, and changes nothing
    assert server.table(table).info().chairs[0].here
    newer.do("leave", table=table)


def test_bots_are_labelled_as_bots() -> None:
    server = MemoryServer()
    bot = server.player("Robo", bot=True)
    assert bot.seen[0]["you"] == {"name": "Robo", "bot": True}
    table = bot.do("create_table", game="balloon-cup", seats=2)["table"]
    bot.do("say", table=table, text="beep")
    assert bot.memory(table).known["info"]["chairs"][0]["bot"] is True
    assert bot.last("chat")["line"]["bot"] is True
    bot.drop()
    bot.bot = False  # who has once said so stays one
    assert bot.come_back()["you"]["bot"] is True


def test_no_common_version_is_no_welcome() -> None:
    server = MemoryServer()
    assert refused(Player(server, "x"), name="Ann", versions=[2, 3]).code.name == "version"
    assert refused(Player(server, "x"), name="Ann", versions=[]).code.name == "version"
    Player(server, "x").hello(name="Ann", versions=[7, 1])


def test_a_hello_needs_a_name_or_a_token() -> None:
    assert refused(Player(MemoryServer(), "x")).facts == {"rule": "missing"}


def test_a_name_with_which_nothing_was_done_is_free_again() -> None:
    server = MemoryServer()
    server.player("Ann").drop()
    assert len(server.tables.register) == 0
    assert server.tables.sessions == {}
    server.player("Ann")


def test_a_server_full_of_names_gives_up_the_longest_absent_without_a_table() -> None:
    server = MemoryServer(Limits(people=3))
    ann, bob, cleo = server.players(3)
    assert refused(Player(server, "x"), name="Dan").code.name == "too_many"
    bob.do("create_table", game="balloon-cup", seats=2)
    for person in (bob, cleo, ann):
        person.do("ping")
        person.drop()
    server.player("Dan")
    assert set(server.tables.sessions) == {"Bob", "Ann", "Dan"}
    assert refused(cleo, token=cleo.token).code.name == "bad_token"
    bob.come_back()


def test_a_server_that_closes_says_when_to_come_back() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    server.lobby.close(2.0)
    assert ann.last("goodbye") == {"type": "goodbye", "reason": "restart", "retry_after": 2.0}
    assert ann.peer.closed == (1012, "restart")
    turned_away = refused(Player(server, "x"), name="Bob")
    assert (turned_away.code.name, turned_away.retry_after) == ("closing", 2.0)
