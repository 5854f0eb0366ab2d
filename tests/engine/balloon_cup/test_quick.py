"""The short way of a usual play leads to the same place as the long one."""

import pytest
from laws.playing import Dice, TableKind, play

from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.quick import usual_play
from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.engine.balloon_cup.turn import Turn
from parlour.engine.chance import Scripted


@pytest.mark.parametrize("given", [{}, {"opponent_side": "colour_ahead"}, {"table_cap": "on"}], ids=str)
def test_the_short_way_and_the_long_way_of_a_play_are_one(given: dict[str, str]) -> None:
    taken = 0
    for seed in range(30):
        match = TableKind(BalloonCup(), 2, given).start(("quick", seed))
        for state, seat, action in play(match, Dice(seed)):
            if not isinstance(action, p.Play):
                continue
            short = usual_play(state, seat, action)
            if short is None:
                continue
            turn = Turn(state, Scripted([]))
            turn.play(seat, action)
            long = turn.finish()
            assert short == long
            assert short.state.decision == long.state.decision
            assert short.state.plays == long.state.plays
            taken += 1
    assert taken > 1000


@pytest.mark.parametrize("given", [{"wind": "on"}, {"trade": "turn"}], ids=str)
def test_where_more_than_plays_can_be_chosen_the_long_way_is_taken(given: dict[str, str]) -> None:
    match = TableKind(BalloonCup(), 2, given).start("long")
    for state, seat, action in play(match, Dice("long")):
        assert not isinstance(action, p.Play) or usual_play(state, seat, action) is None
