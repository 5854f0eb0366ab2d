"""The record of a game: its map forms, its strict reading, and the hash that runs through it."""

import copy
import hashlib
import json
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from support.server.recorded_games import TABLES, recorded

from parlour.engine.catalogue import GAMES
from parlour.engine.errors import Malformed
from parlour.engine.match import Entry, replay
from parlour.server.records.reading import read_record
from parlour.server.records.record import (
    Record,
    canonical,
    end_map,
    entry,
    header_map,
    line_after,
    line_map,
)


def maps(record: Record) -> list[Any]:
    return [header_map(record.header), [line_map(line) for line in record.lines], end_map(record.end)]


@pytest.mark.parametrize("table", TABLES)
def test_a_record_is_the_same_after_it_was_written_as_maps_and_read(table: tuple[str, int]) -> None:
    record = recorded(*table)
    assert read_record(*json.loads(json.dumps(maps(record)))) == record


@pytest.mark.parametrize("table", TABLES)
def test_the_lines_of_a_record_are_a_journal_that_the_rules_lead_along(table: tuple[str, int]) -> None:
    record = recorded(*table)
    game = GAMES[record.header.game]
    options = game.read_options(record.header.options, record.header.seats)
    match = replay(game, record.header.seats, options, [entry(game, line) for line in record.lines])
    assert match.outcome is not None
    assert (match.outcome.winners, match.outcome.places) == (record.end.winners, record.end.places)


