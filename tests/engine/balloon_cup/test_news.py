"""What Balloon Cup tells of a step: what, in which order, and to whom."""

from collections.abc import Callable
from typing import Any

import attrs

from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.public import Card
from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.engine.balloon_cup.state import State
from parlour.engine.chance import Scripted
from parlour.engine.maps import Counts
from parlour.engine.secret import ALL, Seat, project

At = Callable[..., State]
LOW, HIGH = Seat(0), Seat(1)
NO_TRADES = Counts(())


def news_of(game: BalloonCup, state: State, seat: Seat, action: p.Action, *luck: Any) -> list[Any]:
    """The news of one action, as somebody hears it from whom nothing is hidden."""
    step = game.act(state, seat, action, Scripted(luck))
    return [project(item, ALL) for item in step.news]


def play(card: str, tile: int, side: Seat) -> p.Play:
    return p.Play(Card(card), tile, side)


def cards(*names: str) -> tuple[Card, ...]:
    return tuple(map(Card, names))


def test_a_scored_tile_is_told_as_it_happens_filled_before_claims_and_claims_before_the_draw(
    game: BalloonCup, at: At
) -> None:
    assert news_of(game, at("forced-claims-in-order"), LOW, play("green-2", 1, LOW), "blue") == [
        p.CardPlayed(LOW, Card("green-2"), 1, LOW),
        p.TileScored(1, "plain", (2, 10), LOW, ("green",)),
        p.TileFilled(1, "mountain", ("blue",)),
        p.TrophyTaken(LOW, "red", 7, NO_TRADES, True),
        p.TrophyTaken(LOW, "grey", 3, NO_TRADES, True),
        p.CardDrawn(LOW, Card("red-1")),
    ]


def test_a_tile_that_leaves_is_told_instead_of_filled(game: BalloonCup, at: At) -> None:
    news = news_of(game, at("paid-cubes-come-too-late-for-the-tile"), LOW, play("green-2", 1, LOW))
    assert news[2:4] == [p.TileRemoved(1), p.TrophyTaken(LOW, "green", 5, NO_TRADES, True)]


def test_a_drawn_card_is_told_to_whoever_drew_it(game: BalloonCup, at: At) -> None:
    step = game.act(at("wind-off"), LOW, play("yellow-1", 2, LOW), Scripted([]))
    drawn = step.news[-1]
    assert project(drawn, LOW) == p.CardDrawn(LOW, Card("red-1"))
    assert project(drawn, HIGH) == project(drawn, None) == p.CardDrawn(LOW, None)


def test_the_set_up_is_told_tile_by_tile_and_each_hand_to_its_owner(game: BalloonCup) -> None:
    luck = Scripted(["red", "red", "blue", "red", "red", "grey", "red", "red", "blue", "blue", 1])
    step = game.setup(2, game.read_options({}, 2), luck)
    assert [type(item) for item in step.news] == [*[p.TileFilled] * 4, *[p.HandDealt] * 2, p.FirstChosen]
    assert step.news[2] == p.TileFilled(3, "plain", ("red", "red", "grey"))
    assert step.news[6] == p.FirstChosen(HIGH)
    low, high = step.news[4:6]
    assert project(low, LOW).cards == p.CARDS[:8]
    assert project(high, HIGH).cards == p.CARDS[8:16]
    assert project(low, HIGH).cards == project(high, LOW).cards == project(high, None).cards == 8


def test_a_stuck_hand_is_shown_to_everybody_before_the_exchange(game: BalloonCup, at: At) -> None:
    state = at("stuck-hand-is-shown-to-everybody")
    step = game.act(state, LOW, play("yellow-1", 1, LOW), Scripted([]))
    shown = p.HandShown(HIGH, cards("red-3", "green-1", "green-2"))
    assert [type(item) for item in step.news] == [p.CardPlayed, p.CardDrawn, p.HandShown]
    assert project(step.news[-1], LOW) == project(step.news[-1], None) == shown
    news = news_of(game, step.state, HIGH, p.Exchange(cards("red-3")))
    assert news == [p.CardsExchanged(HIGH, cards("red-3")), p.CardDrawn(HIGH, Card("grey-1"))]


