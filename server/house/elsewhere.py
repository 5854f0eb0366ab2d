"""Keeps the directory as the other nodes tell it, drops old news, and finds out what nobody lived to tell."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from parlour.protocol import messages as m
from parlour.server.house.directions import Directions
from parlour.server.house.directory import Directory, Entry
from parlour.server.house.epochs import Epochs
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.postgresql.house_values import HouseDatabase, LeaseHolder
from parlour.server.tables.watchers import Watchers


@attrs.define(eq=False, repr=False)
class Elsewhere:
    """What other nodes have."""

    node: str
    database: HouseDatabase
    directory: Directory
    directions: Directions
    watchers: Watchers
    nodes: Callable[[], Mapping[str, str]]
    """The addresses of those that live."""
    epochs: Epochs
    on_moved: Callable[[str], None]
    """Called with what another node has now, or nobody any more."""
    agrees: bool = False
    """All that is known is stored too, unless nodes have ended or begun since that was compared."""

    def is_old(self, event: Mapping[str, Any]) -> bool:
        """Whether somebody has what an event tells of, or had it, since the epoch in which that was so."""
        return "of" in event and self._is_old(event["of"], event["epoch"])

    def _is_old(self, id: str, epoch: int) -> bool:
        known = self.directory.entries.get(id)
        return self.epochs.is_old(id, epoch) or (known is not None and epoch < known.epoch)

    def note_moves(self, event: Mapping[str, Any]) -> None:
        """Notes what other nodes have now; of a table that was given to one it is told who sits there."""
        for id, (owner, epoch) in event["moved"].items():
            if self._is_old(id, epoch):
                continue
            if owner != self.node:
                if event["table"] is not None:
                    self.directory.note_map(owner, epoch, event["table"], None)
                else:
                    self.directory.move(id, owner, epoch)
                self.directions.note(id)
            self.on_moved(id)

    def note_table(self, node: str, event: Mapping[str, Any]) -> None:
        before = self.directory.entries.get(event["of"])
        entry = self.directory.note_map(node, event["epoch"], event["table"], event["info"])
        self._show(entry)
        # It may have moved before anybody knew who sits there. Whoever sits down by himself knows where.
        if entry.tournament and (before is None or not before.names or before.node != node):
            self.directions.note(entry.id)

    def _show(self, entry: Entry) -> None:
        url = self.nodes().get(entry.node)
        if entry.info is not None and url is not None:
            self.watchers.tell_lobby(m.LobbyTable(attrs.evolve(entry.info, node=url)), only_nodes=True)

    def forget(self, id: str) -> None:
        """Notes that nobody has it any more."""
        gone = self.directory.forget(id)
        self.epochs.forget(id)
        self.on_moved(id)
        if gone is not None and gone.public:
            self.watchers.tell_lobby(m.LobbyGone(id), only_nodes=True)

    def look(self) -> None:
        """Forgets what other nodes have closed and did not live to tell."""
        if not self.agrees:
            self.database.ask(lambda asked: asked.leases(), self._compare)

    def _compare(self, result: Callable[[], Sequence[tuple[str, str, LeaseHolder]]]) -> None:
        try:
            there = {id for id, _, _ in result()}
        except ArchiveError:
            return  # asked again with the next look
        for id in [id for id in self.directory.entries if id not in there]:
            self.forget(id)
        # What was stored last may not be seen before others have taken over what such a node had.
        nodes = self.nodes()
        self.agrees = all(entry.node in nodes for entry in self.directory.entries.values())
