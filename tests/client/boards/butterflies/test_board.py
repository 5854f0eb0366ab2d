"""Butterflies as text: what the grid, the players and the sentences tell."""

from typing import Any

import pytest

from parlour.client.boards.butterflies.board import draw, words
from parlour.client.boards.butterflies.grid import COLOURS, SPECIES, Marks, drawn_grid, longest, short
from parlour.client.boards.room import LEAST, Room
from parlour.client.boards.text import columns, plain
from parlour.client.language import LANGUAGES, Texts
from parlour.engine.butterflies import public as p
from parlour.engine.catalogue import GAMES
from parlour.engine.maps import tagged
from parlour.engine.secret import ALL, Seat, Viewer
from tools.kept_boards import NAMES, from_scenario, looking, looks, played

ANNA, BEN = Seat(0), Seat(1)
C = p.Card
TOKENS = from_scenario("butterflies/net-and-web.json")
LARGE = Room(120, 35)


def view_of(state: Any, viewer: Viewer = ALL) -> dict[str, Any]:
    return looks(GAMES["butterflies"].view(state), viewer)


def text(view: dict[str, Any], me: int | None = 0, room: Room = LEAST, **more: Any) -> list[str]:
    return [plain(line) for line in draw(view, me, NAMES[: len(view["hands"])], room, **more)]


def card(x: int, y: int, name: str = "monarch-red", token: str | None = None) -> dict[str, Any]:
    return {"at": [x, y], "card": name, "token": token}


def grid(
    cards: list[dict[str, Any]], *, last: p.At | None = None, room: tuple[int, int] = (40, 16), **marks: Any
) -> str:
    kept = Marks(**{name: frozenset(cells) for name, cells in marks.items()})
    return "\n".join(plain(line) for line in drawn_grid(cards, last, kept, room))


# The grid


def test_every_card_has_letters_of_its_own_for_species_and_colour() -> None:
    assert len({short(each) for each in p.CARDS}) == len(p.CARDS)
    assert set(SPECIES) == set(p.SPECIES) and set(COLOURS) == set(p.COLOURS)


def test_colour_never_stands_alone() -> None:
    for room in (LEAST, LARGE):
        for line in looking(draw(view_of(TOKENS), 0, NAMES[:2], room)):
            for style, piece in line:
                if style.startswith("class:card.") and piece.strip(")(o|=-@}{<> "):
                    assert COLOURS[style.removeprefix("class:card.")] in piece


def test_a_net_and_a_web_are_signs_on_their_cards() -> None:
    board = "\n".join(text(view_of(TOKENS)))
    assert "Mr#" in board and "Pb%" in board


def test_the_last_card_is_in_brackets_at_every_size() -> None:
    for room in ((80, 40), (40, 16), (18, 6), (14, 4), (10, 4)):
        drawn = grid([card(0, 0), card(1, 0, "peacock-blue")], last=(1, 0), room=room)
        assert "Pb]" in drawn and "Mr]" not in drawn


def test_the_cells_that_one_may_play_have_a_plus() -> None:
    view = view_of(TOKENS, ANNA)
    legal = [
        {"type": "play", "card": "peacock-red", "at": {"one_of": [[3, 0], [3, 1]]}, "declare": None},
        {"type": "place", "at": [-1, 0], "declare": None},
        {"type": "turn"},
    ]
    assert sum(line.count("+") for line in text(view)) == 0
    assert sum(line.count("+") for line in text(view, legal=legal)[1:-2]) == 3
    assert "+ play here" in text(view, legal=legal)[-2]


def test_where_only_moves_are_left_their_cards_and_targets_are_marked() -> None:
    legal = [{"type": "move", "from": [2, 1], "to": {"one_of": [[3, 0], [0, 1]]}, "declare": None}]
    board = "\n".join(text(view_of(TOKENS, ANNA), legal=legal)[1:-2])
    assert "'Py'" in board and board.count("+") == 1


def test_what_is_chosen_points_at_itself() -> None:
    chosen = {"type": "move", "from": [2, 1], "to": [3, 1]}
    board = "\n".join(text(view_of(TOKENS, ANNA), chosen=chosen))
    assert ">Py<" in board and ">+<" in board


def test_rows_and_columns_are_numbered_as_cells_are_named() -> None:
    lines = grid([card(-2, 5), card(-1, 5)], room=(24, 4)).splitlines()
    assert lines[0].split() == ["-3", "-2", "-1", "0"]
    assert [line.split()[0] for line in lines[1:4]] == ["4", "5", "6"]
    assert [lines[0].index(x) for x in ("-2", "-1")] == pytest.approx(
        [lines[2].index("Mr"), lines[2].rindex("Mr")], abs=1
    )


def test_the_grid_does_not_jump_when_ones_turn_comes() -> None:
    view = view_of(TOKENS, ANNA)
    legal = [{"type": "play", "card": "peacock-red", "at": {"one_of": [[3, 0], [-1, 0], [1, -1], [1, 2]]}}]
    unmarked = [line.replace("+", " ").rstrip() for line in text(view, legal=legal)[:-2]]
    assert unmarked == text(view)[:-2]


