"""Horn and grab: who was first counts by reaction time, not by the length of the way."""

import pytest
from support.server.memory_server import MemoryServer, Player, dealt
from support.server.memory_store import MemoryStore

from parlour.protocol.messages import REACTION
from parlour.server.tables.scramble import CREDIT, Scramble


def ready_to_grab(server: MemoryServer, seats: int = 3, **settings: object) -> tuple[str, list[Player]]:
    table, people = dealt(server, "hurry-cup", seats, **settings)
    for person in people:
        person.send("act", table=table, turn=1, action={"type": "quiet"})
    bots = settings.get("bots")
    server.wait(0.001 + (settings.get("reaction", REACTION) if bots else 0.0))  # type: ignore[operator]
    assert {person.question(table)["phase"] for person in people} == {"grab"}  # type: ignore[index]
    return table, people


def grab(person: Player, table: str, pawn: str = "red") -> int:
    action = {"type": "grab", "pawn": pawn}
    return person.send("act", table=table, turn=person.turn(table), action=action)


def owner(person: Player, table: str, pawn: str = "red") -> int | None:
    pawns = person.memory(table).known["view"]["pawns"]
    return pawns.index(pawn) if pawn in pawns else None


def code(person: Player, id: int) -> str:
    (answer,) = person.answers(id)
    found: str = answer.get("code", "ok")
    return found


def test_without_round_trips_the_first_to_arrive_has_it_at_once() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    server.wait(0.3)
    assert code(people[2], grab(people[2], table)) == "ok"
    refused = people[1].refused("act", table=table, turn=2, action={"type": "grab", "pawn": "red"})
    assert refused.code == "taken"
    assert code(people[1], grab(people[1], table, "green")) == "ok"


def test_a_long_line_is_credited_with_its_round_trip() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    server.lobby.note_round_trip(people[0].session, 0.1)
    server.wait(0.30)
    near = grab(people[1], table)  # reaction 0.30
    assert people[1].answers(near) == []
    server.wait(0.06)
    far = grab(people[0], table)  # arrives at 0.36: reaction 0.26
    assert code(people[0], far) == "ok"
    server.wait(0.1)
    assert code(people[1], near) == "taken"
    assert owner(people[1], table) == 0


def test_an_action_is_held_only_as_long_as_a_credit_could_still_change_the_order() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    server.lobby.note_round_trip(people[0].session, 0.1)
    server.wait(0.3)
    near = grab(people[1], table)
    server.wait(0.099)
    assert people[1].answers(near) == []
    server.wait(0.002)
    assert code(people[1], near) == "ok"
    assert code(people[0], grab(people[0], table)) == "taken"


def test_whoever_has_the_longest_line_waits_for_nobody() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    for person, trip in zip(people, (0.1, 0.05, 0.02), strict=True):
        server.lobby.note_round_trip(person.session, trip)
    server.wait(0.3)
    assert code(people[0], grab(people[0], table)) == "ok"


def test_no_more_than_the_credit_counts_so_slow_answers_to_pings_earn_nothing() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    server.lobby.note_round_trip(people[0].session, 5.0)
    server.wait(0.30)
    near = grab(people[1], table)
    server.wait(CREDIT - 0.01)
    assert people[1].answers(near) == []
    far = grab(people[0], table)  # arrives at 0.44: with all of its round trip it would be first
    server.wait(0.02)
    assert (code(people[1], near), code(people[0], far)) == ("taken", "ok")


def test_a_reaction_is_the_arrival_less_the_reveal_less_the_credit_and_never_below_nothing() -> None:
    scramble: Scramble[str] = Scramble(100.0, 0.0)
    for seat, (arrival, trip) in enumerate([(100.4, 0.1), (100.4, 5.0), (100.1, 0.14)]):
        scramble.offer(seat, "x", arrival, trip, False)
    assert [held.reaction for held in scramble.held] == [pytest.approx(0.3), pytest.approx(0.25), 0.0]


