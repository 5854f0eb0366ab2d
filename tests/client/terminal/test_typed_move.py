"""What somebody types in a game: taken if it can be meant, answered with why not and with what is near."""

import asyncio
from random import Random
from typing import Any

import attrs
import pytest
from support.client.seated_player import FakeConnection, player_at, table_at

from parlour.client.boards.butterflies.grid import short
from parlour.client.boards.catalogue import board_of
from parlour.client.boards.moves import MoveContext
from parlour.client.boards.text import plain
from parlour.client.language import ENGLISH, LANGUAGES, choose
from parlour.client.terminal.game.typed_words import folded, nearest
from parlour.client.terminal.game.vocabulary import meant
from parlour.client.terminal.menus.overlays import read_help, typed_examples
from parlour.client.terminal.screen import Screen
from parlour.engine.catalogue import GAMES
from parlour.protocol import messages as m

DRIVES = (
    {"type": "helmet", "via": "helmet"},
    {"type": "move", "steps": {"one_of": [1, 2]}, "detour": None},
)
WHY: dict[str, tuple[int, str, dict[str, Any], dict[str, Any], str]] = {
    "balloon-cup": (
        14,
        "e13 2",
        {"why": "not_in_hand", "card": "grey-13"},
        {"card": "grey-13"},
        "E13 is not in",
    ),
    "hurry-cup": (0, "drive 9", {"why": "out_of_reach", "most": 2}, {"steps": 9}, "drive 2 sections at most"),
    "butterflies": (14, "9,9", {"why": "not_adjacent", "at": [9, 9]}, {"at": [9, 9]}, "9,9 shares no side"),
}
"""The beat, what is typed, what the server answers, what it was asked, and what is shown."""


async def typed(screen: Screen, words: str) -> None:
    screen.lines(80, 24)
    for key in (*words, "enter"):
        screen.press(key)
    for _ in range(5):
        await asyncio.sleep(0)


def actions(connection: FakeConnection) -> list[Any]:
    return [fields["action"] for kind, fields in connection.asked if kind is m.Act]


@pytest.mark.parametrize("game", WHY)
async def test_a_move_against_the_rules_is_answered_with_why_and_what_is_near(game: str) -> None:
    beat, words, facts, asked, told = WHY[game]
    table = table_at(game, beat)
    if game == "hurry-cup":
        table.question = m.Question(4, "drive", False, DRIVES)
    player, connection = player_at(table)
    connection.refusal = m.Error(1, "illegal", facts)
    screen = Screen(player)
    await typed(screen, words)
    (action,) = actions(connection)
    assert asked.items() <= action.items()
    shown = "\n".join(plain(row) for row in screen.lines(80, 24))
    assert told in shown and "Did you mean:" in shown


async def test_a_place_that_was_typed_is_never_another_one() -> None:
    table = table_at("balloon-cup", 14)
    legal = (
        {"type": "play", "card": "red-7", "tile": 2, "side": 0},
        {"type": "play", "card": "blue-3", "tile": {"one_of": [1, 2]}, "side": {"one_of": [0, 1]}},
    )
    table.question = m.Question(4, "play", False, legal)
    player, connection = player_at(table)
    connection.refusal = m.Error(1, "illegal", {"why": "no_room", "card": "red-7", "tile": 4})
    screen = Screen(player)
    await typed(screen, "r7 4")
    assert [action["tile"] for action in actions(connection)] == [4]
    assert "tile 4 has no room for R7" in screen.move_entry.wrong


async def test_a_whole_move_can_be_typed_at_once() -> None:
    player, connection = player_at(table_at("balloon-cup", 14))
    screen = Screen(player)
    screen.lines(80, 24)
    only = next(
        offer.choice for offer in screen.move_entry.offers if offer.choice and len(offer.choice.legal) == 1
    )
    where = only.legal[0]
    side = "mine" if where["side"] == 0 else "theirs"
    card = next(offer.ways[0] for offer in screen.move_entry.offers if offer.choice is only)
    await typed(screen, f"{card} {where['tile']} {side}")
    assert actions(connection) == [where]


@pytest.mark.parametrize("words", ["r7 theirs", "r7 2 theirs", "r7 tile 2 theirs", "play r7 tile 2 theirs"])
async def test_what_was_never_asked_may_be_named_too(words: str) -> None:
    """A hint names the whole move, also the one tile that a card fits."""
    table = table_at("balloon-cup", 14)
    side = {"one_of": [0, 1]}
    legal = (
        {"type": "play", "card": "red-7", "tile": 2, "side": side},
        {"type": "play", "card": "blue-3", "tile": {"one_of": [1, 2, 3, 4]}, "side": side},
    )
    table.question = m.Question(4, "play", False, legal)
    player, connection = player_at(table)
    await typed(Screen(player), words)
    assert actions(connection) == [{"type": "play", "card": "red-7", "tile": 2, "side": 1}]