def test_a_grid_too_large_for_the_room_is_shown_around_what_happened_last() -> None:
    row = [card(x, 0, "peacock-blue" if x == 25 else "monarch-red") for x in range(32)]
    drawn = grid(row, last=(25, 0), room=(40, 10))
    assert "Pb" in drawn and "◂" in drawn and "▸" in drawn
    assert "Pb" not in grid(row, last=(2, 0), room=(40, 10))
    column = [card(0, y, "peacock-blue" if y == 25 else "monarch-red") for y in range(32)]
    drawn = grid(column, last=(0, 25), room=(40, 10))
    assert "Pb" in drawn and "▴" in drawn and "▾" in drawn


def test_a_grid_too_high_for_the_room_is_as_wide_as_it_may_be() -> None:
    column = [card(0, y, "peacock-blue" if y == 25 else "monarch-red") for y in range(32)]
    assert "[Pb]" in grid(column, last=(0, 25), room=(40, 10))


def test_the_room_moves_along_with_the_cell_that_is_chosen() -> None:
    row = [card(x, 0) for x in range(32)]
    for x in range(-1, 33):
        assert ">+<" in grid(row, last=(16, 0), room=(40, 10), chosen=[(x, 1)])


@pytest.mark.parametrize("room", [LEAST, LARGE, Room(100, 24)], ids=str)
def test_the_largest_grids_stay_within_their_room(room: Room) -> None:
    for across, down in ((1, 0), (0, 1), (1, 1)):
        cards = [card(across * n - 40, down * n - 40) for n in range(32)]
        view = {**view_of(TOKENS), "grid": cards, "last": {"at": cards[-1]["at"], "by": 1, "how": "laid"}}
        lines = draw(view, 0, NAMES[:2], room)
        assert len(lines) == room.height and max(map(columns, lines)) <= room.width


def test_the_row_that_won_is_in_round_brackets() -> None:
    state = from_scenario("butterflies/over-by-a-goal.json")
    view = view_of(state)
    assert sum(line.count("(") for line in text(view)) == len(longest(view["grid"], _won_word(view)))
    assert text(view)[-1].startswith(f" The game is over: {_won_word(view)} was the goal of ")


def _won_word(view: dict[str, Any]) -> str:
    return str(view["goals"][view["won"]["seat"]][view["won"]["goal"]])


# Goals


@pytest.mark.parametrize(
    "cells",
    [
        [(0, 0), (1, 0), (2, 0)],
        [(0, 0), (0, 1), (0, 2)],
        [(0, 0), (1, 1), (2, 2)],
        [(0, 2), (1, 1), (2, 0)],
    ],
)
def test_progress_is_the_longest_row_in_any_direction(cells: list[p.At]) -> None:
    cards = [card(*cell) for cell in cells] + [card(9, 9)]
    assert sorted(longest(cards, "red")) == sorted(longest(cards, "monarch")) == sorted(cells)
    assert longest(cards, "blue") == []


def test_a_webbed_card_is_in_no_row_and_a_netted_one_is() -> None:
    row = [card(0, 0), card(1, 0), card(2, 0, token="net"), card(3, 0)]
    assert len(longest(row, "red")) == 4
    row[1]["token"] = "web"
    assert len(longest(row, "red")) == 2


def test_goals_are_words_to_those_who_know_them_and_question_marks_to_others() -> None:
    assert " red ■■■· peacock ■■··" in "\n".join(text(view_of(TOKENS, ANNA)))
    assert text(view_of(TOKENS, None), None)[3].endswith("colour ? species ?")
    assert "blue ···· morpho ■···" in "\n".join(text(view_of(TOKENS, BEN), 1))


def test_a_goal_that_is_face_up_is_in_brackets() -> None:
    view = {**view_of(TOKENS, ANNA), "shown": [["colour"], []]}
    assert "[red] ■■■· peacock ■■··" in "\n".join(text(view))


def test_the_longest_goals_fit_with_their_progress() -> None:
    goals = [{"colour": "yellow", "species": "swallowtail"}] * 2
    view = {**view_of(TOKENS, ANNA), "goals": goals, "shown": [["colour", "species"]] * 2}
    for room in (LEAST, LARGE):
        assert any(line.endswith("[yellow] ■··· [swallowtail] ■···") for line in text(view, room=room))


# Players


def test_a_hidden_hand_is_its_size() -> None:
    view = view_of(TOKENS, ANNA)
    assert "▒▒   " in text(view)[6] and "▒▒ ▒▒" not in text(view)[6]
    assert "no cards" in text({**view, "hands": [[], 0]})[2]
    assert "no cards" in text({**view, "hands": [[], 0]})[6]


def test_tokens_that_are_used_up_are_dots() -> None:
    assert text(view_of(TOKENS))[2].endswith("··· web") and text(view_of(TOKENS))[6].endswith("net ···")


