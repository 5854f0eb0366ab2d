"""The actions of Butterflies: how they are put into words, ranked, typed and touched."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from parlour.client.boards.butterflies.grid import cell, longest, short, style_of
from parlour.client.boards.butterflies.news import called, named
from parlour.client.boards.moves import MoveContext, Moves, Plain, Wanted
from parlour.client.boards.text import Line, joined, plain
from parlour.client.legal import Action, Pattern
from parlour.engine.butterflies.near_rows import may_be_met, rows_there
from parlour.engine.butterflies.public import CARDS, ROW

_CELL = re.compile(r"(-?\d{1,3})[, ]+(-?\d{1,3})")


# Words


def _card(value: Any, _fields: Plain, context: MoveContext) -> Line:
    return [(style_of(value), called(value, context.texts) if context.spoken else short(value))]


def _cell(value: Any, fields: Plain, context: MoveContext) -> Line:
    """A cell with the card that lies there, if one does: `Pb -2,-6`."""
    at = f"{value[0]},{value[1]}"
    if context.spoken and not context.typed:
        return [("class:open", _with_cards(value, at, context))]
    lying = [each["card"] for each in context.view["grid"] if cell(each["at"]) == cell(value)]
    return joined([*[_card(card, fields, context) for card in lying], [("class:open", at)]])


def _target(value: Any, fields: Plain, context: MoveContext) -> Line:
    """The cell that a card is moved to; in a list of nothing but cells on the screen, the cell alone."""
    line = _cell(value, fields, context)
    if "from" in fields or context.spoken or context.typed:
        return [("class:open", context.texts("moves.to", cell=plain(line)))]
    return line


def _with_cards(value: Sequence[int], at: str, context: MoveContext) -> str:
    """A cell with the card that lies there, or the cards beside it, for those who do not see the grid."""
    texts, x, y = context.texts, *cell(value)
    cards = {tuple(each["at"]): called(each["card"], texts) for each in context.view["grid"]}
    if (x, y) in cards:
        return texts("line.cell", card=cards[x, y], at=at)
    beside = [cards[near] for near in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)) if near in cards]
    return texts("line.beside", at=at, cards=texts.listed(beside)) if beside else at


def _declare(value: Any, fields: Plain, context: MoveContext) -> Line:
    if value is None:
        return [("", context.texts("moves.declare_nothing"))]
    goal = plain(_goal(value["goal"], {**fields, "seat": value["seat"]}, context))
    # A goal that one knows is asked about only where its row is there; of another nobody can tell.
    known = _word_of(value, context.view) is not None and not context.typed
    return [("class:name", context.texts("moves.declare_row" if known else "moves.declare", goal=goal))]


def _goal(value: Any, fields: Plain, context: MoveContext) -> Line:
    owner = fields.get("seat", context.me) or 0
    word = context.view["goals"][owner][value]
    told = context.texts(f"butterflies.word.{word}") if word else context.texts(f"moves.goals.{value}")
    if owner != context.me:
        told = context.texts("moves.goal_of", goal=told, name=context.names[owner])
    return [("class:name", told)]


def _owner(value: Any, fields: Plain, context: MoveContext) -> Line:
    """Whose goal it is stands beside the goal already."""
    return [] if "goal" in fields else [("class:name", context.names[value])]


# What a move does to the grid


def _after(action: Plain, view: Plain) -> list[Plain] | None:
    """The cards once one is laid or moved; None while its cell is open, or if none is."""
    grid = {cell(each["at"]): each for each in view["grid"]}
    match action:
        case {"type": "play", "card": str(card), "at": [int(), int()] as at}:
            grid[cell(at)] = {"at": at, "card": card}
        case {"type": "place", "at": [int(), int()] as at}:
            grid[cell(at)] = {"at": at, "card": view["turned"]}
        case {"type": "move", "from": [int(), int()] as origin, "to": [int(), int()] as to}:
            grid[cell(to)] = {**grid.pop(cell(origin)), "at": to}
        case _:
            return None
    return [*grid.values()]


def _rows(grid: Iterable[Plain]) -> frozenset[str]:
    """The colours and species of which a row is there; webbed cards are in none."""
    return rows_there([(each["card"], cell(each["at"])) for each in grid if each.get("token") != "web"])


# Hints


def _reason(action: Action, context: MoveContext) -> str:
    """The goal of one's own whose row grows by it."""
    after, texts = _after(action, context.view), context.texts
    if after is None or context.me is None:
        return ""
    words = [word for word in context.view["goals"][context.me].values() if word is not None]
    rows = {word: len(longest(after, word)) for word in words}
    grown = [word for word in words if rows[word] > len(longest(context.view["grid"], word))]
    if not grown:
        return ""
    best = max(grown, key=lambda word: rows[word])
    return texts("butterflies.why.row", goal=named(best, texts), count=min(rows[best], ROW), row=ROW)


