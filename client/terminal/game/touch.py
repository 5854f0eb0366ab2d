"""A touch of something on a board: the fields of actions that it may stand for, and the step it leads to."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour.client.boards.text import plain
from parlour.client.table import Table
from parlour.client.terminal.game.choosing import Choosing, with_fields
from parlour.client.terminal.game.move_entry import Play
from parlour.client.terminal.game.move_texts import Seen
from parlour.client.terminal.game.typed_words import NEAR

Wanted = Mapping[str, Any]
"""Fields that an action is to have, with their values."""


def _card(value: str, _seen: Seen) -> list[Wanted]:
    return [{"card": value}, {"cards": value}, {"replaces": value}]


def _tile(value: str, _seen: Seen) -> list[Wanted]:
    """`3` or, with a side, `3.0`; the other side if the one that was touched is closed."""
    tile, _, side = value.partition(".")
    either: Wanted = {"tile": int(tile)}
    return [{**either, "side": int(side)}, either] if side else [either]


def _cell(value: str, _seen: Seen) -> list[Wanted]:
    x, y = map(int, value.split(","))
    return [{"at": [x, y]}, {"from": [x, y]}, {"to": [x, y]}]


def _pawn(value: str, _seen: Seen) -> list[Wanted]:
    return [{"pawn": value}, {"pawns": value}]


def _driver(value: str, _seen: Seen) -> list[Wanted]:
    return [{"with": int(value)}]


def _section(value: str, seen: Seen) -> list[Wanted]:
    """To drive there, to leave the road there, to oil it."""
    section = int(value)
    ahead = section - seen.view["cars"][seen.me] if seen.me is not None else 0
    ways: list[Wanted] = [{"steps": ahead, "detour": None}, {"detour": section}, {"section": section}]
    return [*ways, {"type": "nitro"}, {"type": "advance"}] if ahead == 1 else ways


def _trophy(value: str, _seen: Seen) -> list[Wanted]:
    return [{"trophy": value}, {"give": value}, {"take": value}]


THINGS: Mapping[str, Callable[[str, Seen], Sequence[Wanted]]] = {
    "card": _card,
    "tile": _tile,
    "cell": _cell,
    "pawn": _pawn,
    "driver": _driver,
    "section": _section,
    "trophy": _trophy,
}


def _meanings(thing: str, seen: Seen) -> Sequence[Wanted]:
    """Of something like `card:red-7`, the likeliest first."""
    kind, _, value = thing.partition(":")
    return THINGS[kind](value, seen) if kind in THINGS else ()


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
    play.wrong = play.guest.texts("play.not_there", near=near)


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
