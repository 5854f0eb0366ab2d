"""What a client knows: from a snapshot or from all events, through gaps, lost lines and lost answers."""

from random import Random
from typing import Any

import pytest
from support.client.sessions import Remote, gathered, step
from support.server.memory_server import MemoryServer

from parlour.client.session import Session
from parlour.client.table import Table
from parlour.engine.catalogue import GAMES
from parlour.protocol import messages as m
from parlour.protocol.codec import pack, unpack
from parlour.protocol.errors import ProtocolError

SEATS = {"balloon-cup": 2, "hurry-cup": 3, "butterflies": 3}
Plain = dict[str, Any]


def fresh(server: MemoryServer, id: str, viewer: Any) -> tuple[Session, Plain]:
    """A client that has heard nothing but a snapshot."""
    plain = unpack(pack(server.table(id).snapshot(viewer, server.at).plain))
    session = Session()
    session.receive(plain, server.at)
    return session, plain


def events(remote: Remote, id: str) -> list[Plain]:
    return [plain for plain in remote.frames if plain.get("table") == id and "seq" in plain]


# Snapshots and events


@pytest.mark.parametrize("game", GAMES)
def test_a_client_built_from_a_snapshot_equals_one_built_from_the_first_event(game: str) -> None:
    server = MemoryServer()
    id, people = gathered(server, game, SEATS[game])
    watcher = Remote(server, "Wes")
    watcher.do(m.Watch, table=id)
    everybody = [*people, watcher]
    late: list[tuple[Remote, Session, int]] = []
    luck = Random(game)
    people[0].do(m.Start, table=id)
    for number in range(400):
        for remote in everybody:
            remote.listen()
            session, _ = fresh(server, id, remote.table(id).seat)
            assert session.tables[id] == remote.table(id)
            if number % 10 == 0:
                late.append((remote, session, len(remote.frames)))
        if number % 25 == 24:
            people[1].do(m.Say, table=id, text=f"move {number}")
        if not step(id, people, luck):
            break
    assert people[0].table(id).result is not None
    assert len(late) > 10
    for remote, session, heard in late:
        for plain in remote.frames[heard:]:
            session.receive(plain, 0.0)
        assert session.tables[id] == remote.table(id)
        assert not session.home.outgoing


@pytest.mark.parametrize("game", GAMES)
def test_whoever_drops_at_any_number_and_comes_back_has_missed_nothing(game: str) -> None:
    server = MemoryServer()
    id, people = gathered(server, game, SEATS[game], clocks=m.Clocks(grace=86_400.0))
    steady, dropping = people[0], people[-1]
    luck = Random(game)
    steady.do(m.Start, table=id)
    dropping.listen()
    for number in range(60):
        if number % 2:
            dropping.lose()
            others = people[:-1]
            if step(id, others, luck):
                step(id, others, luck)
            dropping.connect()
        elif not step(id, people, luck):
            break
        dropping.listen()
        known = dropping.table(id)
        assert fresh(server, id, known.seat)[0].tables[id] == known
        assert not known.news_missed
        steady.listen()
        assert len(known.news) == len(steady.table(id).news)
    assert len(steady.table(id).news) > 20


def test_whoever_was_away_for_long_gets_a_snapshot_and_knows_that_news_were_missed() -> None:
    server = MemoryServer()
    id, people = gathered(server, "balloon-cup", 2)
    people[0].do(m.Start, table=id)
    people[1].listen()
    people[1].lose()
    line = m.Line("Ann", False, "Are you there?", 0.0)
    for _ in range(80):
        server.tables.at(server.table(id), lambda table: table.say(line))
    people[1].connect()
    known = people[1].table(id)
    assert known.news_missed
    assert len(known.chat) == 50
    assert fresh(server, id, 1)[0].tables[id] == known


def played_to_the_end(server: MemoryServer) -> tuple[str, list[Remote]]:
    id, people = gathered(server, "balloon-cup", 2)
    people[0].do(m.Start, table=id)
    luck = Random(3)
    while step(id, people, luck):
        pass
    return id, people


