"""What is pointed at when a question comes: the harmless choice, or nothing where keys may come late."""

import asyncio
from typing import Any

import attrs
import pytest
from support.client.seated_player import FakeConnection, player_at, table_at

from parlour.client.boards.text import plain
from parlour.client.language import LANGUAGES, Texts
from parlour.client.table import Table
from parlour.client.terminal.game.story import Story
from parlour.client.terminal.screen import Screen
from parlour.protocol import messages as m

HORN = ({"type": "honk", "via": "horn"}, {"type": "quiet"})
GRAB = ({"type": "grab", "pawn": {"one_of": ["red", "blue", "black"]}},)
DRIVE = (
    {"type": "helmet", "via": "helmet"},
    {"type": "move", "steps": {"one_of": [1, 2, 3]}, "detour": None},
    {"type": "move", "steps": 3, "detour": 9},
)
AFTER = ({"type": "nitro", "via": "nitro"}, {"type": "done"})
DECLARE = ({"type": "declare", "goal": {"one_of": ["colour", "species"]}, "seat": 0},)


def racing(legal: tuple[Any, ...], scramble: bool = False, turn: int = 4) -> Table:
    table = table_at("hurry-cup", 0)
    table.question = m.Question(turn, "drive", scramble, legal)
    return table


def shown_at(table: Table, texts: Texts | None = None) -> tuple[Screen, FakeConnection]:
    player, connection = player_at(table, texts or Texts("en"))
    screen = Screen(player)
    screen.lines(80, 24)
    return screen, connection


def foot(screen: Screen) -> str:
    return "\n".join(plain(line) for line in screen.lines(80, 24)[-5:])


async def acted(connection: FakeConnection) -> list[Any]:
    for _ in range(5):
        await asyncio.sleep(0)
    return [fields["action"] for kind, fields in connection.asked if kind is m.Act]


def update(table: Table, question: m.Question | None, result: m.Result | None = None) -> m.Update:
    return m.Update("OAK", table.seq + 1, table.view or {}, (), (), question, None, result)


# Before anybody has pointed


@pytest.mark.parametrize(
    ("legal", "harmless"),
    [
        (HORN, {"type": "quiet"}),
        (DRIVE, {"type": "move", "steps": 3, "detour": None}),
        (AFTER, {"type": "done"}),
        (({"type": "boost"}, {"type": "skip"}), {"type": "skip"}),
        (({"type": "advance"}, {"type": "stay"}), {"type": "stay"}),
    ],
)
async def test_the_harmless_choice_is_pointed_at(legal: tuple[Any, ...], harmless: dict[str, Any]) -> None:
    screen, connection = shown_at(racing(legal))
    screen.press("enter")
    assert await acted(connection) == [harmless]


async def test_what_cannot_be_taken_back_is_not_pointed_at_though_nothing_else_is_there() -> None:
    table = table_at("butterflies", 14)
    table.question = m.Question(4, "act", False, DECLARE)
    screen, _ = shown_at(table)
    assert screen.move_entry.cursor is None and "▸" not in foot(screen)
    screen.press("enter")
    assert not screen.player.places


async def test_after_a_game_enter_does_nothing_until_one_has_pointed() -> None:
    table = attrs.evolve(table_at("balloon-cup", 14), question=None, awaited=())
    table.result = m.Result((1,), (2, 1), "forfeit", None, (None, None), None)
    table.info = attrs.evolve(table.info, stage="finished")
    screen, connection = shown_at(table)
    screen.press("enter")
    assert await acted(connection) == [] and connection.asked == []
    screen.press("right")
    assert "▸m Play again◂" in foot(screen)
    screen.press("enter")
    await acted(connection)
    assert connection.asked[0][0] is m.Rematch


# After a scramble, or after time has played


async def test_after_a_scramble_nothing_is_pointed_at_and_enter_does_nothing() -> None:
    table = racing(GRAB, scramble=True)
    screen, connection = shown_at(table)
    table.answered(4)
    table.take(update(table, m.Question(5, "drive", False, DRIVE)), 0.0)
    for _ in range(3):
        screen.press("enter")
    assert await acted(connection) == [] and "▸" not in foot(screen)
    screen.press("right")
    screen.press("enter")
    assert await acted(connection) == [{"type": "move", "steps": 3, "detour": None}]


