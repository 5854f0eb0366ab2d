"""How long players may think: the clock of one game, as data; tests move its time by hand."""

import attrs

from parlour.protocol.messages import Clocks

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
    late: int = 0
    """Decisions in a row that time decided."""


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
        self, key: str, awaited: frozenset[int], scramble: bool, stand_ins: frozenset[int], now: float
    ) -> None:
        """These seats are asked now: with the same key the hands of those still asked go on."""
        for seat, hand in enumerate(self.hands):
            if seat not in awaited:
                hand.asked_at = None
            elif hand.asked_at is None or key != self.key:
                hand.asked_at = now
                hand.base = self.settings.scramble if scramble else self.settings.decision
                if seat in stand_ins:
                    hand.base = STAND_IN_PAUSE
        self.key = key

    def stop(self) -> None:
        for hand in self.hands:
            hand.asked_at = None

    def answered(self, seat: int, now: float) -> None:
        """A seat acted by itself: what it took beyond its time comes off its bank."""
        hand = self.hands[seat]
        if hand.asked_at is not None and hand.base is not None:
            hand.bank = max(0.0, hand.bank - max(0.0, now - hand.asked_at - hand.base))
        hand.late = 0

    def overslept(self, seat: int) -> int:
        """Time decided for a seat; how many times in a row."""
        hand = self.hands[seat]
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
        if hand.away_since is None:
            return
        waited = min(hand.grace, now - max(hand.away_since, hand.asked_at or hand.away_since))
        if hand.asked_at is not None and waited > 0:
            hand.asked_at += waited
            hand.grace -= waited
        hand.away_since = None

    def ends(self, seat: int) -> float | None:
        """When this seat's time is up; None if it is not asked or has for ever."""
        hand = self.hands[seat]
        if hand.asked_at is None or hand.base is None:
            return None
        end = hand.asked_at + hand.base + hand.bank
        if hand.away_since is not None and hand.base != STAND_IN_PAUSE:
            end += hand.grace
        return end

    def shown_ends(self, seat: int, now: float) -> float | None:
        """The same for players: None while the clock waits for somebody who is away."""
        hand = self.hands[seat]
        end = self.ends(seat)
        if (
            end is not None
            and hand.away_since is not None
            and now < max(hand.away_since, hand.asked_at or 0) + hand.grace
        ):
            return None
        return end

    def next_end(self) -> float | None:
        """The first moment at which somebody's time is up."""
        ends = [end for end in map(self.ends, range(len(self.hands))) if end is not None]
        return min(ends, default=None)

    def up(self, now: float) -> list[int]:
        """The seats whose time is up, the earliest first."""
        found = [
            (end, seat)
            for seat in range(len(self.hands))
            if (end := self.ends(seat)) is not None and end <= now
        ]
        return [seat for _, seat in sorted(found)]
