"""A typed move is the one that was typed, in any position of any game, or it is asked which is meant."""

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import attrs
import pytest
from support import soak
from support.client.seated_player import FakeConnection, player_at, table_at

from parlour.client.boards.moves import MoveContext
from parlour.client.boards.text import plain
from parlour.client.language import LANGUAGES, Texts
from parlour.client.legal import every, pick
from parlour.client.table import Table
from parlour.client.terminal.game.move_entry import MoveEntry, in_order
from parlour.client.terminal.game.move_texts import choice_line
from parlour.client.terminal.game.selection import Choice
from parlour.client.terminal.game.typed_move import understood, write
from parlour.client.terminal.game.typed_words import Fit, fit
from parlour.client.terminal.screen import Screen
from parlour.engine.catalogue import GAMES
from parlour.protocol import messages as m

SEEDS = soak.count(8, 80)
BEATS = 60


def positions(game: str, seed: int) -> Iterator[Table]:
    """Some moments of a random game, with the questions typed at and not grabbed."""
    luck = Random(f"{game} {seed}")
    for _ in range(3):
        table = table_at(game, luck.randrange(BEATS), seed=luck.randbytes(32))
        if table.question is not None and table.question.legal:
            table.question = attrs.evolve(table.question, scramble=False)
            yield table


def is_told_whole(action: dict[str, Any]) -> bool:
    """Whether its words name all of it at once; several cards or pawns are picked one by one."""
    return all(
        isinstance(value, int | str) or is_cell(value) for value in action.values() if value is not None
    )


def is_cell(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, int) for each in value)


def forms(action: dict[str, Any], context: MoveContext) -> Iterator[tuple[str, bool]]:
    """All the ways of typing an action, and whether its kind is named first."""
    fields = {name: value for name, value in action.items() if value is not None}
    for spoken in (False, True):
        for with_kind in (True, False):
            told = {name: value for name, value in fields.items() if with_kind or name != "type"}
            words = plain(choice_line(Choice(told, ()), attrs.evolve(context, spoken=spoken, typed=True)))
            if words:
                yield words, with_kind
                yield words.replace(",", " "), with_kind
                yield words.lower(), with_kind


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("game", GAMES)
def test_a_move_typed_whole_is_that_move_or_is_asked_about(game: str, seed: int) -> None:
    luck, language = Random(seed), [*LANGUAGES][seed % len(LANGUAGES)]
    for table in positions(game, seed):
        assert table.question is not None
        entry = MoveEntry(player_at(table, Texts(language))[0])
        entry.follow(table)
        legal = in_order(table.question.legal, table)
        for action in [pick(legal, luck) for _ in range(3)]:
            if not is_told_whole(action):
                continue
            for words, with_kind in forms(action, entry.context(table)):
                write(entry, words, table)
                found = understood(entry, table)
                assert found.best, words
                if with_kind:
                    assert found.only is not None, (words, [plain(each.line) for each in found.best])
                if found.only is not None:
                    assert found.only.step is not None and action in every(found.only.step.legal), words
                    marked = found.only.step.settled
                    assert all(marked[name] == action[name] for name in action if name != "declare"), words
                # Whatever is pointed at beside the words is what Enter takes.
                pointed = entry.pointed
                assert pointed is None or (found.only is not None and found.only.offers == (pointed,))


# Single cases


def acted(connection: FakeConnection) -> list[Any]:
    return [fields["action"] for kind, fields in connection.asked if kind is m.Act]


async def typed(screen: Screen, words: str) -> str:
    """What stands on the line of choices before Enter is pressed."""
    screen.lines(80, 24)
    for key in words:
        screen.press(key)
    line = next(line for line in (plain(row) for row in screen.lines(80, 24)) if "▏" in line)
    screen.press("enter")
    for _ in range(5):
        await asyncio.sleep(0)
    return line


def card(x: int, y: int, name: str) -> dict[str, Any]:
    return {"at": [x, y], "card": name, "token": None}


def grid_at(grid: list[dict[str, Any]], *legal: dict[str, Any], **view: Any) -> Table:
    """A table of Butterflies with these cards on the grid and these actions."""
    table = table_at("butterflies", 14)
    assert table.question is not None and table.view is not None
    table.view = {**table.view, "grid": grid, **view}
    table.question = attrs.evolve(table.question, legal=legal)
    return table


