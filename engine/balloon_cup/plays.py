"""The cards that a seat may put at tiles, as sets of bits: what playouts count and sample most."""

from collections.abc import Iterator

from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.cards import BIT, NUMBER, words
from parlour.engine.balloon_cup.flight import SEATS, Flight, opponents_room
from parlour.engine.choices import Choices, OneOf, Pattern
from parlour.engine.secret import Seat


class Plays(Choices[p.Action]):
    """Tile by tile, own side first: the cards of the hand that go there."""

    __slots__ = ("_places",)

    def __init__(self, flights: tuple[Flight, ...], hand: int, seat: Seat, rule: str) -> None:
        places = []
        count = 0
        other = SEATS[1 - seat]
        for flight in flights:
            rooms = flight.room
            cards = hand & rooms[seat]
            if cards:
                places.append((cards, flight.number, seat))
                count += cards.bit_count()
            cards = hand & (rooms[other] if rule == "always" else opponents_room(flight, seat, rule))
            if cards:
                places.append((cards, flight.number, other))
                count += cards.bit_count()
        self._places = places
        self._patterns = None
        self._picked = None
        self.count = count

    def _write_down(self) -> Iterator[Pattern[p.Action]]:
        for cards, tile, side in self._places:
            yield Pattern(p.Play, (OneOf(words(cards)), tile, side), cards.bit_count())

    def __getitem__(self, index: int) -> p.Action:
        if index >= 0:
            for cards, tile, side in self._places:
                size = cards.bit_count()
                if index < size:
                    while index:
                        cards &= cards - 1
                        index -= 1
                    card = p.CARDS[(cards & -cards).bit_length() - 1]
                    self._picked = play = p.Play(card, tile, side)
                    return play
                index -= size
        raise IndexError(index)

    def __contains__(self, action: object) -> bool:
        if action is self._picked and action is not None:
            return True
        if type(action) is not p.Play:
            return False
        card = NUMBER.get(action.card)
        if card is None:
            return False
        return any(
            cards & BIT[card] and tile == action.tile and side == action.side
            for cards, tile, side in self._places
        )