async def test_a_scramble_after_a_scramble_is_played_at_once() -> None:
    table = racing(HORN, scramble=True)
    screen, connection = shown_at(table)
    table.answered(4)
    table.take(update(table, m.Question(5, "grab", True, GRAB)), 0.0)
    screen.press("enter")
    assert await acted(connection) == [{"type": "grab", "pawn": "red"}]


async def test_after_time_has_played_nothing_is_pointed_at() -> None:
    table = racing(AFTER)
    screen, connection = shown_at(table)
    table.take(update(table, None), 0.0)
    screen.lines(80, 24)
    table.take(update(table, m.Question(6, "drive", False, DRIVE)), 0.0)
    screen.press("enter")
    assert await acted(connection) == [] and "▸" not in foot(screen)


async def test_after_an_answer_of_ones_own_the_next_question_is_pointed_at() -> None:
    table = racing(DRIVE)
    table.hurried = True
    screen, connection = shown_at(table)
    table.answered(4)
    table.take(update(table, m.Question(5, "after", False, AFTER)), 0.0)
    screen.press("enter")
    assert await acted(connection) == [{"type": "done"}]


async def test_the_same_question_told_again_is_not_one_that_time_has_answered() -> None:
    table = racing(GRAB, scramble=True)
    table.take(update(table, table.question), 0.0)
    assert not table.hurried


async def test_a_game_that_ends_while_one_is_asked_leaves_nothing_for_the_next() -> None:
    table = racing(DRIVE)
    table.take(update(table, None, m.Result((1,), (2, 1), "forfeit", None, (None, None), None)), 0.0)
    assert not table.hurried


def snapshot(table: Table, question: m.Question | None, number: int = 1) -> m.Snapshot:
    info = attrs.evolve(table.info, number=number)
    return m.Snapshot("OAK", 9, 0, None, info, table.view, (), question, None, None, ())


@pytest.mark.parametrize(("turn", "number", "hurried"), [(4, 1, False), (7, 1, True), (7, 2, False)])
async def test_who_was_away_meanwhile_is_asked_as_after_time_has_played(
    turn: int, number: int, hurried: bool
) -> None:
    known = racing(DRIVE, turn=4)
    asked = m.Question(turn, "drive", False, DRIVE)
    assert Table.of(snapshot(known, asked, number), 0.0, known).hurried is hurried


# A first click


async def test_a_first_click_only_points_and_the_second_one_plays() -> None:
    table = racing(DRIVE)
    table.hurried = True
    screen, connection = shown_at(table)
    for _ in range(2):
        assert await acted(connection) == []
        screen.press("offer:1")
    assert len(await acted(connection)) == 1


def with_cards() -> Table:
    """Three cards may be played, after a scramble: nothing is pointed at."""
    table = table_at("balloon-cup", 14)
    cards = {"one_of": ["red-7", "yellow-3", "blue-5"]}
    legal = ({"type": "play", "card": cards, "tile": {"one_of": [1, 2]}, "side": 0},)
    table.question = m.Question(4, "play", False, legal)
    table.hurried = True
    return table


async def test_a_first_click_on_the_board_points_at_what_leads_there() -> None:
    table = with_cards()
    screen, connection = shown_at(table)
    card = screen.move_entry.offers[2].choice
    assert card is not None
    screen.press(f"thing:card:{card.fields['card']}")
    assert screen.move_entry.cursor == 2
    assert screen.move_entry.selection is not None and screen.move_entry.selection.before is None
    screen.press(f"thing:card:{card.fields['card']}")
    assert screen.move_entry.selection.settled["card"] == card.fields["card"]
    assert await acted(connection) == []


async def test_a_first_click_beside_it_is_answered_with_what_can_be_chosen() -> None:
    table = table_at("balloon-cup", 14)
    table.hurried = True
    screen, _ = shown_at(table)
    screen.press("thing:trophy:red")
    assert screen.move_entry.cursor is None and screen.move_entry.wrong.startswith(
        "You can't choose that now."
    )


async def test_typing_points_at_the_only_one_that_fits() -> None:
    screen, _ = shown_at(with_cards())
    screen.press("y")
    several = len(screen.move_entry.fitting())
    assert several > 1 and "▸" not in foot(screen)
    for key in "3 1":
        screen.press(key)
    assert "▸Y3 tile 1◂" in foot(screen)


