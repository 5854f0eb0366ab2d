"""Replay files: what is written is read again, and a bad file is refused with the place that is wrong."""

import json

import pytest
from support.server.recorded_games import TABLES, recorded

from parlour.engine.errors import Malformed
from parlour.server.records.replay_file import LARGEST_FILE, read, write

TEXT = write(recorded("balloon-cup", 2))


@pytest.mark.parametrize("table", TABLES)
def test_a_file_tells_the_whole_record(table: tuple[str, int]) -> None:
    record = recorded(*table)
    assert read(write(record).encode()) == record


def test_a_file_is_plain_json_with_one_line_for_each_entry() -> None:
    record = recorded("balloon-cup", 2)
    plain = json.loads(TEXT)
    assert list(plain) == ["header", "journal", "end"]
    for line, entry in zip(TEXT.split('"journal": [\n')[1].split("\n"), plain["journal"], strict=False):
        assert json.loads(line.rstrip(",")) == entry
    assert len(plain["journal"]) == len(record.lines)


def test_a_file_that_an_editor_of_windows_saved_is_read() -> None:
    assert read(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode()) == recorded("balloon-cup", 2)


def test_a_file_that_breaks_off_anywhere_is_refused_with_its_line_and_column() -> None:
    for length in range(1, len(TEXT) - 2, 97):
        with pytest.raises(Malformed) as refused:
            read(TEXT[:length].encode())
        assert refused.value.where.startswith("line ")
        assert "column" in refused.value.where


DEEP = 20
BAD = [
    ("", "line 1, column 1", "is not JSON"),
    ("GIF89a", "line 1, column 1", "is not JSON"),
    ("[1, 2]", "", "is no replay"),
    ("5", "", "is no replay"),
    ('{"name": "parlour", "version": 1}', "", "is no replay"),
    ('{"header": {}}', "journal", "is missing"),
    (TEXT.replace('"end":', '"END":'), "end", "is missing"),
    (TEXT.replace('"end":', '"more": 1, "end":'), "more", "is not a field"),
    (TEXT.replace('"format": 1', '"format": 2'), "header.format", "must be 1"),
    (TEXT.replace('"seats": 2', '"seats": 2, "seats": 2'), "header", "'seats' twice"),
    (TEXT.replace('"number": 3,', '"number": 3, "number": 3,'), "journal.3", "'number' twice"),
    (TEXT.replace('"number": 3,', '"number": 3.0,'), "journal.3.number", "whole number"),
    (TEXT.replace('"number": 3,', '"number": 1e999,'), "journal.3.number", "whole number"),
    (TEXT.replace('"number": 3,', '"number": NaN,'), "journal.3.number", "whole number"),
    (TEXT.replace('"number": 3,', f'"number": {"9" * 5000},'), "journal.3.number", "whole number"),
    (TEXT.replace('"number": 3,', '"number": true,'), "journal.3.number", "must be a whole number"),
    (TEXT.replace("tea-at-five", "\\ud800"), "header.nonces.0", "! to ~"),
    (TEXT.replace('"options": {', '"options": {"first": 0.5, '), "header.options", "'first' twice"),
    (
        TEXT.replace('"options": {', f'"options": {{"deep": {"[" * DEEP}{"]" * DEEP}, '),
        "header.options.deep" + ".0" * 9,
        "nested deeper",
    ),
    ("[" * 100_000 + "]" * 100_000, "", "nested deeper"),
    ('{"header":' * 100_000, "", "nested deeper"),
]


@pytest.mark.parametrize(("text", "where", "problem"), BAD)
def test_a_bad_file_is_refused_with_the_place_that_is_wrong(text: str, where: str, problem: str) -> None:
    assert text != TEXT
    with pytest.raises(Malformed) as refused:
        read(text.encode())
    assert refused.value.where == where
    assert problem in refused.value.problem
    assert "\n" not in str(refused.value)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(Malformed, match="byte 3: is not UTF-8 text"):
        read(b'{"a\xff"')


def test_a_file_that_is_too_large_is_not_even_parsed() -> None:
    with pytest.raises(Malformed, match="too large"):
        read(b"[" * (LARGEST_FILE + 1))
