"""The actions of Hurry' Cup: how they are put into words, ranked, typed and touched."""

from typing import Any

from parlour.client.boards.hurry_cup.news import where
from parlour.client.boards.hurry_cup.panel import PAWN_LETTERS, place
from parlour.client.boards.hurry_cup.stops import drive_end
from parlour.client.boards.moves import MoveContext, Moves, Plain, Wanted, number, word_of
from parlour.client.boards.text import Line, joined
from parlour.client.legal import Action

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


def _kind(value: Any, fields: Plain, context: MoveContext) -> Line:
    """The word for a kind of action; whoever stays where he is does not drive."""
    if value == "move" and fields.get("steps") == 0:
        return []
    return word_of(f"moves.{context.game}.{value}", value, context.texts)


def _steps(value: Any, fields: Plain, context: MoveContext) -> Line:
    me, view, texts = context.me, context.view, context.texts
    if value == 0:
        has_one = me is not None and view["second_chance"][me]
        return [("class:name", texts("moves.stay_here" if has_one else "moves.stay_for_chance"))]
    told = texts("moves.steps", count=value)
    if fields.get("detour") is not None:
        told = texts("moves.with_detour", drive=told, section=fields["detour"])
    return [("class:name", _with_end(told, value, fields, context))]


def _with_end(told: str, steps: int, fields: Plain, context: MoveContext) -> str:
    """A drive with the section where it ends, and whether a star is there, once its way is known.

    On a screen the board marks it; but whoever has a detour has two ways, which end in different places.
    """
    me, view = context.me, context.view
    if me is None or context.typed or "detour" not in fields:
        return told
    marked = not context.spoken and "detour" not in view["bonuses"][me]
    end = drive_end(view, me, steps, fields["detour"]) if not marked else None
    if end is None:
        return told
    key = "line.drive_to_star" if str(end) in view["hidden"] else "line.drive_to"
    return context.texts(key, drive=told, where=where("to", end, context.texts))


def _detour(value: Any, fields: Plain, context: MoveContext) -> Line:
    """Told with the length of the drive, if that is known."""
    if "steps" in fields:
        return []
    key = "moves.no_detour" if value is None else "moves.detour"
    return [("", context.texts(key, section=value))]


def _section(value: Any, _fields: Plain, context: MoveContext) -> Line:
    return [("", context.texts("moves.section", section=value))]


# Hints


def _reason(action: Action, context: MoveContext) -> str:
    """Where a drive leads, or how fast a pawn is."""
    view, texts, me = context.view, context.texts, context.me
    drives = action["type"] == "move" and me is not None and action["steps"]
    there = drive_end(view, me, action["steps"], action["detour"]) if drives and me is not None else None
    if me is not None and there is not None:
        cars = [there if seat == me else section for seat, section in enumerate(view["cars"])]
        to = where("to", there, texts)
        return texts("hurry.why.drive", to=to, place=place({**view, "cars": cars}, me), count=len(cars))
    fuel = view["dice"].get(action.get("pawn"))
    if fuel:
        return texts("hurry.why.pawn", fuel=fuel, accelerator=view["accelerator"])
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
    ways: list[Wanted] = [{"steps": ahead, "detour": None}, *_detours_to(section, context)]
    ways += [{"detour": section}, {"section": section}]
    return [*ways, {"type": "nitro"}, {"type": "advance"}] if ahead == 1 else ways


def _detours_to(section: int, context: MoveContext) -> list[Wanted]:
    """The drives with a detour that end there."""
    me, view = context.me, context.view
    if me is None:
        return []
    drives = [(steps, view["cars"][me] + before) for steps in range(1, 7) for before in range(steps)]
    return [
        {"steps": steps, "detour": leaves}
        for steps, leaves in drives
        if drive_end(view, me, steps, leaves) == section
    ]


def _meant(word: str) -> list[tuple[str, Any]]:
    pawns = [pawn for pawn, letter in PAWN_LETTERS.items() if word in (letter.casefold(), pawn)]
    return [("pawn", pawns[0])] if pawns else number(word, "steps")


MOVES = Moves(
    fields={
        "type": _kind,
        "pawn": _pawn,
        "pawns": _pawns,
        "with": _driver,
        "via": _via,
        "steps": _steps,
        "detour": _detour,
        "section": _section,
    },
    whole={"move": ("steps", "detour")},
    seldom=("helmet", "reroll"),
    harmless=("quiet", "skip", "stay", "done"),
    costly=("honk", "advance", "boost", "swap", "helmet", "reroll", "nitro", "oil"),
    preferred=_how_far,
    quiet={"horn": {"type": "quiet"}},
    things={"pawn": _touched_pawn, "driver": _touched_driver, "section": _touched_section},
    meant=_meant,
    reason=_reason,
)
