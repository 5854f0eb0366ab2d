"""The short way of a usual play leads to the same place as the long one."""

import pytest
from laws.playing import Dice, TableKind, play

from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.quick import usual_play
from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.engine.balloon_cup.turn import Turn
from parlour.engine.chance import Seeded


@pytest.mark.parametrize(
    "given", [{}, {"opponent_side": "colour_ahead"}, {"table_cap": "on"}, {"trade": "off"}], ids=str
)
def test_the_short_way_and_the_long_way_of_a_play_are_one(given: dict[str, str]) -> None:
    taken = scored = 0
    for seed in range(30):
        match = TableKind(BalloonCup(), 2, given).start(("quick", seed))
        luck = Seeded(bytes([seed]) * 32)
        for state, seat, action in play(match, Dice(seed)):
            if not isinstance(action, p.Play) or state.plays is None:
                continue
            one, other = luck.fork(), luck.fork()
            short = usual_play(state, state.plays, seat, action, one)
            if short is None:
                assert not one.used  # else the long way would meet other luck
                continue
            turn = Turn(state, other)
            turn.play(seat, action)
            long = turn.finish()
            assert short == long
            assert short.state.decision == long.state.decision
            assert short.state.plays == long.state.plays
            assert one.used == other.used
            taken += 1
            scored += len(short.news) > 2
            luck.advance(one.used)
    assert taken > 1000
    assert scored > 300


@pytest.mark.parametrize("given", [{"wind": "on"}, {"trade": "turn"}], ids=str)
def test_where_more_than_plays_can_be_chosen_the_long_way_is_taken(given: dict[str, str]) -> None:
    match = TableKind(BalloonCup(), 2, given).start("long")
    for state, _, _ in play(match, Dice("long")):
        assert state.plays is None
