"""Why Butterflies refuses an action."""

from collections.abc import Callable
from typing import Any

import pytest

from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.butterflies.state import State
from parlour.engine.chance import Scripted
from parlour.engine.errors import IllegalAction
from parlour.engine.secret import Seat

At = Callable[..., State]
PLAY: dict[str, Any] = {"type": "play", "card": "swallowtail-red", "at": [0, 2], "declare": None}
MOVE: dict[str, Any] = {"type": "move", "from": [0, 1], "to": [1, 1], "declare": None}
PLACE: dict[str, Any] = {"type": "place", "at": [0, 2], "declare": None}
THEIRS = {"goal": "colour", "seat": 1}
OURS = {"goal": "colour", "seat": 0}

REFUSALS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("moving", {**PLAY, "card": "monarch-red"}, "not_in_hand", {"card": "monarch-red"}),
    ("moving", {**PLAY, "card": "moth"}, "not_in_hand", {"card": "moth"}),
    ("moving", {**PLAY, "at": [0, 1]}, "occupied", {"at": (0, 1)}),
    ("moving", {**PLAY, "at": [1, 2]}, "not_adjacent", {"at": (1, 2)}),
    ("moving", {**PLAY, "at": [1 << 20, -1]}, "not_adjacent", {"at": (1 << 20, -1)}),
    ("moving", {**PLAY, "declare": THEIRS}, "not_your_goal", THEIRS),
    ("moving", {**PLAY, "declare": {"goal": "colour", "seat": 9}}, "not_your_goal", {"seat": 9}),
    ("moving", PLACE, "wrong_phase", {"phase": "act"}),
    ("sides-only", {**PLAY, "card": "monarch-red"}, "not_the_middle", {"at": (0, 2)}),
    ("moving", {**MOVE, "from": [1, 1]}, "no_card", {"at": (1, 1)}),
    ("moving", {**MOVE, "from": [10**9, 0]}, "no_card", {"at": (10**9, 0)}),
    ("moving", {**MOVE, "from": [3, 1]}, "just_laid", {"at": (3, 1)}),
    ("moving", {**MOVE, "to": [2, 0]}, "occupied", {"at": (2, 0)}),
    ("moving", {**MOVE, "to": [0, 1]}, "occupied", {"at": (0, 1)}),
    ("moving", {**MOVE, "to": [0, 2]}, "not_adjacent", {"at": (0, 2)}),
    ("moving", {**MOVE, "to": [10**9, 0]}, "not_adjacent", {"at": (10**9, 0)}),
    ("moving", {**MOVE, "from": [1, 0], "to": [4, 0]}, "would_split", {"at": (1, 0)}),
    ("moving", {**MOVE, "declare": THEIRS}, "not_your_goal", THEIRS),
    ("colour-across", MOVE, "too_early", {"needed": 3, "played": 2}),
    ("colour-across", {"type": "net"}, "too_early", {"needed": 3, "played": 2}),
    ("net-and-web", {**MOVE, "from": [0, 0]}, "has_token", {"at": (0, 0)}),
    ("net-and-web", {"type": "web"}, "nothing_laid", {}),
    ("each-token-once", {"type": "net"}, "token_used", {"token": "net"}),
    ("no-second-token", {"type": "web"}, "has_token", {"at": (2, 1)}),
    ("empty-deck", {"type": "turn"}, "deck_empty", {}),
    ("moving", {"type": "declare", **THEIRS}, "not_your_goal", THEIRS),
    ("auto-nobody-declares", {"type": "declare", **OURS}, "option_off", {"option": "declare"}),
    (
        "auto-nobody-declares",
        {"type": "play", "card": "monarch-red", "at": [3, 0], "declare": OURS},
        "option_off",
        {"option": "declare"},
    ),
]


def refusal(game: Butterflies, state: State, seat: int, plain: dict[str, Any]) -> IllegalAction:
    with pytest.raises(IllegalAction) as refused:
        game.act(state, Seat(seat), game.read_action(plain), Scripted([]))
    return refused.value


@pytest.mark.parametrize(("name", "tried", "code", "facts"), REFUSALS)
def test_a_refusal_says_why(
    game: Butterflies, at: At, name: str, tried: dict[str, Any], code: str, facts: dict[str, Any]
) -> None:
    refused = refusal(game, at(name), 0, tried)
    assert refused.code == code
    assert facts.items() <= refused.facts.items()


def test_only_the_turned_card_is_asked_for_once_it_is_up(game: Butterflies, at: At) -> None:
    state = at("time-up-places-the-turned-card")
    state = game.act(state, Seat(0), game.read_action({"type": "turn"}), Scripted([])).state
    for tried in (PLAY, MOVE, {"type": "turn"}, {"type": "net"}, {"type": "declare", **OURS}):
        assert refusal(game, state, 0, tried).code == "wrong_phase"
    assert refusal(game, state, 0, {**PLACE, "at": [0, 0]}).code == "occupied"
    assert refusal(game, state, 0, {**PLACE, "at": [5, 0]}).code == "not_adjacent"
    assert refusal(game, state, 0, {**PLACE, "at": [0, -1], "declare": THEIRS}).code == "not_your_goal"


def test_a_goal_that_is_up_and_not_met_is_refused_before_acting(game: Butterflies, at: At) -> None:
    state = at("moving", shown=[["colour"], []])
    refused = refusal(game, state, 0, {"type": "declare", **OURS})
    assert (refused.code, refused.facts) == ("no_row", OURS)


def test_whoever_is_not_asked_hears_nothing_else(game: Butterflies, at: At) -> None:
    assert refusal(game, at("moving"), 1, PLAY).code == "not_asked"
    assert refusal(game, at("over-by-a-goal"), 0, PLAY).code == "over"
