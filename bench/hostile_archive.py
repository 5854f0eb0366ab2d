"""The archive of the hostile bench: names, many games of one player, many tables, large tournaments."""

import functools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from bench.recovery import ChangeList, act
from parlour.engine.catalogue import GAMES
from parlour.engine.maps import tagged
from parlour.protocol.codec import write_part
from parlour.protocol.messages import Clocks
from parlour.server.people.identity import Register
from parlour.server.people.session import Session
from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Added, Begun, Change, Ended, Happened, rows_of
from parlour.server.storage.store import wall_clock
from parlour.server.tables.registry import Tables
from parlour.server.tables.seating import sit
from parlour.server.tables.seats import Settings
from parlour.server.tables.stored_maps import person_map, session_map, table_map
from parlour.server.tables.table import Table
from parlour.server.tournament import deals, events, lifecycle
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name, Result
from parlour.server.tournament.live import games
from parlour.server.tournament.state import Tournament
from parlour.server.tournament.watching import snapshot

GAMES_PLAYED = 2000
TABLES = 600
ENTRANTS, ROUNDS = 200, 9
COPIES = 12
"""Tournaments that are over: more than a server keeps in memory."""
SECRET = bytes(32)
Plain = dict[str, Any]


@attrs.frozen
class Seeds:
    """What attackers know of the archive."""

    tokens: list[str]
    tournaments: list[str]
    games: list[str]


def _settings(game: str, seats: int) -> Settings:
    kind = GAMES[game]
    return Settings(kind, seats, kind.read_options({}, seats), True, True, "public", Clocks(), 0.0)


def whole_game() -> ChangeList:
    """Plays a race of Hurry' Cup to its end; returns the store with its changes."""
    store, rng, now = ChangeList(), random.Random(1), 0.0
    tables, settings = Tables(store=store), _settings("hurry-cup", 2)
    table = tables.open(settings, "P0")
    for seat in range(2):
        tables.at(table, functools.partial(sit, name=f"P{seat}", bot=True, seat=seat, now=now))
        store.settle()
    tables.at(table, functools.partial(Table.start, now=now))
    store.settle()
    live = table.live_game
    assert live is not None
    while not live.over:
        seat = min(live.match.awaited)
        legal = settings.game.legal(live.match.state, seat)
        action = tagged(legal[rng.randrange(legal.count)])
        now += 0.5
        by = f"P{seat}", len(live.match.journal)
        tables.at(table, functools.partial(act, seat, live.players[seat].turn, action, now, by))
        store.settle()
    return store


def finished_games(names: list[str]) -> Iterator[Change]:
    """The same game again and again: the first name has played them all, each of the others its share."""
    store = whole_game()
    (begun,) = [begun for change in store.changes for begun in change.begin]
    (end,) = [ended.end for change in store.changes for ended in change.end]
    lines = [line for change in store.changes for line in change.lines]
    for number in range(GAMES_PLAYED):
        id, players = game_id(number), [names[0], names[1 + number % (len(names) - 1)]]
        yield Change(
            begin=[Begun(id, id, {**begun.header, "table": id, "names": players})],
            lines=[Added(id, line.number, line.line) for line in lines],
            end=[Ended(id, end, players)],
        )


def game_id(number: int) -> str:
    return f"OLD{number:07}-1"


def open_tables() -> Iterator[Change]:
    """Public tables, each with a host who waits for somebody."""
    register, tables = Register(), Tables()
    for number in range(TABLES):
        host = Session(register.add(f"Host {number}", False)[0])
        host.last_id = 1
        table = tables.open(_settings("balloon-cup", 2), host.name)
        tables.at(table, functools.partial(sit, name=host.name, bot=False, seat=0, now=0.0))
        yield Change(
            save_tables={table.id: table_map(table)},
            save_people={host.name: person_map(host)},
            save_sessions={host.name: session_map(host)},
        )


def course(organiser: str) -> Iterator[tuple[Event, Tournament]]:
    """A whole tournament, event by event."""
    rng = random.Random(2)
    rules = {"name": "Large", "game": "balloon-cup", "format": "swiss", "seed": "bench", "rounds": ROUNDS}
    first = events.Announced(rules, organiser)
    state = lifecycle.announced(first)
    yield first, state

    def happen(event: Event) -> tuple[Event, Tournament]:
        nonlocal state
        state = lifecycle.after(state, event)
        return event, state

    names = [Name(f"Entrant {number}") for number in range(ENTRANTS)]
    yield happen(events.RegistrationOpened())
    for name in names:
        yield happen(events.Entered(name, True))
    yield happen(events.SecretDrawn(SECRET.hex()))
    yield happen(events.CheckInOpened(deals.round_secret(SECRET, 0).hex()))
    for name in names:
        yield happen(events.CheckedIn(name, f"nonce of {name}"))
    yield happen(events.Started())
    while (pairing := state.next_round()) is not None:
        yield happen(events.RoundPaired(pairing))
        for spot in state.open_games():
            yield happen(games.begun(state, "LARGE", spot))
            table, game = spot
            places = (1, 2) if rng.random() < 0.5 else (2, 1)
            seating = games.paired(state, table).seating(game)
            moves, thinking = (40, 40), (12.345, 23.456)
            result = Result(pairing.round, table, game, seating, places, moves=moves, thinking=thinking)
            yield happen(events.GameFinished(result))
        secret = deals.round_secret(SECRET, pairing.round).hex()
        yield happen(events.RoundFinished(pairing.round, secret))
    yield happen(events.Finished())


def large_tournaments(organiser: str) -> Iterator[tuple[str, Change]]:
    """One that is paused before its end, and several that are over."""
    happened, states = zip(*course(organiser), strict=True)
    lines = [{"at": wall_clock(), "line": events.line(event)} for event in happened]
    pause = events.Paused()
    paused = lifecycle.after(states[-3], pause)
    ends = [({"at": wall_clock(), "line": events.line(pause)}, "RUNNNG", len(lines) - 2, paused)]
    ends += [(lines[-1], f"OVER{number:02}", len(lines) - 1, states[-1]) for number in range(COPIES)]
    for last, id, before, state in ends:
        yield (
            id,
            Change(
                save_tournaments={id: {"info": write_part(snapshot.info(id, state))}},
                happened=[
                    Happened(id, number, line) for number, line in enumerate([*lines[:before], last], 1)
                ],
            ),
        )


def fill(path: Path, names: list[str]) -> Seeds:
    """Makes the archive; the names are the attackers'."""
    register, tokens, tournaments = Register(), [], []
    changes: list[Change] = []
    for name in names:
        identity, token = register.add(name, True)
        tokens.append(token)
        session = Session(identity, last_id=1)
        changes.append(
            Change(save_people={name: person_map(session)}, save_sessions={name: session_map(session)})
        )
    changes += open_tables()
    for id, change in large_tournaments(names[0]):
        changes.append(change)
        tournaments.append(id)
    changes += finished_games(names)
    with Archive.open(path) as archive:
        archive._require_writer().store([row for change in changes for row in rows_of(change)])
    return Seeds(tokens, tournaments, [game_id(number) for number in range(GAMES_PLAYED)])
