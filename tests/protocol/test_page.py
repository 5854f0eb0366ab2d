"""PROTOCOL.md says what the code does: lists, types, codes and numbers are compared, both ways."""

import json
import re
import tomllib
from pathlib import Path
from typing import get_args

import attrs
import pytest

from parlour.engine.catalogue import GAMES
from parlour.protocol import messages as m
from parlour.protocol import names
from parlour.protocol.clocks import LONGEST
from parlour.protocol.codec import DEPTH, FRAME_BYTES
from parlour.protocol.errors import CLOSE_CODES, CODES
from parlour.protocol.results import RESULTS
from parlour.protocol.version import DEFAULT_PORT, FEATURES, JSON, MINOR, MSGPACK, NODES, PROTOCOL
from parlour.server.limits import Limits
from parlour.server.lobby import bots, tournament_commands
from parlour.server.lobby.commands import REPEATABLE
from parlour.server.lobby.context import Dear
from parlour.server.people import remembered, session
from parlour.server.people.rate_limit import Budget
from parlour.server.records import fairness as fair
from parlour.server.storage import played_games
from parlour.server.tables import absences, clock, event_log, registry, scramble, table
from parlour.server.wire.connection import MANY_WAITING
from tools.protocol_page import page
from tools.protocol_page.kinds import fields_of, presence, signature
from tools.protocol_page.raised import facts_by_code

PAGE = page.text()
TITLES = {"balloon-cup": "Balloon Cup", "hurry-cup": "Hurry' Cup", "butterflies": "Butterflies"}
MESSAGES = page.section(PAGE, "Appendix B: all messages")
PARTS = m.PARTS
ONE_SITTING = 72_000
"""Bytes of the first part, at most: what an author reads before the first line of code."""


def server_sources() -> str:
    """All that may refuse something: the server, and the protocol's own rules."""
    paths = [path for folder in ("server", "protocol") for path in sorted((page.ROOT / folder).rglob("*.py"))]
    return "".join(path.read_text(encoding="utf-8") for path in paths)


def test_the_parts_of_the_page_stand_in_their_order() -> None:
    assert page.headings(PAGE, 2) == [
        *("Quickstart", "Connecting", "Guarantees", "Commands", "Tables", "Playing", "Coming back", "Clocks"),
        *("Errors", "Close codes", "Fair luck", "Replays", "Tournaments", "Limits", "Security"),
        *("Compatibility", "Appendix A: the games", "Appendix B: all messages", "Appendix C: tournaments"),
        *("Appendix D: luck by numbers", "Appendix E: replay files", "Appendix F: test vectors and schema"),
        "Appendix G: several nodes",
    ]
    assert page.headings(page.section(PAGE, "Appendix A: the games"), 3) == list(TITLES.values())
    assert list(TITLES) == list(GAMES)


def test_the_first_part_can_be_read_in_one_sitting() -> None:
    assert len(page.first_part(PAGE).encode()) <= ONE_SITTING


def test_the_contents_lead_to_every_part_and_transcript() -> None:
    contents = page.links(PAGE[: PAGE.index("\n## ")])
    named = page.anchors("".join(f"## {title}\n" for title in (*page.headings(PAGE, 2), *TITLES.values())))
    assert named <= {anchor for path, anchor in contents if not path}
    rules = [page.ROOT / "docs" / "rules" / f"{game}.md" for game in ("README", *GAMES)]
    beside = [
        path for path in (*page.paths(), *rules, page.ROOT / "docs" / "tournaments.md") if path != page.PATH
    ]
    assert {path for path, _ in contents if path} == {str(path.relative_to(page.ROOT)) for path in beside}


@pytest.mark.parametrize("path", page.paths(), ids=lambda path: str(path.name))
def test_every_link_leads_somewhere(path: Path) -> None:
    links = page.links(path.read_text(encoding="utf-8"))
    assert links
    for file, anchor in links:
        target = (path.parent / file).resolve() if file else path
        assert target.is_file(), file
        assert not anchor or anchor in page.anchors(target.read_text(encoding="utf-8")), anchor


