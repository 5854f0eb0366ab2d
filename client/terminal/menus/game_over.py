"""The end of a game: what the player may do next, while its last board is still on the screen."""

from collections.abc import Callable

from parlour.client.levels import LEVELS, level_of
from parlour.client.table import Table
from parlour.client.terminal.menus.against_bots import play_again, play_bots
from parlour.client.terminal.menus.menu import Item
from parlour.client.terminal.menus.new_table import Plan, choose_game
from parlour.client.terminal.menus.replays import watch_last
from parlour.client.terminal.menus.start import games
from parlour.client.terminal.player import Player


def game_over_items(player: Player, table: Table) -> list[Item]:
    """The likeliest first; a game of a tournament leads back to it."""
    texts = player.texts
    seated = table.seat is not None
    items: list[Item] = []
    if seated and table.result is not None and table.result.head is not None:
        items.append(Item(texts("over.watch"), lambda: player.do(watch_last(player, table)), "w"))
    if table.info.tournament is not None:
        return [*items, Item(texts("over.back"), lambda: player.do(player.leave_table()), "l")]
    if seated:
        items.append(Item(texts("table.rematch"), lambda: player.do(play_again(player)), "m"))
        level = harder(table)
        if level is not None:
            items.append(Item(texts(f"over.harder.{level}"), _try(player, table, level), "t"))
        items.append(Item(texts("over.new"), lambda: _new_game(player), "n"))
    return [*items, Item(texts("lobby.title"), lambda: player.do(player.leave_table()), "l")]


def harder(table: Table) -> str | None:
    """The next level, for whoever has beaten bots that are all of one level."""
    others = [chair for seat, chair in enumerate(table.chairs) if chair and seat != table.seat]
    beaten = {level_of(chair.strategy or "") for chair in others if chair.bot}
    levels = [*LEVELS]
    (only,) = beaten if len(beaten) == 1 else (None,)
    won = table.result is not None and table.result.winners == (table.seat,)
    if not won or only is None or not all(chair.bot for chair in others) or only == levels[-1]:
        return None
    return levels[levels.index(only) + 1]


def _try(player: Player, table: Table, level: str) -> Callable[[], None]:
    async def play() -> None:
        player.settings.level = level
        player.settings.write()
        await player.leave_table()
        await play_bots(player, table.info.game, len(table.info.chairs))

    return lambda: player.do(play())


def _new_game(player: Player) -> None:
    """Asks which game; on the player's own server it is one against bots. The seat here is kept till then."""

    async def instead(game: str, seats: int) -> None:
        await player.leave_table()
        await play_bots(player, game, seats)

    def again(game: str, seats: int) -> Callable[[], None]:
        return lambda: player.do(instead(game, seats))

    plan = Plan(instead_of=player.table_id)
    player.open(lambda: games(player, again) if player.alone else choose_game(player, plan))
