"""Python's garbage collector goes through everything in a quiet moment, not while a move waits."""

import gc
import sys
from collections.abc import Callable

import attrs

EVERY = 60.0
"""Seconds between two collections at least, if there is a quiet moment."""
LONGEST = 3600.0
"""Seconds after which it collects in any case."""


def calm_python() -> None:
    """Has the collector look at new values only.

    A server's values live for one move or for hours, and hardly ever refer to each other in circles. At
    Python's own pace the collector looks at every game again and again, for a tenth of all the work. Now it
    looks at what is new, twice and little at a time: a millisecond, where thirty thousand values took ten
    and somebody's move waited. A full collection takes a tenth of a second and is left to an
    `IdleCollector`.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(2000, 1, 1_000_000)
    # The threads that read, write and work standings out give Python's lock back to the event loop sooner: it
    # asks for the lock again after each write to a socket, and there may be eighty of them in a row.
    sys.setswitchinterval(0.0001)


@attrs.define
class IdleCollector:
    """Collects everything when no frame has come in for a moment."""

    since: float
    collect: Callable[[], object] = gc.collect
    _frames: int = -1

    def look(self, frames: int, now: float) -> None:
        """Call it every second or so, with how many frames have ever come in."""
        quiet, self._frames = frames == self._frames, frames
        if now >= self.since + (EVERY if quiet else LONGEST):
            self.since = now
            self.collect()
