"""Watching a tournament from a shell: what is drawn on a screen, written in lines, and told to programs."""

import io
import json
from typing import Any

import attrs
import pytest
from prompt_toolkit.utils import get_cwidth
from support.client.tournament_page import ID, followed, info, result

from parlour.client.cli.tournament.watch import HOME_AND_CLEAR, Watching, manner
from parlour.client.connection import Refused
from parlour.client.following import Followed
from parlour.client.language import LANGUAGES, Texts
from parlour.client.session import Session
from parlour.client.tournaments.tables import (
    cross_lines,
    entrant_lines,
    list_lines,
    pairing_lines,
    phase_line,
    standings_lines,
)
from parlour.protocol import messages as m

EN = Texts("en")


class FakeConnection:
    """In the place of a connection: one change after the other, the last of which is the end."""

    def __init__(self, *snapshots: Followed) -> None:
        self.session = Session(name="Guest")
        self.snapshots = list(snapshots)

    async def ask(self, *_: Any, **__: Any) -> Any:
        if not self.session.tournaments:
            await self.changed()
        return {"seq": self.session.tournaments[ID].seq}

    async def changed(self) -> None:
        self.session.tournaments[ID] = self.snapshots.pop(0)


async def watched(how: str, *snapshots: Followed, ascii: bool = False) -> None:
    watching = Watching(ID, EN, how, ascii)  # type: ignore[arg-type]
    await watching.run(FakeConnection(*snapshots))  # type: ignore[arg-type]


