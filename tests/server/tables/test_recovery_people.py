"""Names, tokens, bots and watchers after a restart."""

import hashlib

import pytest
from support.server.memory_server import MemoryServer, Player, RepeatableBytes, dealt, seated
from support.server.memory_store import MemoryStore
from support.server.restarted_servers import back, play, restarted

from parlour.server.lobby.absent import make_room
from parlour.server.people.remembered import OK, RememberedAnswers
from parlour.server.storage.change import Change
from parlour.server.storage.store import ignore
from parlour.server.tables.recovery import FIRST_LOOK


@pytest.fixture
def server() -> MemoryServer:
    return MemoryServer(store=MemoryStore())


def test_a_welcome_that_was_lost_in_the_crash_locks_nobody_out(server: MemoryServer) -> None:
    table, people = seated(server, "balloon-cup", 2)
    ann = people[0]
    first = ann.token
    ann.drop()
    ann.come_back()
    second = ann.token
    restarted(server, people)
    ann.token = first
    assert ann.come_back()["tables"] == [table]
    restarted(ann.server, people)
    ann.token = first
    assert ann.come_back()["tables"] == [table]
    third = ann.token
    restarted(ann.server, people)
    ann.token = third
    assert ann.come_back()["tables"] == [table]
    ann.token = second
    with pytest.raises(Exception, match="bad_token"):
        ann.come_back()


def test_a_name_whose_very_first_welcome_was_lost_can_be_taken_again(server: MemoryServer) -> None:
    _, people = seated(server, "balloon-cup", 2)
    zoe = server.player("Zoe")
    after = restarted(server, people)
    assert after.player("Zoe").token != zoe.token
    with pytest.raises(Exception, match="name_taken"):
        after.player("Ann")


def test_a_name_that_has_finished_a_game_is_its_owner_s_after_a_restart_too(server: MemoryServer) -> None:
    table, people = dealt(server)
    people[0].do("resign", table=table)
    newcomer = server.player("Zoe")
    newcomer.do("ping")
    after = restarted(server, people)
    assert len(after.tables.newcomers) == 1
    while make_room(after.tables):
        pass
    assert after.tables.register.taken("Ann") and not after.tables.register.taken("Zoe")


def test_a_game_whose_last_move_alone_was_stored_makes_its_players_owners(server: MemoryServer) -> None:
    assert server.store is not None
    table, people = dealt(server)
    server.store.waits = True
    people[0].send("resign", table=table)
    server.store.settle_one()
    assert not server.store.kept()
    after = restarted(server, people)
    after.wait(FIRST_LOOK)
    assert server.store.kept() == {"Ann", "Bob"}


def test_new_names_give_way_in_the_order_of_their_last_visits_after_a_restart_too(
    server: MemoryServer,
) -> None:
    assert server.store is not None
    for name in ("Zoe", "Bob", "Ann"):
        server.store.time += 1000
        server.player(name).do("ping")
    after = restarted(server, [])
    gone = []
    while (session := after.tables.newcomers.first_to_go()) is not None:
        gone.append(session.name)
        after.tables.forget(session)
    assert gone == ["Zoe", "Bob", "Ann"]


def test_two_names_from_before_that_look_alike_both_stay(server: MemoryServer) -> None:
    assert server.store is not None
    ann = server.player("Ann")
    ann.do("ping")
    known = server.store.people()["Ann"]
    token = RepeatableBytes("АNN").token()
    other = {**known, "name": "АNN", "proven": None, "offered": hashlib.sha256(token.encode()).digest()}
    server.store.put(Change(save_people={"АNN": other}), ignore)
    server.settle()
    after = restarted(server, [ann])
    assert ann.come_back()["you"]["name"] == "Ann"
    assert Player(after, "x").hello(token=token)["you"]["name"] == "АNN"
    with pytest.raises(Exception, match="name_taken"):
        after.player("ann")


def test_all_tokens_that_were_good_before_are_good_afterwards(server: MemoryServer) -> None:
    ann = server.player("Ann")
    ann.do("ping")
    first = ann.token
    ann.come_back()
    Player(server, "Ann").hello(token=first)  # of a connection that was lost: it comes late
    restarted(server, [ann])
    assert ann.come_back()["you"]["name"] == "Ann"


def test_built_in_bots_are_started_again_with_new_tokens(server: MemoryServer) -> None:
    (ann,) = server.players(1)
    table = ann.do("create_table", game="butterflies", seats=3)["table"]
    names = [ann.do("add_bot", table=table, strategy="random")["name"] for _ in range(2)]
    tokens = [token for token, _, _ in server.bots.orders]
    after = restarted(server, [ann])
    assert after.bots.orders == []
    after.wait(FIRST_LOOK)
    assert [order[1:] for order in after.bots.orders] == [(table, "random")] * 2
    for name, (token, _, _) in zip(names, after.bots.orders, strict=True):
        bot = Player(after, name, bot=True)
        assert bot.hello(token=token)["you"] == {"name": name, "bot": True}
    for token in tokens:
        with pytest.raises(Exception, match="bad_token"):
            Player(after, "late", bot=True).hello(token=token)


def test_a_substitute_is_started_again_and_goes_when_its_player_is_back(server: MemoryServer) -> None:
    table, (ann, bob) = dealt(server)
    bob.drop()
    name = ann.do("substitute", table=table, seat=1)["name"]
    after = restarted(server, [ann, bob])
    ann.come_back()
    ann.resume(table)
    chair = ann.memory(table).known["info"]["chairs"][1]
    assert (chair["name"], chair["here"], chair["substitute"], chair["away_since"]) == (
        "Bob",
        False,
        name,
        after.at,
    )
    bot = Player(after, name, bot=True)
    assert bot.hello(token=after.bots.orders[-1][0])["tables"] == [table]
    bot.resume(table)
    play([ann, bot], table, 5)
    bob.come_back()
    bob.resume(table)
    assert name not in after.tables.sessions
    play([ann, bob], table, 5, first=5)


def test_a_built_in_bot_that_has_no_seat_any_more_is_forgotten(server: MemoryServer) -> None:
    table, (ann, bob) = dealt(server)
    bob.drop()
    name = ann.do("substitute", table=table, seat=1)["name"]
    assert server.store is not None
    stored = server.store.people()[name]
    bob.come_back()
    server.store.put(Change(save_people={name: stored}), ignore)  # as if killed before it was dropped
    server.settle()
    after = restarted(server, [ann, bob])
    assert set(after.tables.sessions) == {"Ann", "Bob"}


def test_watchers_come_back_as_watchers_to_tables_that_let_them(server: MemoryServer) -> None:
    table, people = dealt(server, watching="nobody")
    shown, others = dealt(MemoryServer(store=MemoryStore(), seed=2))
    for where, players, code in ((table, people, "not_allowed"), (shown, others, None)):
        after = back(players[0].server, players)
        eve = after.player("Eve")
        if code is not None:
            assert eve.refused("watch", table=where).code == code
        else:
            eve.do("watch", table=where)
            assert eve.memory(where).known["view"] is not None
            assert after.table(where).watchers == 1


def test_the_newest_answers_are_remembered_in_whatever_order_games_come_back() -> None:
    answers = RememberedAnswers()
    for id in [1000, *range(1, 400), 999]:
        answers.restore(id, OK)
    assert {999, 1000} < set(answers) and min(answers) > 100
