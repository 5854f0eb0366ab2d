"""The actions of Hurry' Cup: how they are put into words, ranked, typed and touched."""

from typing import Any

from parlour.client.boards.hurry_cup.news import where
from parlour.client.boards.hurry_cup.panel import PAWN_LETTERS, place
from parlour.client.boards.moves import MoveContext, Moves, Plain, Wanted, number, word_of
from parlour.client.boards.text import Line, joined
from parlour.client.legal import Action
from parlour.engine.hurry_cup.public import FINISH

# Words


def _pawn(value: Any, _fields: Plain, context: MoveContext) -> Line:
    die = context.view.get("dice", {}).get(value)
    word = context.texts(f"hurry.colour.{value}")
    told = f"{word}{f' {die}' if die else ''}"
    return (
        [("", told)] if context.spoken else [(f"class:pawn.{value}", PAWN_LETTERS[value]), ("", f" {told}")]
    )


def _pawns(value: Any, fields: Plain, context: MoveContext) -> Line:
    return joined([_pawn(pawn, fields, context) for pawn in value])


def _driver(value: Any, _fields: Plain, context: MoveContext) -> Line:
    return [("class:name", context.names[value])]


def _via(value: Any, fields: Plain, context: MoveContext) -> Line:
    """Nothing beside an action that is named after its trump already."""
    if value == "assist":
        return [("", context.texts("moves.assisted"))]
    return [] if "type" in fields else word_of(f"hurry.token.{value}", value, context.texts)


def _steps(value: Any, fields: Plain, context: MoveContext) -> Line:
    told = context.texts("moves.steps", count=value)
    if context.spoken and context.me is not None and value and fields.get("detour") is None:
        told = _with_end(told, context.view["cars"][context.me] + value, context)
    return [("class:name", told)]


def _with_end(told: str, section: int, context: MoveContext) -> str:
    """A drive with the section where it ends, and whether a star is there."""
    key = "line.drive_to_star" if str(section) in context.view["hidden"] else "line.drive_to"
    return context.texts(key, drive=told, where=where("to", min(section, FINISH), context.texts))


def _detour(value: Any, _fields: Plain, context: MoveContext) -> Line:
    if value is None:
        return [("", context.texts("moves.no_detour"))]
    return [("", context.texts("moves.detour", section=value))]


def _section(value: Any, _fields: Plain, context: MoveContext) -> Line:
    return [("", context.texts("moves.section", section=value))]


# Hints


def _reason(action: Action, context: MoveContext) -> str:
    """Where a drive leads, or how fast a pawn is."""
    view, texts, me = context.view, context.texts, context.me
    if action["type"] == "move" and me is not None and action["steps"]:
        there = view["cars"][me] + action["steps"]
        cars = [there if seat == me else section for seat, section in enumerate(view["cars"])]
        to = where("to", min(there, FINISH), texts)
        return texts("hurry.why.drive", to=to, place=place({**view, "cars": cars}, me), count=len(cars))
    fuel = view["dice"].get(action.get("pawn"))
    if fuel:
        return texts("hurry.why.pawn", fuel=fuel, speed=10 * (fuel + (view["accelerator"] or 0)))
    return ""


# Order


def _how_far(fields: Plain) -> tuple[int, bool] | None:
    """A drive goes far; of two ways that are as long, the road is the usual one."""
    steps = fields.get("steps")
    return (steps, fields.get("detour") is None) if isinstance(steps, int) else None


# Touches and typed words


def _touched_pawn(value: str, _context: MoveContext) -> list[Wanted]:
    return [{"pawn": value}, {"pawns": value}]


def _touched_driver(value: str, _context: MoveContext) -> list[Wanted]:
    return [{"with": int(value)}]


def _touched_section(value: str, context: MoveContext) -> list[Wanted]:
    """To drive there, to leave the road there, to oil it."""
    section = int(value)
    ahead = section - context.view["cars"][context.me] if context.me is not None else 0
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
    reason=_reason,
)
