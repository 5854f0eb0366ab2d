"""Python's garbage collector goes through everything in a quiet moment, not while a move waits."""

import gc
import sys
from collections.abc import Callable

import attrs

EVERY = 60.0
"""Seconds between two collections at least, if there is a quiet moment."""
LONGEST = 3600.0
"""Seconds after which it collects in any case."""
NEW = 2000
"""How many more values there are when Python looks at the new ones alone. A move lets nearly as many go as it
makes, so that seven times as many are new by then: some two milliseconds."""
MANY = 500
"""Times that this has happened after which everything is collected in any case: a connection that was closed
leaves some seventy values in circles, a command none, so only a flood of connections comes that far."""


def calm_python() -> None:
    """Has the collector look once at what is new; the rest is left to an `IdleCollector`.

    A server's values live for one move or for hours, and hardly ever refer to each other in circles. At
    Python's own pace the collector looks at every game again and again. Not to look at all would save a
    hundredth of the work more, and let values gather whose collection takes a third of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW, 1_000_000, 1_000_000)
    # The threads that read, write and work standings out give Python's lock back to the event loop sooner: it
    # asks for the lock again after each write to a socket, and there may be eighty of them in a row.
    sys.setswitchinterval(0.0001)


@attrs.define
class IdleCollector:
    """Collects everything when no frame has come in for a moment, or when it must."""

    since: float
    collect: Callable[[], object] = gc.collect
    looks: Callable[[], int] = lambda: gc.get_count()[1]
    """How often new values were looked at since the last collection."""
    _frames: int = -1

    def look(self, frames: int, now: float) -> None:
        """Call it every second or so, with how many frames have ever come in."""
        quiet, self._frames = frames == self._frames, frames
        if now >= self.since + (EVERY if quiet else LONGEST) or self.looks() > MANY:
            self.since = now
            self.collect()
