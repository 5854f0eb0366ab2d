"""What is always on the screen: whose turn it is, the clocks, and how the connection is."""

import math

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.text import Line, joined
from parlour.client.language import Texts
from parlour.client.table import Table
from parlour.client.terminal.game.story import names_of
from parlour.client.terminal.player import Player

SLOW = 1.5
"""Seconds without an answer after which the screen says so."""
HURRY = 10.0
"""Seconds left from which on a clock is shown as urgent."""


def minutes(seconds: float) -> str:
    """`1:05`; it never shows 0:00 while there is time."""
    whole = math.ceil(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def time_left(table: Table, seat: int, now: float) -> float | None:
    """Seconds that a seat has left; None if there is no limit, it is not asked, or its clock waits."""
    if table.clock is None or table.clock.ends[seat] is None:
        return None
    ends = table.clock.ends[seat]
    return None if ends is None else max(0.0, ends - table.clock.now - (now - table.heard_at))


def connection(player: Player, now: float) -> Line:
    """The round trip, or for how long there has been no answer."""
    texts = player.texts
    if player.connection is None:
        return [("class:faint", texts("connection.none"))]
    if player.lost_at is not None:
        return [("class:alarm", f" {texts('connection.lost', seconds=int(now - player.lost_at))} ")]
    if player.stale:
        return [("class:alarm", f" {texts('connection.resuming')} ")]
    if player.asked_at is not None and now - player.asked_at > SLOW:
        return [("class:alarm", f" {texts('connection.slow', seconds=int(now - player.asked_at))} ")]
    if player.round_trip is None:
        return [("class:faint", texts("connection.opening"))]
    return [("class:home", "● "), ("", texts("connection.fine", ms=max(1, round(player.round_trip * 1000))))]


def turn(table: Table, texts: Texts, now: float) -> Line:
    """Who is asked, and how long they have."""
    names = names_of(table)
    others = joined(
        [
            [("", names[seat]), *_clock(table, seat, texts, now)]
            for seat in table.awaited
            if seat != table.seat
        ],
        texts("list.between"),
    )
    if table.question is not None and table.seat is not None:
        mine: Line = [("class:turn", f" {texts('play.your_turn')} "), *_clock(table, table.seat, texts, now)]
        return [*mine, ("", f"  {texts('play.also')}"), *others] if others else mine
    watching = "" if table.seat is not None else f"{texts('play.watching')} "
    return [("", f" {watching}{texts('play.waiting')} "), *others]


def _clock(table: Table, seat: int, texts: Texts, now: float) -> Line:
    """The time for this move, and beside it the reserve; once the move's own is up, the reserve alone."""
    left = time_left(table, seat, now)
    if left is None or table.clock is None:
        return []
    reserve = table.clock.banks[seat] if _has_reserve(table, seat) else 0.0
    if not reserve:
        told = minutes(left)
    elif left > reserve:
        told = texts("play.time_and_reserve", time=minutes(left - reserve), reserve=minutes(reserve))
    else:
        told = texts("play.reserve", reserve=minutes(left))
    return [("", " "), ("class:alarm" if left < HURRY else "class:name", told)]


def _has_reserve(table: Table, seat: int) -> bool:
    """Whether the time of a seat ends with its reserve; of another seat nobody is told what it is asked."""
    chair = table.info.chairs[seat]
    if chair is None or chair.stand_in:
        return False
    if seat == table.seat:
        return table.question is not None and not table.question.scramble
    return not board_of(table.info.game).moves.quiet