def test_the_version_and_the_port_are_those_of_the_code() -> None:
    assert f"**{PROTOCOL}.{MINOR}**" in page.section(PAGE, "Compatibility")
    log = page.table(page.section(PAGE, "Compatibility"))
    assert log[0]["version"] == f"{PROTOCOL}.{MINOR}"
    transport = page.table(page.section(PAGE, "Transport", 3))
    assert [page.words(row["subprotocol"]) for row in transport] == [[MSGPACK], [JSON]]
    assert set(re.findall(r"\b2\d{4}\b", page.section(PAGE, "Quickstart"))) == {str(DEFAULT_PORT)}
    assert f"port {DEFAULT_PORT}" in page.section(PAGE, "Transport", 3)


def test_the_fields_that_messages_share_are_told() -> None:
    rows = page.table(page.section(PAGE, "Messages", 3))
    assert [row["field"] for row in rows] == ["`type`", "`id`", "`table`", "`seq`"]


# Messages


def entry(kind: type[m.Message]) -> str:
    return page.section(PAGE, f"`{kind.WORD}`", 3)


def facts(kind: type[m.Message], name: str) -> str:
    found = re.search(rf"^- {name}: (.+)$", entry(kind), re.MULTILINE)
    assert found is not None
    return found[1]


def test_the_catalogue_has_every_message_and_no_other() -> None:
    assert page.headings(MESSAGES, 3) == [*(f"`{kind.WORD}`" for kind in m.ALL), "Parts"]


@pytest.mark.parametrize("kind", m.ALL, ids=lambda kind: str(kind.WORD))
def test_every_entry_of_the_catalogue_has_the_same_form(kind: type[m.Message]) -> None:
    form = r"\n[^\n]+(\n[^\n]+)*\n\n- Sender: .+\n- Since: .+\n- Answer: .+\n- Errors: .+\n\n(\|.+\n)+\n"
    example = rf"<!-- example: {kind.WORD} -->\n```json\n.*```\n\n?"
    assert re.fullmatch(form + example, entry(kind), re.DOTALL)
    assert facts(kind, "Sender") == kind.SENDER
    assert facts(kind, "Since") == f"{PROTOCOL}.{kind.SINCE}"


@pytest.mark.parametrize("kind", m.ALL, ids=lambda kind: str(kind.WORD))
def test_the_fields_of_a_message_are_those_of_its_class(kind: type[m.Message]) -> None:
    assert field_rows(entry(kind)) == expected_rows(kind)


def field_rows(text: str) -> list[tuple[str, str, str]]:
    rows = page.table(text)
    assert all(row["meaning"] for row in rows)
    return [(row["field"], row["type"], row["presence"]) for row in rows]


def expected_rows(kind: type) -> list[tuple[str, str, str]]:
    fields = zip(fields_of(kind, {}), attrs.fields(kind), strict=True)
    return [(f"`{name}`", written, presence(field)) for (name, written), field in fields]


def test_the_parts_of_messages_are_the_classes_of_the_code() -> None:
    text = page.section(PAGE, "Parts", 3)
    assert page.headings(text, 4) == [kind.__name__ for kind in PARTS]
    for kind in PARTS:
        assert field_rows(page.section(PAGE, kind.__name__, 4)) == expected_rows(kind)


def word_of(cell: str) -> str:
    """The name that a row of the first part begins with."""
    return re.sub(r"\[(.+)\]\(#\w+\)", r"\1", cell).strip("`")


def rows_of_commands() -> list[dict[str, str]]:
    return [
        *page.table(page.section(PAGE, "What you send", 3)),
        *page.table(page.section(PAGE, "Tournaments")),
    ]


def test_the_first_part_has_every_command_with_its_fields() -> None:
    rows = rows_of_commands()
    assert {word_of(row["command"]): row["fields"] for row in rows} == {
        kind.WORD: signature(kind) for kind in (m.Hello, *m.COMMANDS)
    }
    assert len(rows) == len(m.COMMANDS) + 1


def test_the_first_part_says_what_an_answer_brings_as_the_catalogue_does() -> None:
    for row in rows_of_commands()[1:]:
        answer = facts(m.BY_WORD[word_of(row["command"])], "Answer")
        assert set(page.words(row["`ok` brings"])) == set(page.words(answer)) - {"ok"}, row


