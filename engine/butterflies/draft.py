"""The draft of the next state: what an action sets off, rule by rule.

A `Draft` starts as a copy of a frozen state, is changed step by step while its news is noted, and ends
as a new state; the old one is never touched.
"""

from typing import Any, TypeVar

from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import (
    GOAL_KIND,
    GOAL_KINDS,
    GOAL_WORDS,
    KIND,
    NUMBER,
    TOKEN_BIT,
    UNMARKED,
)
from parlour.engine.butterflies.cells import cell_of
from parlour.engine.butterflies.goals import side
from parlour.engine.butterflies.grid import Grid
from parlour.engine.butterflies.moves import Moves
from parlour.engine.butterflies.state import Hand, State
from parlour.engine.game import Step
from parlour.engine.secret import Seat, Secret, only

T = TypeVar("T")
OWNER = (only(0), only(1), only(2), only(3))
SEATS = (Seat(0), Seat(1), Seat(2), Seat(3))


def barred(last: p.Last | None) -> int | None:
    """The cell of the card that the previous player has just laid: it stays for a turn."""
    return cell_of(last.at) if last is not None and last.how == "laid" else None


def moves_open(played: tuple[int, ...]) -> bool:
    """Whether everybody has played enough cards for moves and tokens."""
    return min(played) >= p.PLAYED_BEFORE_MOVES


def takes_token(grid: Grid, last: p.Last | None) -> bool:
    """Whether there is a card to put a net or a web on."""
    return last is not None and grid.cards[cell_of(last.at)] < UNMARKED


