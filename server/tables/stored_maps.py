"""Tables and people as plain maps to be stored, and back. The names in these maps never change.

Times are stored as seconds since the deal: the clock that measured them ends with the process.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs

from parlour.engine.catalogue import GAMES
from parlour.protocol.codec import read_part, write_part
from parlour.protocol.messages import Clocks, Line
from parlour.server.people.identity import Identity
from parlour.server.people.remembered import OK
from parlour.server.people.session import Session
from parlour.server.tables.clock import GameClock, SeatClock
from parlour.server.tables.event_log import EventLog, Logs, ViewerLog
from parlour.server.tables.seats import SeatedPlayer, Settings, Terms
from parlour.server.tables.table import CHAT_LINES, Table
from parlour.server.tournament.rules import Failures

Plain = dict[str, Any]
ANSWERS = 16
"""Answers to a person that are stored; those to moves are known from the journal."""


# Tables


def table_map(table: Table) -> Plain:
    """A table without its game, which is stored line by line."""
    newest = max([table.changed_at, *[line.at for line in table.chat_lines()]])
    return {
        "id": table.id,
        "code": table.code,
        "settings": _settings_map(table.settings),
        "secret": table.secret,
        "host": table.host,
        "sitters": [player and attrs.asdict(player, recurse=False) for player in table.players],
        "stage": table.stage,
        "number": table.number,
        "kicked": list(table.kicked),
        "chat": [{**write_part(line), "at": line.at - newest} for line in table.chat_lines()],
        "seqs": table.event_log.numbers(),
        "entries": len(table.live_game.match.journal) if table.live_game else 0,
        "clock": _clock_map(table.live_game.clock, table.recorder.started, table.changed_at)
        if table.live_game
        else None,
    }


def table_from(plain: Mapping[str, Any], now: float) -> Table:
    """Restores a table. All seats are disconnected; recovery loads a running game."""
    players = [player and SeatedPlayer(**player) for player in plain["sitters"]]
    for player in players:
        if player is not None:
            player.here, player.away_since = False, now
    chat = [attrs.evolve(read_part(line, Line), at=now + line["at"]) for line in plain["chat"]]
    return Table(
        id=plain["id"],
        code=plain["code"],
        settings=_settings_from(plain["settings"]),
        secret=plain["secret"],
        host=plain["host"],
        players=players,
        stage=plain["stage"],
        number=plain["number"],
        kicked=tuple(plain.get("kicked", ())),
        event_log=EventLog(logs=Logs({viewer: ViewerLog(seq) for viewer, seq in plain["seqs"]})),
        chat=deque(chat, maxlen=CHAT_LINES),
    )


def _settings_map(settings: Settings) -> Plain:
    return {
        "game": settings.game.name,
        "seats": settings.seats,
        "options": settings.options.plain(),
        "public": settings.public,
        "bots": settings.bots,
        "watching": settings.watching,
        "clocks": write_part(settings.clocks),
        "reaction": settings.reaction,
        "hints": settings.hints,
        "practice": settings.practice,
        "terms": settings.terms and attrs.asdict(settings.terms),
    }


def _settings_from(plain: Mapping[str, Any]) -> Settings:
    game = GAMES[plain["game"]]
    terms = plain.get("terms")
    return Settings(
        game=game,
        seats=plain["seats"],
        options=game.read_options(plain["options"], plain["seats"]),
        public=plain["public"],
        bots=plain["bots"],
        watching=plain["watching"],
        clocks=read_part(plain["clocks"], Clocks),
        reaction=plain["reaction"],
        hints=plain.get("hints", True),
        practice=plain.get("practice", False),
        terms=terms and Terms(terms["tournament"], Failures(**terms["failures"])),
    )


_TIMES = ("away_since", "asked_at")


def _clock_map(clock: GameClock, started: float, now: float) -> Plain:
    hands = []
    for seat_clock in clock.seats:
        plain = attrs.asdict(seat_clock, recurse=False)
        for name in _TIMES:
            plain[name] = None if plain[name] is None else plain[name] - started
        hands.append(plain)
    return {"key": clock.key, "hands": hands, "now": now - started}


def clock_from(plain: Mapping[str, Any], settings: Clocks) -> GameClock:
    """Restores a clock, whose times still count from the deal."""
    return GameClock(settings, [SeatClock(**seat_clock) for seat_clock in plain["hands"]], plain["key"])


# People


def person_map(session: Session) -> Plain:
    """Who owns a name: the same at every node of a house."""
    identity = session.identity
    return {
        "name": identity.name,
        "bot": identity.bot,
        "proven": identity.proven,
        "offered": identity.offered,
        "also": identity.also,
        "seen": identity.seen,
        "hello": identity.hello,
        "built_in": session.built_in,
    }


def session_map(session: Session) -> Plain:
    """What this node has answered somebody, what it still owes, and where they sit here."""
    known = session.answers
    given = {id: answer or session.drafts.get(id) for id, answer in known.others.items()}
    answers = [(id, answer) for id, answer in given.items() if answer is not None]
    answers += [(id, OK) for id in known.done[-ANSWERS:]]
    answers.sort()
    return {
        "last_id": session.last_id,
        "answers": answers[-ANSWERS:],
        "owed": [*session.owed, *[id for id, answer in given.items() if answer is None]],
        "tables": sorted(session.tables),
    }


class Stored(Mapping[str, Plain]):
    """People or their sessions as they are when a change is put into the archive, not when it was made.

    A store that holds a change back would else overwrite what is newer, as an answer that was given since.
    """

    def __init__(
        self, sessions: Mapping[str, Session], names: Iterable[str], to_map: Callable[[Session], Plain]
    ) -> None:
        self._sessions = sessions
        self._people = {name: sessions[name] for name in names if name in sessions}
        self._to_map = to_map

    def __getitem__(self, name: str) -> Plain:
        return self._to_map(self._people[name])

    def __iter__(self) -> Iterator[str]:
        return (name for name, one in self._people.items() if self._sessions.get(name) is one)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def identity_from(plain: Mapping[str, Any], kept: bool) -> Identity:
    identity = Identity(plain["name"], plain["bot"], plain["proven"], plain["offered"], kept)
    identity.seen, identity.also = plain.get("seen", 0), tuple(plain.get("also", ()))
    identity.hello = plain.get("hello", 0)
    return identity


def person_from(plain: Mapping[str, Any], answered: Mapping[str, Any] | None, kept: bool) -> Session:
    """Restores somebody; `answered` is what this node has answered, if anything."""
    session = Session(identity_from(plain, kept), built_in=plain["built_in"])
    if answered is not None:
        session.last_id = answered["last_id"]
        session.owed.update(answered["owed"])
        for id, packed in answered["answers"]:
            session.answers.restore(id, packed)
    return session
