"""The menu of tournaments: its list, the page of a tournament, and how games come and go."""

import asyncio
import contextlib
import subprocess
from pathlib import Path
from typing import Any

import attrs
import pytest
from support.client.seated_player import FakeConnection, player_at, table_at
from support.client.terminals import PARLOUR, Terminal, environment, server, terminal
from support.client.tournament_page import ID, followed, info

from parlour.client.boards.text import columns, plain
from parlour.client.following import Followed
from parlour.client.language import LANGUAGES, Texts
from parlour.client.terminal.menus.tournaments import tournament
from parlour.client.terminal.player import Player
from parlour.client.terminal.screen import Screen
from parlour.client.tournaments.texts import rules_lines
from parlour.protocol import messages as m
from parlour.protocol.codec import write_part

SIZES = [(80, 24), (120, 40), (40, 12)]


def text(screen: Screen, width: int = 80, height: int = 24) -> str:
    return "\n".join(plain(line) for line in screen.lines(width, height))


async def settle() -> None:
    """Waits until the tasks that were started are done."""
    for _ in range(8):
        await asyncio.sleep(0)


def at_tournament(now: Followed, texts: Texts | None = None) -> tuple[Screen, Player, FakeConnection]:
    player, connection = player_at(None, texts or Texts("en"))
    connection.session.tournaments[ID] = now
    player.tournament = lambda: tournament(player, ID)
    player.open(player.tournament)
    return Screen(player), player, connection


def entrant(name: str, **more: Any) -> m.Entrant:
    return attrs.evolve(m.Entrant(name, False, 1, False, False, None, 0), **more)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_every_page_of_the_hall_fits_its_window_in_every_language(
    size: tuple[int, int], language: str
) -> None:
    many = tuple(f"Entrant {number}" for number in range(30))
    for now in (followed(), followed("registration", standings=(), crosstable=()), followed(names=many)):
        screen, _, _ = at_tournament(now, Texts(language))
        for key in ("", "x", "s", "p", "n", "r"):
            screen.press(key) if key else None
            lines = screen.lines(*size)
            assert len(lines) == size[1] and max(map(columns, lines)) <= size[0]
            screen.press("escape") if key else None


async def test_the_list_leads_to_a_tournament_and_back_to_the_lobby() -> None:
    player, connection = player_at(None)
    connection.answers[m.Tournaments] = {"tournaments": [write_part(info())]}
    screen = Screen(player)
    screen.press("t")
    await settle()
    assert f"{ID}  Sunday league: Balloon Cup, Swiss system, running, round 2 of 3" in text(screen)
    connection.session.tournaments[ID] = followed()
    screen.press("enter")
    await settle()
    assert (m.WatchTournament, {"tournament": ID, "on": True}) in connection.asked
    shown = text(screen)
    assert "Balloon Cup, Swiss system, 4 entrants, organised by Anna" in shown
    assert "1.  Anna" in shown and "0.50 ±0.10" in shown


@pytest.mark.parametrize("language", LANGUAGES)
async def test_why_it_was_cancelled_stands_in_the_hall_and_on_its_page(language: str) -> None:
    off = info("cancelled", why="storm\x1b[2J")
    player, connection = player_at(None, Texts(language))
    connection.answers[m.Tournaments] = {"tournaments": [write_part(off)]}
    listed = Screen(player)
    listed.press("t")
    await settle()
    for screen in (listed, at_tournament(followed("cancelled", info=off), Texts(language))[0]):
        shown = text(screen, 120, 40)
        assert "storm" in shown and "\x1b" not in shown


async def test_the_crosstable_is_drawn_anew_while_one_looks_at_it() -> None:
    screen, _, _ = at_tournament(followed())
    screen.press("x")
    assert "1.5/2" in text(screen)
    now = screen.player.session
    assert now is not None
    cross = (m.Cross("Anna", "Ben", 4, 3.5),)
    assert now.tournaments[ID].take(m.TournamentStandings(ID, 2, followed().standings, cross, ()))
    assert "3.5/4" in text(screen) and "1.5/2" not in text(screen)


async def test_a_wide_crosstable_goes_on_below_itself_and_is_scrolled() -> None:
    many = tuple(f"Entrant {number}" for number in range(30))
    screen, _, _ = at_tournament(followed(names=many))
    screen.press("x")
    first = text(screen)
    screen.press("end")
    assert text(screen) != first
    assert "30. Entrant 29" in text(screen)


