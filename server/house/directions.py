"""Tells players who are connected here at which node of the house their tables are."""

import functools
from collections.abc import Callable, Mapping

import attrs

from parlour.protocol import messages as m
from parlour.server.house.directory import Directory
from parlour.server.people.session import Session
from parlour.server.storage.errors import ArchiveError
from parlour.server.tables.registry import Tables

Then = Callable[[Callable[[], str]], None]


@attrs.define(eq=False, repr=False)
class Directions:
    """Who comes later finds the tables in the welcome; clients without the feature `nodes` go nowhere."""

    tables: Tables
    directory: Directory
    make_ticket: Callable[[str, int, str, Then], None]
    """Makes a ticket of a name, on the line of a number, for a node."""
    _untold: dict[tuple[str, str], None] = attrs.field(factory=dict)
    """Names, each with the id of a table."""

    def note(self, id: str) -> None:
        """Notes that a table has another node, or is new: all who play there are to be told."""
        self._untold |= dict.fromkeys((name, id) for name in self.directory.entries[id].names)

    def tell(self, nodes: Mapping[str, str]) -> None:
        """Tells as much as can be told now: nobody is sent to a node that is over."""
        for name, id in list(self._untold):
            entry, session = self.directory.entries.get(id), self.tables.sessions.get(name)
            if entry is None or session is None or session.peer is None or not session.nodes:
                del self._untold[name, id]
            elif entry.node in nodes:
                del self._untold[name, id]
                send = functools.partial(self._send, session, id, entry.node, nodes[entry.node])
                self.make_ticket(name, session.line, entry.node, send)

    def _send(self, session: Session, id: str, node: str, url: str, ticket: Callable[[], str]) -> None:
        try:
            session.send(m.TableAt(id, node, url, ticket()))
        except ArchiveError:
            self._untold[session.name, id] = None  # again with the next look
