"""What comes back after a restart, from the archive alone: everything, and each thing once."""

import hashlib
from typing import Any

import attrs
import pytest
from support.server.memory_server import MemoryServer, Player, RepeatableBytes, asked, dealt, seated
from support.server.memory_store import MemoryStore
from support.server.table_memory import Gap

from parlour.protocol.errors import ProtocolError
from parlour.server.lobby.absent import make_room
from parlour.server.people.remembered import OK, RememberedAnswers
from parlour.server.records.reading import read_record
from parlour.server.records.record import without_by
from parlour.server.records.verify import verify
from parlour.server.storage.change import TABLE, Change
from parlour.server.storage.errors import Unreadable
from parlour.server.storage.store import ignore
from parlour.server.tables.recovery import FIRST_LOOK, recover

Plain = dict[str, Any]


@pytest.fixture
def server() -> MemoryServer:
    return MemoryServer(store=MemoryStore())


def restarted(server: MemoryServer, people: list[Player]) -> MemoryServer:
    """Kills the server and starts another on the same store, whose clock began elsewhere."""
    assert server.store is not None
    server.store.waiting.clear()
    server.store.waits = False
    after = MemoryServer(seed=("after", server.at), store=server.store)
    after.at = 7.0
    recover(after.tables, server.store, lambda: after.at)
    for person in people:
        person.server = after
        person.seen.clear()  # the ids of what was not kept may come again
    return after


def back(server: MemoryServer, people: list[Player]) -> MemoryServer:
    """The same, and everybody has come back to every table of theirs."""
    after = restarted(server, people)
    for person in people:
        for table in person.come_back()["tables"]:
            person.resume(table, person.memories[table].seq if table in person.memories else None)
    return after


def play(people: list[Player], table: str, moves: int, first: int = 0) -> int:
    """So many moves, the same ones every time; how many there were before the end."""
    for number in range(first, first + moves):
        players = asked(people, table)
        if not players:
            return number
        player = players[number % len(players)]
        (answer,) = player.answers(player.act(table, number * 7))
        assert answer["type"] == "ok", answer
        if player.server.live_game(table).scramble is not None:
            player.server.wait(0.2)
    return first + moves


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


# Clocks


def clock_of(person: Player, table: str) -> Plain:
    clock: Plain = person.memory(table).known["clock"]
    return clock


def test_no_time_passes_while_the_server_is_down(server: MemoryServer) -> None:
    table, people = dealt(server, clocks={"decision": 30.0, "bank": 10.0, "grace": 60.0})
    (player,) = asked(people, table)
    (other,) = [person for person in people if person is not player]
    server.wait(35.0)
    player.act(table)
    server.wait(12.0)
    player.drop()
    player.come_back()
    player.resume(table)
    before = clock_of(player, table)
    seat, mine = people.index(other), people.index(player)
    assert before["ends"][seat] - before["now"] == pytest.approx(28.0)
    after = restarted(server, people)
    after.at = 5000.0
    other.come_back()
    other.resume(table)
    clock = clock_of(other, table)
    assert clock["ends"][seat] - clock["now"] == pytest.approx(28.0)
    assert clock["banks"][mine] == pytest.approx(5.0) and clock["banks"][seat] == 10.0
    assert clock["graces"] == pytest.approx([60.0, 60.0])


def test_grace_that_was_used_up_stays_used_up_and_the_clock_waits_for_who_is_not_back(
    server: MemoryServer,
) -> None:
    table, people = dealt(server, clocks={"decision": 30.0, "grace": 60.0})
    (player,) = asked(people, table)
    (other,) = [person for person in people if person is not player]
    seat = people.index(player)
    player.drop()
    server.wait(20.0)
    player.come_back()
    after = restarted(server, people)
    other.come_back()
    other.resume(table)
    assert clock_of(other, table)["ends"][seat] is None
    after.wait(39.0)
    player.come_back()
    player.resume(table)
    clock = clock_of(player, table)
    assert clock["ends"][seat] - clock["now"] == pytest.approx(30.0)
    assert clock["graces"][seat] == pytest.approx(1.0)


def test_a_game_whose_table_was_never_saved_has_lost_no_grace(server: MemoryServer) -> None:
    assert server.store is not None
    table, people = seated(server, "balloon-cup", 2, clocks={"decision": 30.0, "grace": 60.0})
    for person in people:
        person.do("ready", table=table)
    server.store.refuses = lambda rows: any(row[0] == TABLE for row in rows)
    people[0].do("start", table=table)
    server.wait(20.0)
    play(people, table, 1)
    server.store.refuses = lambda _: False
    after = restarted(server, people)
    for person in people:
        person.come_back()
        person.resume(table)
    clock = clock_of(people[0], table)
    assert clock["graces"] == [60.0, 60.0]
    assert [end and end - after.at for end in clock["ends"]].count(pytest.approx(30.0)) == 1


