"""Finds a table for a bot: a seat at an open one, or a new table where others may sit down."""

from collections.abc import Callable

import attrs

from parlour.client.connection import Connection, Refused
from parlour.client.table import Table
from parlour.protocol import messages as m


@attrs.frozen
class Wanted:
    """What somebody wants to play, and where."""

    game: str
    table: str | None = None
    code: str | None = None
    seats: int | None = None
    """Of a table of one's own; None: as few as the game allows."""


def is_open(info: m.TableInfo, game: str) -> bool:
    """Whether a bot may sit down there now. If the host is away, nobody would start the game."""
    away = any(chair is not None and chair.name == info.host and not chair.here for chair in info.chairs)
    return info.game == game and info.stage == "gathering" and info.bots and None in info.chairs and not away


def _rank(info: m.TableInfo) -> tuple[bool, int, str]:
    """People's tables come first, then full ones. All must prefer the same one, or each waits at its own."""
    seated = [chair for chair in info.chairs if chair is not None]
    return info.host in {chair.name for chair in seated if chair.bot}, -len(seated), info.table


def best(connection: Connection, game: str) -> list[m.TableInfo]:
    """The open tables of a game, the best first."""
    lobby = connection.session.lobby or {}
    return sorted([info for info in lobby.values() if is_open(info, game)], key=_rank)


async def take_a_seat(connection: Connection, wanted: Wanted) -> str:
    """Sits down, waits until the game begins, and gives the table's id; raises Refused."""
    if wanted.table is not None or wanted.code is not None:
        joined = await connection.ask(m.Join, table=wanted.table, code=wanted.code)
        id = str(joined["table"])
        await begun(connection, id)
        return id
    await connection.ask(m.WatchLobby, on=True)
    try:
        while True:
            id = await _join(connection, wanted.game) or await _create(connection, wanted)
            if await begun(connection, id, lambda table: not _better_elsewhere(connection, table)):
                return id
    finally:
        connection.tell(m.WatchLobby, on=False)


async def _join(connection: Connection, game: str) -> str | None:
    for info in best(connection, game):
        try:
            await connection.ask(m.Join, table=info.table)
        except Refused:
            continue
        return info.table
    return None


async def _create(connection: Connection, wanted: Wanted) -> str:
    seats = wanted.seats
    if seats is None:
        known = (await connection.ask(m.Games))["games"]
        seats = next((min(each["seats"]) for each in known if each["game"] == wanted.game), 2)
    try:
        made = await connection.ask(m.CreateTable, game=wanted.game, seats=seats)
    except Refused as refused:
        if refused.code != "unanswered":
            raise
        return await _own(connection, wanted.game) or await _create(connection, wanted)
    return str(made["table"])


async def _own(connection: Connection, game: str) -> str | None:
    """The table that was made by a server that died before it could say so."""
    while connection.session.is_resuming():
        await connection.changed()
    tables = connection.session.tables.values()
    return next((table.id for table in tables if table.hosting and table.info.game == game), None)


def _better_elsewhere(connection: Connection, table: Table) -> bool:
    """Whether this bot sits alone, and another table ranks before its own."""
    others = [info for info in best(connection, table.info.game) if info.table != table.id]
    return _alone(table) and bool(others) and _rank(others[0]) < _rank(table.info)


def _stay(_table: Table) -> bool:
    return True


async def begun(connection: Connection, id: str, stay: Callable[[Table], bool] = _stay) -> bool:
    """Waits until the game begins, and begins it as the host when all are ready.

    False: the table is gone, or `stay` was False and the bot has left.
    """
    while True:
        table = connection.session.tables.get(id)
        if table is None:
            if not connection.session.is_resuming(id):
                return False
            await connection.changed()
        elif table.info.stage != "gathering":
            return True
        elif table.hosting and all(chair is not None and chair.ready for chair in table.info.chairs):
            await _start(connection, table)
        elif not stay(table):
            await connection.ask(m.Leave, table=id)
            return False
        else:
            await connection.changed()


async def _start(connection: Connection, table: Table) -> None:
    seq = table.seq
    try:
        await connection.ask(m.Start, table=table.id)
    except Refused:
        if table.seq == seq:
            await connection.changed()


def _alone(table: Table) -> bool:
    return sum(chair is not None for chair in table.info.chairs) == 1


async def again(connection: Connection, id: str) -> bool:
    """Waits for another game with those who stay; False if there is none, and the bot has left."""
    # The result comes a moment before the stage.
    while (table := connection.session.tables.get(id)) is not None and table.result is not None:
        if table.hosting and table.info.stage == "finished":
            await connection.ask(m.Rematch, table=id)
        else:
            await connection.changed()
    return await begun(connection, id, lambda table: not _alone(table))
