"""How long players may think: the clock of one game, as data. It is told the time and never looks."""

from collections.abc import Collection
from typing import Any

import attrs

from parlour.protocol.messages import Clock, Clocks

STAND_IN_PAUSE = 1.0
"""Seconds before each move for a seat that is played for: its player may come back."""
LATE_IN_A_ROW = 3


@attrs.define
class SeatClock:
    """The clock of one seat. Field names are stored (stored_maps.table_map)."""

    bank: float
    grace: float
    away_since: float | None = None
    asked_at: float | None = None
    """When the question came, moved on by the time that the clock waited; None: not asked."""
    base: float | None = None
    """Seconds for this question, without the bank; None: no limit."""
    banked: bool = False
    """Whether the bank counts for this question: in a scramble it would keep all the others waiting."""
    patient: bool = False
    """Whether the clock waits while the player is away; not if the seat is played for, nor if the player left
    when the time was up."""
    late: int = 0
    """Decisions in a row that were made for the seat because its time was up."""

    def waited(self, now: float) -> float:
        """How much of the grace the current question has used up so far."""
        if self.away_since is None or self.asked_at is None or self.base is None or not self.patient:
            return 0.0
        return min(self.grace, max(0.0, now - max(self.away_since, self.asked_at)))

    def waiting(self, now: float) -> bool:
        """Whether the clock stands still, because the player is away and has some grace left."""
        return self.patient and self.away_since is not None and self.waited(now) < self.grace

    def end(self) -> float | None:
        """When time is up; None if not asked, or without limit."""
        if self.asked_at is None or self.base is None:
            return None
        grace = self.grace if self.patient and self.away_since is not None else 0.0
        return self.asked_at + self.base + (self.bank if self.banked else 0.0) + grace

    def rest(self, now: float) -> None:
        """Ends the question; the grace that absence has used up stays used up."""
        if self.away_since is not None:
            self.grace -= self.waited(now)
        self.asked_at = None


@attrs.define
class GameClock:
    """The clocks of all seats."""

    settings: Clocks
    seats: list[SeatClock]
    key: str | None = None

    @classmethod
    def start(cls, settings: Clocks, seats: int) -> "GameClock":
        return cls(settings, [SeatClock(settings.bank, settings.grace) for _ in range(seats)])

    def ask(
        self, key: str, awaited: Collection[int], scramble: bool, stand_ins: Collection[int], now: float
    ) -> None:
        """Starts the clocks of the seats that are asked now; with the same key those still asked go on."""
        for seat, seat_clock in enumerate(self.seats):
            if seat not in awaited:
                if seat_clock.asked_at is not None:
                    seat_clock.rest(now)
            elif seat_clock.asked_at is None or key != self.key:
                if seat_clock.asked_at is not None:
                    seat_clock.rest(now)
                seat_clock.asked_at = now
                seat_clock.base = self.settings.scramble if scramble else self.settings.decision
                seat_clock.banked = not scramble
                seat_clock.patient = seat not in stand_ins
                if not seat_clock.patient:
                    seat_clock.base, seat_clock.banked = STAND_IN_PAUSE, False
        self.key = key

    def stop(self, now: float) -> None:
        for seat_clock in self.seats:
            seat_clock.rest(now)

    def restart(self, seat: int) -> None:
        """Forgets lateness and the current question: the player of this seat is back."""
        self.seats[seat].late = 0
        self.seats[seat].asked_at = None

    def charge(self, seat: int, at: float) -> None:
        """Takes what a seat needed beyond its time off its bank: it has acted itself."""
        seat_clock = self.seats[seat]
        if seat_clock.asked_at is not None and seat_clock.base is not None and seat_clock.banked:
            beyond = at - seat_clock.asked_at - seat_clock.base
            if beyond > 0:
                beyond -= seat_clock.waited(at)
                seat_clock.bank = max(0.0, seat_clock.bank - max(0.0, beyond))
        seat_clock.late = 0

    def count_late(self, seat: int) -> int:
        """Counts that a seat's time was up; returns how many times in a row."""
        seat_clock = self.seats[seat]
        if seat_clock.banked:
            seat_clock.bank = 0.0
        seat_clock.late += 1
        return seat_clock.late

    def away(self, seat: int, now: float) -> None:
        """Notes that a player has lost the connection."""
        seat_clock = self.seats[seat]
        if seat_clock.away_since is None:
            end = seat_clock.end()
            if end is not None and end <= now:
                # The table was busy, and hears of this before it gets round to a time that was up: no grace
                # brings that time back.
                seat_clock.patient = False
            seat_clock.away_since = now

    def back(self, seat: int, now: float) -> None:
        """Lets the clock of a player who is back go on; it has waited as long as the grace lasted."""
        seat_clock = self.seats[seat]
        waited = seat_clock.waited(now)
        if seat_clock.asked_at is not None:
            seat_clock.asked_at += waited
        seat_clock.grace -= waited
        seat_clock.away_since = None

    def message(self, now: float) -> Clock:
        """The clock as a message: no end for a seat whose clock waits for its player."""
        return Clock(**self.as_map(now))

    def move(self, shift: float) -> None:
        """Moves all times on by so many seconds."""
        for seat_clock in self.seats:
            if seat_clock.asked_at is not None:
                seat_clock.asked_at += shift
            if seat_clock.away_since is not None:
                seat_clock.away_since += shift

    def as_map(self, now: float) -> dict[str, Any]:
        """The same as a map, for every move: making a `Clock` first would cost too much."""
        ends, banks, graces = [], [], []
        for seat_clock in self.seats:
            end, grace = None if seat_clock.asked_at is None else seat_clock.end(), seat_clock.grace
            if seat_clock.away_since is not None:
                end = None if seat_clock.waiting(now) else end
                grace -= seat_clock.waited(now)
            ends.append(end)
            banks.append(seat_clock.bank)
            graces.append(grace)
        return {"now": now, "ends": ends, "banks": banks, "graces": graces}

    def next_end(self) -> float | None:
        """The first moment at which somebody's time is up."""
        first: float | None = None
        for seat_clock in self.seats:
            if seat_clock.asked_at is not None and seat_clock.base is not None:
                end = seat_clock.end()
                if end is not None and (first is None or end < first):
                    first = end
        return first

    def timed_out(self, now: float) -> list[int]:
        """The seats whose time is up, the earliest first."""
        found = [
            (end, seat)
            for seat, seat_clock in enumerate(self.seats)
            if (end := seat_clock.end()) is not None and end <= now
        ]
        return [seat for _, seat in sorted(found)]