def test_a_shorter_round_trip_that_comes_in_lets_a_held_action_go_sooner() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    server.lobby.note_round_trip(people[0].session, 0.14)
    server.wait(0.3)
    near = grab(people[1], table)
    server.lobby.note_round_trip(people[0].session, 0.01)
    server.wait(0.02)
    assert code(people[1], near) == "ok"


def test_the_smallest_recent_round_trip_counts() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    for trip in (0.14, 0.01, 0.14):
        server.lobby.note_round_trip(people[0].session, trip)
    server.wait(0.3)
    near = grab(people[1], table)
    server.wait(0.011)
    assert code(people[1], near) == "ok"
    for _ in range(8):
        server.lobby.note_round_trip(people[0].session, 0.14)
    assert people[0].session.round_trip == 0.14


def test_a_round_trip_that_comes_in_while_an_action_is_held_does_not_leave_it_hanging() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    server.lobby.note_round_trip(people[0].session, 0.1)
    server.wait(0.3)
    near = grab(people[1], table)
    for _ in range(8):
        server.lobby.note_round_trip(people[0].session, 0.14)
    server.wait(0.15)
    assert code(people[1], near) == "ok"


def test_equal_reactions_go_by_arrival() -> None:
    scramble: Scramble[str] = Scramble(0.0, 0.0)
    scramble.offer(2, "b", 0.30, 0.0, False)
    scramble.offer(1, "a", 0.35, 0.05, False)
    first = scramble.first()
    assert first is not None and first.what == "b"


def test_bots_wait_the_published_reaction_time_when_people_play() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server, 3, bots=(1, 2), reaction=0.4)
    bot = grab(people[1], table)
    server.wait(0.398)
    assert people[1].answers(bot) == []
    assert code(people[0], grab(people[0], table)) == "ok"
    server.wait(0.002)
    assert code(people[1], bot) == "taken"


def test_a_reaction_counts_from_when_the_question_went_out_and_not_from_when_it_was_decided() -> None:
    """A disk that takes half a second would have the bot at the cup before people have seen it."""
    store = MemoryStore()
    server = MemoryServer(store=store)
    table, people = dealt(server, "hurry-cup", 3, bots=(2,), reaction=0.4)
    for person in people:
        person.send("act", table=table, turn=1, action={"type": "quiet"})
    store.waits = True
    server.wait(0.401)
    server.wait(0.5)
    store.waits = False
    server.settle()
    assert {person.question(table)["phase"] for person in people} == {"grab"}  # type: ignore[index]
    bot = grab(people[2], table)
    server.wait(0.398)
    assert people[2].answers(bot) == []
    assert code(people[0], grab(people[0], table)) == "ok"
    server.wait(0.003)
    assert code(people[2], bot) == "taken"


def test_a_bot_that_is_the_last_to_act_waits_as_well() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server, 3, bots=(2,), reaction=0.4)
    bot = grab(people[2], table)
    assert code(people[0], grab(people[0], table, "green")) == "ok"
    server.wait(0.39)
    assert people[2].answers(bot) == []
    server.wait(0.02)
    assert code(people[2], bot) == "ok"


def test_bots_among_themselves_do_not_wait() -> None:
    server = MemoryServer()
    table, people = dealt(server, "hurry-cup", 3, bots=(0, 1, 2))
    id = people[0].act(table)
    assert code(people[0], id) == "ok"


def test_what_arrived_before_the_deadline_counts_though_it_was_held() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    server.lobby.note_round_trip(people[0].session, 0.15)
    server.wait(11.95)
    near = grab(people[1], table)
    assert people[1].answers(near) == []
    server.wait(0.06)
    assert code(people[1], near) == "ok"
    assert owner(people[1], table) == 1
    after_the_horns = [entry.cause for entry in server.match(table).journal[4:]]
    assert after_the_horns[0] == "act", "time was up for the others before what had arrived was let go"


def test_a_seat_has_one_action_in_a_scramble_at_a_time() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    server.lobby.note_round_trip(people[0].session, 0.1)
    server.wait(0.3)
    grab(people[1], table)
    refused = people[1].refused("act", table=table, turn=2, action={"type": "grab", "pawn": "green"})
    assert (refused.code, refused.facts) == ("not_now", {"problem": "held"})