async def test_a_screen_is_drawn_again_with_every_change(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    many = tuple(f"Entrant {number}" for number in range(30))
    await watched("screen", followed(names=many), followed("paused", names=many), followed("finished"))
    screens = capsys.readouterr().out.split(HOME_AND_CLEAR)[1:]
    assert len(screens) == 3
    assert all(
        word in screen for word, screen in zip(("running", "paused", "finished"), screens, strict=True)
    )
    for screen in screens[:2]:
        assert len(screen.splitlines()) <= 23
        assert max(map(get_cwidth, screen.splitlines())) <= 80
    assert "1.5/2" in screens[2]


class Breaking(FakeConnection):
    """Breaks before the second snapshot, and comes back with it, or without if the tournament is gone."""

    def __init__(self, watching: Watching, *snapshots: Followed) -> None:
        super().__init__(*snapshots)
        self.watching, self.welcomed, self.asked = watching, False, 0

    async def ask(self, *_: Any, **__: Any) -> Any:
        self.asked += 1
        if self.asked == 2:
            if not self.snapshots:
                raise Refused(m.Error(1, "no_such_tournament", {}))
            await super().changed()
        return await super().ask()

    async def changed(self) -> None:
        if not self.session.tournaments or self.welcomed:
            await super().changed()
            return
        self.watching.lose("close code 1006")
        self.watching.lose("no answer in time")
        self.welcomed = True
        limits = m.Limits(**{field.name: 1 for field in attrs.fields(m.Limits)})
        you = m.Person("Guest", False)
        self.watching.hear(m.Welcome(1, 1, "parlour 0", (), limits, 15.0, you, "t", 1, (), 0.0))


async def test_a_lost_line_is_told_and_so_is_that_it_is_back(capsys: pytest.CaptureFixture[str]) -> None:
    for how in ("screen", "lines", "json"):
        watching = Watching(ID, EN, how, now=lambda: 0.0)  # type: ignore[arg-type]
        connection = Breaking(watching, followed(), followed("paused"), followed("finished"))
        await watching.run(connection)  # type: ignore[arg-type]
        out = capsys.readouterr().out
        if how == "json":
            kinds = [json.loads(each)["type"] for each in out.splitlines()]
            assert kinds == ["picture", "lost", "picture"]
            continue
        assert out.count("Connection lost at") == out.count("trying again") == 1
        assert out.index("running") < out.index("Connection lost at") < out.index("The connection is back.")
        assert out.index("The connection is back.") < out.index("paused")
        if how == "screen":
            live, lost, back, last = out.split(HOME_AND_CLEAR)[1:]
            assert lost.startswith("Connection lost at") and back.startswith("The connection is back.")
            assert not any(words in screen for screen in (live, last) for words in ("Lost", "is back"))


async def test_a_tournament_that_is_gone_when_the_line_is_back_is_not_shown_as_if_it_went_on() -> None:
    watching = Watching(ID, EN, "lines")
    with pytest.raises(Refused):
        await watching.run(Breaking(watching, followed()))  # type: ignore[arg-type]


async def test_a_pipe_gets_the_standings_when_it_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    await watched("lines", followed(), followed("finished"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Sunday league"
    assert any(line.startswith("1.  Anna") for line in lines)
    assert HOME_AND_CLEAR not in "".join(lines)


async def test_where_only_ascii_can_be_written_nothing_else_is(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("Anna", "Ben", "Carl", "Dora")
    await watched("screen", followed("finished", names=names, rounds=()), ascii=True)
    assert capsys.readouterr().out.isascii()


def test_pairings_tell_points_and_every_mean_its_error() -> None:
    level = attrs.evolve(result(2, 1, 1, "Ben", "Anna"), places=(1, 1))
    now = followed(results=(result(2, 1, 0, "Anna", "Ben"), level))
    assert "1.  Anna – Ben  1-0  0.5-0.5" in pairing_lines(now, EN)
    wide = m.Mean(2, 0.5, 0.5, -2.7, 3.7)
    rows = tuple(attrs.evolve(row, share=wide) for row in now.standings)
    assert all("0.50 ±1.00" in line for line in standings_lines(followed(standings=rows), EN)[1:])


def test_news_are_told_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    watching = Watching(ID, EN, "lines")
    watching._followed = followed()
    gone = m.Entrant("Ben", True, 1, True, True, None, 0)
    for news in (
        m.TournamentChanged(ID, 2, info("paused")),
        m.TournamentEntrant(ID, 3, gone, withdrawn=False),
        m.TournamentResult(ID, 4, result(2, 1, 1, "Ben", "Anna")),
        m.TournamentRound(ID, 5, m.Round(2, (), (), "ab" * 32)),
        m.TournamentRound(ID, 6, m.Round(3, (), (), None)),
        m.TournamentChanged("OTHER", 7, info("running")),
    ):
        watching.hear(news)
    told = capsys.readouterr().out
    for words in (
        "paused, round 2 of 3",
        "Ben no longer takes part.",
        "Round 2, table 1, game 2: 1. Ben  2. Anna",
        "Round 2 is over; its secret was abab",
        "Without a table: Emma",
    ):
        assert words in told
    assert "running" not in told


async def test_why_it_is_paused_or_cancelled_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    off = followed("cancelled", info=info("cancelled", why="storm \x1b[2J"))
    await watched("screen", followed("paused", info=info("paused", why="lunch")), off)
    first, last = capsys.readouterr().out.split(HOME_AND_CLEAR)[1:]
    assert "paused, round 2 of 3: lunch" in first
    assert "cancelled: storm \N{REPLACEMENT CHARACTER}[2J" in last
    watching = Watching(ID, EN, "lines")
    watching._followed = followed()
    watching.hear(m.TournamentChanged(ID, 2, off.info))
    assert "cancelled: storm" in capsys.readouterr().out
    assert any("cancelled: storm" in line for line in list_lines([off.info], EN))
    assert all(line.isprintable() for line in list_lines([off.info], EN))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("phase", "cause"), [("registration", "too_few"), ("cancelled", "idle")])
def test_what_the_server_does_by_itself_has_words(phase: str, cause: str, language: str) -> None:
    texts = Texts(language)
    told = phase_line(info(phase, cause=cause), texts)
    assert texts(f"tournaments.cause.{cause}") in told and told != phase_line(info(phase), texts)


def test_a_screen_is_for_terminals_that_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tty(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    assert (manner(Tty(), False), manner(io.StringIO(), False), manner(Tty(), True)) == (
        "screen",
        "lines",
        "json",
    )
    monkeypatch.setenv("TERM", "dumb")
    assert manner(Tty(), False) == "lines"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_peers_wrote_cannot_speak_to_the_terminal(language: str) -> None:
    texts = Texts(language)
    now = followed(names=("\x1b[2JEve", "Ben\nBen"))
    lines = [
        *standings_lines(now, texts),
        *cross_lines(now, texts),
        *pairing_lines(now, texts),
        *entrant_lines(now, texts),
    ]
    assert all(line.isprintable() for line in lines)
