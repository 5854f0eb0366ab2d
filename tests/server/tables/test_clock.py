"""Time to think: per decision, from a bank, with a grace for the disconnected, and what lateness leads to."""

from typing import Any

import pytest
from support import soak
from support.server.memory_server import MemoryServer, Player, asked, dealt

from parlour.server.limits import PLENTY, Limits
from parlour.server.tables.registry import WOKEN

GAMES = soak.count(10, 300)


def clock(player: Player, table: str) -> dict[str, Any]:
    found: dict[str, Any] = player.memory(table).known["clock"]
    return found


def snapshot(player: Player, table: str) -> dict[str, Any]:
    player.resume(table)
    return player.last("snapshot")


def causes(server: MemoryServer, table: str) -> list[str]:
    return [entry.cause for entry in server.match(table).journal[1:]]


def table_for_two(server: MemoryServer, **clocks: Any) -> tuple[str, Player, Player]:
    """Whoever is asked first, and the other."""
    table, people = dealt(server, "balloon-cup", 2, clocks=clocks)
    first = asked(people, table)[0]
    return table, first, next(person for person in people if person is not first)


def seat(player: Player, table: str) -> int:
    found: int = player.memory(table).known["seat"]
    return found


def answer_in_turn(server: MemoryServer, table: str, people: tuple[Player, ...], but: Player) -> None:
    """Everybody but one answers, until that one is asked."""
    while (
        server.table(table).stage == "playing"
        and (waiting := asked(list(people), table))
        and waiting[0] is not but
    ):
        waiting[0].act(table)


def test_a_table_among_friends_is_untimed() -> None:
    server = MemoryServer()
    table, first, _ = table_for_two(server)
    assert clock(first, table)["ends"] == [None, None]
    server.wait(100_000)
    assert causes(server, table) == []
    assert server.table(table).stage == "playing"


def test_a_decision_that_takes_too_long_is_the_games_default() -> None:
    server = MemoryServer()
    table, first, _ = table_for_two(server, decision=10)
    began = server.at
    assert clock(first, table)["ends"][seat(first, table)] == pytest.approx(began + 10)
    server.wait(9.9)
    assert causes(server, table) == []
    server.wait(0.2)
    assert causes(server, table) == ["time_up"]


def test_each_decision_has_its_time_anew() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10)
    for _ in range(20):
        server.wait(9)
        asked([first, other], table)[0].act(table)
    assert set(causes(server, table)) == {"act"}


def test_what_is_taken_beyond_the_time_comes_off_the_bank() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10, bank=5)
    server.wait(13)
    first.act(table)
    assert clock(other, table)["banks"][seat(first, table)] == pytest.approx(2)
    answer_in_turn(server, table, (first, other), first)
    server.wait(11.9)
    assert set(causes(server, table)) == {"act"}
    server.wait(0.2)
    assert causes(server, table)[-1] == "time_up"
    assert clock(other, table)["banks"][seat(first, table)] == 0


def test_a_quick_answer_leaves_the_bank_alone() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10, bank=5)
    server.wait(9)
    first.act(table)
    assert clock(other, table)["banks"] == [5, 5]


def test_the_clock_waits_for_a_player_who_is_disconnected_as_long_as_the_grace_reaches() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10, grace=60)
    server.wait(4)
    first.drop()
    assert clock(other, table)["ends"] == [None, None]
    server.wait(30)
    seen = snapshot(other, table)["clock"]
    assert seen["ends"] == [None, None]
    assert seen["graces"][seat(first, table)] == pytest.approx(30)
    first.come_back()
    seen = snapshot(other, table)["clock"]
    assert seen["ends"][seat(first, table)] == pytest.approx(server.at + 6)
    assert seen["graces"][seat(first, table)] == pytest.approx(30)
    server.wait(5.9)
    assert causes(server, table) == []
    server.wait(0.2)
    assert causes(server, table) == ["time_up"]


def test_the_grace_is_for_the_whole_game_and_not_for_each_question() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10, grace=60)
    first.drop()
    server.wait(69.9)
    assert causes(server, table) == []
    server.wait(0.2)
    assert causes(server, table) == ["time_up"]
    while other.question(table):
        other.act(table)
    server.wait(10.1)
    assert causes(server, table)[-1] == "time_up"
    assert clock(other, table)["graces"][seat(first, table)] == 0
    first.come_back()
    assert snapshot(other, table)["clock"]["graces"][seat(first, table)] == 0


