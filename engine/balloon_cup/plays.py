"""The cards that a seat may put at tiles, as one number: what playouts count and sample most."""

from collections.abc import Iterator

from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.cards import EVERY_CARD, NUMBER, spell, words
from parlour.engine.balloon_cup.flight import SEATS, SHIFT, WIDTH, Flight, open_places
from parlour.engine.choices import Choices, OneOf, Pattern, PatternMap, Row
from parlour.engine.identity_cache import lasting
from parlour.engine.secret import Seat

_PLACES = tuple((tile, side) for tile in (1, 2, 3, 4) for side in SEATS)
EVERYWHERE = sum(1 << WIDTH * place for place in range(len(_PLACES)))
"""A hand times this is the hand at every side of every tile."""
_FIRST_HALF = (1 << WIDTH * len(_PLACES) // 2) - 1
_PLAYS: tuple[p.Action, ...] = tuple(p.Play(card, tile, side) for tile, side in _PLACES for card in p.CARDS)
"""Every play there is, by its bit."""
PLAYED: tuple[tuple[p.CardPlayed, ...], ...] = tuple(
    lasting(tuple(p.CardPlayed(seat, card, tile, side) for tile, side in _PLACES for card in p.CARDS))
    for seat in SEATS
)
"""By seat and by the bit of the play: the news of it, made once for all games."""


_ROWS = tuple(PatternMap({"type": "play", "tile": tile, "side": side}) for tile, side in _PLACES)
"""By place: a pattern as it travels, without its cards."""


class Plays(Choices[p.Action]):
    """Tile by tile and side by side: the cards of the hand that go there."""

    __slots__ = ("_open",)
    open_field = "card"

    def __init__(self, flights: tuple[Flight, ...], hand: int, seat: Seat, rule: str) -> None:
        self._open = opened = hand * EVERYWHERE & open_places(flights, seat, rule)
        self._patterns = None
        self.picked = None
        self.count = opened.bit_count()

    def _write_down(self) -> Iterator[Pattern[p.Action]]:
        for place, (tile, side) in enumerate(_PLACES):
            cards = self._open >> WIDTH * place & EVERY_CARD
            if cards:
                yield Pattern(p.Play, (OneOf(words(cards)), tile, side), cards.bit_count())

    def rows(self) -> list[Row]:
        left = self._open
        found: list[Row] = []
        for row in _ROWS:
            cards = left & EVERY_CARD
            if cards:
                found.append((row, cards))
            left >>= WIDTH
        return found

    @staticmethod
    def values(of: int) -> tuple[p.Card, ...]:
        return spell(of)

    def __getitem__(self, index: int) -> p.Action:
        if not 0 <= index < self.count:
            raise IndexError(index)
        left = self._open
        low = left & _FIRST_HALF
        there = low.bit_count()
        if index < there:
            left = low
        else:
            index -= there
            left ^= low
        while index:
            left &= left - 1
            index -= 1
        self.picked = play = _PLAYS[(left & -left).bit_length() - 1]
        return play

    def __contains__(self, action: object) -> bool:
        if action is self.picked and action is not None:
            return True
        if type(action) is not p.Play or action.tile not in (1, 2, 3, 4) or action.side not in SEATS:
            return False
        card = NUMBER.get(action.card)
        return card is not None and bool(self._open >> SHIFT[action.tile][action.side] + card & 1)
