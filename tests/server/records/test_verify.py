"""Verdicts: a game as it was played is sound, and whatever was changed in its record is found."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from laws.playing import Dice
from support.server.recorded_games import TABLES, recorded

from parlour.engine.catalogue import GAMES
from parlour.server.records.record import Header, JournalLine, Record, end_hash, entry, header_hash, line_hash
from parlour.server.records.replay import Fault, replay
from parlour.server.records.verify import verify

PLACES_EACH = 5
"""How many entries of each game are tampered with, in every way there is."""
Lines = tuple[JournalLine, ...]
Tamper = Callable[[Lines, int], Lines]
CHANGED_HASH = "5" * 64


def with_line(lines: Lines, place: int, **what: Any) -> Lines:
    line = lines[place]
    fields = {field.name: getattr(line, field.name) for field in attrs.fields(JournalLine)}
    return (*lines[:place], JournalLine(**{**fields, **what}), *lines[place + 1 :])


def other_action(lines: Lines, place: int) -> Lines:
    action = lines[place].action
    donor = next(line.action for line in lines[::-1] if line.action is not None and line.action != action)
    return with_line(lines, place, action=donor)


def other_luck(lines: Lines, place: int) -> Lines:
    luck = lines[place].luck
    if not luck:
        return with_line(lines, place, luck=(("dice", "roll", 1),))
    stream, how, outcome = luck[-1]
    told: Any = outcome[::-1] if isinstance(outcome, tuple) else outcome + 1 if outcome == 1 else 1
    return with_line(lines, place, luck=(*luck[:-1], (stream, how, told)))


def other_seat(lines: Lines, place: int) -> Lines:
    return with_line(lines, place, seat=1 if lines[place].seat == 0 else 0)


RULED: dict[str, Tamper] = {
    "luck": other_luck,
    "number": lambda lines, place: with_line(lines, place, number=place + 1),
    "luck left out": lambda lines, place: (
        with_line(lines, place, luck=lines[place].luck[1:]) if lines[place].luck else other_luck(lines, place)
    ),
    "cause": lambda lines, place: with_line(
        lines, place, cause="act" if lines[place].cause != "act" else "setup"
    ),
    "no action or one too many": lambda lines, place: (
        with_line(lines, place, action=None)
        if lines[place].action is not None
        else other_action(lines, place)
    ),
    "words that the game has not": lambda lines, place: with_line(lines, place, action={"type": "cheat"}),
    "a seat that is not there": lambda lines, place: with_line(lines, place, seat=15),
    "removed": lambda lines, place: (*lines[:place], *lines[place + 1 :]),
    "swapped with the next": lambda lines, place: (
        *lines[:place],
        lines[place + 1],
        lines[place],
        *lines[place + 2 :],
    ),
    "earlier than the one before": lambda lines, place: with_line(lines, place, at=lines[place - 1].at - 1),
}
"""Changes that rules, luck or order contradict, whatever the hashes say."""
TOLD: dict[str, Tamper] = {
    "time": lambda lines, place: with_line(lines, place, at=lines[place].at + 1),
    "reaction": lambda lines, place: with_line(lines, place, reaction=(lines[place].reaction or 0) + 1),
    "hash": lambda lines, place: with_line(lines, place, hash=CHANGED_HASH),
    "action": other_action,
    "seat": other_seat,
}
"""Changes that only the hash contradicts for certain."""


def places(record: Record) -> list[int]:
    """Some places of a journal, the deal not among them; the last has another after it."""
    dice = Dice(("places", record.header.game, record.header.seats))
    return sorted({1 + dice.below(len(record.lines) - 2) for _ in range(PLACES_EACH)})


def reforged(record: Record) -> Record:
    """The record with all its hashes made to fit again, as a careful forger would."""
    header = attrs.evolve(record.header, hash=header_hash(record.header))
    before, lines = header.hash, record.lines
    for place, line in enumerate(lines):
        before = line_hash(before, line)
        lines = with_line(lines, place, hash=before)
    return Record(header, lines, attrs.evolve(record.end, head=end_hash(before, record.end)))


def first(faults: tuple[Fault, ...]) -> tuple[str, int | None]:
    return faults[0].part, faults[0].entry


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("table", TABLES)
def test_a_game_as_it_was_played_is_sound(table: tuple[str, int], number: int) -> None:
    record = recorded(*table, number)
    verdict = verify(record)
    assert (verdict.faults, verdict.sound, verdict.authenticated) == ((), True, False)
    assert verdict.head == record.end.head
    assert verify(record, record.end.head).authenticated


@pytest.mark.parametrize("what", [*RULED, *TOLD])
@pytest.mark.parametrize("table", TABLES)
def test_the_head_finds_any_change_and_the_entry_is_named(table: tuple[str, int], what: str) -> None:
    record = recorded(*table)
    for place in places(record):
        lines = {**RULED, **TOLD}[what](record.lines, place)
        verdict = verify(attrs.evolve(record, lines=lines), record.end.head)
        assert first(verdict.faults) == ("journal", place)
        assert not verdict.authenticated


@pytest.mark.parametrize("table", TABLES)
def test_an_entry_that_stands_twice_is_named(table: tuple[str, int]) -> None:
    record = recorded(*table)
    for place in places(record):
        lines = (*record.lines[: place + 1], *record.lines[place:])
        for told in (attrs.evolve(record, lines=lines), reforged(attrs.evolve(record, lines=lines))):
            assert first(verify(told).faults) == ("journal", place + 1)


@pytest.mark.parametrize("what", RULED)
@pytest.mark.parametrize("table", TABLES)
def test_what_the_rules_contradict_is_found_even_if_all_hashes_were_made_to_fit(
    table: tuple[str, int], what: str
) -> None:
    record = recorded(*table)
    for place in places(record):
        verdict = verify(reforged(attrs.evolve(record, lines=RULED[what](record.lines, place))))
        assert first(verdict.faults) == ("journal", place)
        assert [fault.code for fault in verdict.faults if fault.code == "hash"] == []


@pytest.mark.parametrize("what", TOLD)
@pytest.mark.parametrize("table", TABLES)
def test_a_forger_who_makes_all_hashes_fit_ends_in_another_head(table: tuple[str, int], what: str) -> None:
    record = recorded(*table)
    for place in places(record):
        forged = reforged(attrs.evolve(record, lines=TOLD[what](record.lines, place)))
        if what == "hash":
            assert forged == record
            continue
        verdict = verify(forged, record.end.head)
        assert verdict.faults[-1] == Fault(
            "end", None, "head", {"right": record.end.head, "told": forged.end.head}
        )


@pytest.mark.parametrize("table", TABLES)
def test_a_journal_without_its_last_entry_or_with_one_more_is_not_sound(table: tuple[str, int]) -> None:
    record = recorded(*table)
    last = len(record.lines) - 1
    short = verify(reforged(attrs.evolve(record, lines=record.lines[:-1])))
    assert first(short.faults) in [("end", None), ("journal", last)]
    more = with_line((*record.lines, record.lines[-1]), last + 1, number=last + 1)
    assert first(verify(reforged(attrs.evolve(record, lines=more))).faults) == ("journal", last + 1)


HEADERS: dict[str, Any] = {
    "format": 2,
    "game": "chess",
    "seats": 5,
    "options": {"edition": "lost"},
    "names": ("Anna", "Eve"),
    "bots": (True, True),
    "commitment": "0" * 64,
    "nonces": (None, None),
    "build": "parlour 9",
    "protocol": 2,
    "started": 1,
    "table": "ELSEWHERE",
    "number": 2,
    "hash": CHANGED_HASH,
}
IN_THE_HEADER = {"game", "seats", "options", "commitment"}
IN_THE_DEAL = {"nonces"}


def test_every_field_of_the_header_is_tried() -> None:
    assert set(HEADERS) == {field.name for field in attrs.fields(Header)}


@pytest.mark.parametrize("field", HEADERS)
def test_a_change_of_the_header_is_named(field: str) -> None:
    record = recorded("balloon-cup", 2)
    changed = attrs.evolve(record, header=attrs.evolve(record.header, **{field: HEADERS[field]}))
    verdict = verify(changed, record.end.head)
    assert first(verdict.faults) == ("header", None)
    assert "hash" in [fault.code for fault in verdict.faults]


@pytest.mark.parametrize("field", sorted(set(HEADERS) - {"hash"}))
def test_a_header_made_to_fit_is_contradicted_by_the_rules_or_at_least_by_the_head(field: str) -> None:
    record = recorded("balloon-cup", 2)
    header = attrs.evolve(record.header, **{field: HEADERS[field]})
    forged = reforged(attrs.evolve(record, header=header))
    alone = verify(forged)
    if field in IN_THE_HEADER:
        assert [(fault.part, fault.code) for fault in alone.faults] == [("header", field)]
    elif field in IN_THE_DEAL:
        assert [(fault.part, fault.entry, fault.facts["field"]) for fault in alone.faults] == [
            ("journal", 0, "luck")
        ]
    else:
        assert alone.sound
        assert not alone.authenticated
    assert verify(forged, record.end.head).faults[-1].code == "head"


@pytest.mark.parametrize(
    ("field", "value"),
    [("winners", ()), ("places", (1, 1)), ("reason", "luck"), ("ended", 5), ("head", CHANGED_HASH)],
)
def test_a_change_of_the_end_is_named(field: str, value: Any) -> None:
    record = recorded("balloon-cup", 2)
    changed = attrs.evolve(record, end=attrs.evolve(record.end, **{field: value}))
    verdict = verify(changed, record.end.head)
    assert first(verdict.faults) == ("end", None)
    alone = [fault.facts["field"] for fault in verify(reforged(changed)).faults]
    assert alone == ([field] if field in ("winners", "places", "reason") else [])


def test_a_secret_that_was_not_committed_to_gives_another_game() -> None:
    record = recorded("hurry-cup", 3)
    forged = reforged(attrs.evolve(record, end=attrs.evolve(record.end, secret="1" * 64)))
    assert [(fault.part, fault.entry, fault.code) for fault in verify(forged).faults] == [
        ("header", None, "commitment"),
        ("journal", 0, "differs"),
    ]


@pytest.mark.parametrize("table", TABLES)
def test_a_game_is_retold_with_a_state_after_every_entry(table: tuple[str, int]) -> None:
    record = recorded(*table)
    game = GAMES[record.header.game]
    assert [beat.entry for beat in replay(record)] == [entry(game, line) for line in record.lines]
