"""How a game ended, in words: who won and by what, or who gave up."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.reader import Reader
from parlour.client.boards.records import result as result_of
from parlour.client.language.safe import safe
from parlour.protocol import messages as m

MOST = 2
"""Players who gave up that are told one by one."""


def ending(
    game: str, view: Mapping[str, Any], result: m.Result, reader: Reader, left: Collection[int] = ()
) -> str:
    """To its reader, in the words of the game where it has some; `left`: who gave up, if known."""
    forfeit = result.reason == "forfeit"
    told = _forfeit(result, reader, left) if forfeit else board_of(game).won(view, result, reader)
    return told or _in_general(result, reader)


def _forfeit(result: m.Result, reader: Reader, left: Collection[int]) -> str:
    lost = [seat for seat in range(len(result.places)) if seat not in result.winners]
    gone = [seat for seat in lost if seat in left] or lost  # in teams one gives up for both
    if not 0 < len(gone) <= MOST:
        return ""
    gave_up = [reader.told("over.news.gave_up", seat) for seat in gone]
    return reader.texts.in_a_row([*gave_up, _wins(result.winners, reader)])


def _wins(winners: Sequence[int], reader: Reader) -> str:
    """Partners win in one sentence; a reader among them reads that they win."""
    told = [seat for seat in winners if seat == reader.me] or winners
    if len(told) == 1:
        return reader.told("over.news.wins", told[0])
    return reader.texts("over.win_together", who=reader.texts.listed([reader.names[seat] for seat in told]))


def _in_general(result: m.Result, reader: Reader) -> str:
    texts, reason = reader.texts, safe(result.reason)
    if result.winners == (reader.me,):
        return texts("play.you_won", why=texts.or_else(f"reason.{reason}", reason.replace("_", " ")))
    return result_of(reader.names, result.winners, reason, texts)
