"""The actions of Hurry' Cup: how they are put into words, ranked, typed and touched."""

from typing import Any

from parlour.client.boards.hurry_cup.panel import PAWN_LETTERS
from parlour.client.boards.moves import Moves, Plain, Seen, Wanted, number, word_of
from parlour.client.boards.text import Line, joined

# Words


def _pawn(value: Any, _fields: Plain, seen: Seen) -> Line:
    die = seen.view.get("dice", {}).get(value)
    word = seen.texts(f"hurry.colour.{value}")
    return [(f"class:pawn.{value}", PAWN_LETTERS[value]), ("", f" {word}{f' {die}' if die else ''}")]


def _pawns(value: Any, fields: Plain, seen: Seen) -> Line:
    return joined([_pawn(pawn, fields, seen) for pawn in value])


def _driver(value: Any, _fields: Plain, seen: Seen) -> Line:
    return [("class:name", seen.names[value])]


def _via(value: Any, _fields: Plain, seen: Seen) -> Line:
    return word_of(f"hurry.token.{value}", value, seen.texts)


def _steps(value: Any, _fields: Plain, seen: Seen) -> Line:
    return [("class:name", seen.texts("moves.steps", count=value))]


def _detour(value: Any, _fields: Plain, seen: Seen) -> Line:
    if value is None:
        return [("", seen.texts("moves.no_detour"))]
    return [("", seen.texts("moves.detour", section=value))]


def _section(value: Any, _fields: Plain, seen: Seen) -> Line:
    return [("", seen.texts("moves.section", section=value))]


# Order


def _how_far(fields: Plain) -> tuple[int, bool] | None:
    """A drive goes far; of two ways that are as long, the road is the usual one."""
    steps = fields.get("steps")
    return (steps, fields.get("detour") is None) if isinstance(steps, int) else None


# Touches and typed words


def _touched_pawn(value: str, _seen: Seen) -> list[Wanted]:
    return [{"pawn": value}, {"pawns": value}]


def _touched_driver(value: str, _seen: Seen) -> list[Wanted]:
    return [{"with": int(value)}]


def _touched_section(value: str, seen: Seen) -> list[Wanted]:
    """To drive there, to leave the road there, to oil it."""
    section = int(value)
    ahead = section - seen.view["cars"][seen.me] if seen.me is not None else 0
    ways: list[Wanted] = [{"steps": ahead, "detour": None}, {"detour": section}, {"section": section}]
    return [*ways, {"type": "nitro"}, {"type": "advance"}] if ahead == 1 else ways


def _meant(word: str) -> list[tuple[str, Any]]:
    pawns = [pawn for pawn, letter in PAWN_LETTERS.items() if word in (letter.casefold(), pawn)]
    return [("pawn", pawns[0])] if pawns else number(word, "steps")


MOVES = Moves(
    fields={
        "pawn": _pawn,
        "pawns": _pawns,
        "with": _driver,
        "via": _via,
        "steps": _steps,
        "detour": _detour,
        "section": _section,
    },
    seldom=("helmet", "reroll"),
    harmless=("quiet", "skip", "stay", "done"),
    costly=("honk", "advance", "boost", "swap", "helmet", "reroll", "nitro", "oil"),
    preferred=_how_far,
    quiet={"horn": {"type": "quiet"}},
    things={"pawn": _touched_pawn, "driver": _touched_driver, "section": _touched_section},
    meant=_meant,
)
