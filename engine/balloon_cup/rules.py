"""The game of Balloon Cup: puts the rules in order. What a turn sets off is in draft.py."""

import functools
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from parlour.engine.balloon_cup import positions
from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.bag import fill
from parlour.engine.balloon_cup.cards import (
    BIT,
    COLOUR_OF,
    NUMBER,
    WIND_OF,
    as_set,
    named,
    numbers,
    words,
)
from parlour.engine.balloon_cup.draft import OWNER, Draft, filled
from parlour.engine.balloon_cup.flight import SEATS, Flight, cards_at, new_flight, side_room
from parlour.engine.balloon_cup.plays import Plays
from parlour.engine.balloon_cup.state import VIEWS, Prizes, State
from parlour.engine.balloon_cup.trophies import NOBODY, held, trades
from parlour.engine.balloon_cup.wishes import wishes
from parlour.engine.chance import Chance
from parlour.engine.choices import Choices, OneOf, Pattern, Subset, nothing
from parlour.engine.errors import IllegalAction
from parlour.engine.game import Deadline, Game, Outcome, Step
from parlour.engine.secret import Pile, Seat, Secret

ALL_CUBES = (p.CUBES["red"], p.CUBES["yellow"], p.CUBES["green"], p.CUBES["blue"], p.CUBES["grey"])
DECLINE: Pattern[p.Action] = Pattern.of(p.Decline)


def _winds(state: State, seat: Seat) -> list[Pattern[p.Action]]:
    """Each 7 of the hand with the cards of its colour that lie on the table."""
    hand = state.hands[seat].value
    found: list[Pattern[p.Action]] = []
    for colour, seven in enumerate(WIND_OF):
        if hand & BIT[seven]:
            for flight in state.flights:
                for side, cards in enumerate(flight.sides):
                    lying = [card for card in cards if COLOUR_OF[card] == colour]
                    if lying:
                        open_ = OneOf(named(tuple(sorted(lying))))
                        found.append(Pattern.of(p.Wind, p.CARDS[seven], flight.number, Seat(side), open_))
    return found


def _trades(state: State, seat: Seat) -> list[Pattern[p.Action]]:
    prizes = state.prizes
    return [
        Pattern.of(p.Trade, trade.give, trade.take)
        for trade in trades(prizes.cubes[seat], prizes.holders, prizes.bag)
    ]


def _to_play(state: State, seat: Seat) -> Choices[p.Action]:
    plays = Plays(state.flights, state.hands[seat].value, seat, state.options.opponent_side)
    more: list[Pattern[p.Action]] = []
    if state.options.wind == "on":
        more += _winds(state, seat)
    if state.options.trade == "turn":
        more += _trades(state, seat)
    return Choices([*plays.patterns, *more]) if more else plays


def _to_exchange(state: State, seat: Seat) -> Choices[p.Action]:
    hand = words(state.hands[seat].value)
    found: list[Pattern[p.Action]] = [
        Pattern.of(p.Exchange, Subset(hand, 1, min(p.MOST_EXCHANGED, len(hand))))
    ]
    if state.options.trade == "turn":
        found += _trades(state, seat)
    return Choices(found)


def _to_claim(state: State, seat: Seat) -> Choices[p.Action]:
    found: list[Pattern[p.Action]] = []
    for wish in wishes(state, seat):
        match wish:
            case p.Claim(trophy, paid):
                found.append(Pattern.of(p.Claim, trophy, paid))
            case p.Trade(give, take):
                found.append(Pattern.of(p.Trade, give, take))
    return Choices([*found, DECLINE])


@functools.lru_cache(maxsize=1024)
def _deadline(phase: p.Phase, decision: int) -> Deadline:
    return Deadline(f"{phase}/{decision}", phase)


_LEGAL: dict[str, Callable[[State, Seat], Choices[p.Action]]] = {
    "play": _to_play,
    "exchange": _to_exchange,
    "claim": _to_claim,
}


