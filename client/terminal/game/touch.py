"""A touch of something on a board: the fields of actions that it may stand for, and the step it leads to."""

from collections.abc import Sequence

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.moves import Seen, Wanted
from parlour.client.boards.text import plain
from parlour.client.table import Table
from parlour.client.terminal.game.choosing import Choosing, with_fields
from parlour.client.terminal.game.move_entry import Play
from parlour.client.terminal.game.typed_words import NEAR


def _meanings(thing: str, seen: Seen) -> Sequence[Wanted]:
    """Of something like `card:red-7`, the likeliest first."""
    kind, _, value = thing.partition(":")
    meanings = board_of(seen.game).moves.things.get(kind)
    return meanings(value, seen) if meanings is not None else ()


def touch(play: Play, thing: str, table: Table) -> None:
    """Takes what something that was clicked means, or says what may be chosen."""
    play.typed = play.wrong = ""
    if play.choosing is None or table.question is None or not play.offers:
        return
    wishes = _meanings(thing, play.seen(table))
    if play.cursor is None:
        _point(play, wishes)
        return
    for wanted in wishes:
        named = [number for number, offer in enumerate(play.offers) if offer.says(wanted)]
        if len(named) == 1:
            play.choose(named[0], table)
            return
    found = _touched(play.choosing, wishes)
    chosen = any(with_fields(play.choosing.legal, wanted) for wanted in wishes)
    if found is not None:
        play.go(found[0], table, found[1])
    elif chosen and play.choosing.action is not None:
        play.choose(0, table)
    elif not chosen:
        _complain(play)


def _point(play: Play, wishes: Sequence[Wanted]) -> None:
    """Points at the first offer that leads there."""
    entries = [(number, offer.entry) for number, offer in enumerate(play.offers) if offer.entry is not None]
    for wanted in wishes:
        for number, entry in entries:
            if with_fields(entry.legal, wanted):
                play.cursor = number
                return
    _complain(play)


def _complain(play: Play) -> None:
    near = "; ".join(plain(offer.line) for offer in play.offers[:NEAR])
    play.wrong = play.player.texts("play.not_there", near=near)


def _touched(choosing: Choosing, wishes: Sequence[Wanted]) -> tuple[Choosing, Wanted] | None:
    """The step that a touch leads to, and by which fields.

    From an earlier one, where it takes the place of something that was chosen.
    """
    for wanted in wishes:
        step: Choosing | None = choosing
        while step is not None:
            legal = with_fields(step.legal, wanted)
            if legal and legal != step.legal:
                return Choosing(legal, step), wanted
            changed_mind = any(name in choosing.settled for name in wanted if name != "type")
            step = step.before if changed_mind and not legal else None
    return None
