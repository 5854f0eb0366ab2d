"""How much a searching bot may try out for one decision: so many games, or so many seconds of some clock."""

import time
from collections.abc import Callable

import attrs

Clock = Callable[[], float]
WALL: Clock = time.monotonic
"""At a table: others wait, whatever else the machine does."""
CPU: Clock = time.thread_time
"""In the arena: seconds that the thinking thread has worked, so that results depend on the bot alone."""


@attrs.frozen
class Budget:
    """So many games, or so many seconds."""

    simulations: int | None = None
    seconds: float | None = None
    clock: Clock = attrs.field(default=WALL, eq=False)

    @classmethod
    def read(cls, text: str, clock: Clock = WALL) -> "Budget":
        """`400` is simulations, `0.5s` seconds; raises ValueError with what is wrong."""
        try:
            if text.endswith("s"):
                seconds = float(text[:-1])
                if 0.001 <= seconds <= 600:
                    return cls(seconds=seconds, clock=clock)
            elif text.isdecimal() and 1 <= int(text) <= 1_000_000:
                return cls(simulations=int(text), clock=clock)
        except ValueError:
            pass
        raise ValueError(
            "a budget is a number of simulations, at most a million, or of seconds like 0.5s, at most 600s, "
            f"not {text!r}"
        )

    def within(self, until: float | None, share: float) -> "Budget":
        """The same, but no more than a share of the time that is left until then on the wall's clock."""
        if until is None:
            return self
        left = max(0.001, share * (until - WALL()))
        if self.seconds is None:
            return attrs.evolve(self, seconds=left, clock=WALL)
        return attrs.evolve(self, seconds=min(self.seconds, left), clock=WALL)
