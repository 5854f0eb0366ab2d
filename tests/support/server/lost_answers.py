"""A database that loses the answer to a commit, stays away for a while, and then says what became of it."""

from collections.abc import Sequence
from typing import Any

from parlour.server.storage.backend import Backend, InDoubt, RowStore
from parlour.server.storage.change import Row
from parlour.server.storage.errors import NotStored


class LosesAnswers:
    """Rows (backend.RowStore) as they are but for the answer to one commit."""

    def __init__(self, rows: RowStore) -> None:
        self._rows = rows
        self._next: bool | None = None
        self._before = 0
        self._fates: list[bool] = []
        self.away = False
        self.asked = 0
        """How often somebody wanted to know what became of a commit."""

    def lose(self, kept: bool, after: int = 0) -> None:
        """Loses the answer to a commit, after so many others; from then on the database is away."""
        self._next, self._before = kept, after

    def store(self, rows: Sequence[Row]) -> None:
        if self.away:
            raise NotStored(self._rows.place, "away")
        if self._next is None or self._before:
            self._before -= self._before > 0
            self._rows.store(rows)
            return
        if self._next:
            self._rows.store(rows)
        self._fates.append(self._next)
        self._next, self.away = None, True
        raise InDoubt(self._rows.place, len(self._fates) - 1)

    def settle(self, doubt: InDoubt) -> bool | None:
        self.asked += 1
        return None if self.away else self._fates[doubt.group]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rows, name)


class LosingBackend:
    """Opens a database whose answers may be lost (backend.Backend)."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def open_to_write(self) -> LosesAnswers:
        self.rows = LosesAnswers(self._backend.open_to_write())
        return self.rows

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)
