"""The game of Butterflies: puts the rules in order. What an action sets off is in draft.py."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from parlour.engine.butterflies import positions
from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import (
    COLOUR_GOALS,
    EVERY_CARD,
    GOAL_KINDS,
    GOAL_WORDS,
    KIND,
    NET,
    SPECIES_GOALS,
    TOKENS_IN,
    WEB,
    named,
)
from parlour.engine.butterflies.cells import AT
from parlour.engine.butterflies.choices import ToAct, to_place
from parlour.engine.butterflies.draft import OWNER, Draft, barred
from parlour.engine.butterflies.goals import side
from parlour.engine.butterflies.grid import Grid
from parlour.engine.butterflies.moves import Moves
from parlour.engine.butterflies.objections import objection
from parlour.engine.butterflies.state import VIEWS, State
from parlour.engine.chance import Chance
from parlour.engine.choices import Choices, nothing
from parlour.engine.errors import IllegalAction
from parlour.engine.game import Deadline, Game, Outcome, Step
from parlour.engine.secret import NOBODY, Seat, Secret, only


class Butterflies(Game[State, p.Action, p.View]):
    """Two to four players; a row of four for one of two secret goals wins."""

    name = "butterflies"
    seats = (2, 3, 4)
    options = p.ButterflyOptions
    actions = p.ACTIONS
    news = p.NEWS
    views = VIEWS
    unordered = frozenset({"grid", "hands", "shown", "tokens"})
    sparse = frozenset({"last"})

    def __init__(self) -> None:
        super().__init__()
        self._seen: tuple[tuple[p.Butterfly, ...], Grid] = ((), Grid.of({}))
        """The last grid that worlds were imagined on: there are mostly many for one view."""

    def setup(self, seats: int, options: p.ButterflyOptions, chance: Chance) -> Step[State]:
        colours = chance.shuffle("goals", COLOUR_GOALS)
        species = chance.shuffle("goals", SPECIES_GOALS)
        cards = chance.shuffle("deck", EVERY_CARD)
        first = chance.draw("first", tuple(range(seats))) if isinstance(options.first, str) else options.first
        hands = [tuple(sorted(cards[p.HAND * seat : p.HAND * (seat + 1)])) for seat in range(seats)]
        viewers = [only(*side(seat, options.teams)) for seat in range(seats)]
        state = State(
            options,
            Grid.of({}),
            tuple([Secret(hand, OWNER[seat]) for seat, hand in enumerate(hands)]),
            Secret(cards[p.HAND * seats :]),
            tuple(
                [
                    (Secret(colours[seat], seen_by), Secret(species[seat], seen_by))
                    for seat, seen_by in enumerate(viewers)
                ]
            ),
            (0,) * seats,
            (NET | WEB,) * seats,
            (0,) * seats,
            None,
            None,
            0,
            first,
            None,
        )
        news: list[Any] = []
        shown = self.view(state)
        for seat in range(seats):
            goals = shown.goals[seat]
            news.append(p.GoalsDealt(Seat(seat), goals.colour, goals.species))
            news.append(p.HandDealt(Seat(seat), shown.hands[seat]))
        news.append(p.FirstChosen(Seat(first)))
        return Step(state, tuple(news))

    def awaited(self, state: State) -> frozenset[Seat]:
        return frozenset() if state.turn is None else OWNER[state.turn]

    def _legal(self, state: State, seat: Seat) -> Choices[p.Action]:
        if seat != state.turn:
            return nothing()
        return ToAct(state, seat) if state.turned is None else to_place(state, seat)

    def apply(self, state: State, seat: Seat, action: p.Action, chance: Chance) -> Step[State]:  # noqa: ARG002
        draft = Draft(state)
        match action:
            case p.Move():
                draft.move(seat, action)
            case p.Play():
                draft.play(seat, action)
            case p.Turn():
                draft.turn_up(seat)
            case p.Place():
                draft.place(seat, action)
            case p.Net():
                draft.put(seat, "net")
            case p.Web():
                draft.put(seat, "web")
            case p.Declare():
                draft.declare(seat, action)
        return draft.finish()

    def hidden(self, state: State) -> Mapping[str, frozenset[Seat]]:
        found = {"deck": NOBODY}
        for seat, up in enumerate(state.shown):
            found[f"hands.{seat}"] = OWNER[seat]
            for kind, goal in enumerate(GOAL_KINDS):
                if not up >> kind & 1:
                    found[f"goals.{seat}.{goal}"] = only(*side(seat, state.options.teams))
        return found

    def outcome(self, state: State) -> Outcome | None:
        if state.turn is not None:
            return None
        seats = len(state.hands)
        if state.won is None:
            return Outcome.of("quiet", (1,) * seats, drawn=True)
        winners = side(state.won.seat, state.options.teams)
        return Outcome.of("goal", tuple(1 if seat in winners else 2 for seat in range(seats)))

    def deadline(self, state: State) -> Deadline | None:
        return None if state.turn is None else Deadline(f"{state.phase}/{state.decision}", state.phase)

    def default(self, state: State, seat: Seat, chance: Chance) -> p.Action:  # noqa: ARG002
        spot = AT[state.grid.frontier[0]]
        if state.turned is not None:
            return p.Place(spot, None)
        hand = state.hands[seat].value
        if hand:
            return p.Play(p.CARDS[hand[0]], spot, None)
        if state.deck.value:
            return p.Turn()
        moves = Moves(state.grid, barred(state.last))
        if moves.count:
            return p.Move(*moves[0], None)
        return p.Net() if state.tokens[seat] & NET else p.Web()

    def imagine(self, view: p.View, viewer: Seat | None, chance: Chance) -> State:  # noqa: ARG002
        lying, grid = self._seen
        if lying is not view.grid:
            grid = positions.grid_of(view.grid)
            self._seen = (view.grid, grid)
        return positions.imagined(view, grid, chance)

    def from_position(self, plain: Mapping[str, Any], seats: int, options: p.ButterflyOptions) -> State:
        return positions.read(plain, seats, options)

    def material(self, state: State) -> Counter[str]:
        lying = tuple(state.grid.cards.values())
        cards = [card & KIND for card in lying]
        cards += state.deck.value
        for hand in state.hands:
            cards += hand.value
        if state.turned is not None:
            cards.append(state.turned)
        held = [
            token for left in (*state.tokens, *(card & ~KIND for card in lying)) for token in TOKENS_IN[left]
        ]
        goals = [GOAL_WORDS[goal.value] for pair in state.goals for goal in pair]
        return Counter([*(f"card {card}" for card in named(tuple(cards))), *held, *goals])

    def objection(self, state: State, seat: Seat, action: p.Action) -> IllegalAction:
        return objection(state, seat, action)

    def sides(self, seats: int, options: p.ButterflyOptions) -> tuple[tuple[Seat, ...], ...]:
        if options.teams == "on":
            return side(0, "on"), side(1, "on")
        return super().sides(seats, options)
