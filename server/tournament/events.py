"""What happens in a tournament, one event a line: in their order they are all there is to know of it."""

import json
from typing import Any, Literal

import attrs

from parlour.engine.errors import Malformed
from parlour.engine.maps import by_word, from_tagged, tagged
from parlour.server.tournament.history import Name, Pairing, Result

Why = Literal["left", "absent", "strikes", "expelled"]
Cause = Literal["", "too_few", "idle"]
"""Why a server itself puts a tournament off or cancels it."""


@attrs.frozen
class Announced:
    """A tournament is announced. Its rules are a plain map."""

    rules: dict[str, Any]
    organiser: str = ""


@attrs.frozen
class KeysDrawn:
    """What entering takes is drawn: private for ever."""

    key: str
    """In hex: addresses are hashed under it."""
    invitation: str | None = None


@attrs.frozen
class RegistrationOpened:
    """Players may enter."""


@attrs.frozen
class Entered:
    """A player takes part; while the tournament runs, from the next round on."""

    name: Name
    bot: bool
    strength: int = 0
    address: str = ""
    """The hash of the network that the player came from, under a private key; empty: not known."""


@attrs.frozen
class Left:
    """A player takes part no more: before the start the name is removed, afterwards results stand."""

    name: Name
    why: Why = "left"


@attrs.frozen
class SecretDrawn:
    """The start of the chain of secrets is drawn: private until the tournament is over."""

    secret: str


@attrs.frozen
class CheckInOpened:
    """Everybody who entered must check in, with a nonce."""

    published: str
    """The end of the chain of secrets, in hex."""
    until: int | None = None
    """Seconds since 1970: it starts then with those who are there, or before if all are; None: by hand."""


@attrs.frozen
class CheckedIn:
    """A player has checked in."""

    name: Name
    nonce: str | None = None


@attrs.frozen
class CheckInClosed:
    """Its time is over and too few are there: players may enter again, and those who entered stay."""


@attrs.frozen
class Started:
    """Check-in is over: players who did not check in are absent."""


@attrs.frozen
class RoundPaired:
    """A round begins."""

    pairing: Pairing


@attrs.frozen
class GameBegun:
    """A game is dealt: at which table of the server, and on which spare deal if it broke off before."""

    round: int
    table: int
    game: int
    at: str
    """The table's id. The record of the game is called after it."""
    spare: int | None = None


@attrs.frozen
class GameFinished:
    """A game of this round is over."""

    result: Result


@attrs.frozen
class RoundFinished:
    """All games of a round are over, and its secret, in hex, is revealed."""

    round: int
    secret: str


@attrs.frozen
class Paused:
    """No game is begun any more; those that run go on."""

    why: str = ""


@attrs.frozen
class Resumed:
    """The tournament goes on after a pause."""


@attrs.frozen
class Finished:
    """There is no further round: the standings are final."""

    ratings: dict[str, Any] = attrs.field(factory=dict)
    """Of this game on this server, for all who took part, before any game of this tournament counts."""


@attrs.frozen
class Cancelled:
    """The tournament is cancelled, and its games count for nothing."""

    why: str = ""
    cause: Cause = ""


Event = (
    Announced
    | KeysDrawn
    | RegistrationOpened
    | Entered
    | Left
    | SecretDrawn
    | CheckInOpened
    | CheckedIn
    | CheckInClosed
    | Started
    | RoundPaired
    | GameBegun
    | GameFinished
    | RoundFinished
    | Paused
    | Resumed
    | Finished
    | Cancelled
)
EVENTS: tuple[type[Any], ...] = Event.__args__
PRIVATE: tuple[type[Any], ...] = (KeysDrawn, SecretDrawn)
"""Events that are stored and sent to nobody."""
_WORDS = by_word(EVENTS)
_PRIVATE_WORDS = frozenset(by_word(PRIVATE))


def binary(where: str, text: str) -> bytes:
    """Bytes from hex; raises Malformed."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise Malformed(where, "must be hex") from None


def is_activity(event: Event) -> bool:
    """Whether a player did something, and not the server alone."""
    match event:
        case GameFinished(result):
            return any(result.moves) and not result.void
        case Left(_, why):
            return why == "left"
        case RoundPaired() | GameBegun() | RoundFinished():
            return False
    return True


def is_private(text: str) -> bool:
    """Whether a line is of an event that is sent to nobody."""
    return json.loads(text).get("type") in _PRIVATE_WORDS


def line(event: Event) -> str:
    """An event as a line of JSON."""
    return json.dumps(tagged(event), ensure_ascii=False, separators=(",", ":"))


def read_line(text: str) -> Event:
    """Raises Malformed."""
    try:
        plain = json.loads(text)
    except ValueError:
        raise Malformed("", "is no line of JSON") from None
    event: Event = from_tagged(_WORDS, plain)
    return event
