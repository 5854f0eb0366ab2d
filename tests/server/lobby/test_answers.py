"""Every command is done once and answered once, however often it is sent."""

from support.server.memory_server import MemoryServer, asked, dealt

from parlour.server.people.remembered import REMEMBERED


def test_a_command_that_is_sent_again_gets_the_same_answer_and_is_not_done_twice() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    id = ann.send("create_table", game="balloon-cup", seats=2)
    ann.send("create_table", id=id, game="balloon-cup", seats=2)
    first, second = ann.answers(id)
    assert first == second
    assert len(server.tables.by_id) == 1


def test_a_refusal_that_is_asked_for_again_stays_the_same() -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
    id = bob.send("create_table", game="go", seats=2)
    bob.send("create_table", id=id, game="balloon-cup", seats=2)
    assert [answer["code"] for answer in bob.answers(id)] == ["no_such_game", "no_such_game"]
    assert not server.tables.by_id
    assert ann.events("ok") == []


def test_an_answer_can_be_had_after_coming_back() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    id = ann.send("create_table", game="balloon-cup", seats=2)
    ann.drop()
    assert ann.come_back()["last_id"] == id
    before = len(ann.answers(id))
    ann.send("create_table", id=id, game="balloon-cup", seats=2)
    assert len(ann.answers(id)) == before + 1
    assert len(server.tables.by_id) == 1


def test_an_id_that_was_answered_too_long_ago_is_forgotten_and_not_done() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    first = ann.send("create_table", game="balloon-cup", seats=2)
    for _ in range(REMEMBERED):
        ann.send("leave", table="nowhere")
    ann.send("create_table", id=first, game="balloon-cup", seats=2)
    assert ann.answers(first)[-1]["code"] == "forgotten"
    assert ann.answers(first)[-1]["facts"] == {"last_id": ann.last_id}
    assert len(server.tables.by_id) == 1


def test_ids_may_have_gaps_but_never_go_back() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    ann.send("leave", id=10, table="x")
    ann.send("leave", id=5, table="x")
    assert [answer["code"] for answer in ann.answers(5)] == ["forgotten"]


def test_what_only_looks_is_looked_up_again_and_not_kept() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    id = ann.send("list_tables")
    ann.do("create_table", game="balloon-cup", seats=2)
    ann.send("list_tables", id=id)
    assert [len(answer["result"]["tables"]) for answer in ann.answers(id)] == [0, 1]
    assert id not in ann.session.answers


def test_an_answer_that_is_still_to_come_is_given_once_however_often_it_is_asked_for() -> None:
    server = MemoryServer()
    table, people = dealt(server, "hurry-cup", 3)
    for person in people[1:]:
        server.lobby.note_round_trip(person.session, 0.1)
    id = people[0].act(table)
    people[0].send("act", id=id, table=table, turn=1, action={"type": "quiet"})
    assert people[0].answers(id) == []
    for _ in range(REMEMBERED + 10):
        people[0].send("leave", table="nowhere")
    people[0].drop()
    people[0].come_back()
    people[0].send("act", id=id, table=table, turn=1, action={"type": "quiet"})
    assert people[0].answers(id) == []
    server.wait(0.2)
    assert [answer["type"] for answer in people[0].answers(id)] == ["ok"]
    people[0].send("act", id=id, table=table, turn=1, action={"type": "quiet"})
    assert [answer["type"] for answer in people[0].answers(id)] == ["ok", "ok"]
    people[0].resume(table)
    assert people[0] not in asked(people, table)


def test_a_tables_events_are_numbered_for_each_viewer_without_gaps() -> None:
    server = MemoryServer()
    table, people = dealt(server, "balloon-cup")
    watcher = server.player("Wes")
    watcher.do("watch", table=table)
    for _ in range(12):
        asked(people, table)[0].act(table)
    for person in (*people, watcher):
        person.read()  # Memory raises if a number is missing
        numbers = [plain["seq"] for plain in person.seen if "seq" in plain and plain["type"] != "snapshot"]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_what_is_refused_is_counted_as_a_mistake_and_a_move_is_none() -> None:
    server = MemoryServer()
    table, people = dealt(server)
    player = asked(people, table)[0]
    turn = player.question(table)["turn"]
    assert player.session.mistakes == 0
    player.send("start", table=table)
    player.send(
        "act", table=table, turn=turn, action={"type": "play", "card": "red-99", "tile": 0, "side": 0}
    )
    player.send("act", table=table, turn=turn - 1, action={})
    assert player.session.mistakes == 3
    player.act(table)
    assert player.session.mistakes == 3
