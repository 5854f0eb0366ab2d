"""Sentences about records: every fault and every error has one, and lists and tables stay readable."""

import re
from typing import Any, get_args

import attrs
import pytest
from prompt_toolkit.utils import get_cwidth

from parlour.client.boards.records import fault_words, game_lines, result, verdict_lines
from parlour.client.boards.stats import lines, moment, table
from parlour.client.cli.archive_texts import OWN_REASONS, error_text
from parlour.client.language import LANGUAGES, Texts
from parlour.engine.maps import to_map
from parlour.server.records.replay import Code
from parlour.server.records.stats import statistics
from parlour.server.storage import errors as archive_errors

FACTS: dict[str, dict[str, Any]] = {
    "game": {"game": "chess", "known": ["balloon-cup", "butterflies"]},
    "seats": {"seats": 7, "known": [2]},
    "options": {"where": "edition", "problem": "must be one of standard, italian"},
    "commitment": {"right": "ab", "told": "cd"},
    "action": {"where": "card", "problem": "must be a card"},
    "illegal": {"why": "not_asked", "facts": {"card": "red-1"}},
    "differs": {"field": "cause", "right": "stand_in", "told": "act"},
    "missing": {"cause": "stand_in"},
    "time": {"at": 5, "before": 9},
    "unfinished": {},
    "result": {"field": "places", "right": [1, 2], "told": [2, 1]},
    "hash": {},
    "head": {"right": "ab", "told": "cd"},
}


def fault(code: str, **facts: Any) -> dict[str, Any]:
    return {"part": "journal", "entry": 17, "code": code, "facts": {**FACTS[code], **facts}}