def test_being_away_while_others_think_costs_no_grace() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=100, grace=60)
    other.drop()
    server.wait(50)
    other.come_back()
    assert snapshot(first, table)["clock"]["graces"] == [60, 60]


def test_being_away_where_no_clock_runs_costs_no_grace() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server)
    first.drop()
    server.wait(1000)
    first.come_back()
    assert snapshot(other, table)["clock"]["graces"] == [60, 60]


def test_a_table_with_one_second_a_decision_has_grace_as_well() -> None:
    server = MemoryServer()
    table, first, _ = table_for_two(server, decision=1.0, grace=60)
    first.drop()
    server.wait(30)
    assert causes(server, table) == []


def test_who_leaves_when_the_time_is_up_has_no_grace_any_more() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10, grace=60)
    up = server.at + 10
    server.at += 11  # the table is busy, and has not got round to it
    first.drop()
    assert clock(other, table)["ends"][seat(first, table)] == pytest.approx(up)
    server.wait(0.1)
    assert causes(server, table) == ["time_up"]


def test_coming_back_brings_the_alarm_forward() -> None:
    server = MemoryServer()
    _, first, _ = table_for_two(server, decision=10, grace=60)
    first.drop()
    server.wait(1)
    first.come_back()
    assert server.tables.wake_at() == pytest.approx(server.at + 10)


def oversleep(server: MemoryServer, table: str, late: Player, other: Player, times: int) -> None:
    for _ in range(times):
        answer_in_turn(server, table, (late, other), late)
        server.wait(10.05)


def test_three_late_in_a_row_hand_the_seat_to_a_stand_in() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10)
    oversleep(server, table, first, other, 2)
    assert other.memory(table).known["info"]["chairs"][seat(first, table)]["stand_in"] is False
    oversleep(server, table, first, other, 1)
    assert other.memory(table).known["info"]["chairs"][seat(first, table)]["stand_in"] is True
    answer_in_turn(server, table, (first, other), first)
    before = len(causes(server, table))
    server.wait(1.05)
    assert causes(server, table)[before:] == ["time_up"]


def test_a_timely_answer_begins_the_count_again() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10)
    oversleep(server, table, first, other, 2)
    answer_in_turn(server, table, (first, other), first)
    first.act(table)
    oversleep(server, table, first, other, 2)
    assert other.memory(table).known["info"]["chairs"][seat(first, table)]["stand_in"] is False


def test_the_owner_of_a_seat_returns_by_acting_even_if_it_is_too_late_for_that_question() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10)
    old = first.turn(table)
    oversleep(server, table, first, other, 3)
    answer_in_turn(server, table, (first, other), first)
    assert first.refused("act", table=table, turn=old, action={}).code == "stale"
    assert other.memory(table).known["info"]["chairs"][seat(first, table)]["stand_in"] is False
    assert clock(other, table)["ends"][seat(first, table)] == pytest.approx(server.at + 10)
    assert server.tables.wake_at() == pytest.approx(server.at + 10)
    server.wait(9)
    first.act(table)
    assert causes(server, table)[-1] == "act"


def test_the_owner_of_a_seat_returns_by_coming_back() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10, grace=0)
    first.drop()
    for _ in range(3):
        while other.question(table):
            other.act(table)
        server.wait(10.05)
    assert other.memory(table).known["info"]["chairs"][seat(first, table)]["stand_in"] is True
    first.come_back()
    assert other.memory(table).known["info"]["chairs"][seat(first, table)]["stand_in"] is False


@pytest.mark.parametrize("with_number", [False, True])
def test_the_owner_of_a_seat_returns_by_resuming_and_has_a_whole_new_clock(with_number: bool) -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10)
    oversleep(server, table, first, other, 3)
    answer_in_turn(server, table, (first, other), first)
    known, seen = first.memory(table).seq, len(first.seen)
    first.resume(table, known if with_number else None)
    for player in (first, other):
        assert player.memory(table).known["info"]["chairs"][seat(first, table)]["stand_in"] is False
        assert clock(player, table)["ends"][seat(first, table)] == pytest.approx(server.at + 10)
    events = [each for each in first.seen[seen:] if each["type"] in ("snapshot", "table_changed")]
    told = [(each["type"], each["seq"]) for each in events]
    assert told == [*([] if with_number else [("snapshot", known)]), ("table_changed", known + 1)]
    server.wait(9)
    first.act(table)
    assert causes(server, table)[-1] == "act"


