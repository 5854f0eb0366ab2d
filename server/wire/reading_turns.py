"""Who is read next: a round of the event loop reads for a short time only, from each network in turn.

Else a crowd of names on one machine that send all at once would be served in one go, with everybody else's
moves behind them: eighty with four commands each took up to 35 milliseconds.
"""

import asyncio
from collections import deque
from collections.abc import Callable

AT_ONCE = 24
"""Frames that are read in one round: some two milliseconds, if they are of the usual kind."""
LONGEST = 0.001
"""Seconds after which no more of those that waited are read in a round, nor of the frames in one packet."""


class Turn:
    """A frame that waits for its turn."""

    __slots__ = ("go_on",)

    def __init__(self, go_on: Callable[[], None]) -> None:
        self.go_on: Callable[[], None] | None = go_on

    def cancel(self) -> None:
        self.go_on = None


class ReadingTurns:
    """The frames of all connections that wait to be read, by network."""

    def __init__(self) -> None:
        self._left = AT_ONCE
        """In this round."""
        self._waiting: dict[str, deque[Turn]] = {}
        """Each network has one frame read, and is then the last."""
        self._scheduled = False

    def begin_round(self) -> None:
        """Call it once in a round in which frames were read, or rather less often: then more of them wait."""
        self._left = AT_ONCE

    def ask(
        self, network: str, go_on: Callable[[], None], loop: asyncio.AbstractEventLoop, late: bool = False
    ) -> Turn | None:
        """None if a frame may be read now; else `go_on` is called when it may.

        `late`: the frames in front of it have taken LONGEST, so that it waits in any case.
        """
        if self._left > 0 and network not in self._waiting and not late:
            self._left -= 1
            return None
        turn = Turn(go_on)
        turns = self._waiting.get(network)
        if turns is None:
            turns = self._waiting[network] = deque()
        turns.append(turn)
        if not self._scheduled:
            self._scheduled = True
            loop.call_soon(self._serve, loop)
        return turn

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        left, self._left = AT_ONCE, 0  # one that is served has its next frame wait again
        ends = loop.time() + LONGEST
        try:
            while self._waiting and left > 0 and loop.time() <= ends:
                network = next(iter(self._waiting))
                turns = self._waiting.pop(network)
                turn = turns.popleft()
                if turns:
                    self._waiting[network] = turns
                if turn.go_on is not None:
                    left -= 1
                    turn.go_on()
        finally:
            self._left = left
            self._scheduled = bool(self._waiting)
            if self._scheduled:
                loop.call_soon(self._serve, loop)
