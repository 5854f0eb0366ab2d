"""Choosing field by field reaches every legal action and nothing else, and typing finds what is meant."""

from random import Random
from typing import Any

import pytest

from parlour.client import legal as patterns
from parlour.client.boards.moves import MoveContext
from parlour.client.boards.text import plain
from parlour.client.language import ENGLISH, LANGUAGES, Texts
from parlour.client.terminal.game.move_texts import choice_line, ways
from parlour.client.terminal.game.selection import MOST, Choice, Selection, picked
from parlour.client.terminal.game.typed_words import fitting, nearest
from parlour.client.terminal.game.vocabulary import meant
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.maps import to_map
from parlour.engine.match import Match
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import Seat, project

Plain = dict[str, Any]
PLAY = {"type": "play", "card": {"one_of": ["red-1", "red-7"]}, "tile": 3, "side": {"one_of": [0, 1]}}
OPTIONS = {
    "balloon-cup": ({}, {"trade": "turn", "wind": "on"}),
    "hurry-cup": ({}, {"grab": "sealed"}),
    "butterflies": ({}, {"declare": "auto"}),
}


def questions(game: str, options: Plain, seed: int, most: int) -> list[tuple[list[Plain], Plain, int]]:
    """Legal actions and the view behind them, from a game in which everybody takes any action."""
    rules = GAMES[game]
    match = Match.start(
        rules, rules.seats[0], rules.read_options(options, rules.seats[0]), Seeded(bytes([seed] * 32))
    )
    luck = Seeded(bytes([seed + 1] * 32))
    found = []
    while match.awaited and len(found) < most:
        seat = min(match.awaited)
        choices = rules.legal(match.state, seat)
        view = to_map(project(rules.view(match.state), Seat(seat)))
        found.append((choices_to_map(choices), view, seat))
        match.act(seat, choices[luck.roll("any", choices.count) - 1])
    return found


def towards(selection: Selection, action: Plain) -> Selection:
    """One step on the way to an action."""
    for choice in selection.choices():
        if not choice.picked and action.keys() == choice.legal[0].keys() and leads_to(choice, action):
            return selection.take(choice)
    raise AssertionError(f"no way to {action}")


def leads_to(choice: Choice, action: Plain) -> bool:
    return any(all(_allows(pattern[name], action[name]) for name in action) for pattern in choice.legal)


def _allows(field: Any, value: Any) -> bool:
    match field:
        case {"one_of": values}:
            return value in values
        case {"order": _}:
            done = field.get("picked", [])
            return bool(value[: len(done)] == done)
        case {"subset": _}:
            return set(field.get("picked", [])) <= set(value)
        case _:
            return bool(field == value)


CASES = [(game, options) for game, several in OPTIONS.items() for options in several]


@pytest.mark.parametrize(("game", "options"), CASES)
def test_every_legal_action_can_be_chosen_step_by_step(game: str, options: Plain) -> None:
    luck = Random(7)
    for legal, _, _ in questions(game, options, 3, 60):
        action = patterns.pick(legal, luck)
        selection = Selection(legal)
        for _ in range(12):
            if selection.action is not None:
                break
            selection = towards(selection, action)
        assert selection.action == action


@pytest.mark.parametrize(("game", "options"), CASES)
def test_whatever_is_chosen_is_legal_in_the_end(game: str, options: Plain) -> None:
    luck = Random(11)
    for legal, _, _ in questions(game, options, 5, 60):
        selection = Selection(legal)
        while selection.action is None:
            choices = [choice for choice in selection.choices() if not choice.picked]
            selection = selection.take(luck.choice(choices))
        assert selection.action in list(patterns.every(legal))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "options"), CASES)
def test_every_choice_has_words_of_its_own(game: str, options: Plain, language: str) -> None:
    for legal, view, seat in questions(game, options, 9, 40):
        context = MoveContext(game, seat, [f"P{number}" for number in range(6)], view, Texts(language))
        choices = Selection(legal).choices()
        words = [plain(choice_line(choice, context)) for choice in choices]
        assert all(words) and len(set(words)) == len(words)
        assert [fitting([ways(each, context) for each in choices], word) for word in words] == [
            [number] for number in range(len(words))
        ]


def test_a_step_back_offers_what_was_offered_before() -> None:
    first = Selection([PLAY, {"type": "decline"}])
    second = first.take(first.choices()[0])
    assert second.back() == first
    assert first.back() == first


def test_the_only_action_is_offered_with_all_that_it_is() -> None:
    only = {"type": "place", "at": {"one_of": [[0, 0]]}, "declare": None}
    (choice,) = Selection([only]).choices()
    assert choice.fields == {"type": "place", "at": [0, 0]}


def test_few_actions_are_offered_whole() -> None:
    assert [dict(choice.fields) for choice in Selection([PLAY]).choices()] == [
        {"card": "red-1", "side": 0},
        {"card": "red-1", "side": 1},
        {"card": "red-7", "side": 0},
        {"card": "red-7", "side": 1},
    ]


