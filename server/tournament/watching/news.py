"""The message that watchers of a tournament get for each event."""

import functools
from collections.abc import Callable

from parlour.protocol import messages as m
from parlour.server.tournament import events
from parlour.server.tournament.events import Event
from parlour.server.tournament.state import Tournament
from parlour.server.tournament.watching import snapshot

COURSE = (
    events.RegistrationOpened,
    events.CheckInOpened,
    events.CheckInClosed,
    events.Started,
    events.RoundPaired,
    events.Paused,
    events.Resumed,
    events.Finished,
    events.Cancelled,
)
SCORED = (events.GameFinished, events.RoundFinished, events.Finished)


def message(id: str, event: Event, state: Tournament, before: Tournament) -> Callable[[int], m.Event] | None:
    """Makes the message for watchers of an event, which still needs its number; None: there is none."""
    match event:
        case events.Entered() | events.CheckedIn() | events.Left():
            withdrawn = event.name not in state.entrants
            one = before.entrants[event.name] if withdrawn else state.entrants[event.name]
            entrant = snapshot.entrant(before if withdrawn else state, one)
            return lambda seq: m.TournamentEntrant(id, seq, entrant, withdrawn)
        case events.RoundPaired(pairing):
            return lambda seq: m.TournamentRound(id, seq, snapshot.round_(state, pairing))
        case events.RoundFinished(number, _):
            return functools.partial(_round_over, id, state, number)
        case events.GameFinished(result):
            return lambda seq: m.TournamentResult(id, seq, snapshot.result(result))
    return None


def _round_over(id: str, state: Tournament, number: int, seq: int) -> m.Event:
    return m.TournamentRound(id, seq, snapshot.round_(state, state.history.rounds[number - 1]))
