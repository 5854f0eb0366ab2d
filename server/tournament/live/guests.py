"""Games in a house: dealt when all players have come here, and given back to the tournament's node."""

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import attrs

from parlour.server.storage.gate import AGAIN_AFTER
from parlour.server.tables.table import Table
from parlour.server.tournament.live.dealing import Dealer, deal_soon, slow_down
from parlour.server.tournament.live.house import CANCELLED, GONE, House


class Host(Dealer, Protocol):
    """What guests need of `registry.RunningTournaments`."""

    house: House


@attrs.define(repr=False)
class Guests:
    """A game that is over goes to the node of its tournament, which takes the result from what is kept."""

    host: Host
    on_table: Callable[[Table], None]
    """Looks at a table anew."""
    waiting: dict[str, float] = attrs.field(factory=dict)
    """Tables that are still to be dealt or given, and when to look at them again."""
    _gone: dict[str, set[str]] = attrs.field(factory=dict)
    """Who has left the tournament, by tables that are still to be dealt."""

    def look_after(self, table: Table) -> None:
        """Does what is due at a table whose tournament is elsewhere."""
        terms = table.settings.terms
        owner = self.host.house.node_of(terms.tournament) if terms is not None else None
        match table.stage:
            case "playing":
                slow_down(self.host, table)
            case "finished" if owner is not None:
                again = functools.partial(self._give_later, table)
                self.host.house.give(table.id, owner, again)
            case "gathering":
                self.deal(table)

    def _give_later(self, table: Table) -> None:
        """The tournament's node may have ended: another will have the tournament in some seconds."""
        self.waiting[table.id] = self.host.tables.clock() + AGAIN_AFTER
        self.host.tables.set_alarm()

    def deal(self, table: Table) -> None:
        """Deals when all players are there, or have had the time to come; again if that cannot be stored."""
        now = self.host.tables.clock()
        until = self.waiting.setdefault(table.id, now + table.settings.clocks.grace)
        if now >= until or all(self._is_here(player.name) for player in filter(None, table.players)):
            self.waiting[table.id] = now + AGAIN_AFTER
            self.host.tables.set_alarm()
            deal_soon(self.host, table)

    def _is_here(self, name: str) -> bool:
        session = self.host.tables.sessions.get(name)
        return session is not None and session.peer is not None

    def look(self, ids: Iterable[str]) -> None:
        """Looks again at those among these tables that are still to be dealt or given."""
        for id in [id for id in ids if id in self.waiting]:
            table = self.host.tables.by_id.get(id)
            if table is not None and table.stage == "gathering":
                self.deal(table)
            else:
                del self.waiting[id]
                for name in self._gone.pop(id, ()):
                    self._resign(table, name)
                if table is not None:
                    self.on_table(table)

    def hear(self, event: Mapping[str, Any]) -> None:
        """Takes note of what the node of a tournament tells of it."""
        tables = self.host.tables
        if event["event"] == CANCELLED:
            for table in list(tables.by_id.values()):
                if (
                    table.settings.terms is not None
                    and table.settings.terms.tournament == event["tournament"]
                ):
                    tables.close(table)
        elif event["event"] == GONE:
            played = tables.by_id.get(event["table"])
            if played is not None and played.stage == "gathering":
                self._gone.setdefault(played.id, set()).add(event["name"])
            else:
                self._resign(played, event["name"])

    def _resign(self, table: Table | None, name: str) -> None:
        seat = table.seat_of(name) if table is not None else None
        if table is not None and seat is not None and table.stage == "playing":
            tables = self.host.tables
            tables.when_free(table, functools.partial(Table.resign, seat=seat, now=tables.clock()))