def test_a_hand_that_is_still_stuck_is_shown_again_and_the_turn_passed(game: BalloonCup, at: At) -> None:
    state = at("stuck-after-the-exchange")
    assert news_of(game, state, LOW, p.Exchange(cards("red-2", "red-1"))) == [
        p.CardsExchanged(LOW, cards("red-1", "red-2")),
        p.CardDrawn(LOW, Card("red-5")),
        p.CardDrawn(LOW, Card("red-6")),
        p.HandShown(LOW, cards("red-5", "red-6", "green-1")),
        p.TurnPassed(LOW, 4),
    ]


def test_cards_drawn_together_are_told_in_the_order_of_the_hand(game: BalloonCup, at: At) -> None:
    state = at("stuck-after-the-exchange")
    first, second, *rest = state.deck.value
    turned = attrs.evolve(state, deck=attrs.evolve(state.deck, value=(second, first, *rest)))
    exchange = p.Exchange(cards("red-2", "red-1"))
    assert news_of(game, turned, LOW, exchange) == news_of(game, state, LOW, exchange)


def test_colours_are_told_without_the_cards(game: BalloonCup, at: At) -> None:
    news = news_of(game, at("stuck-shows-colours"), LOW, play("yellow-1", 1, LOW))
    assert news[-1] == p.ColoursShown(HIGH, ("red", "green", "green"))


def test_a_new_deck_is_told_before_the_draw(game: BalloonCup, at: At) -> None:
    news = news_of(game, at("deck-empty-discard-becomes-the-deck"), LOW, play("red-9", 2, LOW))
    assert news[1:] == [p.DeckShuffled(3), p.CardDrawn(LOW, Card("green-1"))]


def test_a_claim_is_told_with_what_was_paid(game: BalloonCup, at: At) -> None:
    claim = p.Claim("grey", Counts((("red", 2),)))
    assert news_of(game, at("trades-of-several-colours"), LOW, claim) == [
        p.TrophyTaken(LOW, "grey", 1, Counts((("red", 2),)), False),
        p.CardDrawn(LOW, Card("red-1")),
    ]
    declined = news_of(game, at("trades-of-several-colours"), LOW, p.Decline())
    assert declined == [p.ClaimDeclined(LOW), p.CardDrawn(LOW, Card("red-1"))]


def test_nothing_is_told_after_the_third_trophy(game: BalloonCup, at: At) -> None:
    news = news_of(
        game, at("forced-third-trophy-ends-it-before-the-next"), LOW, play("green-2", 1, LOW), "blue"
    )
    assert news[-2:] == [p.TrophyTaken(LOW, "red", 7, NO_TRADES, True), p.GameWon(LOW)]


def test_a_lock_is_told_after_the_draw_with_what_decides_it(game: BalloonCup, at: At) -> None:
    news = news_of(game, at("lock-more-cubes"), LOW, play("grey-7", 4, LOW))
    assert news[1:] == [p.CardDrawn(LOW, Card("red-1")), p.GameLocked((1, 1), (3, 2))]


def test_a_trade_is_told_before_the_trophy_that_it_brings(game: BalloonCup, at: At) -> None:
    state = at("traded-cubes-never-go-to-the-bag")
    assert news_of(game, state, LOW, p.Trade("red", "grey")) == [
        p.CubesTraded(LOW, "red", "grey"),
        p.TrophyTaken(LOW, "grey", 3, NO_TRADES, True),
    ]


def test_a_replacement_is_told_with_the_card_that_went(game: BalloonCup, at: At) -> None:
    wind = p.Wind(Card("red-7"), 2, HIGH, Card("red-12"))
    news = news_of(game, at("wind-replaces-on-either-side"), LOW, wind)
    assert news == [
        p.WindBlew(LOW, Card("red-7"), 2, HIGH, Card("red-12")),
        p.CardDrawn(LOW, Card("red-1")),
    ]