def test_resuming_changes_nothing_for_those_who_are_not_played_for() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10)
    oversleep(server, table, first, other, 3)
    number, ends = other.memory(table).seq, clock(other, table)["ends"]
    other.resume(table)
    assert (other.memory(table).seq, clock(other, table)["ends"]) == (number, ends)
    assert other.memory(table).known["info"]["chairs"][seat(first, table)]["stand_in"] is True


def test_who_has_given_up_does_not_return_by_resuming() -> None:
    server = MemoryServer()
    table, people = dealt(server, "butterflies", 3, clocks={"decision": 5.0})
    server.wait(60.0)
    gone, other = people[0], people[1]
    gone.do("resign", table=table)
    number, chair = other.memory(table).seq, other.memory(table).known["info"]["chairs"][seat(gone, table)]
    assert chair["stand_in"] and chair["left"]
    gone.resume(table)
    assert other.memory(table).seq == number


def test_three_late_in_a_row_forfeit_the_game_if_the_table_says_so() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10, late="forfeit")
    oversleep(server, table, first, other, 3)
    result = other.memory(table).known["result"]
    assert (result["reason"], result["winners"]) == ("forfeit", [seat(other, table)])
    mine = [entry.cause for entry in server.match(table).journal if entry.seat == seat(first, table)]
    assert mine == ["time_up", "time_up", "leave"]  # the third time nothing is played
    assert first.memory(table).known["info"]["chairs"][seat(first, table)]["left"] is True
    first.do("say", table=table, text="still here")


def test_horn_look_and_grab_are_timed_at_untimed_tables_too() -> None:
    server = MemoryServer()
    table, people = dealt(server, "hurry-cup", 3, clocks={"bank": 1000})
    assert clock(people[0], table)["ends"] == [pytest.approx(server.at + 12)] * 3
    server.wait(12.1)
    assert causes(server, table) == ["time_up"] * 3
    assert people[0].question(table)["phase"] == "grab"  # type: ignore[index]
    assert clock(people[0], table)["banks"] == [1000] * 3
    server.wait(12.1)
    driving = asked(people, table)[0]
    assert driving.question(table)["phase"] == "drive"  # type: ignore[index]
    assert clock(driving, table)["ends"] == [None] * 3


def test_a_game_that_is_over_needs_no_alarm() -> None:
    server = MemoryServer()
    table, first, other = table_for_two(server, decision=10)
    first.do("resign", table=table)
    assert server.table(table).wake_at() is None
    assert clock(other, table)["ends"] == [None, None]
    server.wait(100)
    assert causes(server, table) == ["leave"]


def test_old_alarms_of_long_clocks_do_not_pile_up() -> None:
    server = MemoryServer()
    table, people = dealt(server, "balloon-cup", 2, clocks={"decision": 86_400})
    for _ in range(400):
        waiting = asked(people, table)
        if not waiting:
            people[0].do("rematch", table=table)
            for person in people:
                person.do("ready", table=table)
            people[0].do("start", table=table)
            waiting = asked(people, table)
        waiting[0].act(table)
        server.wait(0.01)
    assert len(server.tables.alarms._heap) < 100


def test_who_was_not_there_at_the_deal_has_grace_from_the_first_question_on() -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
    table = ann.do(
        "create_table", game="balloon-cup", seats=2, clocks={"decision": 10}, options={"first": 1}
    )["table"]
    bob.do("join", table=table)
    ann.do("ready", table=table)
    bob.do("ready", table=table)
    bob.drop()
    server.wait(500)
    ann.do("start", table=table)
    server.wait(69)
    assert causes(server, table) == []
    server.wait(2)
    assert causes(server, table) == ["time_up"]


def test_games_whose_times_are_up_in_one_moment_go_on_a_few_at_a_time() -> None:
    server, tables = MemoryServer(Limits(seats=PLENTY)), []
    for number in range(GAMES):
        host, guest = server.player(f"Host {number}", bot=True), server.player(f"Guest {number}", bot=True)
        clocks = {"decision": 10}
        tables.append(host.do("create_table", game="balloon-cup", seats=2, clocks=clocks)["table"])
        guest.do("join", table=tables[-1])
        host.do("start", table=tables[-1])
    server.at += 10.0
    went_on = []
    while (wake := server.tables.wake_at()) is not None and wake <= server.at:
        server.tables.tick(server.at)
        went_on.append(sum(causes(server, table) == ["time_up"] for table in tables) - sum(went_on))
    assert sum(went_on) == GAMES
    assert max(went_on) == WOKEN