def test_many_actions_are_offered_by_their_first_field_and_then_the_rest() -> None:
    cards = [f"red-{value}" for value in range(1, 9)]
    selection = Selection([{**PLAY, "card": {"one_of": cards}}])
    assert [dict(choice.fields) for choice in selection.choices()] == [{"card": card} for card in cards]
    after = selection.take(selection.choices()[2])
    assert [dict(choice.fields) for choice in after.choices()] == [{"side": 0}, {"side": 1}]
    assert after.settled == {"type": "play", "card": "red-3", "tile": 3}


def test_no_step_has_more_entries_than_digits_if_its_kinds_are_few() -> None:
    cells = {"one_of": [[x, 0] for x in range(20)]}
    moves = {"type": "move", "from": cells, "to": cells}
    choices = Selection([PLAY, moves]).choices()
    assert len(choices) <= MOST
    assert {"type": "move"} in [dict(choice.fields) for choice in choices]


def test_a_subset_is_picked_one_by_one_and_ended() -> None:
    selection = Selection([{"type": "exchange", "cards": {"subset": ["a", "b", "c"], "min": 1, "max": 2}}])
    assert not any(choice.ends for choice in selection.choices())
    for number in (2, 0):
        selection = selection.take(selection.choices()[number])
    assert picked(selection.legal) == ["c", "a"]
    assert [choice.picked for choice in selection.choices()] == [True, True, False]
    assert selection.take(selection.choices()[-1]).action == {"type": "exchange", "cards": ["a", "c"]}


def test_what_was_picked_can_be_put_back_and_more_than_the_most_is_not_offered() -> None:
    selection = Selection([{"type": "exchange", "cards": {"subset": ["a", "b", "c"], "min": 1, "max": 2}}])
    for number in (0, 0, 0, 1):
        selection = selection.take(selection.choices()[number])
    assert picked(selection.legal) == ["a", "b"]
    assert [choice.fields["cards"] for choice in selection.choices()] == [["a"], ["b"], ["a", "b"]]
    selection = selection.take(selection.choices()[0])
    assert [choice.fields["cards"] for choice in selection.choices()] == [["a"], ["b"], ["c"], ["b"]]


def test_an_order_is_picked_from_the_first_and_ends_by_itself() -> None:
    selection = Selection([{"type": "rank", "pawns": {"order": ["red", "blue", "green"]}}])
    selection = selection.take(selection.choices()[2])
    selection = selection.take(selection.choices()[0])
    assert selection.action == {"type": "rank", "pawns": ["green", "red", "blue"]}


def test_what_can_be_left_out_is_asked_apart_with_leaving_it_out_first() -> None:
    place = {
        "type": "place",
        "at": {"one_of": [[0, 0], [0, 1]]},
        "declare": {"one_of": [None, {"goal": "colour"}]},
    }
    selection = Selection([place])
    selection = selection.take(selection.choices()[1])
    assert selection.choices()[0].fields == {"declare": None}


OFFERED = [("R1",), ("R10",), ("R13 tile 2", "red-13 2"), ("turn one up", "turn")]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("r1", [0]),
        ("R", [0, 1, 2]),
        ("r13", [2]),
        ("2 r13", [2]),
        ("red-13", [2]),
        ("up one", [3]),
        ("(TURN),", [3]),
        ("x", []),
        ("r1 r1", []),
    ],
)
def test_typing_leaves_what_fits_and_the_exact_one_wins(typed: str, found: list[int]) -> None:
    assert fitting(OFFERED, typed) == found


def test_the_nearest_ones_are_named_and_there_is_always_something() -> None:
    assert nearest(OFFERED, "R12")[0] in (0, 1)
    assert nearest(OFFERED, "§§§§§") == [0, 1, 2]


def test_what_was_typed_becomes_an_action_that_the_server_can_refuse() -> None:
    assert meant("balloon-cup", "E13", [PLAY]) == {"type": "play", "card": "grey-13", "tile": 3, "side": 0}
    assert meant("balloon-cup", "nonsense", [PLAY]) is None
    place = {"type": "place", "at": {"one_of": [[0, 0]]}, "declare": None}
    assert meant("butterflies", "4,-2", [place]) == {"type": "place", "at": [4, -2], "declare": None}
    assert meant("chess", "e4", [PLAY]) is None


def test_a_subset_in_words_says_how_many() -> None:
    context = MoveContext("balloon-cup", 0, ["A", "B"], {}, ENGLISH)
    ended = Choice({"cards": ["red-1", "red-7"]}, (), ends=True)
    assert plain(choice_line(ended, context)) == "those 2"
    assert plain(choice_line(Choice({"cards": ["red-7"]}, (), picked=True), context)) == "✓R7"
