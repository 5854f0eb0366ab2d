"""How long players may think: the clock of one game, as data; tests move its time by hand."""

from collections.abc import Collection
from typing import Any

import attrs

from parlour.protocol.messages import Clock, Clocks

STAND_IN_PAUSE = 1.0
"""How long a seat that is played for is waited for each time: its owner may come back."""
LATE_IN_A_ROW = 3


@attrs.define
class Hand:
    """The clock of one seat."""

    bank: float
    grace: float
    away_since: float | None = None
    asked_at: float | None = None
    """When the question came, moved on by the time that the clock waited; None: not asked."""
    base: float | None = None
    """For this question, without the bank; None: for ever."""
    banked: bool = False
    """Whether the bank counts for this question: in a scramble it would keep all the others waiting."""
    patient: bool = False
    """Whether the clock waits while the player is away: not for one who is played for."""
    late: int = 0
    """Decisions in a row that time decided."""

    def waited(self, now: float) -> float:
        """How much of the grace the question of now has used up so far."""
        if self.away_since is None or self.asked_at is None or self.base is None or not self.patient:
            return 0.0
        return min(self.grace, max(0.0, now - max(self.away_since, self.asked_at)))

    def waiting(self, now: float) -> bool:
        """Whether the clock stands still, because the player is away and has some grace left."""
        return self.patient and self.away_since is not None and self.waited(now) < self.grace

    def end(self) -> float | None:
        """When time is up; None if not asked, or for ever."""
        if self.asked_at is None or self.base is None:
            return None
        grace = self.grace if self.patient and self.away_since is not None else 0.0
        return self.asked_at + self.base + (self.bank if self.banked else 0.0) + grace

    def rest(self, now: float) -> None:
        """Is asked no more; what its absence used up of the grace stays used up."""
        self.grace -= self.waited(now)
        self.asked_at = None


@attrs.define
class GameClock:
    """One hand per seat. Whoever runs it says what time it is; it never looks."""

    settings: Clocks
    hands: list[Hand]
    key: str | None = None

    @classmethod
    def start(cls, settings: Clocks, seats: int) -> "GameClock":
        return cls(settings, [Hand(settings.bank, settings.grace) for _ in range(seats)])

    def ask(
        self, key: str, awaited: Collection[int], scramble: bool, stand_ins: Collection[int], now: float
    ) -> None:
        """These seats are asked now: with the same key the hands of those still asked go on."""
        for seat, hand in enumerate(self.hands):
            if seat not in awaited:
                if hand.asked_at is not None:
                    hand.rest(now)
            elif hand.asked_at is None or key != self.key:
                hand.rest(now)
                hand.asked_at = now
                hand.base = self.settings.scramble if scramble else self.settings.decision
                hand.banked = not scramble
                hand.patient = seat not in stand_ins
                if not hand.patient:
                    hand.base, hand.banked = STAND_IN_PAUSE, False
        self.key = key

    def stop(self, now: float) -> None:
        for hand in self.hands:
            hand.rest(now)

    def afresh(self, seat: int) -> None:
        """The owner of a seat is back: whatever it is asked, it is asked anew."""
        self.hands[seat].late = 0
        self.hands[seat].asked_at = None

    def answered(self, seat: int, at: float) -> None:
        """A seat acted by itself: what it took beyond its time comes off its bank."""
        hand = self.hands[seat]
        if hand.asked_at is not None and hand.base is not None and hand.banked:
            beyond = at - hand.asked_at - hand.base - hand.waited(at)
            hand.bank = max(0.0, hand.bank - max(0.0, beyond))
        hand.late = 0

    def overslept(self, seat: int) -> int:
        """Time decided for a seat; how many times in a row."""
        hand = self.hands[seat]
        if hand.banked:
            hand.bank = 0.0
        hand.late += 1
        return hand.late

    def away(self, seat: int, now: float) -> None:
        """A player lost the connection."""
        if self.hands[seat].away_since is None:
            self.hands[seat].away_since = now

    def back(self, seat: int, now: float) -> None:
        """A player is back: the clock goes on from where it waited, as far as the grace reached."""
        hand = self.hands[seat]
        waited = hand.waited(now)
        if hand.asked_at is not None:
            hand.asked_at += waited
        hand.grace -= waited
        hand.away_since = None

    def shown(self, now: float) -> Clock:
        """The clock as it is told: no end for a seat whose clock waits for its player."""
        return Clock(**self.told(now))

    def move(self, shift: float) -> None:
        """Everything was so much later."""
        for hand in self.hands:
            if hand.asked_at is not None:
                hand.asked_at += shift
            if hand.away_since is not None:
                hand.away_since += shift

    def told(self, now: float) -> dict[str, Any]:
        """The same as it is written, at every move."""
        ends, banks, graces = [], [], []
        for hand in self.hands:
            away = hand.away_since is not None
            ends.append(None if away and hand.waiting(now) else hand.end())
            banks.append(hand.bank)
            graces.append(hand.grace - hand.waited(now) if away else hand.grace)
        return {"now": now, "ends": ends, "banks": banks, "graces": graces}

    def next_end(self) -> float | None:
        """The first moment at which somebody's time is up."""
        first: float | None = None
        for hand in self.hands:
            if hand.asked_at is not None and hand.base is not None:
                end = hand.end()
                if end is not None and (first is None or end < first):
                    first = end
        return first

    def up(self, now: float) -> list[int]:
        """The seats whose time is up, the earliest first."""
        found = [
            (end, seat)
            for seat, hand in enumerate(self.hands)
            if (end := hand.end()) is not None and end <= now
        ]
        return [seat for _, seat in sorted(found)]