async def test_arrows_point_among_what_fits() -> None:
    screen, connection = shown_at(with_cards())
    for key in ("y", "right", "right"):
        screen.press(key)
    assert "▸Y3 tile 2◂" in foot(screen)
    screen.press("enter")
    for _ in range(5):
        await asyncio.sleep(0)
    (action,) = [fields["action"] for kind, fields in connection.asked if kind is m.Act]
    assert (action["card"], action["tile"]) == ("yellow-3", 2)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_keys_name_enter_only_where_it_does_something(language: str) -> None:
    table = racing(DRIVE)
    table.hurried = True
    screen, _ = shown_at(table, Texts(language))
    assert "Enter" not in foot(screen) and "←→" in foot(screen)
    screen.press("left")
    assert "Enter" in foot(screen) and "▸" in foot(screen)


# What changes while one points


async def test_a_pawn_stays_pointed_at_while_others_are_taken() -> None:
    table = racing(GRAB, scramble=True)
    screen, connection = shown_at(table)
    screen.press("right")
    left = ({"type": "grab", "pawn": {"one_of": ["blue", "black"]}},)
    table.take(update(table, m.Question(4, "grab", True, left)), 0.0)
    screen.press("enter")
    assert await acted(connection) == [{"type": "grab", "pawn": "blue"}]


async def test_a_neighbour_who_comes_or_goes_does_not_take_a_step_back() -> None:
    table = table_at("balloon-cup", 14)
    screen, _ = shown_at(table)
    screen.press("enter")
    step = screen.move_entry.selection
    assert step is not None and step.before is not None
    me, other = table.info.chairs
    assert other is not None
    table.info = attrs.evolve(table.info, chairs=(me, attrs.evolve(other, here=False)))
    screen.lines(80, 24)
    assert screen.move_entry.selection is step and screen.move_entry.cursor == 0


async def test_nothing_is_offered_while_an_answer_is_on_its_way() -> None:
    table = racing(GRAB, scramble=True)
    screen, connection = shown_at(table)
    screen.press("enter")
    left = ({"type": "grab", "pawn": {"one_of": ["blue", "black"]}},)
    table.take(update(table, m.Question(4, "grab", True, left)), 0.0)
    screen.press("enter")
    assert len(await acted(connection)) == 1


async def test_an_item_stays_pointed_at_while_others_come_before_it() -> None:
    player, connection = player_at(None)
    connection.session.lobby = {"ELM": attrs.evolve(table_at("balloon-cup", 0).info, table="ELM")}
    screen = Screen(player)
    lines = [plain(row) for row in screen.lines(80, 24)]
    assert any("▸" in row and "Watch: Balloon Cup" in row for row in lines)
    first = attrs.evolve(table_at("butterflies", 0).info, table="ASH")
    connection.session.lobby = {"ASH": first, **connection.session.lobby}
    screen.press("enter")
    await acted(connection)
    assert connection.asked[-1] == (m.Watch, {"table": "ELM", "code": None})


async def test_a_move_that_time_made_is_told_as_such() -> None:
    table = racing(DRIVE)
    ends = tuple(12.0 if seat == table.seat else None for seat in range(len(table.info.chairs)))
    table.clock, table.heard_at = m.Clock(now=10.0, ends=ends, banks=(), graces=()), 0.0
    story = Story()
    story.follow(table, Texts("en"))
    others = [seat for seat in range(len(table.info.chairs)) if seat != table.seat]
    news = tuple({"type": "quiet_kept", "seat": seat} for seat in (others[0], table.seat, others[1]))
    table.take(attrs.evolve(update(table, None), news=news), 5.0)
    told = story.follow(table, Texts("en"))
    assert told[1:3] == [Texts("en")("play.time_up"), "You kept quiet."] and len(told) == 4
    assert story.follow(table, Texts("en")) == []


async def test_a_question_that_ends_in_good_time_was_not_answered_by_the_clock() -> None:
    table = racing(DRIVE)
    table.take(update(table, None), 5.0)
    assert not table.timed_out


async def test_once_no_more_can_be_picked_enter_ends_the_picking() -> None:
    cards = ["red-1", "red-2", "red-3"]
    legal = ({"type": "exchange", "cards": {"subset": cards, "min": 1, "max": 2}},)
    table = table_at("balloon-cup", 0)
    table.question = m.Question(4, "exchange", False, legal)
    screen, connection = shown_at(table)
    for key in ("enter", "right", "enter", "enter"):
        screen.press(key)
    await acted(connection)
    assert connection.asked[-1][1]["action"] == {"type": "exchange", "cards": ["red-1", "red-2"]}
