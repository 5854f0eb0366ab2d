"""What can be chosen, as short styled words, in its order, and what may be pointed at by itself."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.moves import MoveContext, Moves, as_sent, word_of
from parlour.client.boards.text import Line, joined, plain
from parlour.client.terminal.game.selection import Choice, Selection

Plain = Mapping[str, Any]


def choice_line(choice: Choice, context: MoveContext) -> Line:
    """A choice as a line in the list of choices."""
    if choice.ends:
        return [("class:name", context.texts("moves.enough", count=len(_first(choice.fields))))]
    fields = told_fields(choice, board_of(context.game).moves)
    pieces = [_piece(name, value, fields, context) for name, value in fields.items()]
    line = joined([piece for piece in pieces if piece])
    return [("class:name", "✓"), *line] if choice.picked else line


def choice_words(choice: Choice, context: MoveContext) -> str:
    """A choice in whole words, without the letters for its key."""
    return plain(choice_line(choice, attrs.evolve(context, spoken=True)))


def ways(choice: Choice, context: MoveContext) -> list[str]:
    """What somebody may type for it: the words shown, the letters, and the words of the wire."""
    raw = [value for value in choice.fields.values() if value is not None]
    shown = [context, attrs.evolve(context, spoken=False)] if context.spoken else [context]
    return [*(plain(choice_line(choice, each)) for each in shown), " ".join(as_sent(value) for value in raw)]


def typed_ways(choice: Choice, context: MoveContext) -> list[str]:
    """All that somebody may type for it: letters, names or the words of the wire, with its kind or not."""
    forms = [attrs.evolve(context, spoken=spoken, typed=True) for spoken in (False, True)]
    kindless = {name: value for name, value in choice.fields.items() if name != "type"}
    parts = [choice, attrs.evolve(choice, fields=kindless)] if kindless else [choice]
    told = [plain(choice_line(each, form)) for each in parts for form in forms]
    return list(dict.fromkeys([*told, ways(choice, context)[-1]]))


def ranked(choices: Sequence[Choice], context: MoveContext) -> list[Choice]:
    """As the game orders them, what is seldom meant at the end, all else as it came."""
    moves = board_of(context.game).moves

    def rank(choice: Choice) -> tuple[int, Any]:
        kind = choice.fields.get("type")
        place = moves.seldom.index(kind) + 1 if kind in moves.seldom else 0
        return place, moves.order(choice.fields, context)

    return sorted(choices, key=rank)


def harmless(choices: Sequence[Choice], moves: Moves) -> int | None:
    """Which one may be pointed at before anybody has: nothing is lost by it, and the game prefers it."""
    kinds = [{pattern["type"] for pattern in choice.legal} for choice in choices]
    idle = [number for number, each in enumerate(kinds) if each <= {*moves.harmless}]
    free = [number for number, each in enumerate(kinds) if not each & {*moves.costly}]
    liked = {number: moves.preferred(choices[number].fields) for number in free}
    best = [number for number in free if liked[number] is not None]
    if best:
        return max(best, key=lambda number: liked[number])
    return next(iter([*idle, *free]), None)


def told_fields(choice: Choice, moves: Moves) -> Plain:
    """The fields that tell a choice from others; of a whole action, also those that say what it does."""
    action = Selection(choice.legal).action if len(choice.legal) == 1 else None
    more = moves.whole.get(action["type"], ()) if action is not None else ()
    return {**choice.fields, **{name: action[name] for name in more}} if action is not None else choice.fields


def _first(fields: Plain) -> Sequence[Any]:
    values: Sequence[Any] = next(iter(fields.values()), ())
    return values


def _piece(name: str, value: Any, fields: Plain, context: MoveContext) -> Line:
    write = board_of(context.game).moves.fields.get(name)
    if write is not None:
        return write(value, fields, context)
    if name == "type":
        return word_of(f"moves.{context.game}.{value}", value, context.texts)
    return [("", as_sent(value))]