def test_a_rematch_begins_without_the_news_and_the_result_of_the_last_game() -> None:
    id, people = played_to_the_end(MemoryServer())
    assert people[1].table(id).news and people[1].table(id).result is not None
    people[0].do(m.Rematch, table=id)
    people[1].listen()
    known = people[1].table(id)
    assert (known.seat, known.result, known.view, known.news) == (0, None, None, [])
    assert known.info.stage == "gathering" and not known.news_missed


def test_how_a_game_ended_is_still_known_when_others_have_begun_the_next_one_in_the_same_moment() -> None:
    id, people = played_to_the_end(MemoryServer())
    result = people[1].table(id).result
    people[0].do(m.Rematch, table=id)
    people[1].listen()
    ended = people[1].table(id).ended
    assert ended is not None
    assert (ended.number, ended.seat, ended.result) == (1, 1, result)
    assert people[1].table(id).info.number == 2


# What is unknown, old or out of line


def a_seat() -> tuple[MemoryServer, str, list[Remote]]:
    server = MemoryServer()
    id, people = gathered(server, "balloon-cup", 2)
    people[0].do(m.Start, table=id)
    people[1].listen()
    return server, id, people


def test_messages_and_fields_that_nobody_knows_are_ignored() -> None:
    _, id, people = a_seat()
    session = people[0].session
    assert session.receive({"type": "fireworks", "table": id, "seq": 99}, 0.0) is None
    last = events(people[0], id)[-1]
    news = {**last, "seq": last["seq"] + 1, "confetti": {"colour": "red"}}
    before = session.tables[id].seq
    assert isinstance(session.receive(news, 0.0), m.Update | m.TableChanged)
    assert session.tables[id].seq == before + 1
    assert not session.home.outgoing


def test_an_event_that_came_before_is_not_taken_twice() -> None:
    _, id, people = a_seat()
    session = people[0].session
    heard = len(session.tables[id].news)
    for plain in events(people[0], id):
        if plain["type"] != "snapshot":
            assert session.receive(plain, 0.0) is None
    assert len(session.tables[id].news) == heard
    assert not session.home.outgoing


def test_after_a_gap_everything_is_asked_for_once() -> None:
    server, id, people = a_seat()
    ann = people[0]
    update = events(ann, id)[-1]
    for ahead in (5, 6, 7):
        assert ann.session.receive({**update, "seq": update["seq"] + ahead}, 0.0) is None
    (asked,) = ann.session.home.outgoing
    assert (asked["type"], asked["table"], asked["after"]) == ("resume", id, None)
    ann.listen()
    assert ann.table(id) == fresh(server, id, 0)[0].tables[id]
    assert not ann.table(id).resuming


def test_an_event_of_a_later_server_leaves_no_gap() -> None:
    _, id, people = a_seat()
    session = people[0].session
    update = events(people[0], id)[-1]
    assert session.receive({"type": "thunder", "table": id, "seq": update["seq"] + 1}, 0.0) is None
    assert session.receive({**update, "seq": update["seq"] + 2}, 0.0) is not None
    assert not session.home.outgoing


def test_a_message_against_the_protocol_is_told_and_what_it_held_asked_for() -> None:
    server, id, people = a_seat()
    ann = people[0]
    update = events(ann, id)[-1]
    with pytest.raises(ProtocolError) as wrong:
        ann.session.receive({**update, "seq": update["seq"] + 1, "awaited": "Bob"}, 0.0)
    assert wrong.value.code.name == "bad_message"
    assert [plain["type"] for plain in ann.session.home.outgoing] == ["resume"]
    ann.listen()
    assert ann.table(id) == fresh(server, id, 0)[0].tables[id]


def test_a_gap_that_a_resume_leaves_is_filled_by_a_snapshot_which_is_asked_for_once() -> None:
    _, id, people = a_seat()
    session = people[0].session
    table = session.tables[id]
    session.home.welcome = None
    welcome = people[0].frames[0]
    session.receive({**welcome, "tables": [id], "last_id": session.home.last_id}, 0.0)
    (first,) = session.home.outgoing
    assert (first["type"], first["after"]) == ("resume", table.seq)
    update = events(people[0], id)[-1]
    session.receive({**update, "seq": table.seq + 2}, 0.0)
    session.home.outgoing.clear()
    session.receive({"type": "ok", "id": first["id"], "result": {"snapshot": False}}, 0.0)
    (second,) = session.home.outgoing
    assert (second["type"], second["after"]) == ("resume", None)
    session.home.outgoing.clear()
    session.receive({"type": "ok", "id": second["id"], "result": {"snapshot": True}}, 0.0)
    assert not session.home.outgoing


