"""The state of a game of Balloon Cup: small numbers inside, words only in the view."""

import functools
from collections.abc import Mapping

import attrs

from parlour.engine.balloon_cup.bag import tile_cubes
from parlour.engine.balloon_cup.cards import named, spell, words
from parlour.engine.balloon_cup.flight import Five, Flight
from parlour.engine.balloon_cup.plays import Plays
from parlour.engine.balloon_cup.public import (
    COLOURS,
    BalloonOptions,
    Card,
    Colour,
    Phase,
    Scored,
    Terrain,
    Tile,
    View,
)
from parlour.engine.balloon_cup.trophies import Holders
from parlour.engine.lean import lean
from parlour.engine.secret import Pile, Seat, Secret
from parlour.engine.view_fields import From, ViewFields

Hands = tuple[Secret[int], Secret[int]]


@lean
class Prizes:
    """What changes only when a tile is scored or cubes are traded."""

    bag: Five
    cubes: tuple[Five, Five]
    holders: Holders


@lean
class State:
    """Hands are sets of bits that their owner has seen; the deck is face down, its top first."""

    options: BalloonOptions
    flights: tuple[Flight, ...]
    hands: Hands
    deck: Secret[tuple[int, ...]]
    discard: tuple[int, ...]
    prizes: Prizes
    turn: Seat | None
    """Who is asked; None when the game is over."""
    phase: Phase
    exchanged: bool
    seen: tuple[int, int]
    """By seat: the cards that were shown to everybody and are still held."""
    scored: Scored | None
    idle: int
    decision: int = attrs.field(default=0, eq=False)
    """Counts what was asked so far, to tell one deadline from the next."""
    plays: Plays | None = attrs.field(default=None, eq=False)
    """All that the one who is asked for a card may do, if it has been worked out on the way."""


def counted(counts: Five) -> Mapping[Colour, int]:
    return {colour: count for colour, count in zip(COLOURS, counts, strict=True) if count}


@functools.lru_cache(maxsize=256)
def _trophies(holders: Holders) -> Mapping[Colour, Seat]:
    return {colour: Seat(seat) for colour, seat in zip(COLOURS, holders, strict=True) if seat is not None}


def _terrain(mountain: bool) -> Terrain:
    return "mountain" if mountain else "plain"


def _hand(cards: Secret[int]) -> Pile[Card]:
    return Pile(spell(cards.value), cards.seen_by)


def _deck(deck: Secret[tuple[int, ...]]) -> Pile[Card]:
    return deck.pile(named)


def _to_act(turn: Seat | None) -> tuple[Seat, ...]:
    return () if turn is None else (turn,)


_TILES: ViewFields[Flight, Tile] = ViewFields(
    Tile,
    {
        "number": From("number", few=True),
        "terrain": From("mountain", make=_terrain, few=True),
        "cubes": From("cubes", make=tile_cubes, few=True),
        "sides": From("sides", each=named, few=True),
    },
)
VIEWS: ViewFields[State, View] = ViewFields(
    View,
    {
        "options": From("options", seldom=True),
        "tiles": From("flights", each=_TILES),
        "hands": From("hands", each=_hand),
        "deck": From("deck", make=_deck),
        "discard": From("discard", make=named, seldom=True),
        "bag": From("prizes.bag", make=counted, seldom=True),
        "cubes": From("prizes.cubes", each=counted, few=True, seldom=True),
        "trophies": From("prizes.holders", make=_trophies, few=True, seldom=True),
        "to_act": From("turn", make=_to_act, few=True),
        "phase": From("phase", few=True, seldom=True),
        "exchanged": From("exchanged", few=True, seldom=True),
        "seen": From("seen", each=words, seldom=True),
        "scored": From("scored", seldom=True),
        "idle": From("idle", few=True, seldom=True),
    },
)
