"""Commands for what another node has: their clients are sent there, with a ticket."""

import functools
from collections.abc import Callable
from typing import Any

import attrs

from parlour.protocol.errors import ProtocolError
from parlour.server.house.directory import Entry
from parlour.server.lobby.answering import answer
from parlour.server.lobby.context import Context
from parlour.server.people.session import Peer, Session, refusal
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.gate import AGAIN_AFTER

ASK_AGAIN = 0.5
"""Seconds after which to ask again for a table whose node is over, or that is on its way here."""


@attrs.frozen
class Received:
    """A command, who sent it, when, and on which connection."""

    session: Session
    command: Any
    now: float
    peer: Peer | None

    def refuse(self, code: str, **facts: Any) -> None:
        wrong = refusal(self.command.id, ProtocolError(code, **facts))
        answer(self.session, self.command, self.peer, wrong)


@attrs.frozen(repr=False)
class OtherNodes:
    """Finds out which node has what a command names, and answers `moved`."""

    context: Context
    do: Callable[[Session, Any, float, Peer | None], None]
    """Does a command here."""

    def take(self, received: Received) -> bool:
        """Takes a command for what is not at this node, and answers it later; False: it can be done here."""
        context, session, command = self.context, received.session, received.command
        house, tables = context.house, context.tables
        entry = house.find(command, session.name)
        if entry is not None and entry.node in house.nodes:
            context.spend(session, "seats", received.now)
            self._send_there(received, entry)
            return True
        table, tournament = getattr(command, "table", None), getattr(command, "tournament", None)
        if tournament is not None:
            unknown = "no_such_tournament"
            here = entry is None and context.tournaments.listing.has(tournament.upper())
        else:
            unknown = "no_such_table" if hasattr(command, "code") else "not_seated"
            here = table in tables.by_id or tables.table_of(command) is not None
            here = here or not (table or getattr(command, "code", None))
        if here:
            return False
        # It may be at a node of which this one has not heard yet, or no longer at one that is over.
        context.spend(session, "seats", received.now)
        house.locate(command, session.name, functools.partial(self._located, received, unknown))
        return True

    def _located(self, received: Received, unknown: str, result: Callable[[], Entry | None]) -> None:
        try:
            entry = result()
        except ArchiveError:
            received.refuse("busy", retry_after=ASK_AGAIN)
            return
        tournament = getattr(received.command, "tournament", None)
        if entry is not None:
            self._send_there(received, entry)
        elif tournament is not None:
            looked_up = functools.partial(self._looked_up, received, unknown)
            self.context.tournaments.find_end(tournament.upper(), looked_up)
        else:
            received.refuse(unknown)

    def _looked_up(self, received: Received, unknown: str, ended: Callable[[], bool]) -> None:
        """Does a command for a tournament that no node has if that is over, as can be read in the archive."""
        try:
            over = ended()
        except ArchiveError:
            received.refuse("busy", retry_after=ASK_AGAIN)
            return
        if over:
            self.do(received.session, received.command, received.now, received.peer)
        else:
            received.refuse(unknown)

    def _send_there(self, received: Received, entry: Entry) -> None:
        """Answers with a ticket for the node that has it; later, if that node is over or it is on its way."""
        house, session = self.context.house, received.session
        url = house.nodes.get(entry.node)
        if url is None or entry.node == house.node:
            received.refuse("busy", retry_after=ASK_AGAIN)
            return

        def take(made: Callable[[], str]) -> None:
            try:
                ticket = made()
            except ArchiveError:
                received.refuse("not_kept", retry_after=AGAIN_AFTER)
            else:
                received.refuse("moved", node=entry.node, url=url, ticket=ticket)

        house.ticket(session.name, session.line, entry.node, take)