def test_partners_see_each_others_goals_and_teams_are_named() -> None:
    state = played("butterflies", 4, "teams", 0, teams="on")
    lines = text(view_of(state, ANNA))
    assert [("team A" in line, "team B" in line) for line in lines[1:15:4]] == [
        (True, False),
        (False, True),
    ] * 2
    assert ["?" in line for line in lines[3:17:4]] == [False, True, False, True]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, " ▶ Anna: play, turn up or move a card, or use a token"),
        ({"played": [3, 2]}, " ▶ Anna: play a card, or turn one up"),
        ({"phase": "place", "to_act": [1]}, " ▶ Ben: place the card that is turned up"),
        ({"to_act": []}, " The game is over: nobody has won."),
    ],
)
def test_the_last_line_says_who_does_what(fields: dict[str, Any], line: str) -> None:
    assert text({**view_of(TOKENS), **fields})[-1] == line


def test_the_title_tells_the_deck_the_turned_card_and_quiet_turns() -> None:
    view = view_of(TOKENS, ANNA)
    assert text(view)[0] == f" BUTTERFLIES{'deck 23':>67}"
    turned = {**view, "turned": "morpho-green", "quiet": 7, "deck": 3}
    assert text(turned)[0].startswith(" BUTTERFLIES   turned up Og ")
    assert text(turned)[0].endswith("turns without a card: 7 of 24   deck 3")


# Sentences

SENTENCES: list[tuple[Any, str]] = [
    (p.GoalsDealt(ANNA, None, None), "Anna got two secret goals."),
    (p.GoalsDealt(ANNA, "red", "morpho"), "Anna got two secret goals: red and morpho."),
    (p.HandDealt(ANNA, 2), "Anna was dealt 2 cards."),
    (
        p.HandDealt(ANNA, (C("monarch-red"), C("peacock-blue"))),
        "Anna was dealt red monarch and blue peacock.",
    ),
    (p.FirstChosen(BEN), "The first turn went to Ben."),
    (p.CardPlayed(ANNA, C("monarch-red"), (2, -1)), "Anna played the red monarch at 2,-1."),
    (p.CardDrawn(ANNA, None), "Anna drew a card."),
    (p.CardDrawn(ANNA, C("morpho-blue")), "Anna drew the blue morpho."),
    (p.CardTurned(ANNA, C("morpho-blue")), "Anna turned up the blue morpho."),
    (p.CardPlaced(ANNA, C("morpho-blue"), (0, 3)), "Anna placed the blue morpho at 0,3."),
    (p.CardMoved(ANNA, C("morpho-blue"), (0, 3), (1, 1)), "Anna moved the blue morpho from 0,3 to 1,1."),
    (p.TokenPlaced(BEN, "web", C("morpho-blue"), (0, 3)), "Ben put a web on the blue morpho at 0,3."),
    (p.GoalDeclared(ANNA, "colour", ANNA, "red", True), "Anna declared red, and the row was there!"),
    (
        p.GoalDeclared(ANNA, "species", BEN, "morpho", False),
        "Anna declared morpho for Ben, and the row was not there.",
    ),
    (p.TurnPassed(ANNA, 3), "Anna could do nothing."),
    (p.GameWon((ANNA,)), "Anna won."),
    (p.GameWon((ANNA, BEN)), "Anna and Ben won."),
    (p.GameDrawn(24), "No card was laid for 24 turns: nobody won."),
]


@pytest.mark.parametrize(("news", "sentence"), SENTENCES)
def test_news_is_told_in_a_sentence(news: Any, sentence: str) -> None:
    assert words(tagged(news), NAMES[:2]) == sentence


TO_BEN: list[tuple[Any, str]] = [
    (p.CardDrawn(BEN, C("morpho-blue")), "You drew the blue morpho."),
    (
        p.GoalDeclared(ANNA, "species", BEN, "morpho", False),
        "Anna declared morpho for you, and the row was not there.",
    ),
    (
        p.GoalDeclared(BEN, "species", ANNA, "morpho", True),
        "You declared morpho for Anna, and the row was there!",
    ),
    (p.GameWon((BEN,)), "You won!"),
    (p.GameWon((ANNA, BEN)), "You and Anna won."),
    (p.GameWon((ANNA,)), "Anna won."),
]


@pytest.mark.parametrize(("news", "sentence"), TO_BEN)
def test_news_speaks_to_the_reader(news: Any, sentence: str) -> None:
    assert words(tagged(news), NAMES[:2], me=BEN) == sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_news_is_told_in_every_language(language: str) -> None:
    for news, english in SENTENCES:
        told = words(tagged(news), NAMES, Texts(language))
        assert told[-1] in ".!。！" and (told == english) == (language == "en")


def test_every_kind_of_news_has_its_sentence() -> None:
    assert {type(news) for news, _ in SENTENCES} == set(p.NEWS)
