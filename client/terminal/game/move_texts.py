"""What can be chosen, as short styled words, in its order, and what may be pointed at by itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.moves import Moves, Seen, as_sent, word_of
from parlour.client.boards.text import Line, joined, plain
from parlour.client.terminal.game.choosing import Entry

Plain = Mapping[str, Any]


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
    return [plain(told(entry, seen)), " ".join(as_sent(value) for value in raw)]


def ranked(entries: Sequence[Entry], moves: Moves) -> list[Entry]:
    """As the game orders them, what is seldom meant at the end, all else as it came."""

    def rank(entry: Entry) -> tuple[int, int]:
        kind = entry.fields.get("type")
        return moves.seldom.index(kind) + 1 if kind in moves.seldom else 0, moves.order(entry.fields)

    return sorted(entries, key=rank)


def harmless(entries: Sequence[Entry], moves: Moves) -> int | None:
    """Which one may be pointed at before anybody has: nothing is lost by it, and the game prefers it."""
    kinds = [{pattern["type"] for pattern in entry.legal} for entry in entries]
    idle = [number for number, each in enumerate(kinds) if each <= {*moves.harmless}]
    free = [number for number, each in enumerate(kinds) if not each & {*moves.costly}]
    liked = {number: moves.preferred(entries[number].fields) for number in free}
    best = [number for number in free if liked[number] is not None]
    if best:
        return max(best, key=lambda number: liked[number])
    return next(iter([*idle, *free]), None)


def _first(fields: Plain) -> Sequence[Any]:
    values: Sequence[Any] = next(iter(fields.values()), ())
    return values


def _piece(name: str, value: Any, fields: Plain, seen: Seen) -> Line:
    if name == "type":
        return word_of(f"moves.{seen.game}.{value}", value, seen.texts)
    write = board_of(seen.game).moves.fields.get(name)
    return write(value, fields, seen) if write is not None else [("", as_sent(value))]
