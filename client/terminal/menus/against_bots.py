"""Playing against bots: which ones a server has, and a table with them, from nothing to the first move."""

from parlour.client.connection import Refused
from parlour.client.levels import LEVELS, strategy_of
from parlour.client.terminal.player import Player
from parlour.protocol import messages as m


def strategies(player: Player, game: str) -> tuple[str, ...]:
    """What a server's bots can do in a game, from easy to hard; those of other names come last.

    Random play is left out, for no person enjoys it, unless there is nothing else.
    """
    known = next((info.strategies for info in player.games if info.game == game), ())
    order = [*LEVELS.values(), *known]
    return tuple(sorted([each for each in known if each != "random"], key=order.index)) or known


async def play_bots(player: Player, game: str, seats: int, practice: bool = False) -> None:
    """Starts a game with bots on all other seats, or returns to an unfinished one."""
    infos = [table.info for table in player.own_tables]
    same = [info for info in infos if info.game == game and info.practice == practice]
    left = [info.table for info in same if info.stage == "playing"]
    if left:
        player.look_at(left[-1])
        player.notice = player.texts("play.goes_on")
        return
    try:
        await player.create(game=game, seats=seats, public=False, practice=practice)
    except Refused as refused:
        if refused.code != "too_many_tables":
            raise
        # The lobby lists the tables that are in the way.
        player.look_at(None)
        player.notice = player.texts("lobby.finish_first")
        return
    known = strategies(player, game) or ("random",)
    wanted = strategy_of(player.settings.level)
    for _ in range(seats - 1):
        strategy = wanted if wanted in known else known[0]
        await player.ask(m.AddBot, table=player.table_id, strategy=strategy)
    await player.ask(m.Ready, table=player.table_id)
    await _start(player)


async def play_again(player: Player) -> None:
    """Asks for a rematch and gets ready; the game begins by itself if nobody else is to be waited for."""
    id, table = player.table_id, player.table
    if table is None:
        return
    seat = table.seat
    alone = all(chair is not None and (chair.bot or at == seat) for at, chair in enumerate(table.info.chairs))
    hosting = table.hosting
    try:
        await player.ask(m.Rematch, table=id)
    except Refused as refused:
        # Somebody else has asked for it already.
        if refused.code != "not_now":
            raise
    await player.ask(m.Ready, table=id)
    if hosting and (alone or _others_are_ready(player)):
        await _start(player)


def _others_are_ready(player: Player) -> bool:
    table = player.table
    chairs = enumerate(table.info.chairs) if table is not None and table.info.stage == "gathering" else ()
    others = [chair for seat, chair in chairs if table is not None and seat != table.seat]
    return bool(others) and all(chair is not None and chair.ready for chair in others)


async def _start(player: Player) -> None:
    """Starts the game as soon as all bots are there, and waits for its first position."""
    connection, started = player.connection, False
    while connection is not None and (table := player.table) is not None:
        if table.info.stage != "gathering" and table.view is not None:
            return
        if not started and all(chair and chair.ready and chair.here for chair in table.info.chairs):
            started = True
            await player.ask(m.Start, table=player.table_id)
        else:
            await connection.changed()
