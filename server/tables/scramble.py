"""Who was first: in a scramble actions count by reaction time, not by how long their way to the server is.

A reaction is the time of arrival, less the time when the question went out to all, less the sender's smallest
recent round trip, of which at most CREDIT counts: slow answers to pings earn nothing. An action is held only
while another player's credit could still put him in front of it. Bots that play with people are as slow as
the table's settings say.
"""

from collections.abc import Collection, Mapping
from typing import Generic, TypeVar

import attrs

T = TypeVar("T")
CREDIT = 0.150


@attrs.frozen
class HeldAction(Generic[T]):
    """An action that waits for its place, with the reaction time that it took."""

    seat: int
    reaction: float
    arrived: float
    what: T


@attrs.define(repr=False)
class Scramble(Generic[T]):
    """The actions of one scramble that wait for their place. `revealed`: when the question went out."""

    revealed: float
    slow: float
    """The shortest reaction of a bot here."""
    held: list[HeldAction[T]] = attrs.field(factory=list)

    def offer(self, seat: int, what: T, now: float, round_trip: float, bot: bool) -> None:
        """Holds an action; a seat has at most one."""
        reaction = max(0.0, now - self.revealed - min(round_trip, CREDIT))
        if bot:
            reaction = max(reaction, self.slow)
        self.held.append(HeldAction(seat, reaction, now, what))

    def has(self, seat: int) -> bool:
        return any(held.seat == seat for held in self.held)

    def ready_at(self, held: HeldAction[T], awaited: Collection[int], trips: Mapping[int, float]) -> float:
        """When no seat that is still to act could come before it any more."""
        others = [min(trips.get(seat, 0.0), CREDIT) for seat in awaited if not self.has(seat)]
        return self.revealed + held.reaction + max(others, default=0.0)

    def first(self) -> HeldAction[T] | None:
        """The action with the shortest reaction; equal ones by arrival."""
        return min(self.held, key=lambda held: (held.reaction, held.arrived), default=None)

    def take(
        self, now: float, awaited: Collection[int], trips: Mapping[int, float], at_once: bool = False
    ) -> HeldAction[T] | None:
        """Removes and returns the first action, once nothing could come before it (or `at_once`)."""
        first = self.first()
        if first is None or not (at_once or now >= self.ready_at(first, awaited, trips)):
            return None
        self.held.remove(first)
        return first

    def wake_at(self, awaited: Collection[int], trips: Mapping[int, float]) -> float | None:
        """When to call `take` again."""
        first = self.first()
        return None if first is None else self.ready_at(first, awaited, trips)