AROUND = {"one_of": [[0, -1], [-1, 0], [1, 0], [0, 1]]}
PLAY = {"type": "play", "card": "peacock-green", "at": AROUND, "declare": None}


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("pg 0,1", [0, 1]),
        ("pg 0 1", [0, 1]),
        ("0,1", [0, 1]),
        ("pg -1,0", [-1, 0]),
        ("play pg 1,0", [1, 0]),
        ("green peacock 0,-1", [0, -1]),
    ],
)
async def test_the_numbers_of_a_cell_stand_in_the_order_typed(words: str, at: list[int]) -> None:
    table = grid_at([card(0, 0, "monarch-red")], PLAY, {"type": "turn"})
    player, connection = player_at(table)
    line = await typed(Screen(player), words)
    assert f"▸play Pg {at[0]},{at[1]}◂" in line
    assert acted(connection) == [{**PLAY, "at": at}]


async def test_a_card_is_named_also_where_there_is_no_other() -> None:
    table = grid_at([card(0, 0, "monarch-red")], PLAY, {"type": "turn"})
    screen = Screen(player_at(table)[0])
    window = "\n".join(plain(line) for line in screen.lines(80, 24))
    assert "play Pg 0,-1" in window and "play Pg 0,1" in window


async def test_the_target_of_a_card_is_no_other_cell_of_it() -> None:
    grid = [card(-2, -1, "swallowtail-blue"), card(-2, 0, "monarch-red")]
    to = {"one_of": [[-1, -2], [1, -2], [-1, 0]]}
    move = {"type": "move", "from": {"one_of": [[-2, -1], [-2, 0]]}, "to": to, "declare": None}
    player, connection = player_at(grid_at(grid, move, {"type": "turn"}))
    line = await typed(Screen(player), "move sb -1,-2")
    assert "▸move a card Sb -2,-1 -1,-2◂" in line
    assert acted(connection) == [{**move, "from": [-2, -1], "to": [-1, -2]}]


async def test_a_word_that_fits_several_takes_none_of_them() -> None:
    table = grid_at([card(0, 0, "monarch-red")], PLAY, {"type": "turn"})
    player, connection = player_at(table)
    screen = Screen(player)
    line = await typed(screen, "play")
    assert "▸" not in line and acted(connection) == []
    assert screen.move_entry.wrong.startswith("“play” can mean: play Pg 0,-1; ")
    assert screen.move_entry.typed == "play"


async def test_a_second_enter_after_a_wrong_word_takes_nothing() -> None:
    table = grid_at([card(0, 0, "monarch-red")], PLAY, {"type": "turn"})
    table.info = attrs.evolve(table.info, tournament="CUP")  # where the server is not asked why
    player, connection = player_at(table)
    screen = Screen(player)
    await typed(screen, "pg 5,5")
    screen.press("enter")
    for _ in range(5):
        await asyncio.sleep(0)
    assert acted(connection) == [] and "5,5" in screen.move_entry.wrong


@pytest.mark.parametrize(
    ("way", "words", "found"),
    [
        ("R13 tile 2", "r1", Fit.UNFINISHED),
        ("R13 tile 2", "r13", Fit.WHOLE),
        ("R13 tile 2", "r", Fit.BEGUN),
        ("R13 tile 2", "2 r13 tile", Fit.EXACT),
        ("play Og 0,11", "og 0 1", Fit.UNFINISHED),
        ("play Og 0,11", "og 0", Fit.UNFINISHED),
        ("play Og 0,11", "og 11", Fit.NOT),
        ("play Og -1,0", "og -", Fit.UNFINISHED),
        ("move Og 1,2 3,4", "og 3 4 1 2", Fit.NOT),
    ],
)
def test_a_number_that_lacks_its_end_is_no_other_number(way: str, words: str, found: Fit) -> None:
    assert fit(way, words.split()) is found


# Declaring

GOAL = {"goal": "species", "seat": 0}
DECLARE = {"one_of": [None, {"goal": "colour", "seat": 0}, GOAL]}
GOALS = [{"colour": "yellow", "species": "peacock"}, {"colour": None, "species": None}]
THREE = [card(x, 0, f"peacock-{colour}") for x, colour in enumerate(("red", "blue", "green"))]
FOURTH = {
    "type": "play",
    "card": "peacock-green",
    "at": {"one_of": [[3, 0], [0, 1]]},
    "declare": DECLARE,
}