def test_what_an_answer_brings_is_what_the_schema_has() -> None:
    by_word = {kind.WORD: result for kind, result in RESULTS.items()}
    for row in rows_of_commands()[1:]:
        result = by_word.get(word_of(row["command"]))
        fields = {field.name for field in attrs.fields(result)} if result is not None else set()
        assert set(page.words(row["`ok` brings"])) == fields, row


def test_the_first_part_has_every_message_of_the_server_but_those_about_tournaments_and_nodes() -> None:
    rows = page.table(page.section(PAGE, "What you get", 3))
    assert {word_of(row["message"]): row["fields"] for row in rows} == {
        word: signature(kind) for word, kind in m.FROM_SERVER.items() if kind.__module__ == m.__name__
    }


def test_the_first_part_has_every_part_that_its_messages_need() -> None:
    rows = page.table(page.section(PAGE, "Parts of messages", 3))
    told = {row["part"]: row["fields"] for row in rows}
    parts = {kind.__name__: signature(kind) for kind in PARTS}
    assert told == {name: parts[name] for name in told}
    first = page.section(PAGE, "Commands")
    named = {name for name in parts if re.search(rf"\b{name}\b(?!`)", first)}
    assert named == set(told)


def test_events_and_answers_are_not_answered_and_commands_are() -> None:
    for kind in m.ALL:
        answer = facts(kind, "Answer")
        if issubclass(kind, m.Command):
            assert answer.startswith("`ok`")
        else:
            assert answer == ("`welcome`" if kind is m.Hello else "none")
        assert (facts(kind, "Errors") == "none") or kind.SENDER == "client"


def test_every_error_stands_with_some_message() -> None:
    named = {word for kind in m.ALL for word in page.words(facts(kind, "Errors"))}
    introduction = MESSAGES[: MESSAGES.index("### ")]
    assert named | set(page.words(introduction)) == set(CODES)


# Errors, close codes, limits


def test_the_table_of_errors_is_that_of_the_code() -> None:
    told = facts_by_code()
    rows = page.table(page.section(PAGE, "Errors"))
    assert [tuple(row.values()) for row in rows] == [
        (
            f"`{code.name}`",
            "yes" if code.closes else "no",
            code.again,
            ", ".join(f"`{fact}`" for fact in sorted(told[code.name])),
            code.meaning,
            code.advice,
        )
        for code in CODES.values()
    ]


def test_every_code_is_used_and_none_is_made_up() -> None:
    assert set(facts_by_code()) == set(CODES)


def test_the_close_codes_are_those_of_the_code() -> None:
    codes, goodbyes = page.tables(page.section(PAGE, "Close codes"))
    assert [(row["code"], row["meaning"]) for row in codes] == [
        (f"`{number}`", meaning) for number, meaning in CLOSE_CODES.items()
    ]
    sources = server_sources()
    assert {row["reason"].strip("`") for row in goodbyes} == set(re.findall(r'Goodbye\("(\w+)"', sources))
    hung_up = dict(re.findall(r'hang_up\((\d+), "(\w+)"\)', sources))
    for row in goodbyes:
        assert hung_up[row["close code"].strip("`")] == row["reason"].strip("`")


def test_every_close_code_that_is_used_is_told() -> None:
    used = {int(code) for code in re.findall(r"(?:hang_up|abort|close)\((\d{4}), ", server_sources())}
    assert used <= set(CLOSE_CODES)
    assert set(CLOSE_CODES) - used == {1001, 1009}  # these come from the websocket library


