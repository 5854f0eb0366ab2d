"""A tournament that is over as an archive has it, checked: nothing is lost, and nothing counts twice."""

import attrs
import pytest

from parlour.server.records.verify import verify
from parlour.server.storage import library
from parlour.server.storage.archive import Archive
from parlour.server.tournament import deals, events, lifecycle
from parlour.server.tournament.history import History
from parlour.server.tournament.pairing import pairings


@attrs.frozen
class KeptTournament:
    """What else a test may want to know of it."""

    id: str
    results: set[tuple[int, int, int]]
    """Round, table and game of each."""
    dealt: int


def kept_tournament(path: str, names: set[str], games: int) -> KeptTournament:
    """Checks the one tournament that is there, which these players finished with so many games."""
    with Archive.open(path, readonly=True) as archive:
        (id,) = archive.tournaments()
        lines = [each["line"] for each in archive.happenings(id)]
        state = lifecycle.recovered(lines)
        assert set(archive.ratings(state.rules.game)) == names
    assert state.phase == "finished"
    results = {(one.round, one.table, one.game): one for one in state.history.results}
    assert len(results) == len(state.history.results) == games
    dealt = [event for event in map(events.read_line, lines) if isinstance(event, events.GameBegun)]
    # What was paired before each round is what would be paired now.
    before: History = History()
    for round_ in state.history.rounds:
        assert pairings(before, state.present(), state.rules) == round_
        own = tuple(one for one in state.history.results if one.round == round_.round)
        before = History((*before.rounds, round_), (*before.results, *own))
    kept = {game["id"]: game for game in library.games(str(path), pytest.fail)}
    assert set(kept) == {one.replay for one in results.values()}
    for one in results.values():
        assert one.replay is not None
        record = library.find_record(str(path), one.replay)
        assert verify(record).sound
        assert (record.header.names, record.end.places) == (one.players, one.places)
        secret = state.revealed[one.round - 1]
        nonces = state.deal_nonces(state.history.rounds[one.round - 1])
        assert record.end.secret == deals.deal(secret, nonces, one.round, one.deal).key.hex()
        acted = [sum(line.cause == "act" and line.seat == seat for line in record.lines) for seat in (0, 1)]
        assert list(one.moves) == acted
    return KeptTournament(id, set(results), len(dealt))
