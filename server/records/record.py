"""The record of one game as values: its header, its journal lines, and its end.

Each part has a running hash: blake2b of 32 bytes, in hex. The header's is the hash of its canonical form; a
line's is the hash of the hash before it, as bytes, followed by the line's canonical form; and so for the end,
whose hash is the `head` that players get with the result. The canonical form is that of RFC 8785: JSON in
UTF-8, keys sorted, no blanks; all numbers are whole. The field for the hash itself is not hashed.

Times are whole milliseconds, so that a moment has one spelling in every language. `started` and `ended` are
by the wall clock, since 1970 (UTC); `at` counts from the deal and never goes back, even if the wall clock
does.
"""

import functools
import hashlib
import json
from collections.abc import Mapping
from typing import Any, get_args

import attrs

from parlour.engine.chance import How, Luck
from parlour.engine.game import Game, Outcome
from parlour.engine.lean import lean
from parlour.engine.maps import tagged
from parlour.engine.match import Cause, Entry
from parlour.engine.secret import Seat

FORMAT = 1
"""The only format so far."""
CAUSES: tuple[Cause, ...] = get_args(Cause)
_encode = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode


def canonical(plain: Any) -> bytes:
    """The bytes that are hashed: one spelling for each value."""
    return _encode(plain).encode()


@attrs.frozen(kw_only=True)
class Header:
    """What was settled before the deal. Lists have one entry for each seat."""

    format: int = FORMAT
    game: str
    seats: int
    options: Any = attrs.field(eq=canonical)
    """A map; options that it leaves out have the game's defaults."""
    names: tuple[str, ...]
    bots: tuple[bool, ...]
    commitment: str
    nonces: tuple[str | None, ...]
    build: str
    protocol: int
    started: int
    table: str
    number: int
    """The number of the game at that table, from 1 on."""
    hash: str = ""


@lean
class JournalLine:
    """An entry of the journal as it is recorded: the action as a map, and when it was decided."""

    number: int
    cause: Cause
    seat: Seat | None
    action: Any = attrs.field(eq=canonical)
    luck: tuple[tuple[str, How, Any], ...]
    at: int
    reaction: int | None
    """In a scramble: how long this player took, without the way to the server."""
    hash: str
    substitute: str | None = None
    """The bot that chose for the player of the seat; in the map only if there was one."""


@attrs.frozen
class End:
    """How it ended, and the secret that the luck came from."""

    winners: tuple[Seat, ...]
    places: tuple[int, ...]
    reason: str
    secret: str
    ended: int
    head: str


@attrs.frozen
class Record:
    """A game that was played to its end."""

    header: Header
    lines: tuple[JournalLine, ...]
    end: End


def game_id(header: Header) -> str:
    """The name of a game wherever records are stored: no table's name is used twice."""
    return f"{header.table}-{header.number}"


# The running hash


def hash_of(before: str, plain: Mapping[str, Any]) -> str:
    """Hashes a map without its hash field; `before` is empty for a header."""
    return _chained(before, canonical(plain))


def _chained(before: str, canonical: bytes) -> str:
    return hashlib.blake2b(bytes.fromhex(before) + canonical, digest_size=32).hexdigest()


def header_hash(header: Header) -> str:
    plain = header_map(header)
    del plain["hash"]
    return hash_of("", plain)


def line_hash(before: str, line: JournalLine) -> str:
    plain = line_map(line)
    del plain["hash"]
    return hash_of(before, plain)


def end_hash(before: str, end: End) -> str:
    plain = end_map(end)
    del plain["head"]
    return hash_of(before, plain)


# Writing a record during the game


def sealed(header: Header) -> Header:
    """Adds the hash to a header, which the first line then follows."""
    return attrs.evolve(header, hash=header_hash(header))


