"""Who has lost the connection in a game, since when, and who plays for them meanwhile."""

import time

from parlour.client.language import Texts
from parlour.client.language.safe import safe
from parlour.client.table import Table
from parlour.protocol import messages as m

BOT_COMES_BACK = 5
"""Seconds that a bot needs at most to come back to a game that is taken up again."""


def absent(table: Table) -> list[tuple[int, m.Chair]]:
    """The others in a running game who are not connected; one's own seat is told by the connection."""
    if table.info.stage != "playing" or table.result is not None:
        return []
    return [
        (seat, chair)
        for seat, chair in enumerate(table.info.chairs)
        if chair is not None and not (chair.here or chair.left) and seat != table.seat
        if not chair.bot or away_for(table, chair, time.monotonic()) > BOT_COMES_BACK
    ]


def away_for(table: Table, chair: m.Chair, now: float) -> int:
    """Seconds since somebody has lost the connection."""
    if table.clock is None or chair.away_since is None:
        return 0
    return max(0, int(table.clock.now + now - table.heard_at - chair.away_since))


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def without_clock(table: Table) -> bool:
    """Whether nothing but the others goes on without who is away."""
    return table.info.clocks.decision is None


def absence_texts(table: Table, texts: Texts, now: float | None = None) -> list[str]:
    """A sentence for each who is away, with a time also since when; and what may be done about it."""
    told = []
    for _, chair in absent(table):
        who = {"name": safe(chair.name), "bot": safe(chair.substitute or "")}
        key = "played_for" if chair.substitute is not None else "lost"
        if now is None:
            told.append(texts(f"absence.{key}", **who))
        else:
            seconds = away_for(table, chair, now)
            told.append(texts(f"absence.{key}_since", **who, time=_minutes(seconds)))
    waits = [chair for _, chair in absent(table) if chair.substitute is None and not chair.bot]
    if waits and table.seat is not None and table.info.tournament is None and without_clock(table):
        opens = "Esc" if now is not None else "menu"
        may_end = any(may_be_cleared(table, chair) for chair in waits)
        key = "others" if not table.hosting else "host" if may_end else "host_waits"
        told.append(texts(f"absence.{key}", key=opens, time=_minutes(table.info.clocks.grace)))
    return told


def may_be_cleared(table: Table, chair: m.Chair) -> bool:
    """Whether the server lets the host clear the seat: its player was away for longer than the grace."""
    return away_for(table, chair, time.monotonic()) > table.info.clocks.grace