def test_a_wall_clock_that_goes_back_does_no_harm(server: MemoryServer) -> None:
    assert server.store is not None
    table, people = dealt(server)
    play(people, table, 3)
    server.store.time -= 86_400_000
    server = back(server, people)
    people[0].do("resign", table=table)
    header, lines, end = server.store.record(f"{table}-1")
    assert end is not None and end["ended"] < header["started"]
    record = read_record(header, list(map(without_by, lines)), end)
    assert verify(record, end["head"]).authenticated
    assert [line.at for line in record.lines] == sorted(line.at for line in record.lines)


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


# Commands that had no answer


def prepared(server: MemoryServer, word: str) -> tuple[str, list[Player], Plain]:
    """A table at which the first player can do this, and the fields of the command."""
    if word in ("act", "resign"):
        table, people = dealt(server)
        people.sort(key=lambda person: person.question(table) is None)
        return table, people, {"table": table}
    if word == "rematch":
        table, people = dealt(server)
        people[1].do("resign", table=table)
        return table, people, {"table": table}
    table, people = seated(server, "balloon-cup", 2)
    if word == "start":
        for person in people:
            person.do("ready", table=table)
    fields: Plain = {"table": table}
    match word:
        case "create_table":
            fields = {"game": "butterflies", "seats": 2}
        case "say":
            fields["text"] = "Hello"
        case "kick":
            fields["seat"] = 1
        case "join":
            people.insert(0, server.player("Zoe"))
            fields = {"table": people[2].do("create_table", game="balloon-cup", seats=2)["table"]}
    return table, people, fields


WORDS = ["create_table", "join", "ready", "start", "say", "leave", "kick", "act", "resign", "rematch"]


@pytest.mark.parametrize("stored", [0, 1, 2, 3])
@pytest.mark.parametrize("word", WORDS)
def test_a_command_sent_again_after_a_crash_is_done_once_whenever_the_crash_was(
    server: MemoryServer, word: str, stored: int
) -> None:
    def done(server: MemoryServer, crash: bool) -> Plain:
        """How everything stands after the command, with its answer."""
        assert server.store is not None
        table, people, fields = prepared(server, word)
        player = people[0]
        if word == "act":
            fields |= {"turn": player.turn(table), "action": player.action(table)}
        if crash:
            server.store.waits = True
            id = player.send(word, **fields)
            for _ in range(min(stored, len(server.store.waiting))):
                server.store.settle_one()
            server = restarted(server, people)
            for person in people:
                person.come_back()
            player.send(word, id=id, **fields)
        else:
            id = player.send(word, **fields)
        (answer,) = player.answers(id)
        assert answer["type"] == "ok", answer
        player.send(word, id=id, **fields)
        assert player.answers(id) == [answer] * 2
        games = {
            id: table.live_game and table.live_game.match.journal for id, table in server.tables.by_id.items()
        }
        seats = {name: sorted(session.tables) for name, session in server.tables.sessions.items()}
        infos = [attrs.evolve(table.info(), commitment="") for table in server.tables.by_id.values()]
        chat = [[line.text for line in table.chat_lines()] for table in server.tables.by_id.values()]
        return {"answer": answer, "games": games, "seats": seats, "infos": infos, "chat": chat}

    once, again = done(MemoryServer(store=MemoryStore()), False), done(server, True)
    if word == "create_table":  # one that was not kept is made anew, under another name
        assert len(again["infos"]) == len(once["infos"]) == 2
        assert again["answer"]["result"]["table"] in again["seats"]["Ann"]
    else:
        assert again == once


def test_an_action_that_a_scramble_held_when_the_server_was_killed_can_be_sent_again(
    server: MemoryServer,
) -> None:
    table, people = dealt(server, "hurry-cup", 3)
    for _ in range(200):
        if server.live_game(table).scramble is not None:
            break
        asked(people, table)[0].act(table)
    for person in people:
        server.lobby.note_round_trip(person.session, 0.1)
    players = asked(people, table)
    player, other = players[0], players[-1]
    turn, action = player.turn(table), player.action(table)
    id = player.act(table)
    assert player.answers(id) == []
    other.do("say", table=table, text="Too slow")
    server = back(server, people)
    assert server.live_game(table).scramble is not None
    entries = len(server.match(table).journal)
    player.send("act", id=id, table=table, turn=turn, action=action)
    server.wait(1.0)
    assert [answer["type"] for answer in player.answers(id)] == ["ok"]
    assert len(server.match(table).journal) > entries


# People


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