@pytest.mark.parametrize(("words", "side"), [("r7 2 t", 1), ("r7 2 m", 0), ("r7 t 2", None)])
async def test_a_letter_behind_a_number_is_not_that_of_the_word_before_it(
    words: str, side: int | None
) -> None:
    """Both "tile 2 mine" and "tile 2 theirs" have a t, but only one has it behind its 2."""
    table = table_at("balloon-cup", 14)
    fields = {"type": "play", "card": {"one_of": ["red-7", "red-8"]}, "side": {"one_of": [0, 1]}}
    table.question = m.Question(4, "play", False, tuple({**fields, "tile": tile} for tile in (1, 2, 3, 4)))
    player, connection = player_at(table)
    screen = Screen(player)
    await typed(screen, words)
    played = {"type": "play", "card": "red-7", "tile": 2}
    assert actions(connection) == ([{**played, "side": side}] if side is not None else [])
    assert bool(screen.move_entry.wrong) is (side is None)


def test_what_the_server_is_asked_about_is_never_legal() -> None:
    assert meant("hurry-cup", "drive two 2", DRIVES) is None
    assert meant("hurry-cup", "drive 7", DRIVES) == {"type": "move", "steps": 7, "detour": None}


@pytest.mark.parametrize(
    ("words", "near"),
    [("r13", ["R9", "R1", "Y3"]), ("y", ["Y1", "Y3", "Y11"])],
)
def test_what_begins_alike_is_nearest(words: str, near: list[str]) -> None:
    cards = ["R9", "R1", "Y1", "Y3", "Y11", "G2"]
    found = [cards[number] for number in nearest([(card,) for card in cards], words)]
    assert sorted(found[:2]) == sorted(near[:2])


def card(x: int, y: int, name: str = "monarch-red") -> dict[str, Any]:
    return {"at": [x, y], "card": name, "token": None}


@pytest.mark.parametrize(
    ("cells", "asked"),
    [
        ([(0, 0), (1, 0)], False),
        ([(0, 0), (1, 0), (3, 0)], True),
        ([(0, 0), (1, 1), (2, 2)], True),
        ([(0, 0), (1, 0), (4, 0)], False),
    ],
)
def test_a_goal_is_asked_about_only_when_a_card_could_meet_it(
    cells: list[tuple[int, int]], asked: bool
) -> None:
    """While the cell is still to be chosen."""
    view = {
        "goals": [{"colour": "red", "species": "morpho"}, {"colour": None, "species": None}],
        "grid": [card(*cell) for cell in cells],
    }
    declare = {"one_of": [None, {"goal": "colour", "seat": 0}]}
    at = {"one_of": [[2, 0], [0, 1]]}
    legal = [{"type": "play", "card": "monarch-red", "at": at, "declare": declare}]
    patterns = board_of("butterflies").moves.unasked(view, legal)
    assert patterns[0]["declare"] == (declare if asked else None)


PLAYED = {"type": "play", "card": "monarch-red"}


@pytest.mark.parametrize(
    ("action", "asked"),
    [
        ({**PLAYED, "at": [2, 0]}, True),
        ({**PLAYED, "at": [4, 0]}, False),
        ({**PLAYED, "card": "monarch-blue", "at": [2, 0]}, False),
        ({"type": "place", "at": [2, 0]}, True),
        ({"type": "place", "at": [4, 0]}, False),
        ({"type": "move", "from": [0, 5], "to": [2, 0]}, True),
        ({"type": "move", "from": [3, 0], "to": [2, 0]}, False),
    ],
)
def test_declaring_is_asked_only_where_a_row_of_four_is_there(action: dict[str, Any], asked: bool) -> None:
    view = {
        "goals": [{"colour": "red", "species": "morpho"}, {"colour": None, "species": None}],
        "grid": [card(0, 0), card(1, 0), card(3, 0), card(0, 5)],
        "turned": "peacock-red",
    }
    colour = {"goal": "colour", "seat": 0}
    declare = {"one_of": [None, colour, {"goal": "species", "seat": 0}]}
    moves = board_of("butterflies").moves
    (pattern,) = moves.unasked(view, [{**action, "declare": declare}])
    assert pattern["declare"] == ({"one_of": [None, colour]} if asked else None)
    told = moves.fields["declare"](colour, {}, MoveContext("butterflies", 0, ("Anna", "Ben"), view, ENGLISH))
    assert plain(told) == "declare red, the row is complete!"


