"""PROTOCOL.md on replays: its fields are the code's, and its own words lead to the hashes of its example."""

import json
from typing import Any

import attrs
import pytest

from parlour.server.records.record import CAUSES, End, Header, JournalLine
from parlour.server.records.replay_file import DEPTH, LARGEST_FILE, read
from parlour.server.records.verify import verify
from tools.protocol_page import page

SECTION = page.section(page.text(), "Appendix E: replay files")
(EXAMPLE,) = page.blocks(SECTION, "text")
(CODE,) = page.blocks(SECTION, "python")
TABLES = page.tables(SECTION)


def hashes(replay: dict[str, Any]) -> list[str]:
    """By the program of the page, which needs nothing of ours."""
    names: dict[str, Any] = {}
    exec(compile(CODE, "PROTOCOL.md", "exec"), names)  # noqa: S102
    found: list[str] = names["hashes"](replay)
    return found


@pytest.mark.parametrize(("number", "kind"), [(0, Header), (1, JournalLine), (2, End)])
def test_the_fields_of_a_replay_are_those_of_the_code(number: int, kind: type) -> None:
    rows = TABLES[number]
    assert [row["field"] for row in rows] == [f"`{field.name}`" for field in attrs.fields(kind)]
    assert all(row["meaning"] for row in rows)


def test_the_types_of_the_page_are_those_of_the_example() -> None:
    plain = json.loads(EXAMPLE)
    kinds = {"int": int, "text": str, "bool": bool, "map": dict, "null": type(None)}
    parts = [plain["header"], *plain["journal"], plain["end"]]
    rows = [TABLES[0], *[TABLES[1]] * len(plain["journal"]), TABLES[2]]
    for part, table in zip(parts, rows, strict=True):
        for row in table:
            field = row["field"].strip("`")
            if field not in part and row["meaning"].startswith("only where"):
                continue
            value = part[field]
            if row["type"].startswith("list of "):
                inner = row["type"].removeprefix("list of ").strip("()")
                assert all(
                    type(item) in [kinds.get(word, list) for word in inner.split(" or ")] for item in value
                )
            else:
                assert type(value) in [kinds[word] for word in row["type"].split(" or ")]


def test_the_causes_of_an_entry_are_those_of_the_code() -> None:
    (row,) = [row for row in TABLES[1] if row["field"] == "`cause`"]
    assert sorted(page.words(row["meaning"])) == sorted(CAUSES)


def test_the_bounds_of_a_file_are_those_of_the_code() -> None:
    assert f"at most {LARGEST_FILE // 2**20} MiB and is nested at most {DEPTH} deep" in SECTION


def test_the_program_of_the_page_finds_the_hashes_of_its_example() -> None:
    replay = json.loads(EXAMPLE)
    told = [replay["header"]["hash"], *[line["hash"] for line in replay["journal"]], replay["end"]["head"]]
    assert hashes(replay) == told


def test_the_program_of_the_page_finds_a_change_where_it_was_made() -> None:
    replay = json.loads(EXAMPLE)
    before = hashes(replay)
    replay["journal"][1]["at"] += 1
    after = hashes(replay)
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, True, False, False, False]


def test_the_example_of_the_page_is_authentic() -> None:
    record = read(EXAMPLE.encode())
    assert verify(record, record.end.head).authenticated
