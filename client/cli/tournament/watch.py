"""Watching a tournament from a shell: a table drawn again and again, lines, or events as JSON."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Literal, TextIO

import attrs

from parlour.client.boards.room import in_ascii
from parlour.client.boards.text import clipped, plain
from parlour.client.connection import Connection
from parlour.client.following import NEWS, Followed
from parlour.client.language import Texts
from parlour.client.language.safe import safe
from parlour.client.tournaments.tables import (
    cross_lines,
    head_lines,
    name_of,
    pairing_lines,
    phase_line,
    result_line,
    standings_lines,
)
from parlour.machine.output import printable_json, say
from parlour.protocol import messages as m
from parlour.protocol.codec import write

HOME_AND_CLEAR = "\x1b[H\x1b[J"
Manner = Literal["screen", "lines", "json"]


def manner(out: TextIO, as_json: bool) -> Manner:
    """A screen is for terminals that have one."""
    if as_json:
        return "json"
    return "screen" if out.isatty() and os.environ.get("TERM") != "dumb" else "lines"


@attrs.define
class Watching:
    """Shows a tournament until it is over."""

    id: str
    texts: Texts
    manner: Manner
    ascii: bool = False
    now: Callable[[], float] = time.time
    _phase: str = ""
    _followed: Followed | None = None
    _notice: str = ""
    _lost_at: float | None = None
    _back: bool = False
    """The connection is back, and what was missed is still to be asked for."""

    def lose(self, _why: str) -> None:
        """Says that the connection is lost, and that what is shown may be old."""
        self._back = False
        if self._followed is None or self._lost_at is not None:
            return
        self._lost_at = self.now()
        if self.manner == "json":
            say(printable_json({"type": "lost", "tournament": self.id}))
        elif self.manner == "lines":
            self._say(self._lost_line(self._lost_at))
        else:
            self._draw(self._followed)

    def hear(self, message: m.Message) -> None:
        """Prints a message from the server if it is about this tournament."""
        if isinstance(message, m.Welcome):
            self._back = self._lost_at is not None
        if self._followed is None or not isinstance(message, NEWS) or message.tournament != self.id:
            return
        if self.manner == "json":
            say(printable_json(write(message)))
        elif self.manner == "lines":
            self._say(*self._lines(message))

    async def run(self, connection: Connection) -> None:
        """Shows the tournament until it is over."""
        self._followed = await self._look(connection)
        while not self._followed.over:
            if self.manner == "screen":
                self._draw(self._followed)
            await connection.changed()
            self._notice = ""
            if self._back:
                self._followed = await self._look(connection)
            # A new snapshot takes the old one's place when something was missed.
            self._followed = connection.session.tournaments.get(self.id, self._followed)
        # The last standings come a moment after the end.
        await connection.ask(m.WatchTournament, tournament=self.id, on=True)
        self._followed = connection.session.tournaments.get(self.id, self._followed)
        if self.manner == "screen":
            self._draw(self._followed)
        if self.manner == "lines":
            self._say("", *standings_lines(self._followed, self.texts))

    async def _look(self, connection: Connection) -> Followed:
        """Asks for a snapshot, at first and after a loss; raises Refused if the tournament is gone."""
        answer = await connection.ask(m.WatchTournament, tournament=self.id, on=True)
        followed = connection.session.tournaments[self.id]
        resumed, self._lost_at, self._back = self._lost_at is not None, None, False
        if self.manner == "json":
            told = {"type": "picture", "tournament": self.id, **answer}
            say(printable_json(told))
        elif self.manner == "lines":
            told_first = self.texts("connection.back") if resumed else safe(followed.info.name)
            self._say(told_first, *head_lines(followed, self.texts))
            self._phase = followed.info.phase
        elif resumed:
            self._notice = self.texts("connection.back")
        return followed

    def _lost_line(self, at: float) -> str:
        return self.texts("tournaments.lost", time=datetime.fromtimestamp(at).strftime("%H:%M:%S"))

    def _say(self, *lines: str) -> None:
        for line in lines:
            say(plain(in_ascii([("", line)])) if self.ascii else line)

    # Line by line

    def _lines(self, message: m.Message) -> Iterator[str]:
        texts = self.texts
        match message:
            case m.TournamentChanged(info=info) if info.phase != self._phase:
                self._phase = info.phase
                yield phase_line(info, texts)
            case m.TournamentEntrant(entrant=entrant, withdrawn=withdrawn):
                key = "gone" if withdrawn or entrant.gone else "there" if entrant.checked_in else "entered"
                yield texts(f"tournaments.news.{key}", name=name_of(entrant.name, 24))
            case m.TournamentRound(round=round_) if round_.secret is not None:
                yield texts("tournaments.news.round_over", round=round_.round, secret=safe(round_.secret))
            case m.TournamentRound() if self._followed is not None:
                yield from pairing_lines(self._followed, texts)
            case m.TournamentResult(result=result):
                yield result_line(result, texts)

    # On a screen

    def _draw(self, followed: Followed) -> None:
        width, height = shutil.get_terminal_size()
        notice = self._notice if self._lost_at is None else self._lost_line(self._lost_at)
        body = [
            *([notice] if notice else []),
            safe(followed.info.name),
            *head_lines(followed, self.texts),
            "",
        ]
        if followed.round is not None and not followed.over:
            body += [*pairing_lines(followed, self.texts), ""]
        body += standings_lines(followed, self.texts)
        if followed.crosstable:
            body += ["", *cross_lines(followed, self.texts, width)]
        if len(body) > height - 1 and not followed.over:
            body = [*body[: height - 2], "…"]
        sys.stdout.write(HOME_AND_CLEAR)
        self._say(*[clipped(line, width) for line in body])
