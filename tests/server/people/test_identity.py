"""Who is who: names, tokens, and which of two connections counts."""

import pytest
from support import soak
from support.server.memory_server import MemoryServer, Player, dealt
from support.server.running_tournaments import RULES

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


def test_a_name_that_looks_like_one_that_is_owned_is_refused_with_that_one() -> None:
    server = MemoryServer()
    server.player("Mike")
    for name in ("MIKE", "M1ke", "Mlke", "МіКЕ"):
        wrong = refused(Player(server, "x"), name=name)
        assert (wrong.code.name, wrong.facts) == ("name_taken", {"name": name, "like": "Mike"})


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


def test_a_hello_that_comes_late_with_the_token_before_ends_no_token() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    first = ann.token
    ann.come_back()
    late = Player(server, "Ann")
    late.hello(token=first)
    assert ann.come_back()["you"]["name"] == "Ann"
    for used_up in (first, late.token):
        assert refused(Player(server, "x"), token=used_up).code.name == "bad_token"


def test_of_the_tokens_that_were_given_for_one_the_last_eight_are_good() -> None:
    register = Register()
    _, first = register.add("Ann", bot=False)
    given = [register.authenticate(first)[1] for _ in range(20)]
    for token in given[:-8]:
        with pytest.raises(ProtocolError, match="bad_token"):
            register.authenticate(token)
    _, following = register.authenticate(given[-8])
    for token in (first, *given[:-8], *given[-7:]):
        with pytest.raises(ProtocolError, match="bad_token"):
            register.authenticate(token)
    register.authenticate(following)


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
    assert not server.tables.register.taken("Ann")
    assert server.tables.sessions == {}
    server.player("Ann")


def test_a_server_full_of_new_names_gives_up_the_one_that_came_longest_ago_and_has_no_table() -> None:
    server = MemoryServer(Limits(people=3))
    ann, bob, cleo = server.players(3)
    assert refused(Player(server, "x"), name="Dan").code.name == "too_many"
    bob.do("create_table", game="balloon-cup", seats=2)
    for person in (bob, cleo, ann):
        person.do("ping")
        person.drop()
    ann.come_back()
    ann.drop()
    server.player("Dan")
    assert set(server.tables.sessions) == {"Bob", "Ann", "Dan"}
    assert refused(cleo, token=cleo.token).code.name == "bad_token"
    bob.come_back()


def visit(server: MemoryServer, name: str) -> Player:
    """Takes a name, does something with it so that it is kept, and goes."""
    player = server.player(name)
    player.do("ping")
    player.drop()
    return player


def test_free_names_flush_no_name_that_has_finished_a_game_or_entered_a_tournament() -> None:
    server = MemoryServer(Limits(people=20, names_each=10_000))
    table, (ann, bob) = dealt(server)
    ann.do("resign", table=table)
    cleo, dan = server.player("Cleo"), server.player("Dan")
    tournament = cleo.do("create_tournament", rules=RULES)["tournament"]
    cleo.do("steer", tournament=tournament, to="open")
    dan.do("enter", tournament=tournament)
    dan.do("withdraw", tournament=tournament)
    cleo.do("steer", tournament=tournament, to="cancel")
    for player in (ann, bob):
        player.do("leave", table=table)
    for player in (ann, bob, cleo, dan):
        player.drop()
    for number in range(soak.count(60, 5000)):
        visit(server, f"Nobody {number}")
    for name in ("Ann", "Bob", "Dan"):
        assert refused(Player(server, "x"), name=name).code.name == "name_taken"
    for player in (ann, bob, dan):
        assert player.come_back()["you"]["name"] == player.name
    assert refused(cleo, token=cleo.token).code.name == "bad_token"  # an organiser has not played
    assert len(server.tables.sessions) == 3 + 20


def test_names_that_have_played_do_not_count_against_the_cap() -> None:
    server = MemoryServer(Limits(people=2))
    for pair in (("Ann", "Bob"), ("Cleo", "Dan")):
        ann, bob = [server.player(name) for name in pair]
        table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
        bob.do("join", table=table)
        for player in (ann, bob):
            player.do("ready", table=table)
        ann.do("start", table=table)
        ann.do("resign", table=table)
    server.player("Eve")


def test_a_network_takes_so_many_new_names_in_an_hour_and_then_waits_for_the_next() -> None:
    server = MemoryServer(Limits(names_each=3))
    ann = visit(server, "Ann")
    for name in ("Bob", "Cleo"):
        visit(server, name)
    server.at += 600
    wrong = refused(Player(server, "x"), name="Dan")
    assert (wrong.code.name, wrong.facts, wrong.retry_after) == ("too_many_names", {"most": 3}, 3000.0)
    ann.come_back()  # a token is no new name
    Player(server, "Eve", address="192.0.2.1").hello(name="Eve")
    server.at += 3000
    server.player("Dan")


def test_names_that_are_refused_cost_a_network_nothing() -> None:
    server = MemoryServer(Limits(names_each=2))
    server.player("Ann")
    for name in ("ann", "!", "Ann"):
        refused(Player(server, "x"), name=name)
    server.player("Bob")


def test_all_addresses_of_a_household_are_one_network() -> None:
    server = MemoryServer(Limits(names_each=1))
    Player(server, "Ann", address="2001:db8::1").hello(name="Ann")
    neighbour = Player(server, "Bob", address="2001:db8::2:1")
    assert refused(neighbour, name="Bob").code.name == "too_many_names"
    Player(server, "Cleo", address="2001:db8:0:1::1").hello(name="Cleo")


def test_two_hundred_bots_may_start_from_one_machine_at_once() -> None:
    server = MemoryServer()
    for number in range(200):
        server.player(f"Bot {number}", bot=True)


def test_a_server_that_closes_says_when_to_come_back() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    server.lobby.close(2.0)
    assert ann.last("goodbye") == {"type": "goodbye", "reason": "restart", "retry_after": 2.0}
    assert ann.peer.closed == (1012, "restart")
    turned_away = refused(Player(server, "x"), name="Bob")
    assert (turned_away.code.name, turned_away.retry_after) == ("closing", 2.0)
