"""How long to wait before a node that has ended is started again: longer each time, unless it has served."""

FIRST, LONGEST = 0.2, 30.0
SERVED = 60.0
"""Seconds of life after which an end is no longer one of a row."""


class Pauses:
    """The pauses of one node. Decides; is told how long the node has lived."""

    def __init__(self) -> None:
        self._next = FIRST

    def after(self, lived: float) -> float:
        if lived >= SERVED:
            self._next = FIRST
        pause, self._next = self._next, min(2 * self._next, LONGEST)
        return pause
