"""What is due in a tournament: opening and starting by itself, rounds, games, and players who do not come.

All that is due at a moment is one batch; the tournament stores it, and `look` is called again.
"""

import functools
from collections.abc import Callable

from parlour.engine.secret import Seat
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.gate import AGAIN_AFTER
from parlour.server.tables.table import Table
from parlour.server.tournament import deals, events
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name, Pairing
from parlour.server.tournament.live import games
from parlour.server.tournament.live.dealing import deal
from parlour.server.tournament.live.games import Spot
from parlour.server.tournament.live.house import GONE
from parlour.server.tournament.live.running import EventBatch, RunningTournament
from parlour.server.tournament.ratings import Rating, after, to_maps

CHECK_IN_FOR = 60
"""Seconds for everybody to be there, when a tournament starts by itself; an organiser may say fewer."""
AT_ONCE = 1
"""Games that are dealt in one go, while everybody else waits."""
LONGEST_LOOK = 3600.0
"""Seconds until the next look at most: the wall clock may be set meanwhile."""
Drawn = tuple[Pairing | None, dict[Name, Rating] | None]
"""The next round, or None if there is none and what everybody's rating is now."""


def look(tournament: RunningTournament, now: float) -> None:
    """Does all that is due now."""
    tournament.looks_at, tournament.waits_for_table = None, False
    batch = EventBatch(tournament.state)
    match tournament.state.phase:
        case "announced" | "registration":
            _open_by_itself(tournament, batch, now)
        case "check_in":
            _start_by_itself(tournament, batch, now)
        case "running" | "paused":
            _go_on(tournament, batch, now)
    if not batch.events and not tournament.busy:
        _cancel_idle(tournament, batch, now)
    if batch.events:
        tournament.store(batch)


def _look_again(tournament: RunningTournament, at: float) -> None:
    tournament.looks_at = at if tournament.looks_at is None else min(at, tournament.looks_at)


def _wait_for(tournament: RunningTournament, wall: float, now: float) -> bool:
    """Says whether a time of the wall clock has come; if not, has the tournament looked at again then."""
    left = wall - tournament.tables.store.wall() / 1000
    if left > 0:
        _look_again(tournament, now + min(left, LONGEST_LOOK))
    return left <= 0


def _open_by_itself(tournament: RunningTournament, batch: EventBatch, now: float) -> None:
    starts = tournament.state.starts
    if starts is not None and _wait_for(tournament, starts, now):
        for event in opening(tournament, CHECK_IN_FOR):
            batch.add(event)


def opening(tournament: RunningTournament, seconds: int | None) -> list[Event]:
    """Makes the events up to check-in, which lasts so many seconds, or until the organiser starts."""
    found: list[Event] = []
    if tournament.state.phase == "announced":
        found.append(events.RegistrationOpened())
    secret = tournament.tables.random(32)
    until = None if seconds is None else tournament.tables.store.wall() // 1000 + seconds
    found.append(events.SecretDrawn(secret.hex()))
    found.append(events.CheckInOpened(deals.round_secret(secret, 0).hex(), until))
    return found


def _start_by_itself(tournament: RunningTournament, batch: EventBatch, now: float) -> None:
    state = tournament.state
    if state.until is None:
        return
    everybody = len(state.nonces) == len(state.entrants)
    if (state.enough and everybody) or _wait_for(tournament, state.until, now):
        batch.add(events.Started() if state.enough else events.CheckInClosed())


def _cancel_idle(tournament: RunningTournament, batch: EventBatch, now: float) -> None:
    """Cancels a tournament in which nothing has happened for long, unless its start is still to come."""
    if tournament.log:
        idle_at = _idle_at(tournament)
        if idle_at is not None and _wait_for(tournament, idle_at, now):
            batch.add(events.Cancelled(cause="idle"))


def _idle_at(tournament: RunningTournament) -> float | None:
    """When to cancel it unless something happens before, in seconds since 1970."""
    state, limits, last = tournament.state, tournament.registry.limits, tournament.log[-1].at / 1000
    match state.phase:
        case "announced" | "registration":
            # A tournament that was made before `tournament_ahead` was checked may start in a thousand years.
            near = state.starts is not None and state.starts <= last + limits.tournament_ahead
            return None if near else last + limits.tournament_idle
        case "check_in":
            return last + limits.tournament_idle if state.until is None else None
        case "paused" if not (tournament.open_tables() or tournament.games_elsewhere()):
            return last + limits.tournament_stands
    there = (name for name, entrant in state.entrants.items() if not entrant.gone)
    if any(_is_here(tournament, name) for name in (*there, Name(state.organiser))):
        tournament.active_at = tournament.tables.store.wall()
    # After a restart players need time to come back.
    active_at, read_at = tournament.active_at / 1000, tournament.read_at / 1000
    return max(active_at + limits.tournament_stands, read_at + limits.tournament_idle)


def _go_on(tournament: RunningTournament, batch: EventBatch, now: float) -> None:
    for spot, table in tournament.open_tables().items():
        _look_after(tournament, batch, spot, table, now)
    _tell_who_is_gone(tournament)
    if batch.now.phase != "running":
        return
    if batch.now.round is None:
        _next_round(tournament, batch)
    elif not batch.now.open_games():
        _end_round(batch)
    else:
        _begin_games(tournament, batch, now)
        if not batch.now.open_games():
            _end_round(batch)


