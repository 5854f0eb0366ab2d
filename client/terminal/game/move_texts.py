"""What can be chosen, as short styled words: cards and pawns as on the board, the rest from the catalogue."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from parlour.client.boards.balloon_cup import news as balloon_words
from parlour.client.boards.butterflies import grid as butterfly_grid
from parlour.client.boards.hurry_cup.panel import PAWN_LETTERS
from parlour.client.boards.text import Line, joined, plain
from parlour.client.language import Texts
from parlour.client.terminal.game.choosing import Entry
from parlour.engine.balloon_cup import public as balloon

Plain = Mapping[str, Any]
CARDS = balloon.CARDS
LAST = len(CARDS)
SELDOM = ("turn", "helmet", "reroll", "net", "web", "declare")
"""Kinds of action that stand behind the others: what is meant most often comes first."""
HARMLESS = ("quiet", "skip", "stay", "done")
"""Kinds of action that use nothing up: pointed at before all others."""
COSTLY = ("honk", "advance", "boost", "swap", "helmet", "reroll", "nitro", "oil", "net", "web", "declare")
"""Kinds of action that use something up, or cannot be taken back: never pointed at by themselves."""


@attrs.frozen
class Seen:
    """What words need to know: which game, whose eyes, and who sits where."""

    game: str
    me: int | None
    names: Sequence[str]
    view: Plain
    texts: Texts


def told(entry: Entry, seen: Seen) -> Line:
    """An entry as it stands in a list of choices."""
    if entry.ends:
        return [("class:name", seen.texts("moves.enough", count=len(_first(entry.fields))))]
    pieces = [_piece(name, value, entry.fields, seen) for name, value in entry.fields.items()]
    line = joined([piece for piece in pieces if piece])
    return [("class:name", "✓"), *line] if entry.picked else line


def ways(entry: Entry, seen: Seen) -> list[str]:
    """All that somebody may type for it: the words shown, and the words of the wire."""
    raw = [value for value in entry.fields.values() if value is not None]
    return [plain(told(entry, seen)), " ".join(_raw(value) for value in raw)]


def rank(entry: Entry) -> int:
    """Cards stand in the order of the hand, what is seldom meant at the end, all else as it came."""
    card, kind = entry.fields.get("card"), entry.fields.get("type")
    return LAST + SELDOM.index(kind) if kind in SELDOM else CARDS.index(card) if card in CARDS else 0


def harmless(entries: Sequence[Entry]) -> int | None:
    """Which one may be pointed at before anybody has: nothing is lost by it, and a drive goes far."""
    kinds = [{pattern["type"] for pattern in entry.legal} for entry in entries]
    idle = [number for number, each in enumerate(kinds) if each <= {*HARMLESS}]
    free = [number for number, each in enumerate(kinds) if not each & {*COSTLY}]
    drives = [number for number in free if isinstance(entries[number].fields.get("steps"), int)]
    if drives:
        return max(drives, key=lambda number: _how_far(entries[number].fields))
    return next(iter([*idle, *free]), None)


def _how_far(fields: Plain) -> tuple[int, bool]:
    """Of two ways that are as long, the road is the usual one."""
    return fields["steps"], fields.get("detour") is None


def _first(fields: Plain) -> Sequence[Any]:
    values: Sequence[Any] = next(iter(fields.values()), ())
    return values


def _raw(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(_raw, value))
    return value if isinstance(value, str) else json.dumps(value)


def _piece(name: str, value: Any, fields: Plain, seen: Seen) -> Line:
    if name == "type":
        return _told_words(f"moves.{seen.game}.{value}", value, seen)
    write = _FIELDS.get(name)
    return write(value, fields, seen) if write is not None else [("", _raw(value))]


def _told_words(key: str, value: Any, seen: Seen) -> Line:
    return [("", seen.texts(key) if seen.texts.has(key) else str(value).replace("_", " "))]


def _card(value: Any, _fields: Plain, seen: Seen) -> Line:
    if seen.game == "butterflies":
        return [(butterfly_grid.style_of(value), butterfly_grid.short(value))]
    return [(f"class:card.{balloon_words.colour_of(value)}", balloon_words.short(value))]


def _cards(value: Any, fields: Plain, seen: Seen) -> Line:
    return joined([_card(card, fields, seen) for card in value])


def _tile(value: Any, _fields: Plain, seen: Seen) -> Line:
    return [("", seen.texts("moves.tile", number=value))]


def _side(value: Any, _fields: Plain, seen: Seen) -> Line:
    if value == seen.me:
        return [("", seen.texts("moves.own_side"))]
    return [("", seen.texts("moves.other_side"))]


def _replaces(value: Any, fields: Plain, seen: Seen) -> Line:
    return [("", f"{seen.texts('moves.instead_of')} "), *_card(value, fields, seen)]


def _colour(value: Any, _fields: Plain, seen: Seen) -> Line:
    return [(f"class:cube.{value}", seen.texts(f"balloon.colour.{value}"))]


def _take(value: Any, fields: Plain, seen: Seen) -> Line:
    return [("", "→ "), *_colour(value, fields, seen)]


def _trades(value: Any, _fields: Plain, seen: Seen) -> Line:
    told = [
        seen.texts("moves.traded", cubes=3 * triples, colour=seen.texts(f"balloon.colour.{colour}"))
        for colour, triples in value.items()
    ]
    return [("", " ".join(told) if told else seen.texts("moves.untraded"))]


def _pawn(value: Any, _fields: Plain, seen: Seen) -> Line:
    die = seen.view.get("dice", {}).get(value)
    word = seen.texts(f"hurry.colour.{value}")
    return [(f"class:pawn.{value}", PAWN_LETTERS[value]), ("", f" {word}{f' {die}' if die else ''}")]


def _pawns(value: Any, fields: Plain, seen: Seen) -> Line:
    return joined([_pawn(pawn, fields, seen) for pawn in value])


def _seat(value: Any, _fields: Plain, seen: Seen) -> Line:
    return [("class:name", seen.names[value])]


def _via(value: Any, _fields: Plain, seen: Seen) -> Line:
    return _told_words(f"hurry.token.{value}", value, seen)


def _steps(value: Any, _fields: Plain, seen: Seen) -> Line:
    return [("class:name", seen.texts("moves.steps", count=value))]


def _detour(value: Any, _fields: Plain, seen: Seen) -> Line:
    if value is None:
        return [("", seen.texts("moves.no_detour"))]
    return [("", seen.texts("moves.detour", section=value))]


def _section(value: Any, _fields: Plain, seen: Seen) -> Line:
    return [("", seen.texts("moves.section", section=value))]


def _cell(value: Any, _fields: Plain, _seen: Seen) -> Line:
    return [("class:open", f"{value[0]},{value[1]}")]


def _declare(value: Any, fields: Plain, seen: Seen) -> Line:
    if value is None:
        return [("", seen.texts("moves.declare_nothing"))]
    goal = plain(_goal(value["goal"], {**fields, "seat": value["seat"]}, seen))
    return [("class:name", seen.texts("moves.declare", goal=goal))]


def _goal(value: Any, fields: Plain, seen: Seen) -> Line:
    owner = fields.get("seat", seen.me) or 0
    word = seen.view["goals"][owner][value]
    told = seen.texts(f"butterflies.word.{word}") if word else seen.texts(f"moves.goals.{value}")
    if owner != seen.me:
        told = seen.texts("moves.goal_of", goal=told, name=seen.names[owner])
    return [("class:name", told)]


def _owner(_value: Any, fields: Plain, seen: Seen) -> Line:
    """Whose goal it is stands beside the goal already."""
    return [] if "goal" in fields else _seat(_value, fields, seen)


_FIELDS: Mapping[str, Callable[[Any, Plain, Seen], Line]] = {
    "card": _card,
    "cards": _cards,
    "tile": _tile,
    "side": _side,
    "replaces": _replaces,
    "trophy": _colour,
    "give": _colour,
    "take": _take,
    "trades": _trades,
    "pawn": _pawn,
    "pawns": _pawns,
    "with": _seat,
    "via": _via,
    "steps": _steps,
    "detour": _detour,
    "section": _section,
    "at": _cell,
    "from": _cell,
    "to": _cell,
    "declare": _declare,
    "goal": _goal,
    "seat": _owner,
}
