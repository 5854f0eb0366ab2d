"""Why Balloon Cup refuses an action, an option or a clock."""

from collections.abc import Callable
from typing import Any

import pytest

from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.engine.balloon_cup.state import State
from parlour.engine.chance import Scripted
from parlour.engine.errors import BadOptions, IllegalAction
from parlour.engine.secret import Seat

At = Callable[..., State]
PLAY = {"type": "play", "card": "red-1", "tile": 3, "side": 0}
WIND = {"type": "wind", "card": "red-7", "tile": 2, "side": 0, "replaces": "red-3"}
TRADE = {"type": "trade", "give": "red", "take": "grey"}
CLAIM = {"type": "claim", "trophy": "grey", "trades": {}}

REFUSALS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("opponent-side-own-full", {**PLAY, "card": "red-9"}, "not_in_hand", {"card": "red-9"}),
    ("opponent-side-own-full", {**PLAY, "card": "red-99"}, "not_in_hand", {"card": "red-99"}),
    ("opponent-side-own-full", {**PLAY, "tile": 4}, "no_such_tile", {"tile": 4}),
    ("opponent-side-own-full", {**PLAY, "side": 2}, "no_such_side", {"side": 2}),
    (
        "opponent-side-own-full",
        {**PLAY, "card": "blue-5"},
        "no_room",
        {"card": "blue-5", "tile": 3, "side": 0},
    ),
    (
        "opponent-side-own-full",
        {**PLAY, "side": 1},
        "side_closed",
        {"tile": 3, "side": 1, "option": "own_full"},
    ),
    ("opponent-side-own-full", {"type": "decline"}, "wrong_phase", {"phase": "play"}),
    (
        "opponent-side-own-full",
        {"type": "exchange", "cards": ["red-1"]},
        "wrong_phase",
        {"phase": "play"},
    ),
    ("opponent-side-own-full", CLAIM, "wrong_phase", {"phase": "play"}),
    ("opponent-side-own-full", TRADE, "option_off", {"option": "trade"}),
    ("trade-off", TRADE, "option_off", {"option": "trade"}),
    ("trade-win-declined", TRADE, "wrong_phase", {"phase": "play"}),
    ("trade-turn-before-playing", TRADE, "cannot_pay", {}),
    ("trade-turn-while-stuck", {**TRADE, "take": "blue"}, "cannot_pay", {}),
    ("trades-of-several-colours", {**CLAIM, "trades": {"green": 1}}, "cannot_pay", {}),
    ("trades-of-several-colours", {**CLAIM, "trophy": "red"}, "cannot_pay", {}),
    ("trades-of-several-colours", PLAY, "wrong_phase", {"phase": "claim"}),
    ("stuck-exchange", PLAY, "wrong_phase", {"phase": "exchange"}),
    ("stuck-exchange", {"type": "exchange", "cards": ["red-1", "red-3"]}, "not_in_hand", {"card": "red-3"}),
    ("stuck-exchange", {"type": "exchange", "cards": []}, "wrong_number", {"least": 1, "most": 4}),
    ("exchange-of-a-small-hand", {"type": "exchange", "cards": []}, "wrong_number", {"least": 1, "most": 2}),
    ("wind-off", WIND, "option_off", {"option": "wind"}),
    ("wind-only-sevens", WIND, "not_in_hand", {"card": "red-7"}),
    (
        "wind-replaces-on-either-side",
        {**WIND, "side": 1},
        "no_wind",
        {"card": "red-7", "replaces": "red-3"},
    ),
    ("wind-after-an-exchange", WIND, "wrong_phase", {"phase": "exchange"}),
]


@pytest.mark.parametrize(("name", "action", "code", "facts"), REFUSALS)
def test_a_refusal_says_why(
    game: BalloonCup, at: At, name: str, action: dict[str, Any], code: str, facts: dict[str, Any]
) -> None:
    with pytest.raises(IllegalAction) as refused:
        game.act(at(name), Seat(0), game.read_action(action), Scripted([]))
    assert (refused.value.code, refused.value.facts) == (code, facts)


def test_who_is_not_asked_hears_just_that(game: BalloonCup, at: At) -> None:
    state = at("opponent-side-own-full")
    for seat in (1, 2):
        with pytest.raises(IllegalAction, match="not_asked"):
            game.act(state, Seat(seat), game.read_action(PLAY), Scripted([]))
        with pytest.raises(IllegalAction, match="not_asked"):
            game.time_up(state, Seat(seat), Scripted([]))


def test_after_the_end_nothing_is_accepted_and_no_time_is_up(game: BalloonCup, at: At) -> None:
    over = at("opponent-side-own-full", to_act=[], trophies={"red": 1, "blue": 1, "grey": 1})
    with pytest.raises(IllegalAction, match="over"):
        game.act(over, Seat(0), game.read_action(PLAY), Scripted([]))
    with pytest.raises(IllegalAction, match="over"):
        game.time_up(over, Seat(0), Scripted([]))


@pytest.mark.parametrize(
    ("given", "field", "problem"),
    [
        ({"tile_cap": 3}, "tile_cap", "must be one of 2, none, not 3"),
        ({"table_cap": True}, "table_cap", "must be one of off, on, not True"),
        ({"first": True}, "first", "must be one of random, 0, 1, not True"),
        ({"edition": ["italian"]}, "edition", "must be one of standard, italian, russian, chinese"),
        ({"edition": "italian", "trade": "never"}, "trade", "must be one of claim, turn, win, off"),
        ([], "options", "must be a map"),
    ],
)
def test_an_option_that_is_refused_is_named_with_what_it_takes(
    game: BalloonCup, given: Any, field: str, problem: str
) -> None:
    with pytest.raises(BadOptions) as refused:
        game.read_options(given, 2)
    assert refused.value.where == field
    assert refused.value.problem.startswith(problem)


def test_editions_set_just_what_their_rule_books_change(game: BalloonCup) -> None:
    def changed(edition: str) -> dict[str, Any]:
        standard = game.read_options({}, 2).plain()
        plain = game.read_options({"edition": edition}, 2).plain()
        return {name: value for name, value in plain.items() if standard[name] != value}

    assert changed("standard") == {}
    assert changed("italian") == {
        "edition": "italian",
        "tile_cap": "none",
        "trade": "turn",
        "paid_cubes": "bag",
        "stuck_shows": "colours",
    }
    assert changed("russian") == {"edition": "russian", "tile_cap": "none"}
    assert changed("chinese") == {"edition": "chinese", "table_cap": "on"}


def test_options_read_again_from_what_they_write_are_the_same(game: BalloonCup) -> None:
    options = game.read_options({"edition": "italian", "tile_cap": 2, "first": 1}, 2)
    assert game.read_options(options.plain(), 2) == options
