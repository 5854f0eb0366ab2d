"""What commands work on."""

import functools
from collections.abc import Callable, Iterator
from typing import Any, Literal

import attrs

from parlour.protocol.messages import TournamentInfo
from parlour.server.background import AtOnce, Background
from parlour.server.house.house import Alone, House
from parlour.server.limits import Limits
from parlour.server.lobby.bots import BuiltInBots
from parlour.server.lobby.hints import Thinker
from parlour.server.lobby.lists import PackedList
from parlour.server.people.rate_limit import Budget, Networks
from parlour.server.people.session import Session
from parlour.server.storage.played_games import PlayedGames
from parlour.server.tables.registry import Tables
from parlour.server.tournament.live.registry import RunningTournaments

Dear = Literal["lines", "lists", "seats", "entries", "pages"]
"""The budgets of `Limits`."""
LATER = object()
"""The answer comes later, or has been given already."""


@attrs.frozen(repr=False)
class Context:
    """What commands work on: the parts of one server."""

    tables: Tables
    limits: Limits
    bots: BuiltInBots
    played_games: PlayedGames
    tournaments: RunningTournaments
    house: House = attrs.field(factory=Alone)
    reading: Background = attrs.field(factory=AtOnce)
    """The thread that reads finished games and logs."""
    thinking: Background = attrs.field(factory=AtOnce)
    """The thread that waits for hints."""
    thinker: Thinker = attrs.field(factory=Thinker)
    networks: Networks = attrs.field(factory=Networks)
    table_list: PackedList = attrs.field(init=False)
    """The public tables."""

    @table_list.default
    def _make_table_list(self) -> PackedList:
        return PackedList("tables", self.reading, self._public_tables)

    house_list: PackedList = attrs.field(init=False)
    """The public tables of all nodes, for clients that can go there."""

    @house_list.default
    def _make_house_list(self) -> PackedList:
        return PackedList("tables", self.reading, self._all_public_tables)

    all_tournaments: PackedList = attrs.field(init=False)
    """With the addresses of their nodes, for clients that can go there."""

    @all_tournaments.default
    def _make_all_tournaments(self) -> PackedList:
        newest = functools.partial(self._newest_tournaments, with_nodes=True)
        return PackedList("tournaments", self.reading, newest)

    tournament_list: PackedList = attrs.field(init=False)

    @tournament_list.default
    def _make_tournament_list(self) -> PackedList:
        return PackedList("tournaments", self.reading, self._newest_tournaments)

    def _newest_tournaments(
        self, with_nodes: bool = False
    ) -> Iterator[tuple[str, object, Callable[[], Any]]]:
        for listed in self.tournaments.listing.newest():
            info = self.tournaments.address(listed) if with_nodes else listed
            yield info.tournament, info, functools.partial(_itself, info)

    def _public_tables(self) -> Iterator[tuple[str, object, Callable[[], Any]]]:
        for table in self.tables.by_id.values():
            if table.settings.public:
                yield table.id, table.version, table.info

    def _all_public_tables(self) -> Iterator[tuple[str, object, Callable[[], Any]]]:
        yield from self._public_tables()
        for entry in self.house.directory.entries.values():
            url = self.house.nodes.get(entry.node)
            if entry.info is not None and url is not None and entry.id not in self.tables.by_id:
                yield entry.id, entry.info, functools.partial(attrs.evolve, entry.info, node=url)

    def tables_for(self, session: Session) -> PackedList:
        """The list of public tables that somebody is shown."""
        return self.house_list if session.nodes else self.table_list

    def tournaments_for(self, session: Session) -> PackedList:
        """The list of tournaments that somebody is shown."""
        return self.all_tournaments if session.nodes else self.tournament_list

    def spend(self, session: Session, what: Dear, now: float) -> None:
        """Takes from the budget of a name, and of its network; raises `busy`."""
        budget: Budget = getattr(self.limits, what)
        session.spend(what, budget, self.networks, now)


def _itself(info: TournamentInfo) -> TournamentInfo:
    """Nothing is to be made of what is listed of a tournament."""
    return info