def _look_after(
    tournament: RunningTournament, batch: EventBatch, spot: Spot, table: Table, now: float
) -> None:
    if table.restores_at is not None:
        return
    if table.stage == "finished":
        dealt = tournament.state.begun[spot][-1]
        batch.add(events.GameFinished(games.played(dealt, table, tournament.tables.store.durable)))
    elif table.stage == "gathering" and table.id in tournament.registry.guests.waiting:
        pass  # its players are on their way here
    elif table.stage == "gathering" and not tournament.tables.gates[table.id].busy:
        # The server restarted before it was dealt, or the deal could not be stored.
        _look_again(tournament, now + AGAIN_AFTER)
        deal(tournament.registry, table)
    elif table.stage == "playing":
        for seat, player in enumerate(table.players):
            gone = player is not None and tournament.state.entrants[Name(player.name)].gone
            if player is not None and gone and not player.left:
                tournament.tables.when_free(table, functools.partial(Table.resign, seat=Seat(seat), now=now))


def _tell_who_is_gone(tournament: RunningTournament) -> None:
    """Tells other nodes who has left the tournament, and loses the games that go on there."""
    for (table, game), node in tournament.games_elsewhere().items():
        at = tournament.state.begun[table, game][-1].at
        for name in games.paired(tournament.state, table).seating(game):
            if tournament.state.entrants[name].gone and (name, at, node) not in tournament.told_gone:
                tournament.told_gone.add((name, at, node))
                tournament.registry.house.tell({"event": GONE, "table": at, "name": name})


def _next_round(tournament: RunningTournament, batch: EventBatch) -> None:
    """Pairs in another thread: a large field takes a while, and so do ratings that other nodes may change."""
    registry = tournament.registry
    if batch.events:
        pairing = batch.now.next_round()
        if pairing is not None:
            batch.add(events.RoundPaired(pairing))
        elif not registry.in_house:
            _finish(tournament, batch, None)
        return  # in a house the next look ends the tournament
    tournament.gate.hold()
    state = batch.now

    def work() -> Drawn:
        pairing = state.next_round()
        asks = pairing is None and registry.in_house  # alone, nobody else changes ratings
        return pairing, registry.stored.read_ratings(state.rules.game) if asks else None

    try:
        registry.working.run(work, functools.partial(_take_pairing, tournament))
    except Exception as bug:
        tournament.gate.release(functools.partial(tournament.halt, bug))


def _take_pairing(tournament: RunningTournament, found: Callable[[], Drawn]) -> None:
    def store() -> None:
        batch = EventBatch(tournament.state)
        try:
            pairing, ratings = found()
        except ArchiveError:
            tournament.looks_at = tournament.tables.clock() + AGAIN_AFTER
            return
        if pairing is not None:
            batch.add(events.RoundPaired(pairing))
        else:
            _finish(tournament, batch, ratings)
        tournament.store(batch)

    tournament.gate.release(store)


def _finish(tournament: RunningTournament, batch: EventBatch, newest: dict[Name, Rating] | None) -> None:
    field, known = batch.now.entrants, tournament.ratings
    if newest is not None:
        known |= newest
    before = {name: rating for name, rating in known.items() if name in field}
    batch.rated, batch.unrated = after(before, batch.now.history.results), before
    # At once: another tournament of this game may end before this batch is stored.
    known.update(batch.rated)
    batch.add(events.Finished(to_maps(before)))


def _end_round(batch: EventBatch) -> None:
    if batch.now.secret is None:
        raise RuntimeError("no secret was drawn")
    number = games.round_of(batch.now).round
    batch.add(events.RoundFinished(number, deals.round_secret(batch.now.secret, number).hex()))
    for name in batch.now.struck_out():
        batch.add(events.Left(name, "strikes"))


def _begin_games(tournament: RunningTournament, batch: EventBatch, now: float) -> None:
    elsewhere = tournament.games_elsewhere()
    playing = sum(table.stage != "finished" for table in tournament.open_tables().values()) + len(elsewhere)
    free_tables = tournament.registry.free_tables()
    tournament.waits_for_table = free_tables <= 0
    free = min(batch.now.rules.tables - playing, free_tables, AT_ONCE)
    for spot in games.next_games(batch.now):
        dealt = batch.now.begun.get(spot, ())
        if spot in elsewhere or (dealt and dealt[-1].at in tournament.tables.by_id):
            continue
        if len(dealt) > games.SPARES:
            batch.add(events.GameFinished(games.void(batch.now, spot)))
        elif free > 0 and _all_here(tournament, batch, spot, now):
            free -= 1
            _look_again(tournament, now)  # more games may be due
            begun = games.begun(batch.now, tournament.id, spot)
            batch.add(begun)
            batch.tables.append(games.open_table(batch.now, tournament.id, begun, tournament.tables.sessions))


def _all_here(tournament: RunningTournament, batch: EventBatch, spot: Spot, now: float) -> bool:
    """Says whether a game can be dealt; a player who is gone, or does not come in time, loses it."""
    rules, field = batch.now.rules, batch.now.entrants
    players = games.paired(batch.now, spot[0]).seating(spot[1])
    gone = {name for name in players if field[name].gone}
    if gone:
        batch.add(events.GameFinished(games.not_played(batch.now, spot, gone)))
        return False
    absent = {name for name in players if not _is_here(tournament, name)}
    for name in players:
        if name not in absent:
            tournament.missing.pop(name, None)
    if not absent:
        return True
    over = max(tournament.missing.setdefault(name, now) for name in absent) + rules.clocks.grace
    if now < over:
        _look_again(tournament, over)
        return False
    if rules.failures.absent == "default":
        return True
    batch.add(events.GameFinished(games.not_played(batch.now, spot, absent, absent)))
    return False


def _is_here(tournament: RunningTournament, name: Name) -> bool:
    session = tournament.tables.sessions.get(name)
    here = session is not None and session.peer is not None
    return here or tournament.registry.house.has_line(name)