@pytest.mark.parametrize(
    ("phase", "me", "offered", "withheld"),
    [
        ("announced", None, [], ["Take part", "Withdraw"]),
        ("registration", None, ["Take part"], ["Withdraw", "Check in"]),
        ("registration", entrant("Anna"), ["Withdraw"], ["Take part", "Check in"]),
        ("check_in", entrant("Anna"), ["Check in", "Withdraw"], ["Take part"]),
        ("running", entrant("Anna", checked_in=True), ["Withdraw"], ["Take part", "Check in"]),
        ("running", entrant("Anna", gone=True), [], ["Take part", "Withdraw", "Check in"]),
        ("finished", entrant("Anna", checked_in=True), [], ["Take part", "Withdraw", "Check in"]),
    ],
)
async def test_one_is_offered_what_the_phase_allows(
    phase: str, me: m.Entrant | None, offered: list[str], withheld: list[str]
) -> None:
    now = followed(phase, entrants=() if me is None else (me,))
    shown = text(at_tournament(now)[0], 80, 40)
    assert [words for words in offered if words not in shown] == []
    assert [words for words in withheld if words in shown] == []


async def test_late_entries_are_offered_as_long_as_the_rules_take_them() -> None:
    for round_, taken in ((1, True), (2, False)):
        now = followed("running", entrants=(), info=info("running", round=round_))
        assert ("Take part" in text(at_tournament(now)[0], 80, 40)) is taken


@pytest.mark.parametrize(
    ("phase", "key", "to"),
    [
        ("announced", "o", "open"),
        ("registration", "g", "start"),
        ("check_in", "g", "start"),
        ("running", "u", "pause"),
        ("paused", "u", "resume"),
    ],
)
async def test_the_organiser_steers_by_keys(phase: str, key: str, to: str) -> None:
    screen, _, connection = at_tournament(followed(phase))
    screen.press(key)
    await settle()
    assert connection.asked == [(m.Steer, {"tournament": ID, "to": to})]
    others, _, asked = at_tournament(followed(phase, info=info(phase, organiser="Ben")))
    others.press(key)
    await settle()
    assert asked.asked == []


async def test_what_cannot_be_taken_back_is_asked_about() -> None:
    for key, kind in (("k", m.Steer), ("w", m.Withdraw)):
        screen, _, connection = at_tournament(
            followed("running", entrants=(entrant("Anna", checked_in=True),))
        )
        screen.press(key)
        await settle()
        assert connection.asked == []
        screen.press("y")
        await settle()
        assert [asked[0] for asked in connection.asked] == [kind]


async def test_who_enters_during_check_in_is_there_at_once() -> None:
    screen, _, connection = at_tournament(followed("check_in", entrants=()))
    screen.press("e")
    await settle()
    assert [asked[0] for asked in connection.asked] == [m.Enter, m.CheckIn]
    assert connection.asked[1][1]["nonce"]


# Games


def dealt(id: str = "OAK", **more: Any) -> Any:
    table = table_at("balloon-cup", 0)
    return attrs.evolve(table, id=id, info=attrs.evolve(table.info, table=id, tournament=ID), **more)


def take_message(player: Player) -> None:
    player.hear(m.Ok(1, None))


async def test_a_game_opens_by_itself_and_the_hall_is_back_after_it() -> None:
    screen, player, connection = at_tournament(followed())
    connection.session.tables["OAK"] = dealt()
    take_message(player)
    assert screen.playing is not None
    assert "Your next game begins." in text(screen)
    del connection.session.tables["OAK"]
    take_message(player)
    assert "organised by Anna" in text(screen)