class BalloonCup(Game[State, p.Action, p.View]):
    """Two players; three trophies win."""

    name = "balloon-cup"
    seats = (2,)
    options = p.BalloonOptions
    actions = p.ACTIONS
    news = p.NEWS
    views = VIEWS
    unordered = frozenset({"hands", "cubes", "discard", "seen", "cards"})
    counted = frozenset({"bag", "cubes"})
    sparse = frozenset({"trophies", "scored"})
    leaving = frozenset({"cube"})
    fleeting = (p.ColoursShown,)

    def setup(self, seats: int, options: p.BalloonOptions, chance: Chance) -> Step[State]:  # noqa: ARG002
        bag = ALL_CUBES
        flights: list[Flight] = []
        for number, terrain in p.TILES:
            bag, cubes = fill(bag, number, flights, options, chance)
            flights.append(new_flight(number, terrain == "mountain", cubes))
        cards = chance.shuffle("deck", range(len(p.CARDS)))
        hands = as_set(cards[: p.HAND]), as_set(cards[p.HAND : 2 * p.HAND])
        first = chance.draw("first", SEATS) if isinstance(options.first, str) else Seat(options.first)
        state = State(
            options,
            tuple(flights),
            (Secret(hands[0], OWNER[0]), Secret(hands[1], OWNER[1])),
            Secret(cards[2 * p.HAND :]),
            (),
            Prizes(bag, ((0, 0, 0, 0, 0), (0, 0, 0, 0, 0)), NOBODY),
            first,
            "play",
            False,
            (0, 0),
            None,
            0,
        )
        draft = Draft(state, chance)
        draft.news += [filled(flight) for flight in flights]
        draft.news += [p.HandDealt(seat, Pile(words(hands[seat]), OWNER[seat])) for seat in SEATS]
        draft.news.append(p.FirstChosen(first))
        draft.begin(first)
        return draft.finish()

    def awaited(self, state: State) -> frozenset[Seat]:
        return frozenset() if state.turn is None else OWNER[state.turn]

    def legal(self, state: State, seat: Seat) -> Choices[p.Action]:
        plays = state.plays
        return plays if plays is not None and seat == state.turn else super().legal(state, seat)

    def _legal(self, state: State, seat: Seat) -> Choices[p.Action]:
        if seat != state.turn:
            return nothing()
        return _LEGAL[state.phase](state, seat)

    def apply(self, state: State, seat: Seat, action: p.Action, chance: Chance) -> Step[State]:
        draft = Draft(state, chance)
        match action:
            case p.Play():
                draft.play(seat, action)
            case p.Wind():
                draft.blow(seat, action)
            case p.Exchange():
                draft.exchange(seat, action)
            case p.Claim():
                draft.claim(seat, action)
            case p.Decline():
                draft.decline(seat)
            case p.Trade():
                draft.trade(seat, action)
        return draft.finish()

    def hidden(self, state: State) -> Mapping[str, frozenset[Seat]]:  # noqa: ARG002
        return {"hands.0": OWNER[0], "hands.1": OWNER[1], "deck": frozenset()}

    def outcome(self, state: State) -> Outcome | None:
        if state.turn is not None:
            return None
        prizes = state.prizes
        trophies = held(prizes.holders, 0), held(prizes.holders, 1)
        reason = "trophies" if p.TROPHIES_TO_WIN in trophies else "locked"
        ours, theirs = ((trophies[seat], sum(prizes.cubes[seat])) for seat in (0, 1))
        if ours == theirs:
            return Outcome.of(reason, (1, 1), drawn=True)
        return Outcome.of(reason, (1, 2) if ours > theirs else (2, 1))

    def deadline(self, state: State) -> Deadline | None:
        return None if state.turn is None else _deadline(state.phase, state.decision)

    def default(self, state: State, seat: Seat, chance: Chance) -> p.Action:  # noqa: ARG002
        match state.phase:
            case "claim":
                return p.Decline()
            case "exchange":
                return p.Exchange(words(state.hands[seat].value)[:1])
            case "play":
                return _first_play(self.legal(state, seat), seat)

    def imagine(self, view: p.View, viewer: Seat | None, chance: Chance) -> State:  # noqa: ARG002
        return positions.imagined(view, chance)

    def from_position(self, plain: Mapping[str, Any], seats: int, options: p.BalloonOptions) -> State:  # noqa: ARG002
        return positions.read(plain, options)

    def material(self, state: State) -> Counter[str]:
        prizes = state.prizes
        cards = as_set(state.deck.value) | as_set(state.discard) | cards_at(state.flights)
        for hand in state.hands:
            cards |= hand.value
        cubes = (
            sum(prizes.bag) + sum(map(sum, prizes.cubes)) + sum(sum(flight.cubes) for flight in state.flights)
        )
        trophies = len(p.COLOURS)
        counted = Counter({f"card {card}": 1 for card in words(cards)})
        return counted + Counter({"cube": cubes, "trophy": trophies})

    def objection(self, state: State, seat: Seat, action: p.Action) -> IllegalAction:
        match action:
            case p.Play(card, tile, side):
                if state.phase != "play":
                    return IllegalAction("wrong_phase", phase=state.phase)
                if NUMBER.get(card, -1) not in numbers(state.hands[seat].value):
                    return IllegalAction("not_in_hand", card=card)
                return _no_place(state, card, tile, side)
            case p.Exchange(cards) if state.phase == "exchange":
                hand = numbers(state.hands[seat].value)
                missing = [card for card in cards if NUMBER.get(card, -1) not in hand]
                if missing:
                    return IllegalAction("not_in_hand", card=missing[0])
                return IllegalAction("wrong_number", least=1, most=min(p.MOST_EXCHANGED, len(hand)))
            case p.Trade() if state.options.trade in ("claim", "off"):
                return IllegalAction("option_off", option="trade")
            case p.Trade() if state.options.trade == "turn":
                return IllegalAction("cannot_pay")
            case p.Claim() | p.Trade() if state.phase == "claim":
                return IllegalAction("cannot_pay")
            case p.Wind() if state.options.wind == "off":
                return IllegalAction("option_off", option="wind")
            case p.Wind(card, _, _, replaces) if state.phase == "play":
                if NUMBER.get(card, -1) not in numbers(state.hands[seat].value):
                    return IllegalAction("not_in_hand", card=card)
                return IllegalAction("no_wind", card=card, replaces=replaces)
            case _:
                return IllegalAction("wrong_phase", phase=state.phase)


def _no_place(state: State, card: str, tile: int, side: int) -> IllegalAction:
    flight = next((flight for flight in state.flights if flight.number == tile), None)
    if flight is None:
        return IllegalAction("no_such_tile", tile=tile)
    if side not in (0, 1):
        return IllegalAction("no_such_side", side=side)
    if not side_room(flight, side) & BIT[NUMBER[p.Card(card)]]:
        return IllegalAction("no_room", card=card, tile=tile, side=side)
    return IllegalAction("side_closed", tile=tile, side=side, option=state.options.opponent_side)


def _first_play(choices: Choices[p.Action], seat: int) -> p.Action:
    """The first card that fits, at the lowest tile, on the own side if it can; a wind if nothing else."""

    def rank(action: p.Play | p.Wind) -> tuple[Any, ...]:
        replaced = NUMBER[action.replaces] if isinstance(action, p.Wind) else -1
        return isinstance(action, p.Wind), NUMBER[action.card], action.tile, action.side != seat, replaced

    return min((action for action in choices if isinstance(action, p.Play | p.Wind)), key=rank)
