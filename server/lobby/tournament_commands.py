"""What each command about tournaments does. Most are answered when what they do is kept."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from parlour.protocol import messages as m
from parlour.protocol.codec import write_part
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.server.lobby.context import LATER, Desk, refusal
from parlour.server.people.session import Session
from parlour.server.records.fairness import clean_nonce
from parlour.server.tables.snapshots import Plain, person_map
from parlour.server.tournament import events
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name
from parlour.server.tournament.live.course import CHECK_IN_FOR, opening
from parlour.server.tournament.live.registry import Contests
from parlour.server.tournament.live.running import Contest
from parlour.server.tournament.ratings import Rating, strength
from parlour.server.tournament.rules_reading import BadRules, make
from parlour.server.tournament.state import NotAllowed

PAGE = 200
"""Lines of a log at a time."""
WHY_LENGTH = 200
DAY = 86_400


def tournaments(desk: Desk, session: Session, _command: m.Tournaments, now: float) -> Any:
    session.spend("lists", desk.limits.lists_per_second, desk.limits.lists_burst, now)
    return {"tournaments": [write_part(info) for info in desk.contests.newest()]}


def create_tournament(desk: Desk, session: Session, command: m.CreateTournament, now: float) -> Any:
    session.spend("lists", desk.limits.lists_per_second, desk.limits.lists_burst, now)
    try:
        rules = make(command.rules)
    except BadRules as wrong:
        raise ProtocolError("bad_rules", where=wrong.where, problem=wrong.problem) from None
    _not_too_far_ahead(desk, rules.starts)
    contest, event = desk.contests.new(rules.plain(), session.name)
    _ask(contest, session, command.id, {"tournament": contest.id}, lambda: [event])
    return LATER


def _not_too_far_ahead(desk: Desk, starts: int | None) -> None:
    """One that waits for its time has a place all that while."""
    ahead = desk.limits.tournament_ahead
    if starts is not None and starts > desk.contests.tables.ledger.wall() / 1000 + ahead:
        problem = f"must be at most {ahead / DAY:g} days ahead ({ahead:.0f} seconds)"
        raise ProtocolError("bad_rules", where="starts", problem=problem)


def _spend(desk: Desk, session: Session, now: float) -> None:
    session.spend("entries", desk.limits.entries_per_second, desk.limits.entries_burst, now)


def enter(desk: Desk, session: Session, command: m.Enter, now: float) -> Any:
    contest = desk.contests.find(command.tournament)
    _spend(desk, session, now)
    rating = contest.ratings.get(Name(session.name), Rating())
    event = events.Entered(Name(session.name), session.identity.bot, strength(rating))
    _ask(contest, session, command.id, None, lambda: [event])
    return LATER


def withdraw(desk: Desk, session: Session, command: m.Withdraw, now: float) -> Any:
    contest = desk.contests.find(command.tournament)
    _spend(desk, session, now)
    _ask(contest, session, command.id, None, lambda: [events.Left(Name(session.name))])
    return LATER


def check_in(desk: Desk, session: Session, command: m.CheckIn, _now: float) -> Any:
    contest = desk.contests.find(command.tournament)
    nonce = clean_nonce(command.nonce) if command.nonce is not None else None
    _ask(contest, session, command.id, None, lambda: [events.CheckedIn(Name(session.name), nonce)])
    return LATER


def steer(desk: Desk, session: Session, command: m.Steer, now: float) -> Any:
    contest = desk.contests.find(command.tournament)
    _spend(desk, session, now)
    if contest.tournament.organiser != session.name:
        raise ProtocolError("not_organiser", organiser=contest.tournament.organiser)
    why = command.why
    if len(why) > WHY_LENGTH or not (why.isprintable() or not why):
        problem = f"must be at most {WHY_LENGTH} letters on one line"
        raise ProtocolError("bad_message", where="why", problem=problem)
    _ask(contest, session, command.id, None, functools.partial(_course, contest, command.to, why))
    return LATER


def _course(contest: Contest, to: str, why: str) -> Sequence[Event]:
    match to:
        case "open":
            return [events.RegistrationOpened()]
        case "check_in":
            return opening(contest, None)
        case "start" if contest.tournament.phase in ("announced", "registration"):
            return opening(contest, CHECK_IN_FOR)
        case "start":
            return [events.Started()]
        case "pause":
            return [events.Paused(why)]
        case "resume":
            return [events.Resumed()]
    return [events.Cancelled(why)]


def _ask(
    contest: Contest, session: Session, id: int, result: Any, wanted: Callable[[], Sequence[Event]]
) -> None:
    """Asks for events as soon as all before them are kept, and answers when they are kept too."""
    done = m.Ok(id, result)

    def answer(wrong: ProtocolError | None) -> None:
        session.answer(id, done if wrong is None else refusal(id, wrong))

    def people() -> dict[str, Plain]:
        # Kept together with what it tells of: sent again after a restart, it is not done twice.
        session.drafts[id] = Frame.of(done)
        return {session.name: person_map(session)}

    def ask() -> None:
        try:
            contest.ask(wanted(), answer, people)
        except NotAllowed as wrong:
            answer(ProtocolError("against_rules", why=wrong.code, **wrong.facts))

    contest.when_free(ask, lambda: answer(ProtocolError("failed")))


def watch_tournament(desk: Desk, session: Session, command: m.WatchTournament, now: float) -> Any:
    contest = desk.contests.find(command.tournament)
    if not command.on:
        session.attends.discard(contest.id)
        return None
    session.spend("lists", desk.limits.lists_per_second, desk.limits.lists_burst, now)

    def show(found: m.Picture | None) -> None:
        id = command.id
        failed = refusal(id, ProtocolError("failed"))
        session.tell(id, failed if found is None else m.Ok(id, write_part(found)))

    desk.contests.watch(session, contest, show)
    return LATER


def tournament_log(desk: Desk, session: Session, command: m.TournamentLog, now: float) -> Any:
    session.spend("pages", desk.limits.pages_per_second, desk.limits.pages_burst, now)
    return page(desk.contests, command.tournament, command.after)


def page(contests: Contests, tournament: str, after: int) -> Plain:
    """Lines that may be told, by their numbers, and the number to ask for the next page after."""
    noted = contests.find(tournament).log
    start = max(0, after)
    lines = [
        {"number": number, "at": note.at, "line": note.line}
        for number, note in enumerate(noted[start : start + PAGE], start + 1)
        if note.told
    ]
    end = start + PAGE
    return {"lines": lines, "next": end if end < len(noted) else None}


DO: dict[type[m.Message], Callable[[Desk, Session, Any, float], Any]] = {
    m.Tournaments: tournaments,
    m.CreateTournament: create_tournament,
    m.Enter: enter,
    m.Withdraw: withdraw,
    m.CheckIn: check_in,
    m.Steer: steer,
    m.WatchTournament: watch_tournament,
    m.TournamentLog: tournament_log,
}
ASKED_ANEW = frozenset({m.Tournaments, m.WatchTournament, m.TournamentLog})
