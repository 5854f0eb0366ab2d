"""PROTOCOL.md says what the code does: lists, types, codes and numbers are compared, both ways."""

import json
import re
from typing import Any, Literal, get_args, get_origin

import attrs
import pytest
from laws.playing import ALL_KINDS
from protocol_page import page
from protocol_page.kinds import fields_of, listed, names_of, parts_of, presence
from protocol_page.raised import facts_by_code, reasons

from parlour.engine.balloon_cup import public as balloon_cup
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.game import Game
from parlour.engine.maps import Malformed, choices_from_map, word
from parlour.engine.match import Match
from parlour.protocol import messages as m
from parlour.protocol.codec import DEPTH, FRAME_BYTES, read
from parlour.protocol.errors import CLOSE_CODES, CODES
from parlour.protocol.version import DEFAULT_PORT, FEATURES, JSON, MINOR, MSGPACK, PROTOCOL
from parlour.server import bulletin, clock, fair, hall, names, scramble, session, table
from parlour.server.commands import ASKED_ANEW
from parlour.server.house import LONGEST, House

PAGE = page.text()
TITLES = {"balloon-cup": "Balloon Cup", "hurry-cup": "Hurry' Cup", "butterflies": "Butterflies"}
MESSAGES = page.section(PAGE, "Message catalogue")
PARTS = [kind for kind in vars(m).values() if isinstance(kind, type) and attrs.has(kind)]
PARTS = [kind for kind in PARTS if not issubclass(kind, m.Message)]
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.name))


def part(game: Game[Any, Any, Any], heading: str) -> str:
    """A section of the part of a game; `*` in the heading is its title."""
    return page.section(PAGE, heading.replace("*", TITLES[game.name]), 3)


