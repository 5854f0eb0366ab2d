"""The page between two parts of a game that goes on, like races of a championship: how everybody stands."""

import attrs

from parlour.client.boards.catalogue import board_of
from parlour.client.language.safe import safe
from parlour.client.table import Table
from parlour.client.terminal.game.story import names_of
from parlour.client.terminal.menus.menu import Reading
from parlour.client.terminal.player import Player


@attrs.define
class Interval:
    """Grows with a table: `follow` it whenever it may have changed."""

    _game: tuple[str, int] = ("", 0)
    _news: int = 0

    def follow(self, table: Table, player: Player) -> None:
        """Opens the page for those who play, unless they are reading or typing something else."""
        game = (table.id, table.info.number)
        if game != self._game:
            # Whoever comes back has read what was before.
            self._game, self._news = game, len(table.news) if table.news_missed else 0
        fresh, self._news = table.news[self._news :], len(table.news)
        if table.seat is None or table.view is None or table.result is not None:
            return
        if player.reading is not None or player.prompt is not None or player.places:
            return
        for news in fresh:
            told = board_of(table.info.game).interval(news, table.view, names_of(table), player.texts)
            if told:
                title, *lines = map(safe, told)
                player.reading = Reading(title, lines)