class Draft:
    """A changeable copy of a State, with the same fields and the deck opened."""

    __slots__ = (
        "before",
        "deck",
        "grid",
        "hands",
        "last",
        "news",
        "options",
        "played",
        "quiet",
        "seat",
        "shown",
        "tokens",
        "turned",
        "won",
    )

    def __init__(self, state: State) -> None:
        self.before = state
        self.options = state.options
        self.grid = state.grid
        self.hands: tuple[Hand, ...] = state.hands
        self.deck = state.deck.value
        self.shown = state.shown
        self.tokens = state.tokens
        self.played = state.played
        self.last = state.last
        self.turned = state.turned
        self.quiet = state.quiet
        self.seat = state.turn
        self.won = state.won
        self.news: list[Any] = []

    def finish(self) -> Step[State]:
        before = self.before
        state = State(
            self.options,
            self.grid,
            self.hands,
            before.deck if self.deck is before.deck.value else Secret(self.deck),
            before.goals,
            self.shown,
            self.tokens,
            self.played,
            self.last,
            self.turned,
            self.quiet,
            self.seat,
            self.won,
            before.decision + 1,
        )
        return Step(state, tuple(self.news))

    # The four things to do on a turn, and declaring before them

    def play(self, seat: int, action: p.Play) -> None:
        self.news.append(p.CardPlayed(SEATS[seat], action.card, action.at))
        card = NUMBER[action.card]
        self._lay(seat, card, action.at)
        hand = list(self.hands[seat].value)
        hand.remove(card)
        if self.deck:
            drawn, self.deck = self.deck[0], self.deck[1:]
            hand.append(drawn)
            hand.sort()
            self.news.append(p.CardDrawn(SEATS[seat], Secret(p.CARDS[drawn], OWNER[seat])))
        self.hands = _with(self.hands, seat, Secret(tuple(hand), OWNER[seat]))
        self._end(seat, action.declare)

    def turn_up(self, seat: int) -> None:
        self.turned, self.deck = self.deck[0], self.deck[1:]
        self.news.append(p.CardTurned(SEATS[seat], p.CARDS[self.turned]))
        if self.options.declare == "auto":
            self._check_all(seat)

    def place(self, seat: int, action: p.Place) -> None:
        card = self.turned
        if card is None:
            raise LookupError("no card is turned up")
        self.news.append(p.CardPlaced(SEATS[seat], p.CARDS[card], action.at))
        self.turned = None
        self._lay(seat, card, action.at)
        self._end(seat, action.declare)

    def move(self, seat: int, action: p.Move) -> None:
        from_ = cell_of(action.from_)
        card = p.CARDS[self.grid.cards[from_] & KIND]
        self.news.append(p.CardMoved(SEATS[seat], card, action.from_, action.to))
        self.grid = self.grid.moved(from_, cell_of(action.to))
        self.last = p.Last(action.to, SEATS[seat], "moved")
        self.quiet += 1
        self._end(seat, action.declare)

    def put(self, seat: int, token: p.Token) -> None:
        last = self.last
        if last is None:
            raise LookupError("there is no card for a token")
        cell = cell_of(last.at)
        self.news.append(p.TokenPlaced(SEATS[seat], token, p.CARDS[self.grid.cards[cell] & KIND], last.at))
        self.grid = self.grid.marked(cell, TOKEN_BIT[token])
        self.tokens = _with(self.tokens, seat, self.tokens[seat] ^ TOKEN_BIT[token])
        self.last = None
        self.quiet += 1
        self._end(seat, None)

    def declare(self, seat: int, action: p.Declare) -> None:
        self._check(seat, action.seat, GOAL_KIND[action.goal])

    def _lay(self, seat: int, card: int, at: p.At) -> None:
        self.grid = self.grid.laid(cell_of(at), card)
        self.played = _with(self.played, seat, self.played[seat] + 1)
        self.last = p.Last(at, SEATS[seat], "laid")
        self.quiet = 0

    # Goals

    def _check(self, seat: int, owner: int, kind: int) -> None:
        """Turns a goal up; if its row is there, the game is won."""
        goal = self.before.goals[owner][kind].value
        met = bool(self.grid.rows >> goal & 1)
        self.shown = _with(self.shown, owner, self.shown[owner] | 1 << kind)
        self.news.append(p.GoalDeclared(SEATS[seat], GOAL_KINDS[kind], SEATS[owner], GOAL_WORDS[goal], met))
        if met:
            self.won = p.Declaration(GOAL_KINDS[kind], SEATS[owner])
            self.seat = None
            self.news.append(p.GameWon(tuple(sorted(side(owner, self.options.teams)))))

    def _check_all(self, seat: int) -> None:
        """Automatic declaration: the actor's goals first, then his partner's, then clockwise."""
        ours = side(seat, self.options.teams)
        seats = len(self.hands)
        others = [after % seats for after in range(seat + 1, seat + seats) if after % seats not in ours]
        rows = self.grid.rows
        for owner in (*ours, *others) if rows else ():
            for kind, goal in enumerate(self.before.goals[owner]):
                if rows >> goal.value & 1:
                    self._check(seat, owner, kind)
                    return

    # The end of a turn and the start of the next

    def _end(self, seat: int, declared: p.Declaration | None) -> None:
        if declared is not None:
            self._check(seat, declared.seat, GOAL_KIND[declared.goal])
        elif self.options.declare == "auto":
            self._check_all(seat)
        if self.won is None and not self._drawn():
            self.begin((seat + 1) % len(self.hands))

    def _drawn(self) -> bool:
        if self.quiet < self.options.quiet_limit:
            return False
        self.seat = None
        self.news.append(p.GameDrawn(self.quiet))
        return True

    def begin(self, seat: int) -> None:
        """Asks the next player who can do anything; the turns of the others pass by themselves."""
        while not self._able(seat):
            self.quiet += 1
            self.last = None
            self.news.append(p.TurnPassed(SEATS[seat], self.quiet))
            if self._drawn():
                return
            seat = (seat + 1) % len(self.hands)
        self.seat = seat

    def _able(self, seat: int) -> bool:
        return bool(self.hands[seat].value or self.deck) or able_on_grid(
            self.grid, self.played, self.tokens[seat], self.last
        )


def able_on_grid(grid: Grid, played: tuple[int, ...], tokens: int, last: p.Last | None) -> bool:
    """Whether a player without cards can move one or put a token."""
    if not moves_open(played):
        return False
    return bool((tokens and takes_token(grid, last)) or Moves(grid, barred(last)).count)


def _with(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
