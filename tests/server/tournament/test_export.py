"""A tournament's folder: what is in it, that it is written whole, and that its report is safe to open."""

import codecs
import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.server.tournament_folders import files, finished_tournament

from parlour.protocol.version import build
from parlour.server.tournament.export import files as export
from parlour.server.tournament.export.folder import BadFolder, names, write
from parlour.server.tournament.export.verify import read
from parlour.server.tournament.luck import ADJUSTED, SHARE

LANGUAGES = ("en", "ru", "it", "zh")


class Page(HTMLParser):
    """What a page holds: its tags with their attributes, and its text."""

    VOID = ("meta", "line", "circle", "rect", "polyline", "!doctype")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_no_interval_reaches_beyond_what_a_mean_can_be() -> None:
    for row in csv.DictReader(io.StringIO(files(finished_tournament())[export.STANDINGS_CSV])):
        for field, (least, most) in {"share": SHARE, "adjusted": ADJUSTED}.items():
            for end in ("low", "high"):
                told = row[f"{field}_{end}"]
                assert not told or least <= float(told) <= most


def test_the_standings_say_the_same_as_csv_and_as_json() -> None:
    found = files(finished_tournament())
    rows = list(csv.DictReader(io.StringIO(found[export.STANDINGS_CSV])))
    told = json.loads(found[export.STANDINGS])["standings"]
    assert [row["name"] for row in rows] == [row["name"] for row in told]
    for row, other in zip(rows, told, strict=True):
        assert float(row["points"]) == other["points"]
        assert float(row["buchholz"]) == other["tie_breaks"]["buchholz"]
        assert float(row["share"]) == other["share"]["mean"]
        assert float(row["adjusted_low"]) == other["adjusted"]["low"]
        assert int(row["failures_late"]) == other["failures"]["late"]
        assert float(row["thinking_seconds"]) == other["thinking"]["seconds"]
        assert row["bot"] == str(other["bot"]).lower()


def test_the_crosstable_has_everybody_in_the_order_of_the_standings() -> None:
    found = files(finished_tournament())
    rows = list(csv.reader(io.StringIO(found[export.CROSSTABLE_CSV])))
    told = json.loads(found[export.STANDINGS])["standings"]
    assert rows[0][1:] == [row[0] for row in rows[1:]] == [row["name"] for row in told]
    points = sum(float(cell.split(" of ")[0]) for row in rows[1:] for cell in row[1:] if cell)
    assert points == len(finished_tournament().records) + 1


def test_what_a_spreadsheet_would_work_out_is_text() -> None:
    from parlour.server.tournament.export.tables import crosstable_csv

    assert crosstable_csv({"names": ["=1+1"], "cells": {}}) == "\ufeff,'=1+1\n'=1+1,\n"


@pytest.mark.parametrize("name", [export.STANDINGS_CSV, export.CROSSTABLE_CSV])
def test_a_spreadsheet_is_told_the_letters_of_names_and_finds_no_dates(name: str) -> None:
    text = files(finished_tournament())[name]
    assert text.encode().startswith(codecs.BOM_UTF8)
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert "Zoë" in cells
    assert not [cell for cell in cells if re.fullmatch(r"[\d.]+[-/]\d+", cell)]


def test_the_folder_has_rules_seeds_secrets_versions_and_every_event_but_not_the_start_of_the_chain() -> None:
    told = json.loads(files(finished_tournament())[export.TOURNAMENT])
    assert (told["format"], told["build"], told["protocol"], told["phase"]) == (
        1,
        build(),
        1,
        "finished",
    )
    assert told["rules"]["seed"] == "s"
    assert len(told["secrets"]) == 2
    assert len(told["games"]) == 7
    assert {entrant["name"]: entrant["nonce"] for entrant in told["entrants"]}["Anna"] == "nonce"
    assert len(told["ratings"]) == 3
    assert "secret_drawn" not in {event["type"] for event in told["events"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_is_a_whole_page_without_scripts_links_or_the_network(language: str) -> None:
    text = files(finished_tournament(), language)[export.REPORT]
    page = Page(text)
    assert page.open == []
    assert ("html", {"lang": language}) in page.tags
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "link", "img", "iframe", "object", "a"})
    for _, attributes in page.tags:
        assert not any(name.startswith("on") or name in ("src", "href") for name in attributes)
    assert "http" not in text.replace("http-equiv", "")
    assert "url(" not in text
    assert not re.search(r"\{[a-z_]+\}", "".join(page.words).partition("</style>")[2])


def test_the_report_shows_everybody_with_intervals_curves_and_time() -> None:
    page = Page(files(finished_tournament())[export.REPORT])
    words = " ".join(page.words)
    assert "<Cup> & more" in words
    for name in ("Anna", "Zoë", "Ben", "Mrs -Tea"):
        assert words.count(name) >= 5
    assert sum(tag == "svg" for tag, _ in page.tags) == 2 * (4 + 1) + 4 + (4 + 1)
    assert sum(tag == "polyline" for tag, _ in page.tags) == 4
    for told in (
        "Standings",
        "Crosstable",
        "Ratings, round by round",
        "Time to think",
        "Failures",
        "Verifiable randomness",
    ):
        assert told in words


def test_a_folder_of_many_seats_is_written_too() -> None:
    found = files(finished_tournament("hurry-cup", 3, 5, 1))
    assert "mean_place" in found[export.STANDINGS_CSV]
    assert Page(found[export.REPORT]).open == []


def test_a_folder_is_written_whole_and_read_again(tmp_path: Path) -> None:
    write(tmp_path / "cup", files(finished_tournament()))
    assert [path.name for path in tmp_path.iterdir()] == ["cup"]
    assert set(names(tmp_path / "cup")) == set(files(finished_tournament()))
    assert read(tmp_path / "cup")[0] == finished_tournament()


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "cup").mkdir()
    write(tmp_path / "cup", {"a": "b"})
    assert (tmp_path / "cup" / "a").read_text(encoding="utf-8") == "b"


def test_what_is_there_already_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "mine").write_text("dear", encoding="utf-8")
    (tmp_path / "file").write_text("dear", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("cup", "file", "link"):
        with pytest.raises(BadFolder) as refused:
            write(tmp_path / name, {"a": "b"})
        assert refused.value.kind == "FolderThere"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cup", "file", "link"]


def test_a_folder_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("dear", encoding="utf-8")
    with pytest.raises(BadFolder) as refused:
        write(tmp_path / "file" / "cup", {"a": "b"})
    assert refused.value.kind == "NoFolder"
    with pytest.raises(BadFolder):
        write(tmp_path / "cup", {"a": "b", "a/b": "c"})
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
