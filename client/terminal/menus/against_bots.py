"""Playing against bots: which ones a server has, and a table with them, from nothing to the first move."""

from parlour.client.connection import Refused
from parlour.client.levels import LEVELS, strategy_of
from parlour.client.terminal.player import Guest
from parlour.protocol import messages as m


def strategies(guest: Guest, game: str) -> tuple[str, ...]:
    """How bots can play a game here, from easy to hard; what has no such name comes last."""
    known = next((info.strategies for info in guest.games if info.game == game), ())
    order = [*LEVELS.values(), *known]
    return tuple(sorted(known, key=order.index))


async def seat_bot(guest: Guest, strategy: str) -> None:
    """Lets one sit down, and remembers how strong it is: nobody else would tell."""
    id, connection = guest.table_id, guest.connection
    seat = (await guest.ask(m.AddBot, table=id, strategy=strategy))["seat"]
    while connection is not None and (table := guest.table) is not None and table.id == id:
        chair = table.info.chairs[seat]
        if chair is not None:
            guest.bots[chair.name] = strategy
            return
        await connection.changed()


async def play_bots(guest: Guest, game: str, seats: int) -> None:
    """A table with bots on all other seats, and off it goes; or the game that was left in the middle."""
    infos = [table.info for table in guest.own_tables]
    left = [info.table for info in infos if info.stage == "playing" and info.game == game]
    if left:
        guest.look_at(left[-1])
        guest.notice = guest.texts("play.goes_on")
        return
    try:
        await guest.create(game=game, seats=seats, public=False)
    except Refused as refused:
        if refused.code != "too_many_tables":
            raise
        # The lobby lists them all.
        guest.look_at(None)
        guest.notice = guest.texts("lobby.finish_first")
        return
    known = strategies(guest, game) or ("random",)
    wanted = strategy_of(guest.settings.level)
    for _ in range(seats - 1):
        await seat_bot(guest, wanted if wanted in known else known[-1])
    await guest.ask(m.Ready, table=guest.table_id)
    await _start(guest)


async def play_again(guest: Guest) -> None:
    """Whoever asks for another game is ready for it; against bots alone it begins by itself."""
    id, table = guest.table_id, guest.table
    if table is None:
        return
    seat = table.seat
    alone = all(chair is not None and (chair.bot or at == seat) for at, chair in enumerate(table.info.chairs))
    hosting = table.hosting
    await guest.ask(m.Rematch, table=id)
    await guest.ask(m.Ready, table=id)
    if alone and hosting:
        await _start(guest)


async def _start(guest: Guest) -> None:
    """As soon as all bots are there."""
    connection = guest.connection
    while connection is not None and (table := guest.table) is not None and table.info.stage == "gathering":
        if all(chair is not None and chair.ready and chair.here for chair in table.info.chairs):
            await guest.ask(m.Start, table=guest.table_id)
            return
        await connection.changed()
