"""Games played at random and recorded as a server does it, for tests of records and what reads them."""

import functools
from typing import Any

import attrs
from laws.playing import Dice, TableKind, secret, some_action

from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.match import Match
from parlour.server.records.fairness import commitment, seed
from parlour.server.records.record import (
    Header,
    JournalLine,
    Record,
    end_after,
    end_hash,
    entry,
    line_after,
    sealed,
)

NAMES = ("Anna", "Ben", "Zoë", "David", "Emma", "Félix")
TABLES = [(game.name, seats) for game in GAMES.values() for seats in sorted({game.seats[0], game.seats[-1]})]
STARTED = 1_700_000_000_000


def header_of(kind: TableKind, drawn: bytes) -> Header:
    nonces: list[str | None] = [None] * kind.seats
    nonces[0] = "tea-at-five"
    return sealed(
        Header(
            game=kind.game.name,
            seats=kind.seats,
            options=kind.options.plain(),
            names=NAMES[: kind.seats],
            bots=tuple(seat > 1 for seat in range(kind.seats)),
            commitment=commitment(drawn),
            nonces=tuple(nonces),
            build="parlour 0.1.0",
            protocol=1,
            started=STARTED,
            table="K7M2PQ4XTZ",
            number=1,
        )
    )


@functools.cache
def recorded(game: str, seats: int, number: int = 0, calm: bool = False) -> Record:
    """A whole game; unless it is a calm one, now and then a player is late, and one may leave."""
    kind = TableKind(GAMES[game], seats, {})
    dice = Dice(("recorded", str(kind), number))
    drawn = secret(("recorded", number))
    header = header_of(kind, drawn)
    source = Seeded(seed(drawn, header.nonces))
    match: Match[Any, Any, Any] = Match(kind.game, kind.seats, kind.options, source)
    lines: list[JournalLine] = []
    proposal = match.propose_setup()
    while True:
        reaction = 0.25 if lines and match.deadline and match.deadline.scramble else None
        for beat in proposal.beats:
            before = lines[-1] if lines else header
            lines.append(line_after(before, beat.entry, 1.7 * len(lines), reaction))
        match.adopt(proposal)
        if match.outcome is not None:
            break
        if not calm and dice.one_in(12):
            proposal = match.propose_time_up(min(match.awaited))
        elif not calm and len(match.journal) > 40 and len(match.left) < kind.seats and dice.one_in(30):
            proposal = match.propose_leave(next(seat for seat in range(9) if seat not in match.left))
        else:
            proposal = match.propose(*some_action(match, dice))
    return Record(header, tuple(lines), end_after(lines[-1], match.outcome, drawn, STARTED + 600_000))


def at_table(record: Record, table: str) -> Record:
    """The same game, as if it had been played at another table."""
    header = sealed(attrs.evolve(record.header, table=table, hash=""))
    lines: list = []
    for line in record.lines:
        told = entry(GAMES[header.game], line)
        lines.append(
            line_after(
                lines[-1] if lines else header, told, line.at / 1000, line.reaction and line.reaction / 1000
            )
        )
    end = attrs.evolve(record.end, head="")
    return Record(header, tuple(lines), attrs.evolve(end, head=end_hash(lines[-1].hash, end)))
