"""What a learner has to read at a table for practice, one by one: each stays until a key is pressed."""

import attrs

from parlour.client.boards.catalogue import board_of
from parlour.client.language import Texts
from parlour.client.language.safe import safe
from parlour.client.table import Table
from parlour.client.terminal.game.story import names_of


@attrs.define
class Lessons:
    """Grows with a table: `follow` it whenever it may have changed."""

    waiting: list[str] = attrs.field(factory=list)
    """The one that is read now comes first."""
    _game: tuple[str, int] = ("", 0)
    _news: int = 0

    def follow(self, table: Table, texts: Texts) -> None:
        """Takes in what has befallen the learner; no clock presses there, so that all of it can wait."""
        game = (table.id, table.info.number)
        if game != self._game:
            # Whoever comes back has read what was before.
            self._game, self._news = game, len(table.news) if table.news_missed else 0
            self.waiting.clear()
        fresh, self._news = table.news[self._news :], len(table.news)
        if table.seat is None or table.view is None or not table.info.practice or table.result is not None:
            self.waiting.clear()
            return
        befallen = board_of(table.info.game).befallen
        for news in fresh:
            told = befallen(news, table.view, table.seat, names_of(table), texts)
            self.waiting += [safe(each) for each in told]

    def read(self) -> None:
        """The learner has read it."""
        self.waiting.pop(0)
