"""Tables that a node gives to others, and how much each node has with what is on its way there."""

import functools
import logging
from collections import Counter
from collections.abc import Callable

import attrs

from parlour.server.house.directory import Directory, entry_of, map_of
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.postgresql.house_values import HouseDatabase, LeaseHolder, Look
from parlour.server.tables.registry import Tables
from parlour.server.tables.table import Table

log = logging.getLogger("parlour.house")


@attrs.define(eq=False, repr=False)
class Gifts:
    """Tournaments give their tables to the node that has the least, and get them back when a game is over."""

    tables: Tables
    database: HouseDatabase
    directory: Directory
    node: str
    _loads: Counter[str] = attrs.field(factory=Counter)
    """How many tables and tournaments each node had at the last look."""
    _tournaments: int = 0
    """How many of those here were tournaments."""
    _given_to: dict[str, str] = attrs.field(factory=dict)
    _on_way: Counter[str] = attrs.field(factory=Counter)
    """Tables that are being given away, and how many to each node: no look has counted them there yet."""
    _in_doubt: dict[str, Callable[[], None]] = attrs.field(factory=dict)
    """Tables of which nobody knows whether they were given, and what asks for that."""
    _away: bool = False
    """The last answer to a gift did not come."""

    def look(self, look: Look) -> None:
        """Notes what each node has, and asks what became of gifts: the database is there."""
        in_doubt, self._in_doubt = self._in_doubt, {}
        for ask in in_doubt.values():
            ask()
        self._loads = Counter(look.loads)
        self._tournaments = sum(lease.kind == "tournament" for lease in look.mine)

    def give(self, id: str, node: str, otherwise: Callable[[], None]) -> None:
        """Hands one table over when nothing of it is being stored; `otherwise` if it stays here."""
        gate = self.tables.gates.get(id)
        if gate is not None:
            gate.when_free(functools.partial(self._give, id, node, otherwise))

    def _give(self, id: str, node: str, otherwise: Callable[[], None]) -> None:
        table, gate = self.tables.by_id.get(id), self.tables.gates.get(id)
        if table is None or gate is None:
            return
        before = LeaseHolder(self.node, self.database.epochs[id])
        gate.hold()
        self._given_to[id] = node
        self._on_way[node] += 1
        seats = map_of(table)  # so that others know who sits there
        self.database.ask(
            lambda asked: asked.give("moved", id, node, seats),
            functools.partial(self._given, table, before, otherwise),
        )

    def load(self, node: str) -> int:
        """What a node has, with what is on its way there: looks are answered in the order of the gifts.

        Tables of this node count at once, for a round is dealt within one look.
        """
        if node == self.node:
            return len(self.tables.by_id) - len(self._given_to) + self._tournaments
        return self._loads[node] + self._on_way[node]

    def _arrived(self, id: str, owner: str | None) -> None:
        self._on_way[self._given_to.pop(id)] -= 1
        if owner is not None and owner != self.node:
            self._loads[owner] += 1

    def _given(
        self,
        table: Table,
        before: LeaseHolder,
        otherwise: Callable[[], None],
        result: Callable[[], LeaseHolder | None],
    ) -> None:
        gate = self.tables.gates.get(table.id)
        if gate is None:
            self._arrived(table.id, None)
            return
        try:
            owner = result()
        except ArchiveError as wrong:
            if not self._away:  # one line however many are given meanwhile
                log.error("table=%s could not be given: %s", table.id, wrong)
            self._away = True
            answered = functools.partial(self._given, table, before, otherwise)
            self._in_doubt[table.id] = lambda: self.database.ask(
                lambda asked: asked.settled(table.id), answered
            )
            return
        self._away = False
        self._arrived(table.id, owner.node if owner is not None else None)
        if owner == before:
            gate.release(otherwise)
            return
        self.database.epochs.pop(table.id, None)
        if owner is not None:  # perhaps this node, to which it was given back: the next look restores it
            self.directory.note(entry_of(table, owner.node, owner.epoch))
        self.tables.let_go(table)
        if owner is None:  # it was closed there
            self.tables.on_table(table)
