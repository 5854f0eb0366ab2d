"""Asks for a hint, if the table allows it and it is the player's turn."""

from parlour.client.boards.moves import MoveContext
from parlour.client.decision import Decision
from parlour.client.hint import USUAL, NoHint, ask_for_hints
from parlour.client.language.safe import safe
from parlour.client.table import Table
from parlour.client.terminal.game.hint_texts import bot_name, sentences
from parlour.client.terminal.game.story import names_of
from parlour.client.terminal.menus.menu import Reading
from parlour.client.terminal.player import Player


def ask_hint(player: Player, table: Table, strategy: str = USUAL, spoken: bool = False) -> None:
    """Says why there is none, or lets the strategy think and shows what it found."""
    if not table.info.hints or table.info.tournament is not None:
        player.notice = player.texts("hint.not_here")
    elif table.seat is None:
        player.notice = player.texts("hint.watching")
    elif table.question is None or table.view is None or player.stale:
        player.notice = player.texts("hint.not_asked")
    else:
        decision = Decision.at(table, table.view, table.question)
        player.do(_think(player, table, decision, strategy, spoken))
        player.notice = player.texts("hint.thinking", strategy=bot_name(strategy, player.texts))


async def _think(player: Player, table: Table, decision: Decision, strategy: str, spoken: bool) -> None:
    try:
        found = await ask_for_hints(decision, strategy)
    except NoHint as wrong:
        # A reason is given only for a strategy that there is none of.
        texts = player.texts
        player.notice = (
            texts("hint.no_strategy", strategy=safe(strategy)) if str(wrong) else texts("hint.none")
        )
        return
    player.notice = ""
    if table.question is None or table.question.turn != decision.turn or player.table is not table:
        return  # answered in the meantime
    names = names_of(table)
    # As it may be typed.
    context = MoveContext(
        decision.game, decision.seat, names, decision.view, player.texts, spoken, typed=True
    )
    title = player.texts("hint.title", strategy=bot_name(strategy, player.texts))
    player.hints = Reading(title, [*sentences(found, context), player.texts("hint.mind")])
