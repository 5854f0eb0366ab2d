"""Text of others does nothing where it leaves the program: screens, lines, logs, tables, reports, files."""

import ast
import csv
import io
import json
import logging
from html.parser import HTMLParser
from typing import Any

import attrs
import pytest
from support.client.seated_player import player_at, table_at
from support.client.tournament_page import followed, info
from support.hostile_texts import FORMULA, HOSTILE, obeyed
from support.paths import ROOT
from support.server.memory_gateway import EncodedPeer, MemoryGateway
from support.server.memory_server import MemoryServer
from support.server.recorded_games import recorded
from support.server.tournament_folders import finished_tournament

from parlour.client.boards.text import drawn
from parlour.client.language import LANGUAGES, Texts
from parlour.client.terminal.line_mode import Voice
from parlour.client.terminal.screen import Screen
from parlour.client.tournaments.report import report
from parlour.client.tournaments.tables import head_lines, list_lines, pairing_lines, standings_lines
from parlour.machine.output import MARK, LogFormatter, printable, printable_json, say
from parlour.protocol import messages as m
from parlour.protocol.codec import pack, unpack
from parlour.server.records import replay_file
from parlour.server.tournament.export import files as export
from parlour.server.tournament.export.tables import crosstable_csv, standings_csv

FACTS = export.facts(finished_tournament())
every_text = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)


# One function at each border


