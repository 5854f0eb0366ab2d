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
from parlour.server.records.fairness import clean_nonce
from parlour.server.tables.stored_maps import Plain
from parlour.server.tournament import events
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name
from parlour.server.tournament.live.course import CHECK_IN_FOR, opening
from parlour.server.tournament.live.entering import entry
from parlour.server.tournament.live.running import LogLine, RunningTournament
from parlour.server.tournament.rules_reading import BadRules, make
from parlour.server.tournament.state import NotAllowed

PAGE = 200
"""Lines of a log at a time."""
WHY_LENGTH = 200
DAY = 86_400


def tournaments(context: Context, session: Session, command: m.Tournaments, now: float) -> Any:
    context.spend(session, "lists", now)
    later = AnswerLater(context, session, command.id)
    context.tournaments_for(session).ask(later.json, lambda answer: later.take(lambda: answer(command.id)))
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


def enter(context: Context, session: Session, command: m.Enter, now: float) -> Any:
    context.spend(session, "entries", now)
    tournament = context.tournaments.find(command.tournament)

    def entering() -> list[Event]:
        return [entry(tournament.state, session, command.code, tournament.ratings)]

    keep = functools.partial(context.tables.newcomers.keep, session)
    _ask(tournament, session, command.id, None, entering, keep)
    return LATER


def withdraw(context: Context, session: Session, command: m.Withdraw, now: float) -> Any:
    context.spend(session, "entries", now)
    tournament = context.tournaments.find(command.tournament)
    _ask(tournament, session, command.id, None, lambda: [events.Left(Name(session.name))])
    return LATER


def check_in(context: Context, session: Session, command: m.CheckIn, now: float) -> Any:
    context.spend(session, "entries", now)
    tournament = context.tournaments.find(command.tournament)
    nonce = clean_nonce(command.nonce) if command.nonce is not None else None
    _ask(tournament, session, command.id, None, lambda: [events.CheckedIn(Name(session.name), nonce)])
    return LATER


def steer(context: Context, session: Session, command: m.Steer, now: float) -> Any:
    context.spend(session, "entries", now)
    tournament = context.tournaments.find(command.tournament)
    if tournament.state.organiser != session.name:
        raise ProtocolError("not_organiser", organiser=tournament.state.organiser)
    why = command.why
    if len(why) > WHY_LENGTH or not (why.isprintable() or not why):
        problem = f"must be at most {WHY_LENGTH} letters on one line"
        raise ProtocolError("bad_message", where="why", problem=problem)
    _ask(tournament, session, command.id, None, functools.partial(_steering, tournament, command.to, why))
    return LATER


def _steering(tournament: RunningTournament, to: str, why: str) -> Sequence[Event]:
    match to:
        case "open":
            return [events.RegistrationOpened()]
        case "check_in":
            return opening(tournament, None)
        case "start" if tournament.state.phase in ("announced", "registration"):
            return opening(tournament, CHECK_IN_FOR)
        case "start":
            return [events.Started()]
        case "pause":
            return [events.Paused(why)]
        case "resume":
            return [events.Resumed()]
    return [events.Cancelled(why)]


def _ask(
    tournament: RunningTournament,
    session: Session,
    id: int,
    result: Any,
    wanted: Callable[[], Sequence[Event]],
    allowed: Callable[[], None] = nothing,
) -> None:
    """Asks for events as soon as all before them are stored, and answers when these are stored too.

    Calls `allowed` if the rules allow them, before the player is stored with them.
    """
    done = m.Ok(id, result)

    def answer(wrong: ProtocolError | None) -> None:
        session.answer(id, done if wrong is None else refusal(id, wrong))

    def whose() -> Session:
        allowed()
        # The answer is stored with the events: a command that comes again after a restart is not done twice.
        session.drafts[id] = Frame.of(done).packed()
        return session

    def ask() -> None:
        try:
            tournament.ask(wanted(), answer, whose)
        except NotAllowed as wrong:
            answer(ProtocolError("against_rules", why=wrong.code, **wrong.facts))

    tournament.gate.when_free(ask, lambda: answer(ProtocolError("failed")))
    session.waits_for = tournament.gate


def watch_tournament(context: Context, session: Session, command: m.WatchTournament, now: float) -> Any:
    if not command.on:
        context.tournaments.unwatch(session, command.tournament)
        return None
    context.spend(session, "lists", now)
    later = AnswerLater(context, session, command.id)

    def show(answer: Callable[[int], Frame]) -> bool:
        return later.take(lambda: answer(command.id))

    context.tournaments.watch(session, command.tournament, later.json, show)
    return LATER


def tournament_log(context: Context, session: Session, command: m.TournamentLog, now: float) -> Any:
    context.spend(session, "pages", now)
    registry, start = context.tournaments, max(0, command.after)
    id = registry.info(command.tournament).tournament
    tournament = registry.open.get(id)
    # One line more tells whether there is another page.
    lines = None if tournament is None else tournament.log[start : start + PAGE + 1]

    def read() -> Plain:
        return page(registry.read_log(id, start, PAGE + 1) if lines is None else lines, start)

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
    m.Enter: enter,
    m.Withdraw: withdraw,
    m.CheckIn: check_in,
    m.Steer: steer,
    m.WatchTournament: watch_tournament,
    m.TournamentLog: tournament_log,
}
REPEATABLE = frozenset({m.Tournaments, m.WatchTournament, m.TournamentLog})
