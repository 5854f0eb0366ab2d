"""What is due in a tournament: opening and starting by itself, rounds, games, and whoever does not come.

All that is to be done at a moment is one step; the contest keeps it, and is looked at again.
"""

import asyncio
import functools

from parlour.engine.secret import Seat
from parlour.protocol.errors import ProtocolError
from parlour.server.tables.table import AGAIN_AFTER, Table
from parlour.server.tournament import deals, events
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name, Pairing
from parlour.server.tournament.live import games
from parlour.server.tournament.live.games import Spot
from parlour.server.tournament.live.running import Contest, Step
from parlour.server.tournament.ratings import after, to_maps

CHECK_IN_FOR = 60
"""Seconds for everybody to be there, when a tournament starts by itself."""
AT_ONCE = 1
"""Games that are dealt in one go: everybody else waits for them."""
LONGEST_LOOK = 3600.0
"""The wall clock may be set meanwhile: nobody sleeps for longer."""


def _nobody(_wrong: ProtocolError | None) -> None:
    """Nobody waits for it."""


def look(contest: Contest, now: float) -> None:
    """Does all that is to be done now."""
    if contest.busy or contest.halted:
        return
    contest.looks_at = None
    step = Step(contest.tournament)
    match contest.tournament.phase:
        case "announced" | "registration":
            _open_by_itself(contest, step, now)
        case "check_in":
            _start_by_itself(contest, step, now)
        case "running" | "paused":
            _go_on(contest, step, now)
    if not step.events and not contest.busy:
        _forget(contest, step, now)
    if step.events:
        contest.keep(step, _nobody)


def _later(contest: Contest, at: float) -> None:
    contest.looks_at = at if contest.looks_at is None else min(at, contest.looks_at)


def _wait_for(contest: Contest, wall: float, now: float) -> bool:
    """Whether a time of the wall clock has come; looks again then."""
    left = wall - contest.tables.ledger.wall() / 1000
    if left > 0:
        _later(contest, now + min(left, LONGEST_LOOK))
    return left <= 0


def _open_by_itself(contest: Contest, step: Step, now: float) -> None:
    starts = contest.tournament.starts
    if starts is not None and _wait_for(contest, starts, now):
        for event in opening(contest, CHECK_IN_FOR):
            step.add(event)


def opening(contest: Contest, seconds: int | None) -> list[Event]:
    """All up to check-in, which takes so many seconds, or until somebody says so."""
    found: list[Event] = []
    if contest.tournament.phase == "announced":
        found.append(events.RegistrationOpened())
    secret = contest.tables.random(32)
    until = None if seconds is None else contest.tables.ledger.wall() // 1000 + seconds
    found.append(events.SecretDrawn(secret.hex()))
    found.append(events.CheckInOpened(deals.round_secret(secret, 0).hex(), until))
    return found


def _start_by_itself(contest: Contest, step: Step, now: float) -> None:
    state = contest.tournament
    if state.until is None:
        return
    everybody = len(state.nonces) == len(state.entrants)
    if (state.enough and everybody) or _wait_for(contest, state.until, now):
        step.add(events.Started() if state.enough else events.CheckInClosed())


def _forget(contest: Contest, step: Step, now: float) -> None:
    """One in which nothing happens any more goes, unless its time is to come."""
    if contest.log:
        idle_at = _idle_at(contest)
        if idle_at is not None and _wait_for(contest, idle_at, now):
            step.add(events.Cancelled(cause="idle"))


def _idle_at(contest: Contest) -> float | None:
    """When it is cancelled unless something happens before, in seconds since 1970."""
    state, limits, last = contest.tournament, contest.limits, contest.log[-1].at / 1000
    match state.phase:
        case "announced" | "registration":
            # One from before there was a bound may have a time that never comes.
            near = state.starts is not None and state.starts <= last + limits.tournament_ahead
            return None if near else last + limits.tournament_idle
        case "check_in":
            return last + limits.tournament_idle if state.until is None else None
        case "paused" if not contest.open_tables():
            return last + limits.tournament_stands
    there = (name for name, entrant in state.entrants.items() if not entrant.gone)
    if any(_is_here(contest, name) for name in (*there, Name(state.organiser))):
        contest.stirred = contest.tables.ledger.wall()
    # After a restart nobody may have had the time to come back.
    stirred, woke = contest.stirred / 1000, contest.woke / 1000
    return max(stirred + limits.tournament_stands, woke + limits.tournament_idle)


