"""What a player may do: counted at once, written down as patterns only for whoever wants to see them."""

from collections.abc import Iterator

from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import NET, WEB, any_of
from parlour.engine.butterflies.cells import AT
from parlour.engine.butterflies.draft import barred, moves_open, takes_token
from parlour.engine.butterflies.goals import before_acting, declarations, open_declarations
from parlour.engine.butterflies.moves import Moves
from parlour.engine.butterflies.state import State
from parlour.engine.choices import Choices, OneOf, Pattern

TURN: Pattern[p.Action] = Pattern.of(p.Turn)
PUT_NET: Pattern[p.Action] = Pattern.of(p.Net)
PUT_WEB: Pattern[p.Action] = Pattern.of(p.Web)


class ToAct(Choices[p.Action]):
    """At the start of a turn: what needs no cell, then plays, then moves card by card."""

    __slots__ = ("_cards", "_declared", "_grid", "_moves", "_plays", "_single", "_spoken")

    def __init__(self, state: State, seat: int) -> None:
        options, grid = state.options, state.grid
        self._patterns = None
        self.picked = None
        self._grid = grid
        self._spoken = open_declarations(seat, options.declare, options.teams)
        declared = self._declared = declarations(seat, options.declare, options.teams)
        single: list[Pattern[p.Action]] = []
        if options.declare == "manual":
            before_acting(single, grid.rows, seat, state.goals, state.shown, options.teams)
        if state.deck.value:
            single.append(TURN)
        self._moves: Moves | None = None
        count = 0
        if moves_open(state.played):
            tokens = state.tokens[seat]
            if tokens and takes_token(grid, state.last):
                if tokens & NET:
                    single.append(PUT_NET)
                if tokens & WEB:
                    single.append(PUT_WEB)
            self._moves = Moves(grid, barred(state.last))
            count = self._moves.count
        self._single = single
        self._cards = any_of(state.hands[seat].value)
        self._plays = len(self._cards.values) * (len(grid.lone) + len(grid.joints) or 1)
        count = (count + self._plays) * len(declared)
        for pattern in single:
            count += pattern.count
        self.count = count

    def _write_down(self) -> Iterator[Pattern[p.Action]]:
        yield from self._single
        if self._plays:
            yield Pattern.of(p.Play, self._cards, self._grid.spots, self._spoken)
        if self._moves is not None:
            calls = len(self._declared)
            for from_, to in self._moves:
                yield Pattern(p.Move, (from_, OneOf(to), self._spoken), len(to) * calls)

    def __getitem__(self, index: int) -> p.Action:
        if not 0 <= index < self.count:
            raise IndexError(index)
        self.picked = picked = self._pick(index)
        return picked

    def _pick(self, index: int) -> p.Action:
        for pattern in self._single:
            if index < pattern.count:
                return pattern[index]
            index -= pattern.count
        index, place = divmod(index, len(self._declared))
        declared = self._declared[place]
        if index < self._plays:
            frontier = self._grid.frontier
            card, place = divmod(index, len(frontier))
            return p.Play(self._cards.values[card], AT[frontier[place]], declared)
        if self._moves is None:
            raise IndexError(index)
        from_, to = self._moves[index - self._plays]
        return p.Move(from_, to, declared)


def to_place(state: State, seat: int) -> Choices[p.Action]:
    """With a card turned up: only where to put it."""
    options = state.options
    spoken = open_declarations(seat, options.declare, options.teams)
    return Choices([Pattern.of(p.Place, state.grid.spots, spoken)])
