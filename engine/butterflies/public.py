"""The words of Butterflies that cross the wire: cards, options, actions, news and the view."""

from typing import Literal, NewType

import attrs

from parlour.engine.errors import BadOptions
from parlour.engine.lean import lean
from parlour.engine.options import Options, choice, whole
from parlour.engine.secret import Pile, Seat, Secret

Species = Literal["monarch", "swallowtail", "morpho", "peacock"]
Colour = Literal["red", "yellow", "green", "blue"]
Goal = Literal["colour", "species"]
Token = Literal["net", "web"]
How = Literal["laid", "moved"]
Phase = Literal["act", "place"]
Card = NewType("Card", str)
"""A species and a colour: `monarch-red`."""
At = tuple[int, int]
"""A cell of the grid: x to the right, y down."""

SPECIES: tuple[Species, ...] = ("monarch", "swallowtail", "morpho", "peacock")
COLOURS: tuple[Colour, ...] = ("red", "yellow", "green", "blue")
CARDS: tuple[Card, ...] = tuple(Card(f"{species}-{colour}") for species in SPECIES for colour in COLOURS)
"""Every kind of card once, in the order of the material list."""
COPIES = 2
HAND = 2
ROW = 4
PLAYED_BEFORE_MOVES = 3
"""Cards that everybody must have played before anybody moves a card or puts a token."""


@attrs.frozen
class ButterflyOptions(Options):
    """How Butterflies is played at this table."""

    teams: str = choice("off", "on")
    declare: str = choice("manual", "auto")
    quiet_limit: int = whole(24, 8, 99)
    first: int | str = choice("random", 0, 1, 2, 3)

    def check(self, seats: int) -> None:
        super().check(seats)
        if self.teams == "on" and seats != 4:
            raise BadOptions("teams", f"are for four players, not {seats}")


# Actions


@lean
class Declaration:
    """One of a player's goals, called out; `seat` is whose goal it is."""

    goal: Goal
    seat: Seat


@lean
class Play:
    """Put a card of the hand on the grid, then draw one."""

    card: Card
    at: At
    declare: Declaration | None


@lean
class Turn:
    """Turn up the top card of the deck, to be placed next."""


@lean
class Place:
    """Put the turned-up card on the grid."""

    at: At
    declare: Declaration | None


@lean
class Move:
    """Take a card of the grid to another cell."""

    from_: At
    to: At
    declare: Declaration | None


@lean
class Net:
    """Put the net on the card that the previous player laid or moved."""


@lean
class Web:
    """Put the web on the card that the previous player laid or moved."""


@lean
class Declare:
    """Declare a goal before acting."""

    goal: Goal
    seat: Seat


Action = Play | Turn | Place | Move | Net | Web | Declare


# News


@lean
class GoalsDealt:
    """A player, and the partner if there is one, looked at the two goals."""

    seat: Seat
    colour: Secret[Colour] | Colour | None
    species: Secret[Species] | Species | None


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
    """A card of the hand was laid."""

    seat: Seat
    card: Card
    at: At


@lean
class CardDrawn:
    """A player drew a card."""

    seat: Seat
    card: Secret[Card] | Card | None


@lean
class CardTurned:
    """The top card of the deck was turned up for all to see."""

    seat: Seat
    card: Card


@lean
class CardPlaced:
    """The turned-up card was laid."""

    seat: Seat
    card: Card
    at: At


@lean
class CardMoved:
    """A card of the grid changed its place."""

    seat: Seat
    card: Card
    from_: At
    to: At


@lean
class TokenPlaced:
    """A net or a web was put on a card."""

    seat: Seat
    token: Token
    card: Card
    at: At


@lean
class GoalDeclared:
    """A goal of `owner` was declared and is face up; `word` is its colour or species, `met` says if it wins.

    With automatic declaration nobody calls, and `seat` is whose action met it.
    """

    seat: Seat
    goal: Goal
    owner: Seat
    word: Colour | Species
    met: bool


@lean
class TurnPassed:
    """A player could do nothing at all; the `quiet`-th turn in a row without a card laid."""

    seat: Seat
    quiet: int


@lean
class GameWon:
    """A goal was met: these seats have won."""

    seats: tuple[Seat, ...]


@lean
class GameDrawn:
    """That many turns in a row without a card laid: nobody has won."""

    quiet: int


ACTIONS = (Play, Turn, Place, Move, Net, Web, Declare)
NEWS = (
    GoalsDealt,
    HandDealt,
    FirstChosen,
    CardPlayed,
    CardDrawn,
    CardTurned,
    CardPlaced,
    CardMoved,
    TokenPlaced,
    GoalDeclared,
    TurnPassed,
    GameWon,
    GameDrawn,
)


# The view. Its fields have the defaults of a position in which they are left out.


@lean(kw_only=True)
class Butterfly:
    """A card on the grid."""

    at: At
    card: Card
    token: Token | None = None


@lean(kw_only=True)
class Goals:
    """The two goals of a player; face down to most until they are declared."""

    colour: Secret[Colour] | Colour | None
    species: Secret[Species] | Species | None


@lean
class Last:
    """The card that the previous player laid or moved."""

    at: At
    by: Seat
    how: How


@lean(kw_only=True)
class View:
    """The table in a viewer's eyes: a hidden hand or pile is its size. Seen by all, it is the position."""

    options: ButterflyOptions
    grid: tuple[Butterfly, ...] = ()
    hands: tuple[Pile[Card] | tuple[Card, ...] | int, ...] = ()
    deck: Pile[Card] | tuple[Card, ...] | int | None = None
    goals: tuple[Goals, ...] = ()
    shown: tuple[tuple[Goal, ...], ...] = ()
    tokens: tuple[tuple[Token, ...], ...] = ()
    played: tuple[int, ...] = ()
    last: Last | None = None
    turned: Card | None = None
    quiet: int = 0
    phase: Phase
    to_act: tuple[Seat, ...]
    won: Declaration | None = None
    """After the end: the goal that won; None after a draw."""