def test_the_limits_are_those_of_the_code() -> None:
    limits = Limits()
    sent = limits.message()
    numbers: dict[str, tuple[float, str]] = {
        "bytes in a frame to the server": (FRAME_BYTES, "frame_bytes"),
        "depth of a message": (DEPTH, "depth"),
        "characters in a name": (names.NAME_LENGTH, "name_length"),
        "characters in a line of chat": (limits.chat_length, "chat_length"),
        "characters in a nonce": (fair.NONCE_LENGTH, "nonce_length"),
        "tables at which a player sits": (limits.tables_each, "tables_each"),
        "messages a second; as many pings, pongs and fragments besides": (
            limits.commands_per_second,
            "commands_per_second",
        ),
        "messages at once; as many pings, pongs and fragments besides": (limits.burst, "burst"),
        "answers kept for commands sent again": (remembered.REMEMBERED, "remembered_ids"),
        "seconds between pings": (limits.heartbeat, "heartbeat"),
        "seconds until hello": (limits.hello_within, ""),
        "seconds without reading": (limits.stuck_after, ""),
        "frames waiting for a peer": (limits.outbox_frames, ""),
        "messages in a row that cannot be read": (limits.errors_in_a_row, ""),
        "tables that a player watches": (limits.tables_each, "tables_each"),
        "seconds until a table without anybody connected is gone": (absences.EMPTY_FOR["gathering"], ""),
        "seconds until a game without anybody connected is gone": (absences.EMPTY_FOR["playing"], ""),
        "tables on the server": (limits.tables, ""),
        "names on the server that have not played": (limits.people, ""),
        "new names from one network in an hour": (limits.names_each, ""),
        "connections": (limits.connections, ""),
        "connections from one network": (limits.connections_each, ""),
        "built-in bots at work": (limits.built_in_bots, ""),
        "built-in bots at work for one network": (limits.built_in_bots_each, ""),
        "seconds that built-in bots stay after a game, or without anybody else": (bots.BOTS_STAY, ""),
        "events kept for a viewer": (event_log.KEPT_EVENTS, ""),
        "lines of chat in a snapshot": (table.CHAT_LINES, ""),
        "seconds of any clock of a table": (LONGEST, ""),
        "seconds of a bot's reaction, at most": (5.0, ""),
        "tournaments that are not over": (limits.tournaments, ""),
        "tournaments of one organiser that are not over": (limits.tournaments_each, ""),
        "seconds until a tournament that has not begun, and in which nothing happens, is cancelled": (
            limits.tournament_idle,
            "",
        ),
        "seconds until a tournament that has begun, and in which nothing happens, is cancelled": (
            limits.tournament_stands,
            "",
        ),
        "seconds until a tournament starts by itself": (limits.tournament_ahead, ""),
        "tables of tournaments at once": (limits.tournament_tables, ""),
        "games that `played` brings": (played_games.MOST, ""),
        "lines that `tournament_log` brings at once": (tournament_commands.PAGE, ""),
    }
    rows, _ = page.tables(page.section(PAGE, "Limits"))
    told = {
        row["limit"]: (float(row["number"]), "".join(page.words(row["in `welcome`"])[:1])) for row in rows
    }
    assert told == numbers
    named = {word for _, word in told.values()} - {"", "heartbeat"}
    assert named == {field.name for field in attrs.fields(type(sent))}
    for number, name in told.values():
        if name in named:
            assert getattr(sent, name) == number


def test_the_budgets_are_those_of_the_code() -> None:
    limits = Limits()
    rows = page.table(page.section(PAGE, "What is dear", 3))
    columns = ("a name, a second", "at once", "a network, a second", "at once, together")
    told = {row["budget"].strip("`"): Budget(*[float(row[column]) for column in columns]) for row in rows}
    assert told == {name: getattr(limits, name) for name in get_args(Dear)}
    dear = {word for row in rows for word in page.words(row["commands"])}
    assert dear == {kind.WORD for kind in m.COMMANDS if "busy" in page.words(facts(kind, "Errors"))}
    assert dear.isdisjoint({"act", "resume"})


