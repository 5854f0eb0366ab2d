"""The story of a table so far, in sentences: what happened and what was said, in the order it was heard."""

from collections.abc import Sequence

import attrs

from parlour.client.language import Texts
from parlour.client.pictures import plain
from parlour.client.pictures.gallery import PICTURES
from parlour.client.table import Table
from parlour.client.terminal.safe import safe


def names_of(table: Table) -> list[str]:
    return [safe(chair.name) if chair is not None else "?" for chair in table.info.chairs]


@attrs.define
class Story:
    """Grows with a table: `follow` it whenever it may have changed."""

    sentences: list[str] = attrs.field(factory=list)
    _game: tuple[str, int] = ("", 0)
    _news: int = 0
    _chat: Sequence[object] = ()

    def follow(self, table: Table, texts: Texts) -> list[str]:
        """Takes in what is new of a table; gives the new sentences."""
        game = (table.id, table.info.number)
        if game != self._game:
            self._game, self._news = game, 0
            self.sentences.clear()
        picture = PICTURES.get(table.info.game, plain)
        names = names_of(table)
        fresh = table.news[self._news :] if self._news <= len(table.news) else table.news
        new = [safe(picture.words(news, names, texts)) for news in fresh]
        self._news = len(table.news)
        new += [f"{safe(line.name)}: {safe(line.text)}" for line in table.chat if line not in self._chat]
        self._chat = table.chat
        new = [sentence for sentence in new if sentence]
        self.sentences += new
        return new


def outcome(table: Table, texts: Texts) -> str:
    """How the game ended, in a sentence."""
    if table.result is None:
        return ""
    names = names_of(table)
    if not table.result.winners:
        return texts("play.draw")
    if table.seat in table.result.winners and len(table.result.winners) == 1:
        return texts("play.you_won")
    return texts("play.won", names=texts.listed([names[seat] for seat in table.result.winners]))
