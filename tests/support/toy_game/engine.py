"""Stones: two players take one to three from a heap in turn, and whoever takes the last one has won."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import attrs

from parlour.engine.chance import Chance
from parlour.engine.choices import Choices, OneOf, Pattern, nothing
from parlour.engine.errors import BadPosition, IllegalAction
from parlour.engine.game import Deadline, Game, Outcome, Step
from parlour.engine.lean import lean
from parlour.engine.maps import from_map
from parlour.engine.options import Options, whole
from parlour.engine.secret import Seat
from parlour.engine.view_fields import ViewFields

MOST = 3


@attrs.frozen
class StonesOptions(Options):
    stones: int = whole(7, 1, 30)


@lean
class Take:
    count: int


@lean
class StonesTaken:
    seat: Seat
    count: int


@attrs.frozen
class View:
    """Nothing is hidden, so that the view is the state as well."""

    stones: int
    to_act: tuple[Seat, ...]
    phase: str = "take"
    options: StonesOptions = attrs.field(factory=StonesOptions)
    last: Seat | None = None


class Stones(Game[View, Take, View]):
    name = "stones"
    seats = (2,)
    options = StonesOptions
    actions = (Take,)
    news = (StonesTaken,)
    views = ViewFields.of(View)
    leaving = frozenset({"stone"})

    def setup(self, seats: int, options: StonesOptions, chance: Chance) -> Step[View]:  # noqa: ARG002
        return Step(View(options.stones, (Seat(0),), options=options), ())

    def awaited(self, state: View) -> frozenset[Seat]:
        return frozenset(state.to_act)

    def _legal(self, state: View, seat: Seat) -> Choices[Take]:
        if seat not in state.to_act:
            return nothing()
        return Choices([Pattern.of(Take, OneOf(tuple(range(1, min(MOST, state.stones) + 1))))])

    def apply(self, state: View, seat: Seat, action: Take, chance: Chance) -> Step[View]:  # noqa: ARG002
        left = state.stones - action.count
        after = attrs.evolve(state, stones=left, to_act=(Seat(1 - seat),) if left else (), last=seat)
        return Step(after, (StonesTaken(seat, action.count),))

    def outcome(self, state: View) -> Outcome | None:
        if state.to_act or state.last is None:
            return None
        return Outcome.of("last_stone", (1 + state.last, 2 - state.last))

    def deadline(self, state: View) -> Deadline | None:
        return Deadline(f"{state.stones}", state.phase) if state.to_act else None

    def default(self, state: View, seat: Seat, chance: Chance) -> Take:  # noqa: ARG002
        return Take(1)

    def imagine(self, view: View, viewer: Seat | None, chance: Chance) -> View:  # noqa: ARG002
        return view

    def from_position(self, plain: Mapping[str, Any], seats: int, options: StonesOptions) -> View:  # noqa: ARG002
        return from_map(View, {**plain, "options": options.plain()}, BadPosition)

    def material(self, state: View) -> Counter[str]:
        return Counter(stone=state.stones)

    def objection(self, state: View, seat: Seat, action: Take) -> IllegalAction:  # noqa: ARG002
        return IllegalAction("stones_left", most=min(MOST, state.stones))
