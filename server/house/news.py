"""What a node tells the others: one batch after the other, and again what could not be told."""

import functools
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.postgresql.house_values import HouseDatabase

MOST_UNTOLD = 10_000
"""Events that wait while the database is away: a node gives up when its lease is over."""
log = logging.getLogger("parlour.house")


@attrs.define(eq=False, repr=False)
class News:
    """Events that are still to be told."""

    database: HouseDatabase
    _untold: list[Mapping[str, Any]] = attrs.field(factory=list)
    _telling: bool = False
    _ended: bool = False

    def end(self) -> Sequence[Mapping[str, Any]]:
        """Tells nothing more, which might name this node for what it hands over; returns what is untold."""
        self._ended = True
        return self._untold

    def tell(self, event: Mapping[str, Any]) -> None:
        if self._ended:
            return
        self._untold.append(event)
        if len(self._untold) == 1:
            self.database.soon(self.go_on)

    def go_on(self) -> None:
        """Tells what is untold, one batch after the other: what is told again stays before what is newer."""
        if self._untold and not self._telling and not self._ended:
            events, self._untold, self._telling = self._untold, [], True
            self.database.ask(lambda asked: asked.tell(events), functools.partial(self._told, events))

    def _told(self, events: Sequence[Mapping[str, Any]], result: Callable[[], object]) -> None:
        """Tells again with the next look what could not be told, but for chat: nobody wants that twice."""
        self._telling = False
        try:
            result()
        except ArchiveError as wrong:
            log.error("not told to other nodes yet: %s", wrong)
            again = [event for event in events if event["event"] != "chat"]
            self._untold[:0] = again[-MOST_UNTOLD:]
        else:
            self.go_on()
