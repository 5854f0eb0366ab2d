"""The life of a tournament: which event may come when, and the state that all of them add up to."""

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from parlour.server.tournament import deals, events
from parlour.server.tournament.events import binary
from parlour.server.tournament.history import History, Name
from parlour.server.tournament.points import Entrant
from parlour.server.tournament.rules_reading import make
from parlour.server.tournament.state import NotAllowed, Phase, Tournament

_LEAVING: dict[type, Phase] = {events.Cancelled: "cancelled"}
TRANSITIONS: dict[Phase, dict[type, Phase]] = {
    "announced": {events.KeysDrawn: "announced", events.RegistrationOpened: "registration", **_LEAVING},
    "registration": {
        events.Entered: "registration",
        events.Left: "registration",
        events.SecretDrawn: "registration",
        events.CheckInOpened: "check_in",
        **_LEAVING,
    },
    "check_in": {
        events.Entered: "check_in",
        events.Left: "check_in",
        events.CheckedIn: "check_in",
        events.CheckInClosed: "registration",
        events.Started: "running",
        **_LEAVING,
    },
    "running": {
        events.Entered: "running",
        events.CheckedIn: "running",
        events.Left: "running",
        events.RoundPaired: "running",
        events.GameBegun: "running",
        events.GameFinished: "running",
        events.RoundFinished: "running",
        events.Paused: "paused",
        events.Finished: "finished",
        **_LEAVING,
    },
    "paused": {
        events.Left: "paused",
        events.GameFinished: "paused",
        events.Resumed: "running",
        **_LEAVING,
    },
    "finished": {},
    "cancelled": {},
}
"""By phase: the events that may come, and the phase after them."""
OVER: tuple[Phase, ...] = ("finished", "cancelled")


def announced(event: events.Event) -> Tournament:
    """The first event of every tournament."""
    if not isinstance(event, events.Announced):
        raise NotAllowed("not_announced")
    return Tournament(make(event.rules), event.organiser)


def after(tournament: Tournament, event: events.Event) -> Tournament:
    """The state after an event; raises NotAllowed if it may not come now."""
    phase = TRANSITIONS[tournament.phase].get(type(event))
    if isinstance(event, events.Entered | events.CheckedIn) and tournament.phase not in OVER:
        _not_done_before(tournament, event)
    if phase is None:
        raise NotAllowed("not_now", phase=tournament.phase)
    change = _CHANGES.get(type(event))
    changed = tournament if change is None else change(tournament, event)
    if phase != tournament.phase:
        why, cause = _reason(event)
        changed = attrs.evolve(changed, why=why, cause=cause)
    return attrs.evolve(changed, phase=phase)


def _reason(event: events.Event) -> tuple[str, events.Cause]:
    """Why it is in the phase that this event brings, by its organiser or by the server."""
    match event:
        case events.Paused(why):
            return why, ""
        case events.Cancelled(why, cause):
            return why, cause
        case events.CheckInClosed():
            return "", "too_few"
    return "", ""


def recovered(lines: Iterable[str]) -> Tournament:
    """The state after all these lines."""
    rest = iter(lines)
    tournament = announced(events.read_line(next(rest, "{}")))
    for line in rest:
        tournament = after(tournament, events.read_line(line))
    return tournament


def _not_done_before(tournament: Tournament, event: events.Entered | events.CheckedIn) -> None:
    """Entering twice is accepted in every phase, so that a restarted bot finds its games."""
    entrant = tournament.entrants.get(event.name)
    if entrant is not None and entrant.gone:
        raise NotAllowed("gone", name=event.name)
    if isinstance(event, events.Entered) and entrant is not None:
        raise NotAllowed("already_in", name=event.name)
    if isinstance(event, events.CheckedIn) and event.name in tournament.nonces:
        raise NotAllowed("already_there", name=event.name)


def _entered(tournament: Tournament, event: events.Entered) -> Tournament:
    entry, number = tournament.rules.entry, len(tournament.history.rounds) + 1
    welcome = {"both": True, "bots": event.bot, "people": not event.bot, "named": event.name in entry.names}
    if not welcome[entry.who]:
        raise NotAllowed("not_for_you", who=entry.who)
    if sum(not entrant.gone for entrant in tournament.entrants.values()) >= entry.most:
        raise NotAllowed("full", most=entry.most)
    if tournament.phase == "running" and number > entry.late:
        raise NotAllowed("too_late", late=entry.late)
    if entry.one_per_address and _shares_address(tournament, event):
        raise NotAllowed("same_address")
    since = number if tournament.phase == "running" else 1
    entrant = Entrant(event.name, event.bot, since, strength=event.strength, address=event.address)
    return attrs.evolve(tournament, entrants={**tournament.entrants, event.name: entrant})


def _shares_address(tournament: Tournament, event: events.Entered) -> bool:
    """Whoever is gone counts as well: nobody comes in again under another name."""
    return any(event.address == one.address for one in tournament.entrants.values() if one.address)


def _keys_drawn(tournament: Tournament, event: events.KeysDrawn) -> Tournament:
    return attrs.evolve(tournament, key=binary("key", event.key), invitation=event.invitation)


def _left(tournament: Tournament, event: events.Left) -> Tournament:
    entrant = _entrant(tournament, event.name)
    if tournament.phase in ("registration", "check_in"):
        rest = {name: one for name, one in tournament.entrants.items() if name != event.name}
        nonces = {name: nonce for name, nonce in tournament.nonces.items() if name != event.name}
        return attrs.evolve(tournament, entrants=rest, nonces=nonces)
    gone = attrs.evolve(entrant, gone=True)
    return attrs.evolve(tournament, entrants={**tournament.entrants, event.name: gone})


