"""The house as tournaments see it (tournament/live/house.py): where games are, and who is there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from parlour.server.house.directory import Entry
from parlour.server.house.node import NodeHouse


@attrs.frozen
class TournamentHouse:
    """Asks the node for all of it."""

    house: NodeHouse

    @property
    def node(self) -> str:
        return self.house.node

    def node_of(self, id: str) -> str | None:
        entry = self.house.directory.entries.get(id)
        return entry.node if entry is not None else None

    def url_of(self, id: str) -> str | None:
        node = self.node_of(id)
        return self.house.nodes.get(node) if node is not None else None

    def has_line(self, name: str) -> bool:
        return bool(self.house.presence.of(name))

    def node_for(self, names: Sequence[str]) -> str | None:
        house = self.house
        for name in names:
            session, lines = house.tables.sessions.get(name), house.presence.of(name)
            if session is not None and session.peer is not None and not session.nodes:
                return None
            if lines and not any(lines.values()):
                return next(iter(lines))
        best = min(house.nodes, key=self._load_with_one_more, default=None)
        return None if best == house.node else best

    def _load_with_one_more(self, node: str) -> tuple[int, bool]:
        """What a node would have with a table that is here already; this one is first if they are alike."""
        elsewhere = node != self.house.node
        return self.house.gifts.load(node) + elsewhere, elsewhere

    def give(self, table: str, node: str, otherwise: Callable[[], None]) -> None:
        self.house.gifts.give(table, node, otherwise)

    def tell(self, event: Mapping[str, Any]) -> None:
        self.house.tell(event)

    def tell_of(self, id: str, event: Mapping[str, Any], ends: bool) -> None:
        self.house.tell_of(id, event, ends)

    def announce(self, table: str) -> None:
        self.house.announce(table)

    def note(self, id: str, node: str, epoch: int) -> None:
        self.house.directory.note(Entry(id, node, epoch, "tournament"))

    def forget(self, id: str) -> None:
        self.house.directory.forget(id)