def test_each_hash_follows_from_the_one_before_and_the_canonical_form() -> None:
    header, lines, end = maps(recorded("hurry-cup", 3))
    before = b""
    for part, name in [(header, "hash"), *[(line, "hash") for line in lines], (end, "head")]:
        told = part.pop(name)
        text = json.dumps(part, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = hashlib.blake2b(before + text.encode("utf-8"), digest_size=32).digest()
        assert told == before.hex()


def test_the_canonical_form_is_that_of_rfc_8785() -> None:
    told = {"peach": None, "apple": [1, True, 'Zoë\n\u001f"\\/'], "Apple": {"b": -1, "a": {}}}
    form = '{"Apple":{"a":{},"b":-1},"apple":[1,true,"Zoë\\n\\u001f\\"\\\\/"],"peach":null}'
    assert canonical(told) == form.encode()


def test_times_never_go_back_and_are_whole_milliseconds() -> None:
    record = recorded("balloon-cup", 2)
    deal: Entry[Any] = entry(GAMES["balloon-cup"], record.lines[0])
    first = line_after(record.header, deal, 12.3456, 0.1239)
    assert (first.at, first.reaction) == (12346, 124)
    assert line_after(first, attrs.evolve(deal, number=1), 3.0).at == 12346
    assert line_after(record.header, deal, -5.0, -0.1).at == 0
    assert line_after(record.header, deal, -5.0, -0.1).reaction == 0


def at(where: str, value: Any) -> Callable[[list[Any]], None]:
    """Puts a value where a path from `0` (header), `1` (lines) or `2` (end) leads."""

    def change(parts: list[Any]) -> None:
        *way, last = [int(step) if step.isdigit() else step for step in where.split(".")]
        there: Any = parts
        for step in way:
            there = there[step]
        if value is ...:
            del there[last]
        else:
            there[last] = value

    return change


BAD: list[tuple[str, Any, str, str]] = [
    ("0", 5, "header", "must be a map"),
    ("0.format", 2, "header.format", "must be 1"),
    ("0.format", True, "header.format", "must be a whole number"),
    ("0.format", ..., "header.format", "is missing"),
    ("0.hash", ..., "header.hash", "is missing"),
    ("0.hash", "0" * 63 + "G", "header.hash", "must be 64"),
    ("0.more", 1, "header.more", "is not a field"),
    ("0.game", 7, "header.game", "must be text"),
    ("0.game", "", "header.game", "letters"),
    ("0.seats", 0, "header.seats", "from 1 to 16"),
    ("0.seats", "2", "header.seats", "must be a whole number"),
    ("0.options", [], "header.options", "must be a map"),
    ("0.options", {"edition": "\ud800"}, "header.options", "UTF-8"),
    ("0.names", ["Anna"], "header.names", "must have 2"),
    ("0.names.1", "Ben\x1b[2J", "header.names.1", "cannot be seen"),
    ("0.names.1", "B" * 81, "header.names.1", "1 to 80"),
    ("0.bots.0", 0, "header.bots.0", "must be true or false"),
    ("0.nonces.0", "a b", "header.nonces.0", "! to ~"),
    ("0.nonces.0", 5, "header.nonces.0", "must be"),
    ("0.commitment", "F" * 64, "header.commitment", "must be 64"),
    ("0.protocol", 0, "header.protocol", "1 or more"),
    ("0.started", -1, "header.started", "0 or more"),
    ("0.started", 1.5, "header.started", "must be a whole number"),
    ("0.number", 0, "header.number", "1 or more"),
    ("1", {}, "journal", "must be a list"),
    ("1", "lines", "journal", "must be a list"),
    ("1", [], "journal", "at least the deal"),
    ("1.3", None, "journal.3", "must be a map"),
    ("1.3.number", "3", "journal.3.number", "must be a whole number"),
    ("1.3.number", -1, "journal.3.number", "0 or more"),
    ("1.3.number", 2**60, "journal.3.number", "huge"),
    ("1.3.cause", "cheat", "journal.3.cause", "must be one of"),
    ("1.3.seat", -1, "journal.3.seat", "must be a seat"),
    ("1.3.seat", 16, "journal.3.seat", "from 0 to 15"),
    ("1.3.action", "play", "journal.3.action", "must be a map or null"),
    ("1.3.action", {"\udfff": 1}, "journal.3.action", "UTF-8"),
    ("1.3.at", -1, "journal.3.at", "0 or more"),
    ("1.3.at", None, "journal.3.at", "must be a whole number"),
    ("1.3.reaction", -1, "journal.3.reaction", "0 or more"),
    ("1.3.hash", "", "journal.3.hash", "must be 64"),
    ("1.3.luck", {}, "journal.3.luck", "must be a list"),
    ("1.3.luck", [["deck", "roll"]], "journal.3.luck.0", "3 entries"),
    ("1.3.luck", [["deck", "guess", 1]], "journal.3.luck.0", "must be one of"),
    ("1.3.luck", [["deck", "roll", "six"]], "journal.3.luck.0", "a number, not"),
    ("1.3.luck", [["deck", "draw", None]], "journal.3.luck.0", "a number or a word"),
    ("1.3.luck", [["deck", "shuffle", 3]], "journal.3.luck.0", "order of a shuffle"),
    ("1.3.luck", [["deck", "shuffle", ["a"]]], "journal.3.luck.0", "order of a shuffle"),
    ("1.3.luck", [["\n", "roll", 3]], "journal.3.luck.0", "cannot be seen"),
    ("2", None, "end", "must be a map"),
    ("2.winners", [-1], "end.winners.0", "must be a seat"),
    ("2.places", [], "end.places", "one entry for each seat"),
    ("2.reason", "", "end.reason", "letters"),
    ("2.secret", "00", "end.secret", "must be 64"),
    ("2.ended", -1, "end.ended", "0 or more"),
    ("2.head", None, "end.head", "must be text"),
]


@pytest.mark.parametrize(("where", "value", "path", "problem"), BAD)
def test_what_is_no_record_is_refused_with_the_path_to_it(
    where: str, value: Any, path: str, problem: str
) -> None:
    parts = copy.deepcopy(maps(recorded("balloon-cup", 2)))
    at(where, value)(parts)
    with pytest.raises(Malformed) as refused:
        read_record(*parts)
    assert refused.value.where == path
    assert problem in refused.value.problem
