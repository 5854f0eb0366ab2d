"""The draft of the next state: what a card played, an exchange, a claim or a trade sets off, rule by rule.

A `Draft` starts as a copy of a frozen state, is changed step by step while its news is noted, and ends as a
new state; the old one is never touched.
"""

import itertools
from typing import Any

from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.bag import PRICE, fill, plus, rest, tile_cubes, total
from parlour.engine.balloon_cup.cards import (
    BIT,
    COLOUR_NUMBER,
    COLOUR_OF,
    NUMBER,
    as_set,
    named,
    numbers,
    words,
)
from parlour.engine.balloon_cup.fitting import fits, locked, wind_fits
from parlour.engine.balloon_cup.flight import (
    SHIFT,
    Five,
    Flight,
    new_flight,
    placed,
    replaced,
    sums,
    winner,
)
from parlour.engine.balloon_cup.plays import PLAYED, Plays
from parlour.engine.balloon_cup.public import CARDS, CardDrawn
from parlour.engine.balloon_cup.state import Prizes, State
from parlour.engine.balloon_cup.trophies import forced, held, payment, taken
from parlour.engine.balloon_cup.wishes import given, has_wish
from parlour.engine.chance import Chance
from parlour.engine.game import Step
from parlour.engine.identity_cache import lasting
from parlour.engine.maps import Counts
from parlour.engine.secret import Seat, Secret, only

OWNER = (only(0), only(1))
OTHER = (Seat(1), Seat(0))
DRAWN: tuple[tuple[CardDrawn, ...], ...] = tuple(
    lasting(tuple(CardDrawn(Seat(seat), Secret(card, OWNER[seat])) for card in CARDS)) for seat in (0, 1)
)
"""By seat and card: the news of it, made once for all games."""
NO_TRADES = Counts(())