# What is asked, and what is not


def _warning(action: Action, legal: Sequence[Pattern], context: MoveContext) -> str:
    """Asks before a goal is declared, and before a row that is there is passed over."""
    there = _rows(_after(action, context.view) or context.view["grid"])
    declared = action if action["type"] == "declare" else action.get("declare")
    if declared is not None:
        word = _word_of(declared, context.view)
        key = "unseen" if word is None else "row" if word in there else "missed"
    else:
        passed = [each for each in _declarable(action, legal) if _word_of(each, context.view) in there]
        if not passed:
            return ""
        declared, key = passed[0], "nothing"
    goal = plain(_goal(declared["goal"], {"seat": declared["seat"]}, context))
    return context.texts(f"play.sure_declare_{key}", goal=goal)


def _word_of(declared: Plain, view: Plain) -> str | None:
    """The colour or species of a goal; None if it is face down for this player."""
    word: str | None = view["goals"][declared["seat"]][declared["goal"]]
    return word


def _declarable(action: Action, legal: Sequence[Pattern]) -> list[Plain]:
    """The goals that may be declared together with an action."""
    alike = [each for each in legal if each["type"] == action["type"] and _may_be_left_out(each)]
    return [goal for each in alike for goal in each["declare"]["one_of"] if goal is not None]


def _unasked(view: Plain, legal: Sequence[Pattern]) -> tuple[Pattern, ...]:
    """Without a question about goals whose rows are not there: nobody gains by declaring one."""
    cards = [(each["card"], cell(each["at"])) for each in view["grid"]]
    may_be = may_be_met(cards, [word for goals in view["goals"] for word in goals.values()])
    asked = [
        {**pattern, "declare": _open(_may_meet(pattern, view) if may_be else [])}
        if _may_be_left_out(pattern)
        else pattern
        for pattern in legal
    ]
    others = [pattern for pattern in asked if pattern["type"] != "declare"]
    met = [goal for pattern in asked if pattern["type"] == "declare" for goal in _met(pattern, view)]
    return (*others, *met) if others else tuple(asked)


def _met(pattern: Pattern, view: Plain) -> list[Pattern]:
    """A declaration, for the goals whose rows are there by now."""
    goals = pattern["goal"]["one_of"] if isinstance(pattern["goal"], Mapping) else [pattern["goal"]]
    words, there = view["goals"][pattern["seat"]], _rows(view["grid"])
    met = [goal for goal in goals if _is_there(words[goal], there)]
    return [{**pattern, "goal": {"one_of": met}}] if met else []


def _open(goals: Sequence[Plain]) -> Plain | None:
    """A field that is left to choose: a goal or none; None where there is nothing to choose."""
    return {"one_of": [None, *goals]} if goals else None


def _may_meet(pattern: Pattern, view: Plain) -> list[Plain]:
    """The goals that may be declared whose row is there once this is done; all while a cell is open."""
    goals = [each for each in pattern["declare"]["one_of"] if each is not None]
    after = _after(pattern, view)
    if after is None:
        return goals
    there = _rows(after)
    return [each for each in goals if _is_there(_word_of(each, view), there)]


def _is_there(word: str | None, there: frozenset[str]) -> bool:
    """Whether the row of a goal is among these; a goal that is face down may be any."""
    return word in there if word is not None else bool(there)


def _may_be_left_out(pattern: Pattern) -> bool:
    field = pattern.get("declare")
    return isinstance(field, Mapping) and None in field.get("one_of", ())


# Touches and typed words


def _touched_card(value: str, _context: MoveContext) -> list[Wanted]:
    return [{"card": value}]


def _touched_cell(value: str, _context: MoveContext) -> list[Wanted]:
    x, y = map(int, value.split(","))
    return [{"at": [x, y]}, {"from": [x, y]}, {"to": [x, y]}]


def _meant(word: str) -> list[tuple[str, Any]]:
    if cell := _CELL.fullmatch(word):
        return [(name, [int(cell[1]), int(cell[2])]) for name in ("at", "to", "from")]
    return [("card", card) for card in CARDS if word in (short(card).casefold(), card)]


MOVES = Moves(
    fields={
        "card": _card,
        "at": _cell,
        "from": _cell,
        "to": _target,
        "declare": _declare,
        "goal": _goal,
        "seat": _owner,
    },
    seldom=("turn", "net", "web", "declare"),
    costly=("net", "web", "declare"),
    places=("at", "from", "to"),
    warning=_warning,
    unasked=_unasked,
    reason=_reason,
    things={"card": _touched_card, "cell": _touched_cell},
    meant=_meant,
)
