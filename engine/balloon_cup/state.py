"""The state of a game of Balloon Cup: small numbers inside, words only in the view."""

import functools
from collections.abc import Mapping

import attrs

from parlour.engine.balloon_cup.bag import listed
from parlour.engine.balloon_cup.cards import named, words
from parlour.engine.balloon_cup.flight import Five, Flight
from parlour.engine.balloon_cup.plays import Plays
from parlour.engine.balloon_cup.public import (
    COLOURS,
    BalloonOptions,
    Colour,
    Phase,
    Scored,
    Tile,
    View,
)
from parlour.engine.balloon_cup.trophies import Holders
from parlour.engine.identity_cache import cached_by_identity
from parlour.engine.lean import lean
from parlour.engine.secret import Pile, Seat, Secret

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


def view(state: State) -> View:
    prizes = state.prizes
    low, high = state.hands
    return View(
        options=state.options,
        tiles=tuple(map(_tile, state.flights)),
        hands=(Pile(words(low.value), low.seen_by), Pile(words(high.value), high.seen_by)),
        deck=state.deck.pile(named),
        discard=named(state.discard),
        bag=counted(prizes.bag),
        cubes=(counted(prizes.cubes[0]), counted(prizes.cubes[1])),
        trophies=_trophies(prizes.holders),
        to_act=() if state.turn is None else (state.turn,),
        phase=state.phase,
        exchanged=state.exchanged,
        seen=(words(state.seen[0]), words(state.seen[1])),
        scored=state.scored,
        idle=state.idle,
    )


@functools.lru_cache(maxsize=4096)
def counted(counts: Five) -> Mapping[Colour, int]:
    """Kept like tiles: cubes move only when a tile is scored."""
    return {colour: count for colour, count in zip(COLOURS, counts, strict=True) if count}


@functools.lru_cache(maxsize=256)
def _trophies(holders: Holders) -> Mapping[Colour, Seat]:
    return {colour: Seat(seat) for colour, seat in zip(COLOURS, holders, strict=True) if seat is not None}


@cached_by_identity
def _tile(flight: Flight) -> Tile:
    """Kept, because most tiles of a view are those of the last one."""
    return Tile(
        number=flight.number,
        terrain="mountain" if flight.mountain else "plain",
        cubes=listed(flight.cubes),
        sides=(named(flight.sides[0]), named(flight.sides[1])),
    )