def line_after(
    before: Header | JournalLine,
    entry: Entry[Any],
    seconds: float,
    reaction: float | None = None,
    substitute: str | None = None,
) -> JournalLine:
    """Makes the line for an entry decided so many seconds after the deal, after the header or a line."""
    at = max(round(seconds * 1000), before.at if isinstance(before, JournalLine) else 0)
    took = None if reaction is None else max(round(reaction * 1000), 0)
    number, cause, seat = entry.number, entry.cause, entry.seat
    action, spelled = _spelled(entry.action)
    luck = tuple([(luck.stream, luck.how, luck.outcome) for luck in entry.luck])
    spelled_luck = ",".join([_spelled_luck(*one) for one in luck])
    # The canonical form of the line, put together from parts: a line is written for every move.
    text = (
        f'{{"action":{spelled},"at":{at},"cause":"{cause}","luck":[{spelled_luck}]'
        f',"number":{number},"reaction":{_or_null(took)},"seat":{_or_null(seat)}'
        f"{'' if substitute is None else _SUBSTITUTE + _encode(substitute)}}}"
    )
    hash = _chained(before.hash, text.encode())
    return JournalLine(number, cause, seat, action, luck, at, took, hash, substitute)


_SUBSTITUTE = ',"substitute":'


@functools.lru_cache(maxsize=2048)
def _spelled(action: Any) -> tuple[Mapping[str, Any] | None, str]:
    """Makes an action's map and its canonical form."""
    plain = None if action is None else tagged(action)
    return plain, _encode(plain)


def _spelled_luck(stream: str, how: How, outcome: Any) -> str:
    """Makes the canonical form of a piece of luck; what was drawn one by one comes again and again."""
    if type(outcome) is str or type(outcome) is int:
        return _spelled_draw(stream, how, outcome)
    return _encode((stream, how, outcome))


@functools.lru_cache(maxsize=2048)
def _spelled_draw(stream: str, how: How, outcome: str | int) -> str:
    return _encode((stream, how, outcome))


def _or_null(number: int | None) -> int | str:
    return "null" if number is None else number


def end_after(last: JournalLine, outcome: Outcome, secret: bytes, ended: int) -> End:
    """Makes the end after the last line; `ended` in milliseconds since 1970."""
    end = End(outcome.winners, outcome.places, outcome.reason, secret.hex(), ended, "")
    return attrs.evolve(end, head=end_hash(last.hash, end))


def entry(game: Game[Any, Any, Any], line: JournalLine) -> Entry[Any]:
    """Reads the entry of a line, with the game's own action class; raises Malformed."""
    action = None if line.action is None else game.read_action(line.action)
    luck = tuple([Luck(stream, how, outcome) for stream, how, outcome in line.luck])
    return Entry(line.number, line.cause, line.seat, action, luck)


# As plain maps


def header_map(header: Header) -> dict[str, Any]:
    return {
        **{name: getattr(header, name) for name in _FIELDS},
        "names": list(header.names),
        "bots": list(header.bots),
        "nonces": list(header.nonces),
    }


_FIELDS: tuple[str, ...] = tuple(field.name for field in attrs.fields(Header))


def line_map(line: JournalLine) -> dict[str, Any]:
    plain = {
        "number": line.number,
        "cause": line.cause,
        "seat": line.seat,
        "action": line.action,
        "luck": [
            [stream, how, list(outcome) if type(outcome) is tuple else outcome]
            for stream, how, outcome in line.luck
        ],
        "at": line.at,
        "reaction": line.reaction,
        "hash": line.hash,
    }
    return plain if line.substitute is None else {**plain, "substitute": line.substitute}


BY = "by"
"""A key beside a line in the archive: whose command it came from. It is not part of the record."""
FAILURE = "fault"
"""A key beside it in a tournament: what its player failed in, so that a restart forgets no failure."""


def without_by(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Turns a line of the archive into a line of the record."""
    return {key: value for key, value in plain.items() if key not in (BY, FAILURE)}


def end_map(end: End) -> dict[str, Any]:
    return {
        "winners": list(end.winners),
        "places": list(end.places),
        "reason": end.reason,
        "secret": end.secret,
        "ended": end.ended,
        "head": end.head,
    }