def test_the_parts_of_the_page_stand_in_their_order() -> None:
    assert page.headings(PAGE, 2) == [
        *("Quickstart", "Compatibility", "Transport", "Envelope", "State machines", "Handshake", "Identity"),
        *("Guarantees", "Visibility", "Lobby and tables", "Play", *TITLES.values(), "Randomness", "Errors"),
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
    sources = "".join((page.PATH.parent / "server" / name).read_text() for name in ("lobby.py", "gateway.py"))
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
        "tables on the server": (house.tables, ""),
        "names on the server": (house.people, ""),
        "connections": (house.connections, ""),
        "connections from one address": (house.connections_each, ""),
        "events kept for a viewer": (bulletin.KEPT_EVENTS, ""),
        "lines of chat in a snapshot": (table.KEPT_LINES, ""),
        "seconds of any clock of a table": (LONGEST, ""),
        "seconds of a bot's reaction, at most": (5.0, ""),
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


# Games


@every_game
def test_the_options_of_a_game_are_those_of_its_class(game: Game[Any, Any, Any]) -> None:
    rows = page.table(part(game, "Options of *"))
    told = [(row["option"], row["values"]) for row in rows]
    assert told == [(f"`{field.name}`", values(field)) for field in attrs.fields(game.options)]


def values(field: "attrs.Attribute[Any]") -> str:
    about = field.metadata
    if "values" not in about:
        return f"`{field.default}`, from {about['least']} to {about['most']}"
    assert field.default == about["values"][0]
    return ", ".join(f"`{value}`" for value in about["values"]) + (", or a list" if about.get("open") else "")


@every_game
def test_the_words_and_parts_of_a_game_are_those_of_its_classes(game: Game[Any, Any, Any]) -> None:
    known = names_of(game)
    words, parts = page.tables(part(game, "Words of *"))
    kinds = parts_of([game.view_class, *game.actions, *game.news], known)
    assert {row["part"]: row["fields"] for row in parts} == {
        name: listed(kind, known) for name, kind in kinds.items()
    }
    written = " ".join(
        listed(kind, known) for kind in (game.view_class, *game.actions, *game.news, *kinds.values())
    )
    used = {
        name: ", ".join(f"`{value}`" for value in get_args(hint))
        for hint, name in known.items()
        if get_origin(hint) is Literal and re.search(rf"\b{name}\b", written)
    }
    assert {row["word"]: row["one of"] for row in words} == used


@every_game
def test_the_fields_of_a_view_are_those_of_its_class(game: Game[Any, Any, Any]) -> None:
    rows = page.table(part(game, "View of *"))
    told = [(row["field"].strip("`"), row["type"]) for row in rows]
    assert told == fields_of(game.view_class, names_of(game))


@every_game
def test_the_actions_and_news_of_a_game_are_those_of_its_classes(game: Game[Any, Any, Any]) -> None:
    actions, _ = page.tables(part(game, "Actions of *"))
    news = page.table(part(game, "News of *"))
    for rows, head, kinds in ((actions, "action", game.actions), (news, "news", game.news)):
        told = [(row[head], row["fields"]) for row in rows]
        assert told == [(f"`{word(kind)}`", listed(kind, names_of(game))) for kind in kinds]


@every_game
def test_the_reasons_of_a_refusal_are_those_of_the_rules(game: Game[Any, Any, Any]) -> None:
    _, rows = page.tables(part(game, "Actions of *"))
    told = {row["why"].strip("`"): set(page.words(row["facts"])) for row in rows}
    assert told == reasons(game.name)


@every_game
def test_the_seats_of_a_game_are_told(game: Game[Any, Any, Any]) -> None:
    seats = ", ".join(map(str, game.seats))
    assert f"`game` is `{game.name}`; seats: {seats}.\n" in page.section(PAGE, TITLES[game.name])


def played(kind: Any, secret: bytes) -> list[tuple[Any, str, str]]:
    """Every state of a random game, with the phase and who was asked what there."""
    game = kind.game
    match: Match[Any, Any, Any] = Match.start(game, kind.seats, kind.options, Seeded(secret))
    whims, found = Seeded(secret), [(match.state, "", "")]
    while match.awaited:
        seat = whims.draw("seat", sorted(match.awaited))
        choices = game.legal(match.state, seat)
        action = choices[whims.roll("action", choices.count) - 1]
        found.append((match.state, match.deadline.phase if match.deadline else "", word(type(action))))
        match.act(seat, action)
    found.append((match.state, "", match.outcome.reason if match.outcome else ""))
    return found


@every_game
def test_phases_reasons_and_hidden_fields_are_those_that_games_show(game: Game[Any, Any, Any]) -> None:
    """What random games of every kind come across stands in the page."""
    actions, _ = page.tables(part(game, "Actions of *"))
    told = {(phase, row["action"].strip("`")) for row in actions for phase in page.words(row["in phase"])}
    ends = {row["reason"].strip("`") for row in page.table(part(game, "End of *"))}
    visibility = page.section(PAGE, "Visibility").split(f"**{TITLES[game.name]}**")[1]
    secrets = {row["field"].strip("`") for row in page.tables(visibility)[0]}
    assert "forfeit" in ends
    hidden: set[str] = set()
    for kind in ALL_KINDS:
        if kind.game is game:
            *states, last = played(kind, bytes([7] * 32))
            assert {(phase, action) for _, phase, action in states[1:]} <= told
            assert last[2] in ends
            hidden.update(path.split(".")[0] for state, _, _ in states for path in game.hidden(state))
    assert hidden == secrets


def test_the_editions_of_balloon_cup_are_those_of_the_code() -> None:
    row = page.table(part(GAMES["balloon-cup"], "Options of *"))[0]
    for edition, settings in balloon_cup.BalloonOptions.EDITIONS.items():
        sets = ", ".join(f"`{option}` `{value}`" for option, value in settings.items())
        assert re.search(rf"`{edition}` sets {sets}(;|$)", row["meaning"])


def test_the_cards_and_prices_of_balloon_cup_are_those_of_the_code() -> None:
    text = " ".join(page.section(PAGE, "Balloon Cup").split())
    assert balloon_cup.VALUES["red"] == tuple(range(1, 14)) and "Red has the values 1 to 13;" in text
    for colour in balloon_cup.COLOURS[1:]:
        assert f"{colour} {' '.join(map(str, balloon_cup.VALUES[colour]))}" in text
    assert ", ".join(f"{colour} {price}" for colour, price in balloon_cup.PRICES.items()) in text
    assert text.count(f"{balloon_cup.IDLE_LIMIT} ") >= 2


# Examples


def json_blocks() -> list[Any]:
    return [pytest.param(block, id=block[:60].replace("\n", " ")) for block in page.blocks(PAGE, "json")]


@pytest.mark.parametrize("block", json_blocks())
def test_every_example_is_a_message_or_an_action_of_a_game(block: str) -> None:
    plain = json.loads(block)
    if plain["type"] in m.BY_WORD:
        message = read(plain, m.BY_WORD)
        if isinstance(message, m.Update):
            check_view(message)
        return
    assert any(fits(game, plain) for game in GAMES.values())


def check_view(update: m.Update) -> None:
    """The view, the news and the question are of one game."""
    (game,) = [game for game in GAMES.values() if fields(game.view_class) == set(update.view)]
    news = {word(kind): fields(kind) | {"type"} for kind in game.news}
    for item in update.news:
        assert set(item) == news[item["type"]]
    if update.question is not None:
        assert choices_from_map(game.action_words, list(update.question.legal)).count > 1


def fields(kind: type) -> set[str]:
    return {field.name.rstrip("_") for field in attrs.fields(kind)}


def fits(game: Game[Any, Any, Any], plain: dict[str, Any]) -> bool:
    """Whether it is an action of the game, or a pattern of some."""
    try:
        return choices_from_map(game.action_words, [plain]).count > 0
    except Malformed:
        return False


def test_every_act_in_an_example_or_transcript_has_an_action_of_a_game() -> None:
    lines = re.findall(r"^\S.* > (\{.*\})$", PAGE, re.MULTILINE)
    said = [json.loads(line) for line in (*lines, *page.blocks(PAGE, "json"))]
    acts = [plain["action"] for plain in said if plain["type"] == "act"]
    assert len(acts) > 20
    for action in acts:
        assert any(readable(game, action) for game in GAMES.values())


def readable(game: Game[Any, Any, Any], action: Any) -> bool:
    try:
        game.read_action(action)
    except Malformed:
        return False
    return True
