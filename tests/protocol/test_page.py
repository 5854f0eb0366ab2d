"""PROTOCOL.md says what the code does: lists, types, codes and numbers are compared, both ways."""

import json
import re
from typing import get_args

import attrs
import pytest

from parlour.engine.catalogue import GAMES
from parlour.protocol import messages as m
from parlour.protocol.codec import DEPTH, FRAME_BYTES
from parlour.protocol.errors import CLOSE_CODES, CODES
from parlour.protocol.version import DEFAULT_PORT, FEATURES, JSON, MINOR, MSGPACK, PROTOCOL
from parlour.server import bulletin, clock, fair, hall, names, scramble, session, table
from parlour.server.commands import ASKED_ANEW
from parlour.server.house import LONGEST, House
from tools.protocol_page import page
from tools.protocol_page.kinds import fields_of, presence
from tools.protocol_page.raised import facts_by_code

PAGE = page.text()
TITLES = {"balloon-cup": "Balloon Cup", "hurry-cup": "Hurry' Cup", "butterflies": "Butterflies"}
MESSAGES = page.section(PAGE, "Message catalogue")
PARTS = m.PARTS


def test_the_parts_of_the_page_stand_in_their_order() -> None:
    assert page.headings(PAGE, 2) == [
        *("Quickstart", "Compatibility", "Transport", "Envelope", "State machines", "Handshake", "Identity"),
        *("Guarantees", "Visibility", "Lobby and tables", "Play", *TITLES.values(), "Randomness"),
        *("Tournaments", "Replays and how to verify them", "Errors"),
        *("Close codes", "Limits", "Security", "Message catalogue", "Test vectors"),
    ]
    assert list(TITLES) == list(GAMES)


def test_every_link_leads_somewhere() -> None:
    titles = [title for level in (2, 3, 4) for title in page.headings(PAGE, level)]
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    assert set(re.findall(r"\]\(#([\w-]+)\)", PAGE)) <= anchors


def test_the_version_and_the_port_are_those_of_the_code() -> None:
    assert f"**{PROTOCOL}.{MINOR}**" in page.section(PAGE, "Compatibility")
    log = page.table(page.section(PAGE, "Compatibility"))
    assert log[0]["version"] == f"{PROTOCOL}.{MINOR}"
    transport = page.table(page.section(PAGE, "Transport"))
    assert [page.words(row["subprotocol"]) for row in transport] == [[MSGPACK], [JSON]]
    assert set(re.findall(r"\b2\d{4}\b", page.section(PAGE, "Quickstart"))) == {str(DEFAULT_PORT)}
    assert f"port {DEFAULT_PORT}" in page.section(PAGE, "Transport")


def test_the_envelope_has_the_fields_that_messages_share() -> None:
    rows = page.table(page.section(PAGE, "Envelope"))
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
    sources = "".join((page.PATH.parent / "server" / name).read_text() for name in ("lobby.py", "visit.py"))
    assert {row["reason"].strip("`") for row in goodbyes} == set(re.findall(r'Goodbye\("(\w+)"', sources))
    hung_up = dict(re.findall(r'hang_up\((\d+), "(\w+)"\)', sources))
    for row in goodbyes:
        assert hung_up[row["close code"].strip("`")] == row["reason"].strip("`")


def test_every_close_code_that_is_used_is_told() -> None:
    sources = "".join(path.read_text() for path in (page.PATH.parent / "server").glob("*.py"))
    used = {int(code) for code in re.findall(r"(?:hang_up|abort|close)\((\d{4}), ", sources)}
    assert used <= set(CLOSE_CODES)
    assert set(CLOSE_CODES) - used == {1001, 1009}  # these come from the websocket library