async def test_a_table_that_closes_while_one_leaves_it_leads_to_one_page_of_the_tournament(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen, player, connection = at_tournament(followed())
    connection.session.tables["OAK"] = dealt()
    take_message(player)

    async def closes_meanwhile(_kind: type[m.Command], **_fields: Any) -> None:
        take_message(player)
        del connection.session.tables["OAK"]
        take_message(player)

    monkeypatch.setattr(connection, "ask", closes_meanwhile)
    await player.leave_table()
    assert "organised by Anna" in text(screen)
    screen.press("q")
    assert "Lobby" in text(screen)


async def test_the_next_game_takes_the_place_of_one_that_is_over_and_of_no_other() -> None:
    screen, player, connection = at_tournament(followed())
    connection.session.tables["OAK"] = dealt()
    take_message(player)
    connection.session.tables["ELM"] = dealt("ELM")
    take_message(player)
    assert player.table_id == "OAK"
    over = m.Result(winners=(0,), places=(1, 2), reason="trophies", secret="", nonces=(), head=None)
    connection.session.tables["OAK"] = dealt(result=over)
    take_message(player)
    assert player.table_id == "ELM"
    assert screen.playing is not None


async def test_who_comes_back_in_the_middle_of_a_game_finds_the_hall_after_it() -> None:
    player, connection = player_at(None)
    screen = Screen(player)
    connection.session.tables["OAK"] = dealt()
    take_message(player)
    assert (m.WatchTournament, {"tournament": ID, "on": True}) in connection.asked
    connection.session.tournaments[ID] = followed()
    del connection.session.tables["OAK"]
    take_message(player)
    assert "organised by Anna" in text(screen)


async def test_a_game_with_friends_is_not_interrupted() -> None:
    player, connection = player_at(table_at("balloon-cup", 0))
    connection.session.tables["ELM"] = dealt("ELM")
    take_message(player)
    assert player.table_id == "OAK"


# The real application


def test_a_person_enters_a_tournament_in_the_hall_plays_and_sees_the_crosstable(tmp_path: Path) -> None:
    rules = tmp_path / "duel.toml"
    rules.write_text('name = "Duel"\ngame = "balloon-cup"\nformat = "round_robin"\n', encoding="utf-8")
    olga = environment(tmp_path / "olga")
    with server() as (host, port), contextlib.ExitStack() as stack:
        where = f"{host}:{port}"

        def begin(*words: str) -> None:
            started = [PARLOUR, "tournament", *words]
            process = stack.enter_context(subprocess.Popen(started, env=olga, stdout=subprocess.DEVNULL))
            stack.callback(process.kill)

        make = [PARLOUR, "tournament", "create", str(rules), where, "--name", "Olga"]
        made = subprocess.run(make, env=olga, capture_output=True, text=True, check=True).stdout
        id = made.partition("is tournament ")[2].partition(",")[0]
        begin("enter", id, where, "--name", "Robot")
        shown = stack.enter_context(terminal(tmp_path, "play", where, "--name", "Anna"))
        shown.see("Tournaments")
        shown.press("t")
        shown.see("Duel: Balloon Cup, round robin, open for entries")
        shown.press("enter")
        shown.see("Take part")
        shown.press("e")
        shown.see("2 entrants, organised by Olga")
        begin("start", id, where, "--name", "Olga")
        shown.see("You are taking part: check in now.")
        shown.press("c")
        for _ in range(2):
            resign(shown)
        shown.see("Back to the tournament")
        shown.press("q")
        shown.see("finished")
        shown.press("x")
        assert "2. Anna" in shown.see("0/2")
        shown.press("escape")
        shown.see("Who plays whom")
        shown.press("q")
        shown.see("Lobby")


def resign(shown: Terminal) -> None:
    """As soon as a game has opened by itself."""
    shown.see("Your next game begins.")
    shown.press("f10")
    shown.see("Give up")
    shown.press("x")
    shown.see("Are you sure?")
    shown.press("y")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_invitation_is_asked_for_where_the_rules_want_one(language: str) -> None:
    texts = Texts(language)
    entry = {**followed().rules["entry"], "invitation": True, "one_per_address": True}
    rules = {**followed().rules, "entry": entry}
    now = followed("registration", rules=rules, entrants={}, standings=(), crosstable=())
    screen, player, connection = at_tournament(now, texts)
    screen.press("e")
    await settle()
    assert player.prompt is not None and not connection.asked
    player.prompt.done(" K7Q2MXPA ")
    await settle()
    assert (m.Enter, {"tournament": ID, "code": "K7Q2MXPA"}) in connection.asked
    told = rules_lines(rules, texts)
    assert texts("tournament.rule.invitation") in told and texts("tournament.rule.one_per_address") in told
