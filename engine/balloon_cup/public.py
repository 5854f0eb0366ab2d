"""The words of Balloon Cup that cross the wire: cards, options, actions, news and the view."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NewType

import attrs

from parlour.engine.lean import lean
from parlour.engine.maps import Counts
from parlour.engine.options import Options, choice
from parlour.engine.secret import Pile, Seat, Secret

Colour = Literal["red", "yellow", "green", "blue", "grey"]
Terrain = Literal["plain", "mountain"]
Phase = Literal["play", "exchange", "claim"]
Card = NewType("Card", str)
"""A colour and a value: `red-7`."""

COLOURS: tuple[Colour, ...] = ("red", "yellow", "green", "blue", "grey")
VALUES: Mapping[Colour, tuple[int, ...]] = {
    "red": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
    "yellow": (1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13),
    "green": (1, 2, 4, 6, 7, 8, 10, 12, 13),
    "blue": (1, 3, 5, 7, 9, 11, 13),
    "grey": (1, 4, 7, 10, 13),
}
CARDS: tuple[Card, ...] = tuple(Card(f"{colour}-{value}") for colour in COLOURS for value in VALUES[colour])
"""Every card once, in the order of the material list."""
CUBES: Mapping[Colour, int] = {"red": 13, "yellow": 11, "green": 9, "blue": 7, "grey": 5}
PRICES: Mapping[Colour, int] = {"red": 7, "yellow": 6, "green": 5, "blue": 4, "grey": 3}
TILES: tuple[tuple[int, Terrain], ...] = ((1, "plain"), (2, "mountain"), (3, "plain"), (4, "mountain"))
HAND = 8
TROPHIES_TO_WIN = 3
CUBES_IN_A_TRADE = 3
MOST_EXCHANGED = 4
IDLE_LIMIT = 20
"""Turns in a row without a card played that end the game."""
WIND = 7
"""The value of the cards that can replace another, with the option `wind`."""


def beats(mountain: bool, ours: int, theirs: int) -> bool:
    """Mountains go to the higher sum, plains to the lower."""
    return ours > theirs if mountain else ours < theirs


@attrs.frozen
class BalloonOptions(Options):
    """How Balloon Cup is played at this table."""

    edition: str = choice("standard", "italian", "russian", "chinese")
    tile_cap: int | str = choice(2, "none")
    table_cap: str = choice("off", "on")
    trade: str = choice("claim", "turn", "win", "off")
    paid_cubes: str = choice("box", "bag")
    opponent_side: str = choice("always", "own_full", "colour_full", "colour_ahead")
    wind: str = choice("off", "on")
    stuck_shows: str = choice("hand", "colours")
    first: int | str = choice("random", 0, 1)

    EDITIONS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "italian": {"tile_cap": "none", "trade": "turn", "paid_cubes": "bag", "stuck_shows": "colours"},
        "russian": {"tile_cap": "none"},
        "chinese": {"tile_cap": 2, "table_cap": "on"},
    }


# Actions


@lean
class Play:
    """Put a card at a tile; `side` is the seat whose side it goes to."""

    card: Card
    tile: int
    side: Seat


@lean
class Wind:
    """Put a 7 in the place of a card of its colour."""

    card: Card
    tile: int
    side: Seat
    replaces: Card


@lean
class Exchange:
    """Discard these cards, because none fits, and draw as many."""

    cards: tuple[Card, ...]


@lean
class Claim:
    """Take a trophy; `trades` says how many triples of which colour pay for one cube each."""

    trophy: Colour
    trades: Counts


@lean
class Decline:
    """Claim or trade nothing more now."""


@lean
class Trade:
    """Give three cubes of a taken colour for one out of the bag."""

    give: Colour
    take: Colour


Action = Play | Wind | Exchange | Claim | Decline | Trade


# News


@lean
class TileFilled:
    """Cubes were drawn onto a tile, which now shows this terrain."""

    tile: int
    terrain: Terrain
    cubes: tuple[Colour, ...]


@lean
class HandDealt:
    """A player picked up the first cards."""

    seat: Seat
    cards: Pile[Card] | tuple[Card, ...] | int


@lean
class FirstChosen:
    """Who begins."""

    seat: Seat


@lean
class CardPlayed:
    """A card was put at a tile."""

    seat: Seat
    card: Card
    tile: int
    side: Seat


@lean
class WindBlew:
    """A 7 took the place of another card, which was discarded."""

    seat: Seat
    card: Card
    tile: int
    side: Seat
    replaced: Card


@lean
class TileScored:
    """Both sides were complete: the sums by side, and who took the cubes."""

    tile: int
    terrain: Terrain
    sums: tuple[int, int]
    winner: Seat
    cubes: tuple[Colour, ...]


@lean
class TileRemoved:
    """The bag had too few cubes for a tile, which left the game."""

    tile: int


@lean
class TrophyTaken:
    """A trophy was paid for: `paid` cubes of its own colour and `trades` triples."""

    seat: Seat
    trophy: Colour
    paid: int
    trades: Counts
    forced: bool


@lean
class ClaimDeclined:
    """A player who could have claimed or traded did not."""

    seat: Seat


@lean
class CubesTraded:
    """Three cubes went to the box, one came out of the bag."""

    seat: Seat
    give: Colour
    take: Colour


@lean
class HandShown:
    """No card fits: the whole hand was shown to everybody."""

    seat: Seat
    cards: tuple[Card, ...]


@lean
class ColoursShown:
    """No card fits: the colours of the hand were shown to everybody."""

    seat: Seat
    colours: tuple[Colour, ...]


@lean
class CardsExchanged:
    """Cards were discarded because none fitted."""

    seat: Seat
    cards: tuple[Card, ...]


@lean
class DeckShuffled:
    """The discard pile became the new deck."""

    cards: int


@lean
class CardDrawn:
    """A player drew a card. Several in a row come in the order of the hand."""

    seat: Seat
    card: Secret[Card] | Card | None


@lean
class TurnPassed:
    """A turn ended with no card played, the `idle`-th in a row."""

    seat: Seat
    idle: int


@lean
class GameWon:
    """Somebody has the third trophy."""

    seat: Seat


@lean
class GameLocked:
    """No card can be played any more."""

    trophies: tuple[int, int]
    cubes: tuple[int, int]


ACTIONS = (Play, Wind, Exchange, Claim, Decline, Trade)
NEWS = (
    TileFilled,
    HandDealt,
    FirstChosen,
    CardPlayed,
    WindBlew,
    TileScored,
    TileRemoved,
    TrophyTaken,
    ClaimDeclined,
    CubesTraded,
    HandShown,
    ColoursShown,
    CardsExchanged,
    DeckShuffled,
    CardDrawn,
    TurnPassed,
    GameWon,
    GameLocked,
)


# The view. Its fields have the defaults of a position in which they are left out.


@lean(kw_only=True)
class Tile:
    """A tile and the cards at it; `sides` by the seat that owns the side."""

    number: int
    terrain: Terrain
    cubes: tuple[Colour, ...] = ()
    sides: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())


@lean
class Scored:
    """The scoring that the claims of this moment follow; `by` placed the last card."""

    winner: Seat
    loser: Seat
    by: Seat


@lean(kw_only=True)
class View:
    """The table in a viewer's eyes: a hidden hand or pile is its size. Seen by all, it is the position."""

    options: BalloonOptions
    tiles: tuple[Tile, ...] = ()
    hands: tuple[Pile[Card] | tuple[Card, ...] | int, Pile[Card] | tuple[Card, ...] | int] = ((), ())
    deck: Pile[Card] | tuple[Card, ...] | int | None = None
    discard: tuple[Card, ...] = ()
    bag: Mapping[Colour, int] = attrs.field(factory=dict)
    cubes: tuple[Mapping[Colour, int], Mapping[Colour, int]] = attrs.field(factory=lambda: ({}, {}))
    trophies: Mapping[Colour, Seat] = attrs.field(factory=dict)
    to_act: tuple[Seat, ...]
    phase: Phase
    exchanged: bool = False
    seen: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    scored: Scored | None = None
    idle: int = 0
