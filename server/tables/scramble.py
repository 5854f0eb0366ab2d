"""Who was first: in a scramble actions count by the reaction they took, not by the length of the line.

A reaction is the arrival less the moment when the question went out to all, less the sender's smallest recent
round trip, of which at most CREDIT counts: slow answers to pings earn nothing. An action is held only as long
as somebody else's credit could still put him in front of it. Bots that play with people are as slow as the
table says.
"""

from collections.abc import Collection, Mapping
from typing import Generic, TypeVar

import attrs

T = TypeVar("T")
CREDIT = 0.150


@attrs.frozen
class Held(Generic[T]):
    """An action on its way, with the reaction that it took."""

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
    held: list[Held[T]] = attrs.field(factory=list)

    def offer(self, seat: int, what: T, now: float, round_trip: float, bot: bool) -> None:
        """Takes an action in; a seat has at most one."""
        reaction = max(0.0, now - self.revealed - min(round_trip, CREDIT))
        if bot:
            reaction = max(reaction, self.slow)
        self.held.append(Held(seat, reaction, now, what))

    def has(self, seat: int) -> bool:
        return any(held.seat == seat for held in self.held)

    def ready_at(self, held: Held[T], awaited: Collection[int], trips: Mapping[int, float]) -> float:
        """When nobody who is still to act could come before it any more."""
        others = [min(trips.get(seat, 0.0), CREDIT) for seat in awaited if not self.has(seat)]
        return self.revealed + held.reaction + max(others, default=0.0)

    def first(self) -> Held[T] | None:
        """The one with the shortest reaction; equal ones by arrival."""
        return min(self.held, key=lambda held: (held.reaction, held.arrived), default=None)

    def take(
        self, now: float, awaited: Collection[int], trips: Mapping[int, float], at_once: bool = False
    ) -> Held[T] | None:
        """The first one, if nothing could come before it any more (or the time is up)."""
        first = self.first()
        if first is None or not (at_once or now >= self.ready_at(first, awaited, trips)):
            return None
        self.held.remove(first)
        return first

    def wake_at(self, awaited: Collection[int], trips: Mapping[int, float]) -> float | None:
        """When to look again."""
        first = self.first()
        return None if first is None else self.ready_at(first, awaited, trips)