def test_every_fault_has_words() -> None:
    assert set(FACTS) == set(get_args(Code))
    for code in FACTS:
        assert re.fullmatch(r"Entry 17: [^\n{}]{20,}", fault_words(fault(code)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_has_words_in_every_language(language: str) -> None:
    texts = Texts(language)
    for code in FACTS:
        for part in ("header", "journal", "end"):
            sentence = fault_words({**fault(code), "part": part}, texts)
            assert len(sentence) >= 10 and not re.search(r"[\n{}]", sentence)
    told = verdict_lines([fault("illegal"), fault("hash")], "ab", False, 80, texts)
    assert len(told) == 2
    assert verdict_lines([], "ab", True, 80, texts)[0] != verdict_lines([], "ab", False, 80, texts)[0]


def test_a_fault_says_where_it_is() -> None:
    assert fault_words({**fault("hash"), "part": "header", "entry": None}).startswith("The header: ")
    assert fault_words({**fault("hash"), "part": "end", "entry": None}).startswith("The end: ")


def test_a_seat_that_is_not_there_is_told_as_such() -> None:
    assert fault_words(fault("seats", seat=15)) == "Entry 17: there is no seat 15 among 7"


def luck(*outcomes: Any) -> list[dict[str, Any]]:
    return [{"stream": "dice", "how": "roll", "outcome": outcome} for outcome in outcomes]


def test_of_wrong_luck_the_first_outcome_that_differs_is_told() -> None:
    told = fault_words(fault("differs", field="luck", told=luck(1, 2, 3), right=luck(1, 5, 6)))
    assert told == (
        'Entry 17: the random outcome is ["dice", "roll", 2], '
        'but the secret and the nonces give ["dice", "roll", 5]'
    )


def test_luck_that_is_missing_or_too_much_is_counted() -> None:
    told = fault_words(fault("differs", field="luck", told=luck(1), right=luck(1, 5)))
    assert told == "Entry 17: has 1 random outcomes where the rules ask for 2"


def test_values_are_quoted_in_short_and_cannot_steer_a_terminal() -> None:
    told = fault_words(fault("differs", told="\x1b[2J" + "x" * 500))
    assert "\x1b" not in told and len(told) < 200


def test_a_verdict_has_all_faults_the_first_one_first() -> None:
    told = verdict_lines([fault("illegal"), fault("hash")], "ab", False, 80)
    assert told[0].startswith("NOT SOUND. Entry 17: the rules do not allow it: it is not your turn (card")
    assert told[1].startswith("Also: Entry 17: the hash")


ERRORS = [
    kind
    for kind in vars(archive_errors).values()
    if isinstance(kind, type) and issubclass(kind, archive_errors.ArchiveError)
]


@pytest.mark.parametrize("kind", [kind for kind in ERRORS if kind is not archive_errors.ArchiveError])
def test_every_error_of_an_archive_has_words(kind: type) -> None:
    values: dict[str, Any] = {"path": "games.db", "version": 3, "newest": 2, "pid": 42}
    values |= {"problem": "short", "part": "game", "flaw": "password"}
    facts = {field.name: values.get(field.name, field.name.upper()) for field in attrs.fields(kind)}
    told = error_text(kind.__name__, facts)
    assert re.fullmatch(r"games\.db: [^\n{}]{15,}", told)
    assert "cannot be used" not in told
    for language in LANGUAGES:
        assert re.fullmatch(r"games\.db[:：][^\n{}]{7,}", error_text(kind.__name__, facts, Texts(language)))


def test_whoever_holds_an_archive_is_named_as_far_as_known() -> None:
    facts = {"path": "games.db", "pid": 42, "host": "attic", "since": "2026-01-01T00:00:00Z"}
    assert "(process 42 on attic since 2026-01-01T00:00:00Z)" in error_text("Held", facts)
    assert "(another process)" in error_text("Held", {**facts, "pid": None, "host": None, "since": None})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "reason",
    [
        *("SQLITE_FULL", "SQLITE_READONLY_DIRECTORY", "SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_LOCKED"),
        *("SQLITE_IOERR_WRITE", "SQLITE_NOMEM", *OWN_REASONS),
    ],
)
def test_names_that_sqlite_has_for_troubles_are_not_shown(reason: str, language: str) -> None:
    for kind in ("Unreadable", "Unwritable", "NotStored"):
        told = error_text(kind, {"path": "games.db", "reason": reason, "detail": "disk I/O"}, Texts(language))
        assert "SQLITE" not in told and not told.endswith(f" {reason}")


def test_the_systems_own_words_are_kept() -> None:
    told = error_text("Unwritable", {"path": "games.db", "reason": "Permission denied"})
    assert told == "games.db: cannot be written: Permission denied"


def test_an_error_that_is_new_is_told_by_its_name() -> None:
    assert error_text("Burnt", {"path": "games.db"}) == "games.db: cannot be used (Burnt)"


@pytest.mark.parametrize(
    ("winners", "told"),
    [
        ((), "Nobody won (all quiet)."),
        ((1,), "Ben won (all quiet)."),
        ((0, 2), "Anna and Zoë won (all quiet)."),
    ],
)
def test_a_result_names_the_winners(winners: tuple[int, ...], told: str) -> None:
    assert result(["Anna", "Ben", "Zoë"], winners, "all_quiet") == told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", ["trophies", "locked", "race", "points", "goal", "quiet", "forfeit"])
def test_every_reason_for_an_end_has_words(reason: str, language: str) -> None:
    texts = Texts(language)
    assert texts(f"reason.{reason}") in result(["Anna"], [0], reason, texts)


def test_games_are_listed_with_bots_and_draws() -> None:
    row = {
        "id": "T-1",
        "ended": 0,
        "game": "butterflies",
        "names": ["Anna", "B\x1bot"],
        "bots": [False, True],
    }
    (_, told) = game_lines([{**row, "places": [1, 1], "winners": []}])
    assert told.endswith("Butterflies  drawn: 1. Anna  1. B?ot (bot)")


def test_columns_are_as_wide_as_their_widest_cell_in_columns_of_a_terminal() -> None:
    assert table([("a", "n"), ("日本", "10")]) == ["a      n", "日本  10"]


def test_a_time_that_no_calendar_has_is_a_question_mark() -> None:
    assert moment(2**53) == "?"


# Statistics


@attrs.frozen
class Row:
    names: tuple[str, ...]
    game: str = "hurry-cup"
    places: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    winners: tuple[int, ...] = (0,)
    bots: tuple[bool, ...] = (False,) * 6
    ended: int = 1_767_225_600_000


def test_a_table_of_many_players_fits_a_terminal_and_says_who_is_left_out() -> None:
    crowd = [
        Row(tuple(f"Player with a long name {6 * group + seat}"[-24:] for seat in range(6)))
        for group in range(4)
    ]
    for language in LANGUAGES:
        assert max(map(get_cwidth, lines(to_map(statistics(crowd)), Texts(language)))) <= 80
    told = lines(to_map(statistics(crowd)))
    assert any("who play most (--json has all)" in line for line in told)


def test_statistics_of_two_show_who_was_ahead() -> None:
    rows = [
        Row(("Anna", "Ben"), places=(1, 2)),
        Row(("Ben", "Anna"), places=(1, 2)),
        Row(("Anna", "Ben"), places=(1, 2)),
    ]
    told = lines(to_map(statistics(rows)))
    assert [line.split() for line in told[2:5]] == [
        ["player", "games", "won", "drawn", "won", "in", "a", "row", "most", "in", "a", "row"],
        ["Anna", "3", "2", "66%", "0", "1", "1"],
        ["Ben", "3", "1", "33%", "0", "0", "1"],
    ]
    assert told[-3:] == ["       Anna    Ben", "Anna         2 : 1", "Ben   1 : 2"]