def _go_on(contest: Contest, step: Step, now: float) -> None:
    for spot, table in contest.open_tables().items():
        _look_after(contest, step, spot, table, now)
    if step.now.phase != "running":
        return
    if step.now.round is None:
        _next_round(contest, step)
    elif not step.now.open_games():
        _end_round(step)
    else:
        _begin_games(contest, step, now)
        if not step.now.open_games():
            _end_round(step)


def _look_after(contest: Contest, step: Step, spot: Spot, table: Table, now: float) -> None:
    if table.asleep is not None:
        return
    if table.stage == "finished":
        dealt = contest.tournament.begun[spot][-1]
        step.add(events.GameFinished(games.played(dealt, table, contest.tables.ledger.keeps)))
    elif table.stage == "gathering" and not table.busy:
        # Before a restart, or the disk was full.
        _later(contest, now + AGAIN_AFTER)
        contest.deal(table)
    elif table.stage == "playing":
        for seat, sitter in enumerate(table.sitters):
            gone = sitter is not None and contest.tournament.entrants[Name(sitter.name)].gone
            if sitter is not None and gone and not sitter.left:
                contest.tables.when_free(table, functools.partial(Table.resign, seat=Seat(seat), now=now))


def _next_round(contest: Contest, step: Step) -> None:
    """Pairing takes a while in a large field: others go on meanwhile."""
    lane = contest.lane()
    if step.events or lane is None:
        _pair(contest, step, step.now.next_round())
        return
    contest.busy = True
    lane.think(step.now.next_round, functools.partial(_paired, contest))


def _paired(contest: Contest, found: "asyncio.Future[Pairing | None]") -> None:
    contest.busy = False
    step = Step(contest.tournament)
    try:
        _pair(contest, step, found.result())
    except Exception as bug:
        contest.halt(bug)
    else:
        contest.keep(step, _nobody)


def _pair(contest: Contest, step: Step, pairing: Pairing | None) -> None:
    if pairing is not None:
        step.add(events.RoundPaired(pairing))
        return
    field = step.now.entrants
    before = {name: rating for name, rating in contest.ratings.items() if name in field}
    step.rated, step.unrated = after(before, step.now.history.results), before
    # At once: another tournament of this game may end before this is kept.
    contest.ratings.update(step.rated)
    step.add(events.Finished(to_maps(before)))


def _end_round(step: Step) -> None:
    if step.now.secret is None:
        raise RuntimeError("no secret was drawn")
    number = games.round_of(step.now).round
    step.add(events.RoundFinished(number, deals.round_secret(step.now.secret, number).hex()))
    for name in step.now.struck_out():
        step.add(events.Left(name, "strikes"))


def _begin_games(contest: Contest, step: Step, now: float) -> None:
    playing = sum(table.stage != "finished" for table in contest.open_tables().values())
    free = min(step.now.rules.tables - playing, contest.room(), AT_ONCE)
    for spot in games.next_games(step.now):
        dealt = step.now.begun.get(spot, ())
        if dealt and dealt[-1].at in contest.tables.by_id:
            continue
        if len(dealt) > games.SPARES:
            step.add(events.GameFinished(games.void(step.now, spot)))
        elif free > 0 and _all_here(contest, step, spot, now):
            free -= 1
            _later(contest, now)  # there may be more
            begun = games.begun(step.now, contest.id, spot)
            step.add(begun)
            step.tables.append(games.open_table(step.now, contest.id, begun, contest.tables.sessions))


def _all_here(contest: Contest, step: Step, spot: Spot, now: float) -> bool:
    """Whether a game can be dealt: whoever is gone, or does not come in time, loses it."""
    rules, field = step.now.rules, step.now.entrants
    players = games.paired(step.now, spot[0]).seating(spot[1])
    gone = {name for name in players if field[name].gone}
    if gone:
        step.add(events.GameFinished(games.not_played(step.now, spot, gone)))
        return False
    absent = {name for name in players if not _is_here(contest, name)}
    for name in players:
        if name not in absent:
            contest.missing.pop(name, None)
    if not absent:
        return True
    over = max(contest.missing.setdefault(name, now) for name in absent) + rules.clocks.grace
    if now < over:
        _later(contest, over)
        return False
    if rules.failures.absent == "default":
        return True
    step.add(events.GameFinished(games.not_played(step.now, spot, absent, absent)))
    return False


def _is_here(contest: Contest, name: Name) -> bool:
    session = contest.tables.sessions.get(name)
    return session is not None and session.line is not None