@pytest.mark.parametrize(("last", "offered"), [([2, 0], True), ([2, 1], False)])
def test_a_goal_can_be_declared_by_itself_once_its_row_is_there(last: list[int], offered: bool) -> None:
    grid = [card(0, 0), card(1, 0), card(3, 0), card(last[0], last[1])]
    view = {"goals": [{"colour": "red", "species": "morpho"}], "grid": grid, "turned": None}
    legal = [{"type": "turn"}, {"type": "declare", "goal": {"one_of": ["colour", "species"]}, "seat": 0}]
    patterns = board_of("butterflies").moves.unasked(view, legal)
    declared = [pattern["goal"] for pattern in patterns if pattern["type"] == "declare"]
    assert declared == ([{"one_of": ["colour"]}] if offered else [])


def test_a_webbed_card_is_in_no_row() -> None:
    grid = [card(0, 0), {**card(1, 0), "token": "web"}, card(3, 0)]
    view = {"goals": [{"colour": "red", "species": "morpho"}], "grid": grid, "turned": None}
    declare = {"one_of": [None, {"goal": "colour", "seat": 0}]}
    legal = [{**PLAYED, "at": [2, 0], "declare": declare}]
    assert board_of("butterflies").moves.unasked(view, legal)[0]["declare"] is None


async def test_cards_that_can_be_moved_are_named() -> None:
    table = table_at("butterflies", 30)
    assert table.question is not None and table.view is not None
    cells = [each["at"] for each in table.view["grid"]][:3]
    move = {"type": "move", "from": {"one_of": cells}, "to": {"one_of": [[9, 9], [9, 8]]}, "declare": None}
    table.question = attrs.evolve(table.question, legal=(move,))
    player, _ = player_at(table)
    window = "\n".join(plain(line) for line in Screen(player).lines(120, 40))
    first = table.view["grid"][0]
    assert f"{short(first['card'])} {first['at'][0]},{first['at'][1]}" in window
    assert "' ' can be moved" in window


async def test_once_a_card_to_move_is_chosen_no_other_is_said_to_be_movable() -> None:
    table = table_at("butterflies", 30)
    assert table.question is not None and table.view is not None
    cells = [each["at"] for each in table.view["grid"]][:3]
    move = {"type": "move", "from": {"one_of": cells}, "to": {"one_of": [[9, 9], [9, 8]]}, "declare": None}
    table.question = attrs.evolve(table.question, legal=(move,))
    screen = Screen(player_at(table)[0])
    screen.lines(120, 40)
    screen.press("enter")
    assert "can be moved" not in "\n".join(plain(line) for line in screen.lines(120, 40))


@pytest.mark.parametrize("to", [[[9, 9], [9, 8]], [[9, 9], [1, -3]]])
async def test_a_cell_typed_after_a_card_of_the_hand_is_no_beginning_of_a_card_on_the_grid(
    to: list[list[int]],
) -> None:
    table = table_at("butterflies", 30)
    assert table.question is not None and table.view is not None
    table.view = {**table.view, "grid": [card(0, -2), card(0, -1, "peacock-blue")]}
    hand, at = {"one_of": ["monarch-red", "morpho-blue"]}, {"one_of": [[0, -3], [1, -2]]}
    play = {"type": "play", "card": hand, "at": at, "declare": None}
    move = {"type": "move", "from": {"one_of": [[0, -2], [0, -1]]}, "to": {"one_of": to}, "declare": None}
    table.question = attrs.evolve(table.question, legal=(play, move))
    player, connection = player_at(table)
    await typed(Screen(player), "mr 0,-3")
    assert actions(connection) == [{**play, "card": "monarch-red", "at": [0, -3]}]


# Several steps at once: while they are typed, they are judged as Enter would judge them


def choice_line(screen: Screen) -> str:
    """The line with what was typed so far."""
    return next(line for line in (plain(row) for row in screen.lines(80, 24)) if "▏" in line)


def steps_of(game: str, luck: Random) -> tuple[Screen, FakeConnection, str]:
    """A moment of a game, and the words of some choices one after the other, up to a whole action."""
    table = table_at(game, luck.randrange(4, 20))
    assert table.question is not None
    table.question = attrs.evolve(
        table.question, scramble=False
    )  # where letters are typed, not taken at once
    player, connection = player_at(table)
    screen = Screen(player)
    screen.lines(80, 24)
    entry = screen.move_entry
    offers, step, words = entry.offers, entry.selection, []
    while step is not None and step.action is None:
        offer = luck.choice(offers)
        assert offer.choice is not None
        words.append(luck.choice(offer.ways))
        step = step.take(offer.choice)
        offers = entry.offers_at(step, table)
    return screen, connection, folded(" ".join(words))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", range(12))
