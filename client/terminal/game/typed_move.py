"""A move that somebody has typed: chosen step by step, or what is wrong with it and what would do."""

from parlour.client.boards.text import plain
from parlour.client.connection import Refused
from parlour.client.legal import Action
from parlour.client.table import Table
from parlour.client.terminal.game.move_entry import MoveEntry
from parlour.client.terminal.game.move_texts import ways
from parlour.client.terminal.game.selection import Choice, Selection
from parlour.client.terminal.game.typed_words import fits, fitting, led_by, nearest
from parlour.client.terminal.game.vocabulary import meant


def enter(entry: MoveEntry, table: Table) -> None:
    """Chooses what was typed, or what is pointed at."""
    if not entry.typed:
        if entry.offers and entry.cursor is not None:
            entry.choose(entry.cursor, table)
        return
    typed = entry.typed
    while typed and entry.offers:
        every = [offer.ways for offer in entry.offers]
        shown = fitting(every, typed)
        led = (shown[0], "") if len(shown) == 1 else led_by(every, typed)
        if led is None and entry.cursor in shown:
            led = (entry.cursor, "")
        if led is None or not _goes_with(entry, *led, table):
            _complain(entry, typed, table)
            return
        number, typed = led
        entry.choose(number, table)


def _goes_with(entry: MoveEntry, number: int, rest: str, table: Table) -> bool:
    """Whether the words after those of an offer can be meant, if nothing is left to choose by then."""
    choice = entry.offers[number].choice
    action = Selection(choice.legal).action if choice is not None else None
    if not rest or action is None:
        return True
    left = {name: value for name, value in action.items() if value is not None}
    return any(fits(way, rest) for way in ways(Choice(left, ()), entry.context(table)))


def _complain(entry: MoveEntry, typed: str, table: Table) -> None:
    """Says what is near; why the rules are against it only the server knows, and is asked."""
    numbers = nearest([offer.ways for offer in entry.offers], typed)
    near = "; ".join(plain(entry.offers[number].line) for number in numbers)
    entry.wrong = entry.player.texts("play.no_such_choice", typed=typed, near=near)
    entry.typed = ""
    question = table.question
    # In a scramble there is no time for that.
    if entry.selection is not None and question is not None and not question.scramble:
        action = meant(table.info.game, typed, entry.selection.legal)
        if action is not None:
            entry.player.do(_ask_why(entry, question.turn, action, near))


async def _ask_why(entry: MoveEntry, turn: int, action: Action, near: str) -> None:
    try:
        await entry.player.act(turn, action)
    except Refused as refused:
        entry.wrong = entry.player.texts("play.why_not", why=entry.player.why(refused), near=near)
