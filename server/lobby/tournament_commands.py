"""What each command about tournaments does. Most are answered when their events are stored."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from parlour.protocol import messages as m
from parlour.protocol.codec import write_part
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.server.lobby.context import LATER, Context
from parlour.server.people.session import Session, refusal
from parlour.server.records.fairness import clean_nonce
from parlour.server.tables.stored_maps import Plain, person_map
from parlour.server.tournament import events
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name
from parlour.server.tournament.live.course import CHECK_IN_FOR, opening
from parlour.server.tournament.live.running import RunningTournament
from parlour.server.tournament.ratings import Rating, strength
from parlour.server.tournament.rules_reading import BadRules, make
from parlour.server.tournament.state import NotAllowed

PAGE = 200
"""Lines of a log at a time."""
WHY_LENGTH = 200
DAY = 86_400


def tournaments(context: Context, session: Session, _command: m.Tournaments, now: float) -> Any:
    session.spend("lists", context.limits.lists_per_second, context.limits.lists_burst, now)
    return {"tournaments": [write_part(info) for info in context.tournaments.newest()]}


def create_tournament(context: Context, session: Session, command: m.CreateTournament, now: float) -> Any:
    session.spend("lists", context.limits.lists_per_second, context.limits.lists_burst, now)
    try:
        rules = make(command.rules)
    except BadRules as wrong:
        raise ProtocolError("bad_rules", where=wrong.where, problem=wrong.problem) from None
    _not_too_far_ahead(context, rules.starts)
    tournament, event = context.tournaments.new(rules.plain(), session.name)
    _ask(tournament, session, command.id, {"tournament": tournament.id}, lambda: [event])
    return LATER


def _not_too_far_ahead(context: Context, starts: int | None) -> None:
    """A tournament that waits for its time takes up one of the server's few places all that while."""
    ahead = context.limits.tournament_ahead
    if starts is not None and starts > context.tournaments.tables.store.wall() / 1000 + ahead:
        problem = f"must be at most {ahead / DAY:g} days ahead ({ahead:.0f} seconds)"
        raise ProtocolError("bad_rules", where="starts", problem=problem)


def _spend(context: Context, session: Session, now: float) -> None:
    session.spend("entries", context.limits.entries_per_second, context.limits.entries_burst, now)


def enter(context: Context, session: Session, command: m.Enter, now: float) -> Any:
    tournament = context.tournaments.find(command.tournament)
    _spend(context, session, now)
    rating = tournament.ratings.get(Name(session.name), Rating())
    event = events.Entered(Name(session.name), session.identity.bot, strength(rating))
    _ask(tournament, session, command.id, None, lambda: [event])
    return LATER


def withdraw(context: Context, session: Session, command: m.Withdraw, now: float) -> Any:
    tournament = context.tournaments.find(command.tournament)
    _spend(context, session, now)
    _ask(tournament, session, command.id, None, lambda: [events.Left(Name(session.name))])
    return LATER


def check_in(context: Context, session: Session, command: m.CheckIn, _now: float) -> Any:
    tournament = context.tournaments.find(command.tournament)
    nonce = clean_nonce(command.nonce) if command.nonce is not None else None
    _ask(tournament, session, command.id, None, lambda: [events.CheckedIn(Name(session.name), nonce)])
    return LATER


def steer(context: Context, session: Session, command: m.Steer, now: float) -> Any:
    tournament = context.tournaments.find(command.tournament)
    _spend(context, session, now)
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
) -> None:
    """Asks for events as soon as all before them are stored, and answers when these are stored too."""
    done = m.Ok(id, result)

    def answer(wrong: ProtocolError | None) -> None:
        session.answer(id, done if wrong is None else refusal(id, wrong))

    def people() -> dict[str, Plain]:
        # The answer is stored with the events: a command that comes again after a restart is not done twice.
        session.drafts[id] = Frame.of(done)
        return {session.name: person_map(session)}

    def ask() -> None:
        try:
            tournament.ask(wanted(), answer, people)
        except NotAllowed as wrong:
            answer(ProtocolError("against_rules", why=wrong.code, **wrong.facts))

    tournament.gate.when_free(ask, lambda: answer(ProtocolError("failed")))
    session.waits_for = tournament.gate


def watch_tournament(context: Context, session: Session, command: m.WatchTournament, now: float) -> Any:
    tournament = context.tournaments.find(command.tournament)
    if not command.on:
        session.watched_tournaments.discard(tournament.id)
        return None
    session.spend("lists", context.limits.lists_per_second, context.limits.lists_burst, now)

    def show(found: m.Picture | None) -> None:
        id = command.id
        failed = refusal(id, ProtocolError("failed"))
        session.answer_unremembered(id, failed if found is None else m.Ok(id, write_part(found)))

    context.tournaments.watch(session, tournament, show)
    return LATER


def tournament_log(context: Context, session: Session, command: m.TournamentLog, now: float) -> Any:
    session.spend("pages", context.limits.pages_per_second, context.limits.pages_burst, now)
    return page(context.tournaments.find(command.tournament), command.after)


def page(tournament: RunningTournament, after: int) -> Plain:
    """Public lines of the log with their numbers, and the number after which the next page begins."""
    noted = tournament.log
    start = max(0, after)
    lines = [
        {"number": number, "at": note.at, "line": note.line}
        for number, note in enumerate(noted[start : start + PAGE], start + 1)
        if note.public
    ]
    end = start + PAGE
    return {"lines": lines, "next": end if end < len(noted) else None}


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