@every_text
def test_what_is_printable_is_one_line_and_stays_as_it_is(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable() and len(shown) == len(text) and printable(shown) == shown


@pytest.mark.parametrize("text", ["Анна 你好 è", "<b>", "a  b", "ｗｉｄｅ", "שלום", ""])
def test_what_can_be_shown_is_shown(text: str) -> None:
    assert printable(text) == text


def test_something_that_cannot_be_shown_is_marked() -> None:
    assert printable("\x1b[2Ja\tb") == f"{MARK}[2Ja b"


@every_text
@pytest.mark.parametrize("layout", [{}, {"indent": 2}], ids=["short", "long"])
def test_json_means_the_same(text: str, layout: dict[str, Any]) -> None:
    written = printable_json({"name": [text], text: 1}, **layout)
    assert json.loads(written) == {"name": [text], text: 1}
    assert not obeyed(written)
    assert (written.count("\n") > 0) is bool(layout)


@every_text
def test_a_command_says_it_in_one_line(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    say(f"parlour: {text}")
    told = capsys.readouterr().out
    assert told.count("\n") == 1 and not obeyed(told)


@every_text
def test_a_log_shows_it_and_no_line_of_it_looks_like_an_event(text: str) -> None:
    record = logging.makeLogRecord({"levelname": "INFO", "name": "parlour", "msg": "at=%s", "args": (text,)})
    first, *others = LogFormatter("%(levelname)s %(name)s %(message)s").format(record).split("\n")
    assert first.startswith("INFO parlour at=")
    assert not obeyed(first) and all(line.startswith("  ") and not obeyed(line) for line in others)


# Screens and lines


@every_text
async def test_nothing_on_a_screen_is_obeyed(text: str) -> None:
    table = table_at("balloon-cup", 2)
    chair = attrs.evolve(table.info.chairs[1], name=text)
    table.info = attrs.evolve(table.info, chairs=(table.info.chairs[0], chair), host=text)
    table.chat = [m.Line(text, False, text, 0.0)]
    player, _ = player_at(table)
    player.notice = text
    lines = Screen(player).lines(80, 24)
    pieces = drawn(lines)
    assert not obeyed("".join(shown for _, shown in pieces))
    assert {style for style, _ in pieces} == {style for line in lines for style, _ in line} | {""}


@every_text
def test_nothing_of_a_tournament_is_obeyed(text: str) -> None:
    names = (text, "Ben", "Chloe", "Zoë")
    hostile = info(name=text, organiser=text, why=text, tournament=text, game=text)
    for language in LANGUAGES:
        now, texts = followed(names=names, info=hostile), Texts(language)
        lines = [*head_lines(now, texts), *standings_lines(now, texts), *pairing_lines(now, texts)]
        assert not obeyed("\n".join([*lines, *list_lines([hostile], texts)]))


@every_text
@pytest.mark.parametrize("as_json", [False, True], ids=["plain", "json"])
def test_plain_lines_are_one_line_each(text: str, as_json: bool) -> None:
    stream = io.StringIO()
    Voice(stream, as_json).say("chat", [f"Anna: {text}"], name=text)
    assert stream.getvalue().count("\n") == 1 and not obeyed(stream.getvalue())


# Tables, reports and files


@every_text
def test_no_cell_is_a_formula(text: str) -> None:
    names = [text, *FACTS.crosstable["names"][1:]]
    standings = standings_csv(
        [{**row, "name": name} for row, name in zip(FACTS.standings, names, strict=True)]
    )
    for written in (standings, crosstable_csv({"names": names, "cells": {}})):
        rows = list(csv.reader(io.StringIO(written.removeprefix("\ufeff"), newline="")))
        assert len({len(row) for row in rows}) == 1
        for cell in [cell for row in rows for cell in row]:
            number = cell.replace(".", "").replace("-", "").isdigit()
            assert not obeyed(cell) and (number or not cell.lstrip().startswith(FORMULA)), cell


class Tags(HTMLParser):
    """The tags and attributes of a page, and all that is written outside them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[Any] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, [name for name, _ in attrs]))

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(tag)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def renamed(text: str) -> str:
    """The report of a tournament in which everything that somebody chose is that text."""
    first = FACTS.crosstable["names"][0]
    written = json.dumps([FACTS.tournament, FACTS.standings, FACTS.crosstable])
    tournament, standings, cross = json.loads(written.replace(json.dumps(first), json.dumps(text)))
    tournament["rules"] |= {"name": text, "seed": text, "game": text}
    tournament |= {"build": text, "tournament": text, "published": text}
    for one in tournament["entrants"]:
        one["address"] = "the same"
    return report(export.Facts(tournament, standings, cross), Texts("en"))


@every_text
def test_a_report_has_no_tag_and_no_attribute_of_theirs(text: str) -> None:
    page = renamed(text)
    assert Tags(page).tags == Tags(renamed("Nobody")).tags
    assert not obeyed(page)


@every_text
def test_files_of_games_and_tournaments_hold_nothing_that_a_terminal_obeys(text: str) -> None:
    if "\ud800" in text:
        return  # no file holds half a surrogate pair
    record = recorded("balloon-cup", 2)
    named = attrs.evolve(record, header=attrs.evolve(record.header, names=(text, "Ben")))
    written = replay_file.write(named)
    assert not obeyed(written) and json.loads(written)["header"]["names"][0] == text
    tournament = {**FACTS.tournament, "rules": {"name": text}}
    tables = export.tables(attrs.evolve(FACTS, tournament=tournament))
    assert not obeyed("".join(tables.values()).replace("\ufeff", ""))


# What the server sends


@every_text
def test_an_error_quotes_nothing_that_its_reader_obeys(text: str) -> None:
    if "\ud800" in text:
        return  # no frame holds half a surrogate pair
    server = MemoryServer()
    ann, gateway, peer = server.player("Ann"), MemoryGateway(server), EncodedPeer(json=False)
    ann.session.peer = peer
    for command in (
        {"type": text},
        {"type": "create_table", "game": text, "seats": 2},
        {"type": "create_table", "game": "balloon-cup", "seats": 2, "options": {text: text}},
        {"type": "create_tournament", "rules": {text: text, "name": text}},
    ):
        frame = pack({"id": ann.session.last_id + 1, **command})
        gateway.take(peer, ann.session, frame, gateway.now())  # type: ignore[arg-type]
    errors = [unpack(frame) for frame in peer.frames if unpack(frame)["type"] == "error"]
    assert len(errors) == 4
    for error in errors:
        assert not obeyed("".join(fact for fact in error["facts"].values() if isinstance(fact, str)))


def test_nothing_is_printed_past_the_border() -> None:
    allowed = {"machine/output.py", "client/cli/subcommand.py"}  # which prints the version
    printing = {
        path.relative_to(ROOT).as_posix()
        for room in ("client", "server", "machine", "protocol", "engine")
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    }
    assert printing == allowed, "print what others wrote with `say` of machine/output.py"
