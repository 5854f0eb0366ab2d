"""The key that asks for a hint: not where the table forbids it, and only while one is asked oneself."""

from parlour.client.boards.moves import Seen
from parlour.client.decision import Decision
from parlour.client.hint import USUAL, NoHint, hints
from parlour.client.language.safe import safe
from parlour.client.table import Table
from parlour.client.terminal.game.hint_texts import sentences
from parlour.client.terminal.game.story import names_of
from parlour.client.terminal.menus.menu import Reading
from parlour.client.terminal.player import Guest


def ask_hint(guest: Guest, table: Table, strategy: str = USUAL) -> None:
    """Says why there is none, or lets the strategy think and shows what it found."""
    if not table.info.hints or table.info.tournament is not None:
        guest.notice = guest.texts("hint.not_here")
    elif table.question is None or table.view is None or guest.stale:
        guest.notice = guest.texts("hint.not_asked")
    else:
        decision = Decision.at(table, table.view, table.question)
        guest.do(_think(guest, table, decision, strategy))
        guest.notice = guest.texts("hint.thinking", strategy=safe(strategy))


async def _think(guest: Guest, table: Table, decision: Decision, strategy: str) -> None:
    try:
        found = await hints(decision, strategy)
    except NoHint as wrong:
        guest.notice = guest.texts("hint.none", why=safe(str(wrong)))
        return
    guest.notice = ""
    if table.question is None or table.question.turn != decision.turn or guest.table is not table:
        return  # answered in the meantime
    seen = Seen(decision.game, decision.seat, names_of(table), decision.view, guest.texts)
    title = guest.texts("hint.title", strategy=safe(strategy))
    guest.reading = Reading(title, [*sentences(found, seen), guest.texts("hint.mind")])