def _secret_drawn(tournament: Tournament, event: events.SecretDrawn) -> Tournament:
    if tournament.secret is not None:
        raise NotAllowed("already_drawn")
    return attrs.evolve(tournament, secret=binary("secret", event.secret))


def _check_in_opened(tournament: Tournament, event: events.CheckInOpened) -> Tournament:
    published = binary("published", event.published)
    if tournament.secret is None or deals.round_secret(tournament.secret, 0) != published:
        raise NotAllowed("not_the_secret")
    return attrs.evolve(tournament, published=published, until=event.until)


def _checked_in(tournament: Tournament, event: events.CheckedIn) -> Tournament:
    _entrant(tournament, event.name)
    return attrs.evolve(tournament, nonces={**tournament.nonces, event.name: event.nonce})


def _check_in_closed(tournament: Tournament, _: events.CheckInClosed) -> Tournament:
    # Nonces go with the secret that was published before them: the next one is drawn when nobody's is known.
    if tournament.enough:
        raise NotAllowed("enough", there=len(tournament.nonces), least=tournament.least)
    return attrs.evolve(tournament, nonces={}, secret=None, published=None, until=None, put_off=True)


def _started(tournament: Tournament, _: events.Started) -> Tournament:
    if not tournament.enough:
        raise NotAllowed("too_few", there=len(tournament.nonces), least=tournament.least)
    there = {name: one for name, one in tournament.entrants.items() if name in tournament.nonces}
    return attrs.evolve(tournament, entrants=there)


def _round_paired(tournament: Tournament, event: events.RoundPaired) -> Tournament:
    if tournament.round is not None:
        raise NotAllowed("round_running", round=tournament.round.round)
    # Not compared with `next_round`: a tournament must come back from its lines even where a later version
    # would pair otherwise.
    pairing, number = event.pairing, len(tournament.history.rounds) + 1
    if pairing.round != number:
        raise NotAllowed("no_such_round", round=pairing.round)
    there = {entrant.name for entrant in tournament.present() if not entrant.gone}
    named = [*(name for table in pairing.tables for name in table.players), *pairing.byes]
    if len(set(named)) < len(named) or not there >= set(named):
        raise NotAllowed("other_players", round=number)
    rounds = (*tournament.history.rounds, event.pairing)
    return attrs.evolve(tournament, history=History(rounds, tournament.history.results), begun={})


def _game_begun(tournament: Tournament, event: events.GameBegun) -> Tournament:
    if tournament.round is None or event.round != tournament.round.round:
        raise NotAllowed("no_such_round", round=event.round)
    spot = event.table, event.game
    if spot not in tournament.open_games():
        raise NotAllowed("no_such_game", table=event.table, game=event.game)
    deals_before = tournament.begun.get(spot, ())
    return attrs.evolve(tournament, begun={**tournament.begun, spot: (*deals_before, event)})


def _game_finished(tournament: Tournament, event: events.GameFinished) -> Tournament:
    result = event.result
    if tournament.round is None or result.round != tournament.round.round:
        raise NotAllowed("no_such_round", round=result.round)
    tables = {table.number: table for table in tournament.round.tables}
    if (result.table, result.game) not in tournament.open_games():
        raise NotAllowed("no_such_game", table=result.table, game=result.game)
    if result.players != tables[result.table].seating(result.game):
        raise NotAllowed("other_players", table=result.table, game=result.game)
    named = {*result.forfeits, *(failure.name for failure in result.failures)}
    if len(result.places) != len(result.players) or not named <= set(result.players):
        raise NotAllowed("bad_result", table=result.table, game=result.game)
    results = (*tournament.history.results, result)
    return attrs.evolve(tournament, history=History(tournament.history.rounds, results))


def _round_finished(tournament: Tournament, event: events.RoundFinished) -> Tournament:
    if tournament.round is None or event.round != tournament.round.round:
        raise NotAllowed("no_such_round", round=event.round)
    if tournament.open_games():
        raise NotAllowed("games_running", games=len(tournament.open_games()))
    secret, before = binary("secret", event.secret), (tournament.published, *tournament.revealed)[-1]
    assert before is not None
    try:
        deals.check(secret, before)
    except deals.NotTheSecret:
        raise NotAllowed("not_the_secret") from None
    return attrs.evolve(tournament, revealed=(*tournament.revealed, secret))


def _finished(tournament: Tournament, _: events.Finished) -> Tournament:
    if tournament.round is not None:
        raise NotAllowed("round_running", round=tournament.round.round)
    return tournament


def _entrant(tournament: Tournament, name: Name) -> Entrant:
    entrant = tournament.entrants.get(name)
    if entrant is None:
        raise NotAllowed("not_in", name=name)
    if entrant.gone:
        raise NotAllowed("gone", name=name)
    return entrant


_CHANGES: dict[type, Callable[[Tournament, Any], Tournament]] = {
    events.KeysDrawn: _keys_drawn,
    events.Entered: _entered,
    events.Left: _left,
    events.SecretDrawn: _secret_drawn,
    events.CheckInOpened: _check_in_opened,
    events.CheckedIn: _checked_in,
    events.CheckInClosed: _check_in_closed,
    events.Started: _started,
    events.RoundPaired: _round_paired,
    events.GameBegun: _game_begun,
    events.GameFinished: _game_finished,
    events.RoundFinished: _round_finished,
    events.Finished: _finished,
}