# Commands


def test_a_command_without_an_answer_goes_out_again_under_its_old_id_and_is_done_once() -> None:
    server = MemoryServer()
    ann = Remote(server, "Ann")
    answers: list[Any] = []
    ann.peer.closed = (1006, "")  # what the server says gets lost from here on
    first = ann.session.ask(m.CreateTable, answers.append, game="balloon-cup", seats=2)
    ann.listen()
    second = ann.session.ask(m.ListTables, answers.append)
    ann.session.home.outgoing.clear()  # and this never reaches it
    assert len(server.tables.by_id) == 1 and not answers
    ann.sent.clear()
    ann.connect()
    assert [(plain["type"], plain["id"]) for plain in ann.sent][:2] == [
        ("create_table", first),
        ("list_tables", second),
    ]
    assert [type(answer) for answer in answers] == [m.Ok, m.Ok]
    (id,) = server.tables.by_id
    assert set(ann.session.tables) == {id}
    assert not ann.session.home.pending


def busy(id: int, seconds: float | None) -> Plain:
    return {"type": "error", "id": id, "code": "busy", "facts": {}, "retry_after": seconds}


def test_a_command_that_comes_too_early_is_asked_again_as_long_as_the_waits_are_short() -> None:
    session, answers = Session(waits=10.0), list[Any]()
    session.ask(m.Tournaments, answers.append)
    for seconds in (4.0, 6.0):
        assert session.receive(busy(session.home.last_id, seconds), 0.0) is None
        ((wait, line, pending),) = session.postponed
        assert wait == seconds and not session.home.pending and not answers
        session.postponed.clear()
        session.home.outgoing.clear()
        session.ask_again(line, pending)
        assert [(each["type"], each["id"]) for each in session.home.outgoing] == [
            ("tournaments", session.home.last_id)
        ]
    session.receive(busy(session.home.last_id, 0.1), 0.0)
    assert [answer.code for answer in answers] == ["busy"] and not session.postponed


@pytest.mark.parametrize(
    ("kind", "fields", "seconds"),
    [(m.Say, {"text": "Hello", "table": None}, 1.0), (m.Tournaments, {}, None), (m.Tournaments, {}, 3600.0)],
    ids=["chat keeps its order", "for who knows how long", "for an hour"],
)
def test_a_command_is_refused_at_once_where_waiting_does_not_help(
    kind: type[m.Command], fields: Plain, seconds: float | None
) -> None:
    session, answers = Session(), list[Any]()
    session.ask(kind, answers.append, **fields)
    session.receive(busy(session.home.last_id, seconds), 0.0)
    assert [answer.code for answer in answers] == ["busy"] and not session.postponed


def test_ids_go_on_from_what_the_server_has_seen() -> None:
    server = MemoryServer()
    ann = Remote(server, "Ann")
    for _ in range(3):
        ann.do(m.CreateTable, game="balloon-cup", seats=2)
    again = Session(token=ann.session.token)
    ann.session = again
    ann.connect()
    assert again.home.last_id >= 3 + len(again.tables)
    assert set(again.tables) == set(server.tables.by_id)


def test_ids_that_somebody_else_has_used_are_given_anew() -> None:
    server = MemoryServer()
    ann = Remote(server, "Ann")
    answers: list[Any] = []
    ann.session.ask(m.Say, answers.append, text="hello", table="nowhere")
    ann.session.home.outgoing.clear()
    ann.server_session.last_id = 40
    ann.connect()
    assert [plain["id"] for plain in ann.sent] == [41]
    assert [answer.code for answer in answers] == ["not_seated"]


