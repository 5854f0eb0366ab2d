"""What Butterflies tells of a step: what, in which order, and to whom."""

from collections.abc import Callable
from typing import Any

from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.public import Card
from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.butterflies.state import State
from parlour.engine.chance import Scripted
from parlour.engine.secret import ALL, Seat, project

At = Callable[..., State]
A, B, C, D = (Seat(seat) for seat in range(4))


def news_of(game: Butterflies, state: State, seat: Seat, action: p.Action) -> list[Any]:
    """The news of one action, as somebody hears it from whom nothing is hidden."""
    return [project(item, ALL) for item in game.act(state, seat, action, Scripted([])).news]


def test_a_winning_play_is_told_as_it_happens_the_draw_before_the_goal(game: Butterflies, at: At) -> None:
    play = p.Play(Card("monarch-red"), (3, 0), p.Declaration("colour", A))
    assert news_of(game, at("draw-comes-before-the-check"), A, play) == [
        p.CardPlayed(A, Card("monarch-red"), (3, 0)),
        p.CardDrawn(A, Card("swallowtail-green")),
        p.GoalDeclared(A, "colour", A, "red", True),
        p.GameWon((A,)),
    ]


def test_a_wrong_declaration_tells_the_goal_all_the_same(game: Butterflies, at: At) -> None:
    news = news_of(game, at("team-wrong-for-the-partner"), A, p.Declare("species", C))
    assert news == [p.GoalDeclared(A, "species", C, "morpho", False)]


def test_a_goal_met_automatically_is_told_with_whose_action_met_it(game: Butterflies, at: At) -> None:
    news = news_of(game, at("auto-for-another"), A, p.Play(Card("swallowtail-green"), (3, 0), None))
    assert news[-2:] == [p.GoalDeclared(A, "species", C, "swallowtail", True), p.GameWon((C,))]


def test_a_team_wins_together(game: Butterflies, at: At) -> None:
    news = news_of(
        game, at("auto-partner-before-clockwise"), A, p.Play(Card("swallowtail-red"), (3, 0), None)
    )
    assert news[-1] == p.GameWon((A, C))


def test_turning_placing_and_moving_are_told_with_their_cells(game: Butterflies, at: At) -> None:
    state = at("time-up-places-the-turned-card")
    assert news_of(game, state, A, p.Turn()) == [p.CardTurned(A, Card("morpho-blue"))]
    state = game.act(state, A, p.Turn(), Scripted([])).state
    placed = news_of(game, state, A, p.Place((2, 0), None))
    assert placed == [p.CardPlaced(A, Card("morpho-blue"), (2, 0))]
    moved = news_of(game, at("moving"), A, p.Move((0, 1), (1, 1), None))
    assert moved == [p.CardMoved(A, Card("monarch-blue"), (0, 1), (1, 1))]


def test_turns_that_pass_by_themselves_are_told_up_to_the_draw(game: Butterflies, at: At) -> None:
    news = news_of(game, at("time-up-puts-the-net", options={"quiet_limit": 8}), A, p.Net())
    assert news == [
        p.TokenPlaced(A, "net", Card("swallowtail-yellow"), (5, 0)),
        *[p.TurnPassed(A if quiet % 2 else B, quiet) for quiet in range(2, 9)],
        p.GameDrawn(8),
    ]


def test_a_drawn_card_is_told_to_whoever_drew_it(game: Butterflies, at: At) -> None:
    play = p.Play(Card("monarch-red"), (3, 0), None)
    drawn = game.act(at("draw-comes-before-the-check"), A, play, Scripted([])).news[1]
    assert project(drawn, A) == p.CardDrawn(A, Card("swallowtail-green"))
    assert project(drawn, B) == project(drawn, None) == p.CardDrawn(A, None)


def test_the_deal_is_told_to_each_player_and_goals_to_the_partner_too(game: Butterflies) -> None:
    step = game.setup(4, game.read_options({"teams": "on", "first": 3}, 4), Scripted([]))
    goals, hand = step.news[:2]
    assert project(goals, A) == project(goals, C) == p.GoalsDealt(A, "red", "monarch")
    assert project(goals, B) == project(goals, None) == p.GoalsDealt(A, None, None)
    assert project(hand, A) == p.HandDealt(A, (Card("monarch-red"), Card("monarch-red")))
    assert project(hand, C) == p.HandDealt(A, 2)
    assert step.news[-1] == p.FirstChosen(D)