async def test_what_is_typed_is_judged_as_enter_would_judge_it(game: str, number: int) -> None:
    screen, connection, words = steps_of(game, Random(f"{game} {number}"))
    for key in words:
        screen.press(key)
    nothing = "nothing fits" in choice_line(screen)
    screen.press("enter")
    for _ in range(5):
        await asyncio.sleep(0)
    asked_if_sure = bool(screen.player.places)
    # The only cell that is left is shown before the action is sent.
    shown_first = len(screen.move_entry.offers) == 1
    taken = asked_if_sure or ((bool(actions(connection)) or shown_first) and not screen.move_entry.wrong)
    assert nothing is not taken


HANDS = tuple(
    {"type": "play", "card": {"one_of": ["red-7", "green-11"]}, "tile": tile, "side": {"one_of": [0, 1]}}
    for tile in (1, 2, 3, 4)
)
FAR = ({"type": "helmet", "via": "helmet"}, {"type": "move", "steps": {"one_of": [1, 2, 3]}, "detour": None})
AFTER = ({"type": "nitro", "via": "nitro"}, {"type": "done"})
GRID = (
    {
        "type": "play",
        "card": {"one_of": ["monarch-red", "morpho-red"]},
        "at": {"one_of": [[0, 1], [1, 1]]},
        "declare": None,
    },
    {"type": "move", "from": [2, 1], "to": {"one_of": [[0, 1], [0, 3]]}, "declare": None},
    {"type": "declare", "goal": {"one_of": ["colour", "species"]}, "seat": 0},
)
EXAMPLES: dict[str, list[tuple[tuple[dict[str, Any], ...], dict[str, Any]]]] = {
    "balloon-cup": [
        (HANDS, {"type": "play", "card": "red-7", "tile": 2, "side": 0}),
        (HANDS, {"type": "play", "card": "green-11", "tile": 3, "side": 1}),
    ],
    "hurry-cup": [
        (FAR, {"type": "move", "steps": 3, "detour": None}),
        (AFTER, {"type": "nitro", "via": "nitro"}),
        (AFTER, {"type": "done"}),
    ],
    "butterflies": [
        (GRID, {"type": "play", "card": "monarch-red", "at": [0, 1], "declare": None}),
        (GRID, {"type": "move", "from": [2, 1], "to": [0, 3], "declare": None}),
        (GRID, {"type": "declare", "goal": "colour", "seat": 0}),
    ],
}
"""By game: what is legal, and the action that an example of the help means there."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
async def test_the_examples_of_the_help_can_be_typed(game: str, language: str) -> None:
    texts = choose(language)
    examples = typed_examples(game, texts)
    table = table_at(game, 14)
    if game == "butterflies":
        card = {"card": "peacock-blue", "at": [2, 1], "seat": 1, "token": None}
        goals = [{"colour": "red", "species": "peacock"}, {"colour": None, "species": None}]
        table.view = {**(table.view or {}), "grid": [card], "goals": goals, "last": None}
    for words, (legal, action) in zip(examples, EXAMPLES[game], strict=True):
        table.question = m.Question(4, "play", False, legal)
        player, connection = player_at(table, texts)
        read_help(player)
        assert player.reading is not None and any(words in each for each in player.reading.paragraphs)
        player.reading = None
        screen = Screen(player)
        screen.lines(80, 24)
        for key in words:
            screen.press(key)
            assert texts("play.nothing_fits") not in choice_line(screen)
        screen.press("enter")
        if player.places:  # asked whether to declare
            screen.press("y")
        for _ in range(5):
            await asyncio.sleep(0)
        assert actions(connection) == [action], words


async def test_the_help_of_a_table_is_about_its_game() -> None:
    player, _ = player_at(table_at("butterflies", 14))
    read_help(player)
    assert player.reading is not None
    told = "\n".join(player.reading.paragraphs)
    assert "mr 0,1" in told and "Mr is a red monarch" in told
    assert "r7 2 mine" not in told and "SCRAMBLE" not in told and "ROAD" not in told
    player.table_id = None
    read_help(player)
    assert all(words in "\n".join(player.reading.paragraphs) for words in ("mr 0,1", "r7 2 mine", "drive 3"))
