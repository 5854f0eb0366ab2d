"""Deals the games of tournaments at this node, whoever has the tournament."""

import functools
from typing import Protocol

from parlour.server.storage.low_priority import LowPriorityStore
from parlour.server.tables.registry import Tables
from parlour.server.tables.substitutes import show
from parlour.server.tables.table import Table


class Dealer(Protocol):
    """What dealing needs of `registry.RunningTournaments`."""

    tables: Tables
    low_priority: LowPriorityStore | None
    """The store for games of tournaments, if there is an archive, so that other games need not wait."""


def deal_soon(dealer: Dealer, table: Table) -> None:
    """Deals when games that are stored before all others leave time for it."""
    if dealer.low_priority is None:
        deal(dealer, table)
    else:
        dealer.low_priority.soon(functools.partial(deal, dealer, table))


def deal(dealer: Dealer, table: Table) -> None:
    tables = dealer.tables
    if table.id not in tables.gates:
        return  # the tournament was cancelled meanwhile
    now = tables.clock()

    def deal_now(table: Table) -> None:
        if table.stage != "gathering":
            return  # asked for twice, and dealt already
        show(table, tables.sessions, now)
        table.start(now)

    slow_down(dealer, table)
    tables.when_free(table, deal_now)


def slow_down(dealer: Dealer, table: Table) -> None:
    """Stores a table's game with low priority."""
    dealer.tables.gates[table.id].store = dealer.low_priority or dealer.tables.store