def test_an_action_that_is_held_counts_though_its_sender_is_lost() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    server.lobby.note_round_trip(people[0].session, 0.1)
    server.wait(0.3)
    id = grab(people[1], table)
    people[1].drop()
    server.wait(0.2)
    assert owner(people[2], table) == 1
    people[1].come_back()
    people[1].send("act", id=id, table=table, turn=2, action={"type": "grab", "pawn": "red"})
    assert code(people[1], id) == "ok"


def test_an_action_that_is_held_goes_when_its_sender_resigns_and_is_answered_once() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    server.lobby.note_round_trip(people[0].session, 0.1)
    server.wait(0.3)
    id = grab(people[1], table)
    people[1].do("resign", table=table)
    server.wait(13)
    assert code(people[1], id) == "taken"


def test_everybody_who_is_held_is_answered_when_the_last_pawn_goes() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    server.lobby.note_round_trip(people[0].session, 0.1)
    server.wait(0.3)
    ids = [grab(person, table) for person in people[1:]]
    server.wait(0.2)
    assert sorted(code(person, id) for person, id in zip(people[1:], ids, strict=True)) == ["ok", "taken"]


def test_the_dice_go_out_to_all_in_one_pass() -> None:
    server = MemoryServer()
    table, people = dealt(server, "hurry-cup", 3)
    order: list[str] = []
    for person in people:
        person.send("act", table=table, turn=1, action={"type": "quiet"}) if person is not people[
            -1
        ] else None
    for person in people:
        send = person.peer.send

        def note(frame: object, urgent: bool = True, person: Player = person, send: object = send) -> None:
            order.append(person.name)
            send(frame, urgent)  # type: ignore[operator]

        person.peer.send = note  # type: ignore[method-assign, assignment]
    people[-1].send("act", table=table, turn=1, action={"type": "quiet"})
    assert order == ["Cleo", "Ann", "Bob", "Cleo"]  # the answer, and then the dice to one after the other


def test_a_reaction_counts_as_thought_without_its_round_trip() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server)
    player = server.live_game(table).players[1]
    server.lobby.note_round_trip(people[1].session, 0.1)
    before = player.thought
    server.wait(0.3)
    grab(people[1], table)
    server.wait(1)
    assert player.thought - before == pytest.approx(0.2, abs=0.01)


# Tables for practice


@pytest.mark.parametrize("first", [0, 2])
def test_at_a_table_for_practice_bots_act_after_people(first: int) -> None:
    server = MemoryServer()
    table, people = dealt(server, "hurry-cup", 3, bots=(1,), practice=True)
    learners = [people[first], people[2 - first]]
    bot, quiet = people[1], {"type": "quiet"}
    for person in learners:
        refused = bot.refused("act", table=table, turn=1, action=quiet)
        assert (refused.code, refused.facts) == ("not_now", {"problem": "practice"})
        person.send("act", table=table, turn=1, action=quiet)
    bot.send("act", table=table, turn=1, action=quiet)
    server.wait(REACTION + 0.001)
    assert code(bot, grab(bot, table)) == "not_now"
    for person, pawn in zip(learners, ("red", "green"), strict=True):
        assert owner(bot, table, pawn) is None
        assert code(person, grab(person, table, pawn)) == "ok"
    assert owner(bot, table, "green") == people.index(learners[1])


def test_at_a_table_for_practice_no_clock_runs() -> None:
    server = MemoryServer()
    table, people = ready_to_grab(server, practice=True)
    assert people[0].memory(table).known["clock"]["ends"] == [None, None, None]
    server.wait(86_400.0)
    assert people[0].question(table)["phase"] == "grab"  # type: ignore[index]


def test_a_learner_who_leaves_keeps_no_bot_waiting() -> None:
    server = MemoryServer()
    table, people = dealt(server, "hurry-cup", 3, bots=(1, 2), practice=True)
    people[0].do("resign", table=table)
    answered = people[1].act(table)
    server.wait(REACTION + 0.001)
    assert code(people[1], answered) == "ok"
