"""What a player or an organiser asks of a tournament, as the events that are to happen."""

from collections.abc import Callable, Sequence

import attrs

from parlour.protocol import messages as m
from parlour.protocol.errors import ProtocolError
from parlour.server.people.session import Session
from parlour.server.records.fairness import clean_nonce
from parlour.server.storage.gate import Reply
from parlour.server.tournament import events
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name
from parlour.server.tournament.live.course import CHECK_IN_FOR, opening
from parlour.server.tournament.live.entering import entry
from parlour.server.tournament.live.running import RunningTournament
from parlour.server.tournament.state import NotAllowed

Asking = m.Enter | m.Withdraw | m.CheckIn | m.Steer
WHY_LENGTH = 200


@attrs.frozen
class Asker:
    """Who asks, wherever they are connected."""

    name: str
    bot: bool
    address: str

    @classmethod
    def of(cls, session: Session) -> "Asker":
        address = session.peer.address if session.peer is not None else ""
        return cls(session.name, session.identity.bot, address)


def check(tournament: RunningTournament, command: Asking, asker: Asker) -> None:
    """Refuses what no state of the tournament would allow; raises ProtocolError."""
    if isinstance(command, m.CheckIn) and command.nonce is not None:
        clean_nonce(command.nonce)
    if not isinstance(command, m.Steer):
        return
    if tournament.state.organiser != asker.name:
        raise ProtocolError("not_organiser", organiser=tournament.state.organiser)
    if len(command.why) > WHY_LENGTH or not (command.why.isprintable() or not command.why):
        problem = f"must be at most {WHY_LENGTH} letters on one line"
        raise ProtocolError("bad_message", where="why", problem=problem)
    if command.seconds is not None and not 1 <= command.seconds <= CHECK_IN_FOR:
        problem = f"must be from 1 to {CHECK_IN_FOR}"
        raise ProtocolError("bad_message", where="seconds", problem=problem)


def wanted(tournament: RunningTournament, command: Asking, asker: Asker) -> Sequence[Event]:
    """The events, if the tournament is as it is now; raises NotAllowed."""
    name = Name(asker.name)
    match command:
        case m.Enter(code=code):
            return [entry(tournament.state, name, asker.bot, asker.address, code, tournament.ratings)]
        case m.Withdraw():
            return [events.Left(name)]
        case m.CheckIn(nonce=nonce):
            return [events.CheckedIn(name, nonce)]
        case m.Steer(to=to, why=why, seconds=seconds):
            return _steering(tournament, to, why, CHECK_IN_FOR if seconds is None else seconds)


def ask(
    tournament: RunningTournament,
    wanted: Callable[[], Sequence[Event]],
    answer: Reply,
    whose: Callable[[], Session | None] = lambda: None,
) -> None:
    """Asks for events as soon as all before them are stored, and answers when these are stored too.

    Calls `whose`, if the rules allow them, for the player who is stored with them.
    """

    def work() -> None:
        try:
            tournament.ask(wanted(), answer, whose)
        except NotAllowed as wrong:
            answer(ProtocolError("against_rules", why=wrong.code, **wrong.facts))

    tournament.gate.when_free(work, lambda: answer(ProtocolError("failed")))


def _steering(tournament: RunningTournament, to: str, why: str, seconds: int) -> Sequence[Event]:
    match to:
        case "open":
            return [events.RegistrationOpened()]
        case "check_in":
            return opening(tournament, None)
        case "start" if tournament.state.phase in ("announced", "registration"):
            return opening(tournament, seconds)
        case "start":
            return [events.Started()]
        case "pause":
            return [events.Paused(why)]
        case "resume":
            return [events.Resumed()]
    return [events.Cancelled(why)]