class Draft:
    """Fields are those of State, with hands and deck opened."""

    __slots__ = (
        "before",
        "chance",
        "deck",
        "discard",
        "exchanged",
        "flights",
        "hands",
        "idle",
        "news",
        "options",
        "phase",
        "plays",
        "prizes",
        "scored",
        "seat",
        "seen",
    )

    def __init__(self, state: State, chance: Chance) -> None:
        self.options = state.options
        self.flights = state.flights
        self.hands = [state.hands[0].value, state.hands[1].value]
        self.deck = state.deck.value
        self.discard = state.discard
        self.prizes = state.prizes
        self.plays: Plays | None = None
        self.seat = state.turn
        self.phase = state.phase
        self.exchanged = state.exchanged
        self.seen = state.seen
        self.scored = state.scored
        self.idle = state.idle
        self.before = state
        self.chance = chance
        self.news: list[Any] = []

    def finish(self) -> Step[State]:
        before = self.before
        low, high = self.hands
        old_low, old_high = before.hands
        state = State(
            self.options,
            self.flights,
            (
                old_low if low == old_low.value else Secret(low, OWNER[0]),
                old_high if high == old_high.value else Secret(high, OWNER[1]),
            ),
            before.deck if self.deck is before.deck.value else Secret(self.deck),
            self.discard,
            self.prizes,
            self.seat,
            self.phase,
            self.exchanged,
            self.seen,
            self.scored,
            self.idle,
            before.decision + 1,
            self.plays,
        )
        return Step(state, tuple(self.news))

    # Playing a card

    def play(self, seat: Seat, action: p.Play) -> None:
        card = NUMBER[action.card]
        self._leave_hand(seat, BIT[card])
        tile, side = action.tile, action.side
        self.news.append(PLAYED[seat][SHIFT[tile][side] + card])
        flights, place = self.flights, 0
        while flights[place].number != tile:
            place += 1
        flight = placed(flights[place], side, card)
        self.flights = (*flights[:place], flight, *flights[place + 1 :])
        self.idle = 0
        if not flight.room:
            self._score(flight, seat)
        else:
            self._end(seat, OTHER[seat])

    def blow(self, seat: Seat, action: p.Wind) -> None:
        card, old = NUMBER[action.card], NUMBER[action.replaces]
        self._leave_hand(seat, BIT[card])
        self.news.append(p.WindBlew(seat, action.card, action.tile, action.side, action.replaces))
        self._put_back(replaced(self._flight(action.tile), action.side, old, card))
        self.discard = (*self.discard, old)
        self.idle = 0
        self._end(seat, OTHER[seat])

    def _flight(self, number: int) -> Flight:
        for flight in self.flights:
            if flight.number == number:
                return flight
        raise LookupError(number)

    def _put_back(self, new: Flight) -> None:
        self.flights = tuple([new if flight.number == new.number else flight for flight in self.flights])

    def _leave_hand(self, seat: int, cards: int) -> None:
        self.hands[seat] ^= cards
        if self.seen[seat] & cards:
            shown = list(self.seen)
            shown[seat] &= ~cards
            self.seen = (shown[0], shown[1])

    # Scoring a tile

    def _score(self, flight: Flight, by: Seat) -> None:
        both = sums(flight)
        won = winner(flight.mountain, both, by)
        self.news.append(scoring(flight, both, won))
        self._hand_over(won, total(self.prizes.cubes[won], flight.cubes), self._turn_over(flight))
        self.discard = (*self.discard, *flight.sides[0], *flight.sides[1])
        self._claim_forced(won)
        if self.seat is None:
            return
        scored = self.scored = p.Scored(won, OTHER[won], by)
        self._ask_winner(scored)

    def _turn_over(self, flight: Flight) -> Five:
        """Fills the tile anew, or takes it away; what is left in the bag."""
        others = [other for other in self.flights if other is not flight]
        number, bag = flight.number, self.prizes.bag
        if sum(bag) < number:
            self.flights = tuple(others)
            self.news.append(p.TileRemoved(number))
            return bag
        bag, cubes = fill(bag, number, others, self.options, self.chance)
        turned = new_flight(number, not flight.mountain, cubes)
        self._put_back(turned)
        self.news.append(filled(turned))
        return bag

    def _hand_over(self, seat: int, cubes: Five, bag: Five) -> None:
        """From now on the player has these cubes, and the bag those."""
        prizes = self.prizes
        pair = (prizes.cubes[0], cubes) if seat else (cubes, prizes.cubes[1])
        self.prizes = Prizes(bag, pair, prizes.holders)

    # Trophies

    def _claim_forced(self, seat: Seat) -> None:
        while (colour := forced(self.prizes.cubes[seat], self.prizes.holders)) is not None:
            claim = p.Claim(p.COLOURS[colour], NO_TRADES)
            self._take_trophy(seat, claim, forced=True)
            if self.seat is None:
                return

    def _take_trophy(self, seat: Seat, claim: p.Claim, forced: bool) -> None:
        cost = payment(claim)
        bag = self.prizes.bag
        if self.options.paid_cubes == "bag":
            bag = total(bag, cost)
        self._hand_over(seat, rest(self.prizes.cubes[seat], cost), bag)
        prizes = self.prizes
        colour = COLOUR_NUMBER[claim.trophy]
        self.prizes = Prizes(bag, prizes.cubes, taken(prizes.holders, colour, seat))
        paid = PRICE[colour] - sum(count for _, count in claim.trades)
        self.news.append(p.TrophyTaken(seat, claim.trophy, paid, claim.trades, forced))
        if held(self.prizes.holders, seat) == p.TROPHIES_TO_WIN:
            self.news.append(p.GameWon(seat))
            self.seat = None

    def _ask_winner(self, scored: p.Scored) -> None:
        if has_wish(self, scored.winner):
            self._ask(scored.winner)
        else:
            self._ask_loser(scored)

    def _ask_loser(self, scored: p.Scored) -> None:
        if has_wish(self, scored.loser):
            self._ask(scored.loser)
        else:
            self.scored = None
            self._end(scored.by, scored.loser)

    def _ask(self, seat: Seat) -> None:
        self.seat, self.phase = seat, "claim"

    def claim(self, seat: Seat, action: p.Claim) -> None:
        self._take_trophy(seat, action, forced=False)
        if self.seat is not None:
            self._ask_winner(given(self.scored))

    def decline(self, seat: Seat) -> None:
        self.news.append(p.ClaimDeclined(seat))
        scored = given(self.scored)
        if seat == scored.winner:
            self._ask_loser(scored)
        else:
            self.scored = None
            self._end(scored.by, scored.loser)

    def trade(self, seat: Seat, action: p.Trade) -> None:
        give, take = COLOUR_NUMBER[action.give], COLOUR_NUMBER[action.take]
        cubes = plus(plus(self.prizes.cubes[seat], give, -p.CUBES_IN_A_TRADE), take)
        self._hand_over(seat, cubes, plus(self.prizes.bag, take, -1))
        self.news.append(p.CubesTraded(seat, action.give, action.take))
        self._claim_forced(seat)
        if self.seat is None or self.phase != "claim" or has_wish(self, seat):
            return
        scored = given(self.scored)
        if seat == scored.winner:
            self._ask_loser(scored)
        else:
            self._ask_winner(scored)

    # Exchanging

    def exchange(self, seat: Seat, action: p.Exchange) -> None:
        cards = tuple(sorted([NUMBER[card] for card in action.cards]))
        self._leave_hand(seat, as_set(cards))
        self.discard = (*self.discard, *cards)
        self.news.append(p.CardsExchanged(seat, named(cards)))
        self.exchanged = True
        start = len(self.news)
        for _ in cards:
            self._draw(seat)
        self.news[start:] = _in_order(self.news[start:])
        if fits(self.flights, seat, self.hands[seat], self.options):
            self.phase = "play"
        else:
            self._show(seat)
            self._pass(seat)

    def _pass(self, seat: Seat) -> None:
        self.idle += 1
        self.news.append(p.TurnPassed(seat, self.idle))
        self.begin(OTHER[seat])

    def _show(self, seat: Seat) -> None:
        hand = self.hands[seat]
        if self.options.stuck_shows == "hand":
            self.news.append(p.HandShown(seat, words(hand)))
            self.seen = (self.seen[0], hand) if seat else (hand, self.seen[1])
        else:
            colours = tuple([p.COLOURS[COLOUR_OF[card]] for card in numbers(hand)])
            self.news.append(p.ColoursShown(seat, colours))

    # The end of a turn and the start of the next

    def _draw(self, seat: Seat) -> None:
        if not self.deck:
            if not self.discard:
                return
            self.deck, self.discard = self.chance.shuffle("deck", self.discard), ()
            self.news.append(p.DeckShuffled(len(self.deck)))
        card = self.deck[0]
        self.deck = self.deck[1:]
        self.hands[seat] |= BIT[card]
        self.news.append(DRAWN[seat][card])

    def _end(self, player: Seat, following: Seat) -> None:
        self._draw(player)
        self.begin(following)

    def begin(self, seat: Seat) -> None:
        """Asks the next player, unless the game is locked."""
        if self.idle < p.IDLE_LIMIT:
            hand, options = self.hands[seat], self.options
            plays = Plays(self.flights, hand, seat, options.opponent_side)
            if plays.count or (options.wind == "on" and wind_fits(self.flights, hand)):
                self.seat = seat
                self.exchanged = False
                self.phase = "play"
                if options.wind == "off" and options.trade != "turn":
                    self.plays = plays
                return
        if self.idle >= p.IDLE_LIMIT or locked(self.flights, self._outside(), self.options):
            self.seat = None
            self.exchanged = False
            self.phase = "play"
            prizes = self.prizes
            trophies = (held(prizes.holders, 0), held(prizes.holders, 1))
            self.news.append(p.GameLocked(trophies, (sum(prizes.cubes[0]), sum(prizes.cubes[1]))))
            return
        self.seat = seat
        self.exchanged = False
        self._show(seat)
        if self.hands[seat]:
            self.phase = "exchange"
        else:
            self._pass(seat)

    def _outside(self) -> int:
        """The cards that may still come to the table; a position may have left others out of the game."""
        return self.hands[0] | self.hands[1] | as_set(self.deck) | as_set(self.discard)


def _in_order(news: list[Any]) -> list[Any]:
    """Cards that were drawn one after the other, in the order of the hand.

    Which came first is nobody's business, not even their owner's: a hand has no order, and news must not
    tell more than the view. What was drawn before the deck was shuffled and what after it stays apart.
    """
    found: list[Any] = []
    for kind, group in itertools.groupby(news, type):
        run = list(group)
        found += sorted(run, key=lambda item: NUMBER[item.card.value]) if kind is CardDrawn else run
    return found


def scoring(flight: Flight, both: tuple[int, int], won: Seat) -> p.TileScored:
    terrain: p.Terrain = "mountain" if flight.mountain else "plain"
    return p.TileScored(flight.number, terrain, both, won, tile_cubes(flight.cubes))


def filled(flight: Flight) -> p.TileFilled:
    return p.TileFilled(flight.number, "mountain" if flight.mountain else "plain", tile_cubes(flight.cubes))
