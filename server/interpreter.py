"""When the garbage collector goes through everything: in a quiet moment, not while a move waits."""

import gc
import sys
from collections.abc import Callable

import attrs

EVERY = 60.0
"""Seconds between two rounds at least, if there is a quiet moment."""
LONGEST = 3600.0
"""After so many there is one in any case."""


def calm_python() -> None:
    """What a server makes lives for one move or for hours, and hardly ever in circles.

    At Python's own pace the collector looks at every game again and again, for a tenth of all the work. It is
    left to look at what is new, twice and little at a time: a third of a millisecond, where thirty thousand
    values took ten and somebody's move waited. A round through everything takes a tenth of a second and
    waits for a `Broom`.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 1, 1_000_000)
    # The threads that write and work out standings give Python's lock back to the event loop sooner.
    sys.setswitchinterval(0.0005)


@attrs.define
class Broom:
    """Decides when, and does it."""

    since: float
    sweep: Callable[[], object] = gc.collect
    _frames: int = -1

    def look(self, frames: int, now: float) -> None:
        """Called every second or so, with how many frames have ever come in."""
        quiet, self._frames = frames == self._frames, frames
        if now >= self.since + (EVERY if quiet else LONGEST):
            self.since = now
            self.sweep()
