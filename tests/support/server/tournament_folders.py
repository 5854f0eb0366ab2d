"""Whole tournaments played at random without a server, every game recorded, for tests of their folders."""

import functools
from typing import Any

from laws.playing import Dice, TableKind, some_action

from parlour.client.language import Texts
from parlour.client.tournaments.report import report
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.match import Match
from parlour.protocol.version import build
from parlour.server.records.fairness import commitment, seed
from parlour.server.records.record import Header, JournalLine, Record, end_after, game_id, line_after, sealed
from parlour.server.tournament import events as e
from parlour.server.tournament.deals import Board, boards, round_secret
from parlour.server.tournament.export import files as export
from parlour.server.tournament.export.facts import FinishedTournament, Spot, public_lines
from parlour.server.tournament.history import Failure, Name, Result
from parlour.server.tournament.lifecycle import after, announced
from parlour.server.tournament.ratings import Rating, to_maps
from parlour.server.tournament.rules import Rules
from parlour.server.tournament.state import Tournament

SECRET = bytes(range(32))
ABSENT = (2, 1, 1)
"""The game to which somebody does not come."""
STARTED, LASTED = 1_700_000_000_000, 60_000
NAMES = ("Anna", "Zoë", "Ben", "Mrs -Tea", "王芳")


def played(board: Board, rules: Rules, table: str, bots: tuple[bool, ...], started: int) -> Record:
    """A game on a deal, by anybody's moves."""
    kind = TableKind(GAMES[rules.game], rules.seats, dict(rules.options))
    dice = Dice(("board", board.deal.key.hex(), table))
    header = sealed(
        Header(
            game=rules.game,
            seats=rules.seats,
            options=dict(rules.options),
            names=board.players,
            bots=bots,
            commitment=commitment(board.deal.key),
            nonces=(None,) * rules.seats,
            build=build(),
            protocol=1,
            started=started,
            table=table,
            number=1,
        )
    )
    source = Seeded(seed(board.deal.key, header.nonces))
    match: Match[Any, Any, Any] = Match(kind.game, kind.seats, kind.options, source)
    lines: list[JournalLine] = []
    proposal = match.propose_setup()
    while True:
        for beat in proposal.beats:
            lines.append(line_after(lines[-1] if lines else header, beat.entry, len(lines) / 10))
        match.adopt(proposal)
        if match.outcome is not None:
            break
        proposal = match.propose(*some_action(match, dice))
    return Record(header, tuple(lines), end_after(lines[-1], match.outcome, board.deal.key, started + LASTED))


def result_of(record: Record, spot: Spot, number: int) -> Result:
    """Now and then somebody is late."""
    players = tuple(map(Name, record.header.names))
    failures = (Failure(players[0], "late", 2),) if number % 3 == 0 else ()
    moves = tuple(sum(line.seat == seat for line in record.lines) for seat in range(len(players)))
    thinking = tuple(round(0.25 * count, 3) for count in moves)
    places = record.end.places
    return Result(
        *spot,
        players,
        places,
        failures,
        replay=game_id(record.header),
        moves=moves,
        thinking=thinking,
    )


@functools.cache
def finished_tournament(
    game: str = "balloon-cup", seats: int = 2, entrants: int = 4, rounds: int = 2
) -> FinishedTournament:
    """A Swiss tournament from its announcement to its end."""
    rules = {"name": "<Cup> & more", "game": game, "format": "swiss", "seed": "s", "seats": seats}
    there = [Name(name) for name in NAMES[:entrants]]
    lines: list[str] = []
    now: Tournament | None = None
    records: dict[Spot, Record] = {}

    def happen(event: e.Event) -> Tournament:
        nonlocal now
        now = announced(event) if now is None else after(now, event)
        lines.append(e.line(event))
        return now

    happen(e.Announced({**rules, "rounds": rounds}))
    happen(e.RegistrationOpened())
    for name in there:
        happen(e.Entered(name, bot=name != "Anna"))
    happen(e.SecretDrawn(SECRET.hex()))
    happen(e.CheckInOpened(round_secret(SECRET, 0).hex(), STARTED // 1000))
    for name in there:
        happen(e.CheckedIn(name, None if name == "Ben" else "nonce"))
    state = happen(e.Started())
    while (pairing := state.next_round()) is not None:
        state = happen(e.RoundPaired(pairing))
        secret = round_secret(SECRET, pairing.round)
        for board in boards(pairing, state.rules.games, secret, state.deal_nonces(pairing)):
            spot = (pairing.round, board.table.number, board.deal.number)
            if spot == ABSENT:
                gone = board.players[:1]
                places = (len(board.players), *[1] * (len(board.players) - 1))
                missed = (Failure(gone[0], "absent"),)
                state = happen(e.GameFinished(Result(*spot, board.players, places, missed, gone)))
                continue
            at = f"CUP-{len(records):03}"
            bots = tuple(state.entrants[name].bot for name in board.players)
            started = STARTED + len(records) * LASTED
            records[spot] = played(board, state.rules, at, bots, started)
            happen(e.GameBegun(*spot, at))
            state = happen(e.GameFinished(result_of(records[spot], spot, len(records))))
        state = happen(e.RoundFinished(pairing.round, secret.hex()))
    happen(e.Finished(to_maps({there[0]: Rating(27.5, 4.0, 12)})))
    return FinishedTournament("LEAGUE", build(), 1, tuple(public_lines(lines)), records)


def draw(facts: export.Facts, language: str) -> str:
    return report(facts, Texts(language))


@functools.cache
def usual() -> dict[str, str]:
    """All files of the usual tournament."""
    return files(finished_tournament())


def files(of: FinishedTournament, language: str = "en") -> dict[str, str]:
    """All files of the folder, the report among them."""
    return {**export.files(of), export.REPORT: draw(export.facts(of), language)}
