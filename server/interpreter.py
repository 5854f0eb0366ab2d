"""Python's garbage collector goes through everything in a quiet moment, not while a move waits."""

import gc
import sys
from collections.abc import Callable

import attrs

EVERY = 60.0
"""Seconds between two collections at least, if there is a quiet moment."""
LONGEST = 3600.0
"""Seconds after which it collects in any case."""
MANY = 200_000
"""New values after which it collects in any case: a connection that was closed leaves some fifty of them in
circles, a move none."""


def calm_python() -> None:
    """Leaves collecting to an `IdleCollector`.

    A server's values live for one move or for hours, and hardly ever refer to each other in circles. By
    itself the collector looks at every new value, twice: at 256 tables that was a twentieth of all the
    work, and a millisecond or more in which somebody's move waited.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    # The threads that read, write and work standings out give Python's lock back to the event loop sooner: it
    # asks for the lock again after each write to a socket, and there may be eighty of them in a row.
    sys.setswitchinterval(0.0001)


@attrs.define
class IdleCollector:
    """Collects everything when no frame has come in for a moment, or when it must."""

    since: float
    collect: Callable[[], object] = gc.collect
    new_values: Callable[[], int] = lambda: gc.get_count()[0]
    """How many more values there are than after the last collection."""
    _frames: int = -1

    def look(self, frames: int, now: float) -> None:
        """Call it every second or so, with how many frames have ever come in."""
        quiet, self._frames = frames == self._frames, frames
        if now >= self.since + (EVERY if quiet else LONGEST) or self.new_values() > MANY:
            self.since = now
            self.collect()
