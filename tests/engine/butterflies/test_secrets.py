"""What stays hidden in Butterflies, and the worlds imagined from what one viewer knows."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from parlour.engine.butterflies.public import CARDS, COLOURS
from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.butterflies.state import State
from parlour.engine.chance import Seeded
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import Seat, project

At = Callable[..., State]


def worlds(game: Butterflies, state: State, viewer: Seat | None) -> Iterator[dict[str, Any]]:
    """Positions of worlds that the viewer cannot tell from the real one."""
    seen = project(game.view(state), viewer)
    for seed in range(60):
        world = game.imagine(seen, viewer, Seeded(bytes([seed] * 32)))
        assert project(game.view(world), viewer) == seen
        yield game.position(world)


@pytest.mark.parametrize("viewer", [Seat(0), Seat(2), None])
def test_no_imagined_world_has_a_card_too_often_or_a_goal_twice(
    game: Butterflies, at: At, viewer: Seat | None
) -> None:
    for world in worlds(game, at("what-a-viewer-may-know"), viewer):
        cards = Counter([lying["card"] for lying in world["grid"]])
        for pile in (*world["hands"], world["deck"]):
            cards.update(pile)
        assert max(cards.values()) <= 2
        assert [len(hand) for hand in world["hands"]] == [2, 2, 1]
        assert len(world["deck"]) == 3
        for kind in ("colour", "species"):
            assert len({goals[kind] for goals in world["goals"]}) == 3


def test_the_copy_of_a_card_on_the_grid_may_be_anywhere(game: Butterflies, at: At) -> None:
    hands = [
        card for world in worlds(game, at("what-a-viewer-may-know"), Seat(0)) for card in world["hands"][1]
    ]
    assert "monarch-red" in hands
    assert len(set(hands)) > 12


def test_a_hidden_goal_may_be_any_that_is_not_seen_those_that_left_the_game_too(
    game: Butterflies, at: At
) -> None:
    state = at("what-a-viewer-may-know")
    found = list(worlds(game, state, Seat(0)))
    assert {world["goals"][2]["colour"] for world in found} == set(COLOURS) - {"red"}
    assert {world["goals"][2]["species"] for world in found} == {"swallowtail", "peacock"}
    assert {world["goals"][1]["species"] for world in found} == {"morpho"}, "it is face up"


def test_partners_goals_are_known_and_their_hands_are_not(game: Butterflies, at: At) -> None:
    state = at("partners")
    found = list(worlds(game, state, Seat(0)))
    assert all(world["goals"][2] == {"colour": "green", "species": "morpho"} for world in found)
    assert len({tuple(world["hands"][2]) for world in found}) > 20
    assert {world["goals"][1]["colour"] for world in found} == {"yellow", "blue"}


def test_a_game_that_goes_on_automatically_tells_that_no_goal_in_it_is_met(game: Butterflies, at: At) -> None:
    state = at("auto-nobody-declares", options={"declare": "auto"}, **met_by_nobody())
    found = {world["goals"][1]["colour"] for world in worlds(game, state, Seat(0))}
    assert found == {"blue", "yellow"}, "the row of four greens is nobody's"
    by_hand = at("auto-nobody-declares", options={"declare": "manual"}, **met_by_nobody())
    assert "green" in {world["goals"][1]["colour"] for world in worlds(game, by_hand, Seat(0))}


def met_by_nobody() -> dict[str, Any]:
    greens = ["monarch-green", "swallowtail-green", "morpho-green", "peacock-green"]
    grid = [{"at": [x, 0], "card": card} for x, card in enumerate(greens)]
    return {"grid": grid, "last": None, "hands": [["peacock-blue"], ["peacock-red"]]}


def test_legal_actions_tell_nothing_of_a_row_for_a_goal_that_is_face_down(game: Butterflies, at: At) -> None:
    goals = [{"colour": "red", "species": "monarch"}, {"colour": "green", "species": "morpho"}]
    met = at("over-by-a-goal", to_act=[1], shown=[[], []])
    unmet = at("over-by-a-goal", to_act=[1], shown=[[], []], goals=goals)
    assert choices_to_map(game.legal(met, Seat(1))) == choices_to_map(game.legal(unmet, Seat(1)))


def test_cards_that_left_the_game_are_not_dealt_back(game: Butterflies, at: At) -> None:
    state = at("what-a-viewer-may-know")
    for world in worlds(game, state, None):
        dealt = sum(len(pile) for pile in (*world["hands"], world["deck"]))
        assert dealt == 8 < 2 * len(CARDS) - len(world["grid"])
