"""What each command about tournaments does. Most are answered when their events are stored."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from parlour.protocol import messages as m
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.server.border import nothing
from parlour.server.lobby.context import LATER, Context
from parlour.server.lobby.later import AnswerLater
from parlour.server.people.session import Session, refusal
from parlour.server.tables.stored_maps import Plain
from parlour.server.tournament.events import Event
from parlour.server.tournament.live.asking import Asker, Asking, ask, check, wanted
from parlour.server.tournament.live.running import RunningTournament
from parlour.server.tournament.live.stored import LogLine
from parlour.server.tournament.rules_reading import BadRules, make

PAGE = 200
"""Lines of a log at a time."""
DAY = 86_400


def tournaments(context: Context, session: Session, command: m.Tournaments, now: float) -> Any:
    context.spend(session, "lists", now)
    AnswerLater(context, session, command.id).show(context.tournaments_for(session))
    return LATER


def create_tournament(context: Context, session: Session, command: m.CreateTournament, now: float) -> Any:
    context.spend(session, "lists", now)
    try:
        rules = make(command.rules)
    except BadRules as wrong:
        raise ProtocolError("bad_rules", where=wrong.where, problem=wrong.problem) from None
    _not_too_far_ahead(context, rules.starts)
    tournament, made, invitation = context.tournaments.new(rules, session.name)
    _ask(tournament, session, command.id, {"tournament": tournament.id, "code": invitation}, lambda: made)
    return LATER


def _not_too_far_ahead(context: Context, starts: int | None) -> None:
    """A tournament that waits for its time takes up one of the server's few places all that while."""
    ahead = context.limits.tournament_ahead
    if starts is not None and starts > context.tournaments.tables.store.wall() / 1000 + ahead:
        problem = f"must be at most {ahead / DAY:g} days ahead ({ahead:.0f} seconds)"
        raise ProtocolError("bad_rules", where="starts", problem=problem)


def take_part(context: Context, session: Session, command: Asking, now: float) -> Any:
    """Enters, checks in, withdraws or steers."""
    context.spend(session, "entries", now)
    registry = context.tournaments
    elsewhere = registry.house.node_of(command.tournament.upper())
    if elsewhere is not None:
        registry.errands.send(session, command, elsewhere)
        return LATER
    tournament, asker = registry.listing.find(command.tournament), Asker.of(session)
    check(tournament, command, asker)
    keep = functools.partial(context.tables.newcomers.keep, session)
    allowed = keep if isinstance(command, m.Enter) else nothing
    _ask(
        tournament,
        session,
        command.id,
        None,
        functools.partial(wanted, tournament, command, asker),
        allowed,
    )
    return LATER


def _ask(
    tournament: RunningTournament,
    session: Session,
    id: int,
    result: Any,
    events: Callable[[], Sequence[Event]],
    allowed: Callable[[], None] = nothing,
) -> None:
    """Asks for events, and answers when they are stored; calls `allowed` if the rules allow them."""
    done = m.Ok(id, result)

    def answer(wrong: ProtocolError | None) -> None:
        session.answer(id, done if wrong is None else refusal(id, wrong))

    def whose() -> Session:
        allowed()
        # The answer is stored with the events: a command that comes again after a restart is not done twice.
        session.drafts[id] = Frame.of(done).packed()
        return session

    ask(tournament, events, answer, whose)
    session.waits_for = tournament.gate


def watch_tournament(context: Context, session: Session, command: m.WatchTournament, now: float) -> Any:
    registry = context.tournaments
    if not command.on:
        registry.watchers.unwatch(session, registry.listing.info(command.tournament).tournament)
        return None
    context.spend(session, "lists", now)
    later = AnswerLater(context, session, command.id)

    def show(answer: Callable[[int], Frame]) -> bool:
        return later.take(lambda: answer(command.id))

    registry.watchers.watch(session, registry.listing.info(command.tournament), later.json, show)
    return LATER


def tournament_log(context: Context, session: Session, command: m.TournamentLog, now: float) -> Any:
    context.spend(session, "pages", now)
    registry, start = context.tournaments, max(0, command.after)
    id = registry.listing.info(command.tournament).tournament
    tournament = registry.listing.open.get(id)
    # One line more tells whether there is another page.
    lines = None if tournament is None else tournament.log[start : start + PAGE + 1]

    def read() -> Plain:
        return page(registry.stored.read_log(id, start, PAGE + 1) if lines is None else lines, start)

    AnswerLater(context, session, command.id).read(read)
    return LATER


def page(lines: Sequence[LogLine], start: int) -> Plain:
    """Public lines of the log with their numbers, and the number after which the next page begins."""
    public = [
        {"number": number, "at": note.at, "line": note.line}
        for number, note in enumerate(lines[:PAGE], start + 1)
        if note.public
    ]
    return {"lines": public, "next": start + PAGE if len(lines) > PAGE else None}


DO: dict[type[m.Message], Callable[[Context, Session, Any, float], Any]] = {
    m.Tournaments: tournaments,
    m.CreateTournament: create_tournament,
    m.Enter: take_part,
    m.Withdraw: take_part,
    m.CheckIn: take_part,
    m.Steer: take_part,
    m.WatchTournament: watch_tournament,
    m.TournamentLog: tournament_log,
}
REPEATABLE = frozenset({m.Tournaments, m.WatchTournament, m.TournamentLog})