def test_the_limits_are_those_of_the_code() -> None:
    house = House()
    limits = house.limits()
    numbers: dict[str, tuple[float, str]] = {
        "bytes in a frame to the server": (FRAME_BYTES, "frame_bytes"),
        "depth of a message": (DEPTH, "depth"),
        "characters in a name": (names.NAME_LENGTH, "name_length"),
        "characters in a line of chat": (house.chat_length, "chat_length"),
        "characters in a nonce": (fair.NONCE_LENGTH, "nonce_length"),
        "tables at which a player sits": (house.tables_each, "tables_each"),
        "frames a second": (house.commands_per_second, "commands_per_second"),
        "frames at once": (house.burst, "burst"),
        "answers kept for commands sent again": (session.REMEMBERED, "remembered_ids"),
        "seconds between pings": (house.heartbeat, "heartbeat"),
        "seconds until hello": (house.hello_within, ""),
        "seconds without reading": (house.stuck_after, ""),
        "frames waiting for a peer": (house.outbox_frames, ""),
        "messages in a row that cannot be read": (house.errors_in_a_row, ""),
        "lines of chat a second": (house.lines_per_second, ""),
        "lines of chat at once": (house.lines_burst, ""),
        "lists of all tables or tournaments, and tournaments made or watched, a second": (
            house.lists_per_second,
            "",
        ),
        "lists of all tables or tournaments, and tournaments made or watched, at once": (
            house.lists_burst,
            "",
        ),
        "tables that a player watches": (house.tables_each, "tables_each"),
        "seconds until a table without anybody connected is gone": (table.EMPTY_FOR["gathering"], ""),
        "seconds until a game without anybody connected is gone": (table.EMPTY_FOR["playing"], ""),
        "tables on the server": (house.tables, ""),
        "names on the server": (house.people, ""),
        "connections": (house.connections, ""),
        "connections from one address": (house.connections_each, ""),
        "events kept for a viewer": (bulletin.KEPT_EVENTS, ""),
        "lines of chat in a snapshot": (table.KEPT_LINES, ""),
        "seconds of any clock of a table": (LONGEST, ""),
        "seconds of a bot's reaction, at most": (5.0, ""),
        "tournaments that are not over": (house.tournaments, ""),
        "tournaments of one organiser that are not over": (house.tournaments_each, ""),
        "seconds until a tournament that has not begun, and in which nothing happens, is cancelled": (
            house.tournament_idle,
            "",
        ),
        "seconds until a tournament that has begun, and in which nothing happens, is cancelled": (
            house.tournament_stands,
            "",
        ),
        "seconds until a tournament starts by itself": (house.tournament_ahead, ""),
        "entries, withdrawals and orders of organisers a second": (house.entries_per_second, ""),
        "entries, withdrawals and orders of organisers at once": (house.entries_burst, ""),
        "tables of tournaments at once": (house.tournament_tables, ""),
        "pages of logs, and games of tournaments, a second": (house.pages_per_second, ""),
        "pages of logs, and games of tournaments, at once": (house.pages_burst, ""),
    }
    rows = page.table(page.section(PAGE, "Limits"))
    told = {
        row["limit"]: (float(row["number"]), "".join(page.words(row["in `welcome`"])[:1])) for row in rows
    }
    assert told == numbers
    named = {word for _, word in told.values()} - {"", "heartbeat"}
    assert named == {field.name for field in attrs.fields(type(limits))}
    for number, name in told.values():
        if name in named:
            assert getattr(limits, name) == number


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("Transport", f"at most {DEPTH} deep"),
        ("Transport", f"at most {FRAME_BYTES} bytes"),
        ("Transport", "your last eight answers"),
        ("Handshake", f"within {House().hello_within:g} seconds"),
        ("Identity", f"1 to {names.NAME_LENGTH}\n"),
        ("Guarantees", f"the last {session.REMEMBERED} answers"),
        ("Guarantees", f"the last {bulletin.KEPT_EVENTS} events"),
        ("Lobby and tables", f"at {House().tables_each} tables at a time"),
        ("Lobby and tables", f"up to {House().chat_length} characters"),
        ("Lobby and tables", f"the last {table.KEPT_LINES} lines"),
        ("Play", f"at most {scramble.CREDIT:g} seconds"),
        ("Play", f"the last {session.RECENT_TRIPS} pings"),
        ("Play", f"After {clock.LATE_IN_A_ROW} in a row"),
        ("Play", f"each after {clock.STAND_IN_PAUSE:g} second"),
        ("Play", "`reaction` (0.4 seconds unless set otherwise)"),
        ("Randomness", f"1 to {fair.NONCE_LENGTH} characters"),
        ("Security", f"a code of {hall.CODE_LENGTH} out of {len(hall.CODE_LETTERS)} characters"),
    ],
)
def test_a_number_in_the_text_is_that_of_the_code(heading: str, said: str) -> None:
    assert said in page.section(PAGE, heading)


def test_how_long_empty_tables_are_kept_is_told() -> None:
    assert table.EMPTY_FOR == {"gathering": 600.0, "playing": 14_400.0, "finished": 600.0, "closed": 0.0}
    assert "connected for ten minutes (four hours in a game)" in page.section(PAGE, "Table", 3)


def test_the_features_are_those_of_the_code() -> None:
    rows = page.table(page.section(PAGE, "Handshake"))
    assert [row["feature"] for row in rows] == [f"`{feature}`" for feature in FEATURES]


def test_the_clocks_are_those_of_the_code() -> None:
    rows = page.table(page.section(PAGE, "Clocks", 3))
    told = [(row["setting"].strip("`"), json.loads(row["unless set"].strip("`"))) for row in rows]
    assert told == [(field.name, field.default) for field in attrs.fields(m.Clocks)]


def test_the_stages_of_a_table_are_those_of_the_code() -> None:
    rows = page.table(page.section(PAGE, "Table", 3))
    stages = {row[side].strip("`") for row in rows for side in ("stage", "next stage")} - {"any"}
    assert stages == set(get_args(m.Stage))


def test_the_rules_of_names_are_those_of_the_code() -> None:
    sources = "".join((page.PATH.parent / "server" / name).read_text() for name in ("names.py", "lobby.py"))
    told = re.search(r"`facts\.rule`: ([^.]+)\.", page.section(PAGE, "Identity"))
    assert told is not None
    assert set(page.words(told[1])) == set(re.findall(r'rule="(\w+)"', sources))


def test_what_is_answered_anew_is_what_the_code_does_not_keep() -> None:
    told = re.search(r"\(([^()]+) change nothing that matters", page.section(PAGE, "Guarantees"))
    assert told is not None
    assert set(page.words(told[1])) == {kind.WORD for kind in ASKED_ANEW}


def test_the_guarantees_are_numbered() -> None:
    numbers = re.findall(r"^\*\*G(\d+)\. ", page.section(PAGE, "Guarantees"), re.MULTILINE)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
