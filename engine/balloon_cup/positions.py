"""Positions read and checked, and worlds imagined from what one viewer knows."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.cards import BIT, COLOUR_OF, EVERY_CARD, NUMBER, as_set, numbers
from parlour.engine.balloon_cup.draft import OWNER
from parlour.engine.balloon_cup.fitting import fits, locked
from parlour.engine.balloon_cup.flight import SEATS, Five, Flight, cards_at, new_flight
from parlour.engine.balloon_cup.state import Prizes, State
from parlour.engine.balloon_cup.trophies import Holders, held
from parlour.engine.balloon_cup.wishes import has_wish
from parlour.engine.chance import Chance
from parlour.engine.errors import BadPosition
from parlour.engine.lean import evolved
from parlour.engine.maps import from_map
from parlour.engine.secret import Seat, Secret


def read(plain: Mapping[str, Any], options: p.BalloonOptions) -> State:
    """The state that a position describes; raises BadPosition."""
    if "options" in plain:
        raise BadPosition("options", "stand beside a position, not in it")
    view = from_map(p.View, {**plain, "options": options.plain()}, BadPosition)
    _check_cards(view)
    if view.deck is None:
        held = Counter(_everywhere(view))
        view = evolved(view, deck=tuple(card for card in p.CARDS if not held[card]))
    _check_cubes(view)
    _check_tiles(view)
    hands = as_set(_numbers(view.hands[0])), as_set(_numbers(view.hands[1]))
    state = build(evolved(view, options=options), _flights(view), hands, _numbers(view.deck))
    _check_phase(state, view)
    return state


def build(view: p.View, flights: tuple[Flight, ...], hands: tuple[int, int], deck: tuple[int, ...]) -> State:
    """The state of a view, with what it hides given beside it."""
    return State(
        view.options,
        flights,
        (Secret(hands[0], OWNER[0]), Secret(hands[1], OWNER[1])),
        Secret(deck),
        _numbers(view.discard),
        Prizes(_five(view.bag), (_five(view.cubes[0]), _five(view.cubes[1])), _holders(view.trophies)),
        view.to_act[0] if view.to_act else None,
        view.phase,
        view.exchanged,
        (as_set(_numbers(view.seen[0])), as_set(_numbers(view.seen[1]))),
        view.scored,
        view.idle,
    )


def imagined(view: p.View, chance: Chance) -> State:
    """Deals the cards that the viewer has not seen anew; cards shown earlier stay with their holder.

    A stuck player has no card that fits, and one asked for a card has at least one: what the phase says
    about a hidden hand is honoured, else the imagined world could be told from the real one. That hand is
    dealt first, while all the cards that could be in it are still there.
    """
    flights = _flights(view)
    hands = [
        as_set(_numbers(hand if isinstance(hand, tuple) else view.seen[seat]))
        for seat, hand in enumerate(view.hands)
    ]
    known = cards_at(flights) | as_set(_numbers(view.discard)) | hands[0] | hands[1]
    pile = chance.shuffle("imagine", numbers(EVERY_CARD & ~known))
    for seat in SEATS if SEATS[0] in view.to_act else reversed(SEATS):
        size = view.hands[seat]
        if isinstance(size, int):
            dealt = _deal(view, flights, seat, hands[seat], size, pile)
            hands[seat] |= as_set(dealt)
            pile = tuple([card for card in pile if card not in dealt])
    deck = pile[: view.deck] if isinstance(view.deck, int) else _numbers(view.deck)
    return build(view, flights, (hands[0], hands[1]), deck)


def _deal(
    view: p.View, flights: tuple[Flight, ...], seat: Seat, kept: int, size: int, pile: tuple[int, ...]
) -> tuple[int, ...]:
    """Cards of the pile that fill a hand up, so that it fits the phase if this seat is the one asked."""
    missing = size - kept.bit_count()
    if seat not in view.to_act or view.phase == "claim" or not missing:
        return pile[:missing]

    def suits(cards: int) -> bool:
        return fits(flights, seat, cards, view.options)

    if view.phase == "exchange":
        return tuple([card for card in pile if not suits(BIT[card])][:missing])
    dealt = pile[:missing]
    if suits(kept | as_set(dealt)):
        return dealt
    return (*dealt[1:], next(card for card in pile if suits(BIT[card])))


def _numbers(cards: Any) -> tuple[int, ...]:
    return tuple([NUMBER[card] for card in cards])


def _five(counts: Mapping[p.Colour, int]) -> Five:
    get = counts.get
    return get("red", 0), get("yellow", 0), get("green", 0), get("blue", 0), get("grey", 0)


def _holders(trophies: Mapping[p.Colour, Seat]) -> Holders:
    get = trophies.get
    return get("red"), get("yellow"), get("green"), get("blue"), get("grey")


def _flights(view: p.View) -> tuple[Flight, ...]:
    return tuple([_flight(tile) for tile in view.tiles])


def _flight(tile: p.Tile) -> Flight:
    count = tile.cubes.count
    cubes = count("red"), count("yellow"), count("green"), count("blue"), count("grey")
    sides = _numbers(tile.sides[0]), _numbers(tile.sides[1])
    return new_flight(tile.number, tile.terrain == "mountain", cubes, sides)


# Checks. Each names the field at fault.


def _everywhere(view: p.View) -> list[p.Card]:
    cards = [card for tile in view.tiles for side in tile.sides for card in side]
    for pile in (*view.hands, view.deck or (), view.discard):
        if isinstance(pile, tuple):
            cards += pile
    return cards


def _check_cards(view: p.View) -> None:
    places = [
        (f"tiles.{number}.sides.{side}", cards)
        for number, tile in enumerate(view.tiles)
        for side, cards in enumerate(tile.sides)
    ]
    for seat, hand in enumerate(view.hands):
        places.append((f"hands.{seat}", _list(f"hands.{seat}", hand)))
        if len(_list(f"hands.{seat}", hand)) > p.HAND:
            raise BadPosition(f"hands.{seat}", f"holds at most {p.HAND} cards")
    if view.deck is not None:
        places.append(("deck", _list("deck", view.deck)))
    places.append(("discard", view.discard))
    found: dict[p.Card, str] = {}
    for where, cards in places:
        for card in cards:
            if card not in NUMBER:
                raise BadPosition(where, f"there is no card {card!r}")
            if card in found:
                raise BadPosition(where, f"{card} is already in {found[card]}")
            found[card] = where
    for seat, shown in enumerate(view.seen):
        for card in shown:
            if found.get(card) != f"hands.{seat}" or shown.count(card) > 1:
                raise BadPosition(f"seen.{seat}", f"{card} is not in that hand")


def _list(where: str, pile: Any) -> tuple[p.Card, ...]:
    if not isinstance(pile, tuple):
        raise BadPosition(where, "must be a list of cards")
    return pile


def _check_cubes(view: p.View) -> None:
    places: list[tuple[str, Mapping[p.Colour, int]]] = [
        *((f"tiles.{place}.cubes", Counter(tile.cubes)) for place, tile in enumerate(view.tiles)),
        ("cubes.0", view.cubes[0]),
        ("cubes.1", view.cubes[1]),
        ("bag", view.bag),
    ]
    for where, counts in places:
        for colour, count in counts.items():
            if count < 0:
                raise BadPosition(where, f"{colour} cannot be {count}")
    for colour in p.COLOURS:
        holding = [(where, counts[colour]) for where, counts in places if counts.get(colour)]
        total = sum(count for _, count in holding)
        if total > p.CUBES[colour]:
            before = " and ".join(where for where, _ in holding[:-1])
            told = f"makes {total} {colour} cubes" + (f" together with {before}" if before else "")
            raise BadPosition(holding[-1][0], f"{told} of which there are {p.CUBES[colour]}")
    for colour, seat in view.trophies.items():
        if seat not in (0, 1):
            raise BadPosition("trophies", f"{colour} cannot belong to seat {seat}")
    for owner in (0, 1):
        if list(view.trophies.values()).count(Seat(owner)) > p.TROPHIES_TO_WIN:
            raise BadPosition("trophies", f"seat {owner} has more than {p.TROPHIES_TO_WIN}")
    if not 0 <= view.idle <= p.IDLE_LIMIT:
        raise BadPosition("idle", f"must be from 0 to {p.IDLE_LIMIT}")


def _check_tiles(view: p.View) -> None:
    numbers_ = [tile.number for tile in view.tiles]
    for place, tile in enumerate(view.tiles):
        where = f"tiles.{place}"
        if tile.number not in (1, 2, 3, 4):
            raise BadPosition(f"{where}.number", "must be from 1 to 4")
        if numbers_ != sorted(set(numbers_)):
            raise BadPosition(f"{where}.number", "tiles stand once each, in rising order")
        if len(tile.cubes) != tile.number:
            raise BadPosition(f"{where}.cubes", f"are {len(tile.cubes)}, not as many as its number")
        takes = Counter(tile.cubes)
        for side, cards in enumerate(tile.sides):
            lying = Counter(p.COLOURS[COLOUR_OF[NUMBER[card]]] for card in cards)
            if lying - takes:
                raise BadPosition(f"{where}.sides.{side}", f"has more {min(lying - takes)} cards than cubes")
        if all(len(side) == tile.number for side in tile.sides):
            raise BadPosition(f"{where}.sides", "are both complete, so the tile would have been scored")


def _check_phase(state: State, view: p.View) -> None:
    if len(view.to_act) > 1 or any(seat not in (0, 1) for seat in view.to_act):
        raise BadPosition("to_act", "must be one seat, or none at the end")
    stopped = _why_over(state)
    if state.turn is None:
        if stopped is None:
            raise BadPosition("to_act", "is empty, but the game is not over")
        return
    if stopped is not None:
        raise BadPosition("to_act", f"must be empty: {stopped}")
    seat = state.turn
    if (state.phase == "claim") != (state.scored is not None):
        raise BadPosition("scored", "goes with phase claim, and only with it")
    can_play = fits(state.flights, seat, state.hands[seat].value, state.options)
    match state.phase:
        case "claim":
            _check_claim(state, seat)
        case "play" if not can_play:
            raise BadPosition("phase", f"cannot be play: no card of hands.{seat} fits")
        case "exchange" if can_play:
            raise BadPosition("phase", f"cannot be exchange: a card of hands.{seat} fits")
        case "exchange" if state.exchanged:
            raise BadPosition("exchanged", "cannot be true in phase exchange")
        case "exchange" if not state.hands[seat].value:
            raise BadPosition("phase", f"cannot be exchange: hands.{seat} is empty")


def _why_over(state: State) -> str | None:
    for seat in SEATS:
        if held(state.prizes.holders, seat) == p.TROPHIES_TO_WIN:
            return f"seat {seat} has {p.TROPHIES_TO_WIN} trophies"
    if state.idle >= p.IDLE_LIMIT:
        return f"idle is {state.idle}"
    outside = state.hands[0].value | state.hands[1].value | as_set(state.deck.value) | as_set(state.discard)
    # A lock is looked for only after the claims and the draw.
    if state.phase != "claim" and locked(state.flights, outside, state.options):
        return "no card fits any of the tiles"
    return None


def _check_claim(state: State, seat: int) -> None:
    scored = state.scored
    if scored is None or {scored.winner, scored.loser} != {0, 1} or scored.by not in (0, 1):
        raise BadPosition("scored", "must name winner, loser and by, each 0 or 1")
    if not has_wish(state, seat):
        raise BadPosition("phase", "cannot be claim: that seat has nothing to claim or trade")
    if state.hands[scored.by].value.bit_count() == p.HAND:
        raise BadPosition(f"hands.{scored.by}", "cannot be full: a card is still to be drawn")