def test_watching_goes_on_after_a_lost_connection() -> None:
    server = MemoryServer()
    id, people = gathered(server, "balloon-cup", 2, public=True)
    wes = Remote(server, "Wes")
    wes.do(m.Watch, table=id)
    wes.do(m.WatchLobby, on=True)
    wes.lose()
    people[0].do(m.Start, table=id)
    wes.connect()
    assert wes.table(id).seat is None
    assert wes.table(id).info.stage == "playing"
    people[1].do(m.Leave, table=id)
    wes.listen()
    assert wes.table(id).result is not None
    assert wes.session.lobby is not None and wes.session.lobby[id].stage == "finished"


def test_a_private_table_is_watched_again_by_its_code() -> None:
    server = MemoryServer()
    ann = Remote(server, "Ann")
    made = ann.do(m.CreateTable, game="balloon-cup", seats=2, public=False)
    wes = Remote(server, "Wes")
    wes.do(m.Watch, code=made["code"])
    wes.lose()
    wes.connect()
    assert set(wes.session.tables) == {made["table"]}
    wes.lose()
    ann.do(m.Leave, table=made["table"])
    wes.connect()
    assert not wes.session.tables


def test_an_answer_that_counts_closes_the_question_until_the_next_update() -> None:
    _, id, people = a_seat()
    asked = next(person for person in people if person.table(id).question is not None)
    question = asked.table(id).question
    assert question is not None
    answers: list[Any] = []
    number = asked.session.ask(m.Act, answers.append, table=id, turn=question.turn, action={})
    asked.session.receive({"type": "ok", "id": number, "result": None}, 0.0)
    assert asked.table(id).question is None
    assert [type(answer) for answer in answers] == [m.Ok]


def test_tables_that_were_left_or_closed_are_forgotten() -> None:
    server = MemoryServer()
    id, people = gathered(server, "balloon-cup", 2)
    people[1].do(m.Leave, table=id)
    assert id not in people[1].session.tables
    people[1].do(m.Join, table=id)
    people[0].listen()
    people[0].do(m.Kick, table=id, seat=1)
    people[1].listen()
    assert id not in people[1].session.tables
    people[0].do(m.LetBack, table=id, name=people[1].session.name)
    people[1].do(m.Join, table=id)
    people[1].lose()
    people[0].listen()
    people[0].do(m.Kick, table=id, seat=1)
    people[1].connect()
    assert id not in people[1].session.tables


def test_a_table_that_one_was_sent_away_from_stays_in_the_lobby() -> None:
    server = MemoryServer()
    id, (host, other) = gathered(server, "balloon-cup", 2)
    other.do(m.WatchLobby, on=True)
    host.do(m.Kick, table=id, seat=1)
    other.listen()
    assert id not in other.session.tables
    assert id in (other.session.lobby or {})


def test_the_lobby_is_known_while_it_is_watched() -> None:
    server = MemoryServer()
    ann, bob = Remote(server, "Ann"), Remote(server, "Bob")
    ann.do(m.WatchLobby, on=True)
    id = bob.do(m.CreateTable, game="balloon-cup", seats=2)["table"]
    ann.listen()
    assert ann.session.lobby is not None and set(ann.session.lobby) == {id}
    bob.do(m.Leave, table=id)
    ann.listen()
    assert ann.session.lobby == {}
    ann.do(m.WatchLobby, on=False)
    assert ann.session.lobby is None


# Time


def a_table(ends: list[float | None], seat: int | None = 0) -> Table:
    clock = m.Clock(100.0, tuple(ends), (0.0, 0.0), (60.0, 60.0))
    _, id, people = a_seat()
    table = people[0].table(id)
    table.clock, table.heard_at, table.seat = clock, 5.0, seat
    return table


def test_the_time_left_is_counted_on_the_clients_own_clock() -> None:
    table = a_table([130.0, None])
    assert table.time_left(5.0) == 30.0
    assert table.time_left(12.5) == 22.5
    assert table.time_left(500.0) == 0.0


def test_whoever_has_for_ever_or_only_watches_has_no_time_left_to_tell() -> None:
    assert a_table([None, 130.0]).time_left(5.0) is None
    assert a_table([130.0, 130.0], seat=None).time_left(5.0) is None
