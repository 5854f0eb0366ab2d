"""Worlds imagined from what one viewer of Balloon Cup knows."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.engine.balloon_cup.state import State
from parlour.engine.chance import Seeded
from parlour.engine.secret import Seat, project

At = Callable[..., State]
LOW, HIGH = Seat(0), Seat(1)


def worlds(game: BalloonCup, state: State, viewer: Seat | None) -> Iterator[dict[str, Any]]:
    """Positions of worlds that the viewer cannot tell from the real one."""
    seen = project(game.view(state), viewer)
    for seed in range(40):
        world = game.imagine(seen, viewer, Seeded(bytes([seed] * 32)))
        assert project(game.view(world), viewer) == seen
        yield game.position(world)


@pytest.mark.parametrize("viewer", [LOW, None])
def test_cards_that_were_shown_stay_with_their_holder(game: BalloonCup, at: At, viewer: Seat | None) -> None:
    state = at("seen-card-leaves-with-the-play")
    hands = [set(world["hands"][HIGH]) for world in worlds(game, state, viewer)]
    assert all({"green-1", "green-2"} < hand and len(hand) == 3 for hand in hands)
    assert len(set.union(*hands)) > 10, "the third card is anything"


def test_nothing_that_the_viewer_sees_lies_in_a_hidden_place(game: BalloonCup, at: At) -> None:
    state = at("what-a-viewer-may-know", deck=None)
    for world in worlds(game, state, LOW):
        cards = [*world["hands"][0], *world["hands"][1], *world["deck"], *world["discard"], "red-2"]
        assert len(cards) == len(set(cards)) == 45
        assert list(world["hands"][0]) == ["red-9"]


def test_a_stuck_hand_of_which_only_colours_were_told_fits_nowhere_in_any_world(
    game: BalloonCup, at: At
) -> None:
    state = at("stuck-exchange", {"stuck_shows": "colours"})
    for world in worlds(game, state, HIGH):
        assert not {card.split("-")[0] for card in world["hands"][LOW]} & {"yellow", "grey"}


def test_whoever_is_asked_for_a_card_has_one_that_fits_in_every_world(game: BalloonCup, at: At) -> None:
    state = at("one-exchange-a-turn", seen=[["red-1"], []])
    for world in worlds(game, state, HIGH):
        assert "red-1" in world["hands"][LOW]
        assert {card.split("-")[0] for card in world["hands"][LOW]} & {"yellow", "grey"}


def test_the_deck_keeps_its_size_when_cards_are_out_of_the_game(game: BalloonCup, at: At) -> None:
    state = at("what-a-viewer-may-know")
    assert all(len(world["deck"]) == 3 for world in worlds(game, state, LOW))
