"""A move that somebody has typed: chosen step by step, or what is wrong with it and what would do."""

from parlour.client.boards.text import plain
from parlour.client.connection import Refused
from parlour.client.legal import Action
from parlour.client.table import Table
from parlour.client.terminal.game.choosing import Choosing, Entry
from parlour.client.terminal.game.move_entry import Play
from parlour.client.terminal.game.move_texts import ways
from parlour.client.terminal.game.typed_words import fits, fitting, led_by, nearest
from parlour.client.terminal.game.vocabulary import meant


def enter(play: Play, table: Table) -> None:
    """Chooses what was typed, or what is pointed at."""
    if not play.typed:
        if play.offers and play.cursor is not None:
            play.choose(play.cursor, table)
        return
    typed = play.typed
    while typed and play.offers:
        every = [offer.ways for offer in play.offers]
        shown = fitting(every, typed)
        led = (shown[0], "") if len(shown) == 1 else led_by(every, typed)
        if led is None and play.cursor in shown:
            led = (play.cursor, "")
        if led is None or not _goes_with(play, *led, table):
            _complain(play, typed, table)
            return
        number, typed = led
        play.choose(number, table)


def _goes_with(play: Play, number: int, rest: str, table: Table) -> bool:
    """Whether the words after those of an offer can be meant, if nothing is left to choose by then."""
    entry = play.offers[number].entry
    action = Choosing(entry.legal).action if entry is not None else None
    if not rest or action is None:
        return True
    left = {name: value for name, value in action.items() if value is not None}
    return any(fits(way, rest) for way in ways(Entry(left, ()), play.seen(table)))


def _complain(play: Play, typed: str, table: Table) -> None:
    """Says what is near; why the rules are against it only the server knows, and is asked."""
    numbers = nearest([offer.ways for offer in play.offers], typed)
    near = "; ".join(plain(play.offers[number].line) for number in numbers)
    play.wrong = play.player.texts("play.no_such_choice", typed=typed, near=near)
    play.typed = ""
    question = table.question
    # In a scramble there is no time for that.
    if play.choosing is not None and question is not None and not question.scramble:
        action = meant(table.info.game, typed, play.choosing.legal)
        if action is not None:
            play.player.do(_ask_why(play, question.turn, action, near))


async def _ask_why(play: Play, turn: int, action: Action, near: str) -> None:
    try:
        await play.player.act(turn, action)
    except Refused as refused:
        play.wrong = play.player.texts("play.why_not", why=play.player.why(refused), near=near)
