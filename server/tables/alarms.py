"""When which table wants to be woken."""

import heapq
from collections.abc import Mapping

import attrs

from parlour.server.tables.table import Table


@attrs.define(repr=False)
class Alarms:
    """A heap of times; those that are no longer current are ignored."""

    tables: Mapping[str, Table]
    _heap: list[tuple[float, str]] = attrs.field(factory=list)

    def set(self, table: Table) -> None:
        """Call it after anything that may change when a table is to be woken."""
        wake = table.wake_at()
        if wake == table.alarm:
            return
        if wake is not None:
            if len(self._heap) > 2 * len(self.tables) + 64:
                # Drop the alarms that long clocks have left behind: only the last of each table is current.
                self._heap = [(time, id) for time, id in self._heap if self._is_current(time, id)]
                heapq.heapify(self._heap)
            heapq.heappush(self._heap, (wake, table.id))
        table.alarm = wake

    def due(self, now: float, most: int) -> list[Table]:
        """The tables whose time has come, each once, the earliest first, and at most so many."""
        due: list[Table] = []
        while len(due) < most and self._heap and self._heap[0][0] <= now:
            time, id = heapq.heappop(self._heap)
            if self._is_current(time, id):
                self.tables[id].alarm = None
                due.append(self.tables[id])
        return due

    def next(self) -> float | None:
        while self._heap:
            time, id = self._heap[0]
            if self._is_current(time, id):
                return time
            heapq.heappop(self._heap)
        return None

    def _is_current(self, time: float, id: str) -> bool:
        table = self.tables.get(id)
        return table is not None and table.alarm == time
