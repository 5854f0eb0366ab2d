"""A touch of something on a board: the fields of actions that it may stand for, and the step it leads to."""

from collections.abc import Sequence

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.moves import MoveContext, Wanted
from parlour.client.boards.text import plain
from parlour.client.table import Table
from parlour.client.terminal.game.move_entry import MoveEntry
from parlour.client.terminal.game.selection import Selection, with_fields
from parlour.client.terminal.game.typed_words import NEAR
from parlour.client.terminal.game.vocabulary import wrong_with


def _meanings(thing: str, context: MoveContext) -> Sequence[Wanted]:
    """Of something like `card:red-7`, the likeliest first."""
    kind, _, value = thing.partition(":")
    meanings = board_of(context.game).moves.things.get(kind)
    return meanings(value, context) if meanings is not None else ()


def touch(entry: MoveEntry, thing: str, table: Table) -> None:
    """Takes what something that was clicked means, or says what may be chosen."""
    entry.typed = entry.wrong = ""
    if entry.selection is None or table.question is None or not entry.offers:
        return
    wishes = _meanings(thing, entry.context(table))
    if entry.cursor is None:
        _point(entry, wishes, table)
        return
    for wanted in wishes:
        named = [number for number, offer in enumerate(entry.offers) if offer.says(wanted)]
        if len(named) == 1:
            entry.choose(named[0], table)
            return
    found = _touched(entry.selection, wishes)
    chosen = any(with_fields(entry.selection.legal, wanted) for wanted in wishes)
    if found is not None:
        entry.go(found[0], table, found[1])
    elif chosen and entry.selection.action is not None:
        entry.choose(0, table)
    elif not chosen:
        _complain(entry, wishes, table)


def _point(entry: MoveEntry, wishes: Sequence[Wanted], table: Table) -> None:
    """Points at the first offer that leads there."""
    choices = [
        (number, offer.choice) for number, offer in enumerate(entry.offers) if offer.choice is not None
    ]
    for wanted in wishes:
        for number, choice in choices:
            if with_fields(choice.legal, wanted):
                entry.cursor = number
                return
    _complain(entry, wishes, table)


def _complain(entry: MoveEntry, wishes: Sequence[Wanted], table: Table) -> None:
    """Says what may be chosen, and asks the server what is wrong with what was touched."""
    near = entry.player.texts("list.apart").join(plain(offer.line) for offer in entry.offers[:NEAR])
    entry.wrong = entry.player.texts("play.not_there", near=near)
    legal = entry.selection.legal if entry.selection is not None else ()
    for wanted in wishes:
        action = wrong_with(wanted, legal)
        if action is not None:
            entry.ask_why(table, action, wanted.keys(), "play.why_not_there", near)
            return


def _touched(selection: Selection, wishes: Sequence[Wanted]) -> tuple[Selection, Wanted] | None:
    """The step that a touch leads to, and by which fields.

    From an earlier one, where it takes the place of something that was chosen.
    """
    for wanted in wishes:
        step: Selection | None = selection
        while step is not None:
            legal = with_fields(step.legal, wanted)
            if legal and legal != step.legal:
                return Selection(legal, step), wanted
            changed_mind = any(name in selection.settled for name in wanted if name != "type")
            step = step.before if changed_mind and not legal else None
    return None