def row_table() -> Table:
    """The fourth peacock of a row may be laid, and the own goal is peacock."""
    return grid_at(THREE, FOURTH, {"type": "turn"}, goals=GOALS)


async def test_declare_alone_does_not_declare_nothing() -> None:
    player, connection = player_at(row_table())
    screen = Screen(player)
    await typed(screen, "pg 3,0")
    window = "\n".join(plain(line) for line in screen.lines(80, 24))
    assert "▸declare nothing◂" in window and "declare peacock, the row is complete!" in window
    await typed(screen, "declare")
    assert acted(connection) == [] and not player.places
    assert "declare nothing; declare peacock" in screen.move_entry.wrong


async def test_a_row_that_is_there_is_not_passed_over_by_one_key() -> None:
    player, connection = player_at(row_table())
    screen = Screen(player)
    await typed(screen, "pg 3,0")
    screen.press("enter")
    window = "\n".join(plain(line) for line in screen.lines(80, 24))
    assert "The row of peacock is there. Declare nothing?" in window
    screen.press("y")
    await asyncio.sleep(0)
    assert acted(connection) == [{**FOURTH, "at": [3, 0], "declare": None}]


@pytest.mark.parametrize(
    ("words", "asked", "goal"),
    [
        ("pg 3,0 declare peacock", "Declare peacock? Its row is there.", GOAL),
        ("pg 0,1 declare peacock", "Declare peacock? Its row is not there", GOAL),
        ("play pg 3,0 declare yellow", "Declare yellow? Its row is not", {"goal": "colour", "seat": 0}),
    ],
)
async def test_a_goal_may_be_declared_with_a_typed_move_row_or_not(
    words: str, asked: str, goal: dict[str, Any]
) -> None:
    player, connection = player_at(row_table())
    screen = Screen(player)
    await typed(screen, words)
    assert asked in "\n".join(plain(line) for line in screen.lines(80, 24))
    screen.press("y")
    await asyncio.sleep(0)
    assert [action["declare"] for action in acted(connection)] == [goal]


async def test_a_goal_without_its_row_may_be_declared_before_acting_by_its_name() -> None:
    declare = {"type": "declare", "goal": {"one_of": ["colour", "species"]}, "seat": 0}
    player, connection = player_at(grid_at(THREE, declare, FOURTH, {"type": "turn"}, goals=GOALS))
    screen = Screen(player)
    line = await typed(screen, "declare yellow")
    assert "▸declare yellow◂" in line
    screen.press("y")
    await asyncio.sleep(0)
    assert acted(connection) == [{"type": "declare", "goal": "colour", "seat": 0}]


@pytest.mark.parametrize(("width", "height", "named"), [(64, 20, False), (200, 60, True)])
async def test_where_there_is_no_room_cards_to_move_are_told_by_their_kind(
    width: int, height: int, named: bool
) -> None:
    grid = [card(x, 0, "monarch-red") for x in range(3)]
    move = {
        "type": "move",
        "from": {"one_of": [each["at"] for each in grid]},
        "to": {"one_of": [[x, 5] for x in range(9)]},
        "declare": None,
    }
    at = {"one_of": [[x, 1] for x in range(9)]}
    play = {"type": "play", "card": {"one_of": ["peacock-green", "morpho-blue"]}, "at": at, "declare": None}
    others = [{"type": "turn"}, {"type": "net", "at": [0, 0]}, {"type": "web", "at": [0, 0]}]
    table = grid_at(grid, play, move, *others)
    window = "\n".join(plain(line) for line in Screen(player_at(table)[0]).lines(width, height))
    assert ("move a card Mr 1,0" in window) is named
    assert all(kind in window for kind in ("play Pg", "move a card", "turn up a card", "net", "web"))


@pytest.mark.parametrize(
    ("language", "key", "gives_up"), [("ru", "н", False), ("ru", "д", True), ("it", "s", True)]
)
async def test_a_question_is_answered_by_the_letter_of_its_words(
    language: str, key: str, gives_up: bool
) -> None:
    player, connection = player_at(table_at("butterflies", 14), Texts(language))
    screen = Screen(player)
    screen.lines(80, 24)
    for each in ("f10", "x", key):
        screen.press(each)
    await asyncio.sleep(0)
    assert [kind for kind, _ in connection.asked] == ([m.Resign] if gives_up else [])
