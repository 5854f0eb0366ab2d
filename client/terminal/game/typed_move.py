"""A move that somebody has typed: chosen step by step, or what is wrong with it and what would do."""

from collections.abc import Sequence

from parlour.client.boards.text import plain
from parlour.client.table import Table
from parlour.client.terminal.game.move_entry import MoveEntry, without_unasked
from parlour.client.terminal.game.move_texts import ways
from parlour.client.terminal.game.offer import Offer
from parlour.client.terminal.game.selection import Choice, Selection
from parlour.client.terminal.game.typed_words import begins_whole, fits, fitting, led_by, nearest, splits
from parlour.client.terminal.game.vocabulary import meant, said


def enter(entry: MoveEntry, table: Table) -> None:
    """Chooses what was typed, or what is pointed at."""
    if not entry.typed:
        if entry.offers and entry.cursor is not None:
            entry.choose(entry.cursor, table)
        return
    typed = entry.typed
    while typed and entry.offers:
        led = _led(entry, entry.selection, entry.offers, entry.cursor, typed, table)
        if led is None:
            _complain(entry, typed, table)
            return
        number, typed = led
        entry.choose(number, table)


def understood(entry: MoveEntry, table: Table) -> list[Offer]:
    """What Enter would choose of what was typed so far, step by step; nothing if it would complain.

    The last words of several steps may still be those of a few choices: then the first of these is there.
    """
    offers, step, typed = entry.offers, entry.selection, entry.typed
    found: list[Offer] = []
    cursor = entry.cursor
    while typed and offers:
        led = _led(entry, step, offers, cursor, typed, table)
        if led is None:
            several = fitting([offer.ways for offer in offers], typed)
            return [*found, offers[several[0]]] if several else []
        number, typed = led
        found.append(offers[number])
        choice = offers[number].choice
        step = without_unasked(step.take(choice), table) if step is not None and choice is not None else None
        whole = step is None or step.action is not None
        offers, cursor = ([] if whole or step is None else entry.offers_at(step, table)), None
    return found


def _led(
    entry: MoveEntry,
    step: Selection | None,
    offers: Sequence[Offer],
    cursor: int | None,
    typed: str,
    table: Table,
) -> tuple[int, str] | None:
    """The offer that the first words name, and the words after them; None if they name none that can be."""
    every = [offer.ways for offer in offers]
    shown = fitting(every, typed)
    led = (shown[0], "") if len(shown) == 1 else _split(entry, offers, splits(every, typed), table)
    if led is None and cursor in shown:
        led = (cursor, "") if cursor is not None else None
    if led is None and step is not None:
        led = led_by(every, _after_settled(entry, step, typed, table))
    return led if led is not None and _goes_with(entry, offers[led[0]], led[1], table) else None


def _after_settled(entry: MoveEntry, step: Selection, typed: str, table: Table) -> str:
    """The words after those of what is settled by now: somebody may name what was never asked."""
    settled = Choice({name: value for name, value in step.settled.items() if value is not None}, ())
    named = led_by([ways(settled, entry.context(table))], typed)
    return named[1] if named is not None else ""


def _split(
    entry: MoveEntry, offers: Sequence[Offer], divided: Sequence[tuple[list[int], str]], table: Table
) -> tuple[int, str] | None:
    """Where the words of a step end and those of the next begin; None if no first words name one offer.

    Best where the next step is told whole: "sr 0,-3" plays a card of the hand at 0,-3, although "sr 0" begins
    the words for another card, which lies at 0,-2.
    """
    for numbers, rest in divided:
        whole = [number for number in numbers if _begins_next(entry, offers[number], rest, table)]
        if len(whole) == 1:
            return whole[0], rest
    return next(((numbers[0], rest) for numbers, rest in divided if len(numbers) == 1), None)


def _begins_next(entry: MoveEntry, offer: Offer, rest: str, table: Table) -> bool:
    """Whether the words after those of an offer begin with a choice of the step after it, told whole."""
    if offer.choice is None or not rest:
        return False
    step = without_unasked(Selection(offer.choice.legal), table)
    return step.action is None and begins_whole([each.ways for each in entry.offers_at(step, table)], rest)


def _goes_with(entry: MoveEntry, offer: Offer, rest: str, table: Table) -> bool:
    """Whether the words after those of an offer can be meant, if nothing is left to choose by then."""
    choice = offer.choice
    action = without_unasked(Selection(choice.legal), table).action if choice is not None else None
    if not rest or action is None:
        return True
    left = {name: value for name, value in action.items() if value is not None}
    unsaid = [{name: None} for name, value in action.items() if value is None]
    told = [way for fields in (left, *unsaid) for way in ways(Choice(fields, ()), entry.context(table))]
    return any(fits(way, rest) for way in told)


def _complain(entry: MoveEntry, typed: str, table: Table) -> None:
    """Says what is near; why the rules are against it only the server knows, and is asked."""
    numbers = nearest([offer.ways for offer in entry.offers], typed)
    near = entry.player.texts("list.apart").join(plain(entry.offers[number].line) for number in numbers)
    entry.wrong = entry.player.texts("play.no_such_choice", typed=typed, near=near)
    entry.typed = ""
    if entry.selection is not None:
        game = table.info.game
        action = meant(game, typed, entry.selection.legal)
        entry.ask_why(table, action, said(game, typed, action or {}), "play.why_not", near)