def test_how_often_tables_are_resumed_at_once_is_as_in_the_code() -> None:
    told, resumes = " ".join(page.section(PAGE, "What is dear", 3).split()), Limits().resumes
    assert f"{resumes.per_second:g} a second and {resumes.burst} at once of a name" in told
    assert f"{resumes.network_per_second:g} a second and {resumes.network_burst} at once of a network" in told
    assert f"more than {MANY_WAITING} of your own wait" in told


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("Connecting", f"at most {DEPTH} deep"),
        ("Connecting", f"at most {FRAME_BYTES} bytes"),
        ("Connecting", "your last eight answers"),
        ("Connecting", f"within {Limits().hello_within:g} seconds"),
        ("Connecting", f"1 to {names.NAME_LENGTH}\n"),
        ("Guarantees", f"the last {remembered.REMEMBERED} answers"),
        ("Guarantees", f"the last {event_log.KEPT_EVENTS} events"),
        ("Tables", f"at {Limits().tables_each} tables at a time"),
        ("Tables", f"up to {Limits().chat_length} characters"),
        ("Tables", f"the last {table.CHAT_LINES} lines"),
        ("Clocks", f"at most {scramble.CREDIT:g} seconds"),
        ("Clocks", f"the last {session.RECENT_TRIPS} pings"),
        ("Clocks", f"After {clock.LATE_IN_A_ROW} in a row"),
        ("Clocks", f"each after {clock.STAND_IN_PAUSE:g} second"),
        ("Clocks", "`reaction` (0.8 seconds unless set otherwise)"),
        ("Fair luck", f"1 to {fair.NONCE_LENGTH} characters"),
        ("Security", f"a code of {registry.CODE_LENGTH} out of {len(registry.CODE_LETTERS)} characters"),
    ],
)
def test_a_number_in_the_text_is_that_of_the_code(heading: str, said: str) -> None:
    assert said in page.section(PAGE, heading)


def test_how_long_empty_tables_are_kept_is_told() -> None:
    assert absences.EMPTY_FOR == {"gathering": 600.0, "playing": 14_400.0, "finished": 600.0, "closed": 0.0}
    assert "connected for ten minutes (four hours in a game)" in page.section(PAGE, "Stages of a table", 3)


def test_the_features_are_those_of_the_code() -> None:
    rows = page.table(page.section(PAGE, "Saying hello", 3))
    assert [row["feature"] for row in rows] == [f"`{feature}`" for feature in (*FEATURES, NODES)]


def test_the_clocks_are_those_of_the_code() -> None:
    rows = page.table(page.section(PAGE, "Clocks"))
    told = [(row["setting"].strip("`"), json.loads(row["unless set"].strip("`"))) for row in rows]
    assert told == [(field.name, field.default) for field in attrs.fields(m.Clocks)]


def test_the_stages_of_a_table_are_those_of_the_code() -> None:
    rows = page.table(page.section(PAGE, "Stages of a table", 3))
    stages = {row[side].strip("`") for row in rows for side in ("stage", "next stage")} - {"any"}
    assert stages == set(get_args(m.Stage))


def test_the_rules_of_names_are_those_of_the_code() -> None:
    rows = page.table(page.section(PAGE, "Names and tokens", 3))
    told = [row["`facts.rule`"].strip("`") for row in rows]
    assert sorted(told) == sorted(set(re.findall(r'rule="(\w+)"', server_sources())))


def test_what_is_answered_anew_is_what_the_code_does_not_keep() -> None:
    told = re.search(r"\(([^()]+) change nothing that matters", page.section(PAGE, "Guarantees"))
    assert told is not None
    assert set(page.words(told[1])) == {kind.WORD for kind in REPEATABLE}


def test_the_guarantees_are_numbered() -> None:
    numbers = re.findall(r"^\*\*G(\d+)\. ", page.section(PAGE, "Guarantees"), re.MULTILINE)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]


def test_why_a_tournament_refuses_is_told_with_its_facts() -> None:
    """Every word that players can be told, and every fact that it comes with."""
    rows = page.table(page.section(PAGE, "Why a tournament refuses", 3))
    told = {row["why"].strip("`"): set(page.words(row["facts"])) for row in rows}
    raised = re.findall(r'NotAllowed\("(\w+)"(.*)', server_sources())
    facts = {word: set(re.findall(r"(\w+)=", given)) for word, given in raised}
    english = tomllib.loads((page.ROOT / "client" / "language" / "en.toml").read_text(encoding="utf-8"))
    assert set(told) == set(english["tournament"]["why"]) - {"not_organiser"}
    assert told == {word: facts[word] for word in told}
