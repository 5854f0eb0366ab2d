"""What everybody may know of a tournament, as messages."""

from parlour.protocol import messages as m
from parlour.server.tournament.history import Pairing, Result
from parlour.server.tournament.pairing import rounds
from parlour.server.tournament.points import Entrant
from parlour.server.tournament.state import Tournament
from parlour.server.tournament.watching.scores import Scores


def info(id: str, state: Tournament) -> m.TournamentInfo:
    rules = state.rules
    begun = state.phase in ("running", "paused", "finished")
    there = [entrant for entrant in state.entrants.values() if not entrant.gone]
    return m.TournamentInfo(
        tournament=id,
        name=rules.name,
        game=rules.game,
        format=rules.format,
        seats=rules.seats,
        phase=state.phase,
        organiser=state.organiser,
        entrants=len(there),
        checked_in=sum(entrant.name in state.nonces for entrant in there),
        round=len(state.history.rounds),
        rounds=rounds(state.present(), rules) if begun else None,
        starts=state.starts,
        published=state.published.hex() if state.published is not None else None,
        why=state.why,
        cause=state.cause,
        until=state.until if state.phase == "check_in" else None,
    )


def entrant(state: Tournament, one: Entrant) -> m.Entrant:
    return m.Entrant(
        name=one.name,
        bot=one.bot,
        since=one.since,
        gone=one.gone,
        checked_in=one.name in state.nonces,
        nonce=state.nonces.get(one.name),
        strength=one.strength,
    )


def round_(state: Tournament, pairing: Pairing) -> m.Round:
    secret = state.revealed[pairing.round - 1].hex() if pairing.round <= len(state.revealed) else None
    tables = tuple(m.PairedTable(table.number, table.players, table.stake) for table in pairing.tables)
    return m.Round(pairing.round, tables, pairing.byes, secret)


def result(one: Result) -> m.GameResult:
    return m.GameResult(
        round=one.round,
        table=one.table,
        game=one.game,
        deal=one.deal,
        players=one.players,
        places=one.places,
        failures=tuple(m.Failure(failure.name, failure.kind, failure.times) for failure in one.failures),
        forfeits=one.forfeits,
        void=one.void,
        replay=one.replay,
        moves=one.moves,
        thinking=one.thinking,
    )


def snapshot(id: str, seq: int, state: Tournament, scores: Scores) -> m.Picture:
    return m.Picture(
        seq=seq,
        info=info(id, state),
        rules={**state.rules.plain(), "tie_breaks": list(state.rules.breaks())},
        entrants=tuple(entrant(state, one) for one in state.entrants.values()),
        rounds=tuple(round_(state, pairing) for pairing in state.history.rounds),
        results=tuple(map(result, state.history.results)),
        standings=scores.standings,
        crosstable=scores.crosstable,
        ratings=scores.ratings,
    )
