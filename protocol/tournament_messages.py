"""The messages about tournaments, and their parts.

Events of a tournament go to all who watch it, the same to everybody. They have numbers of their own, without
gaps: whoever misses one asks for a snapshot again.
"""

from typing import Literal

import attrs

from parlour.protocol.message import Command, Event, Plain, left_out

Phase = Literal["announced", "registration", "check_in", "running", "paused", "finished", "cancelled"]
Format = Literal["round_robin", "swiss", "knockout"]
Stake = Literal["", "final", "third"]
FailureKind = Literal["late", "crashed", "illegal", "absent"]
Cause = Literal["", "too_few", "idle"]
Course = Literal["open", "check_in", "start", "pause", "resume", "cancel"]
"""Where a tournament is steered to by its organiser."""

# Parts of messages


@attrs.frozen
class TournamentInfo:
    """A tournament in one line of a list."""

    tournament: str
    name: str
    game: str
    format: Format
    seats: int
    phase: Phase
    organiser: str
    entrants: int
    """Who are in it now."""
    checked_in: int
    round: int
    """The one that was paired last; 0 before the first."""
    rounds: int | None
    """Null before the start, and in a knockout, which takes as many as it takes."""
    starts: int | None
    """Seconds since 1970; null: when the organiser says so."""
    published: str | None
    """The end of the chain of secrets, in hex; null before check-in."""
    why: str = ""
    """Why it is paused or cancelled, in the words of its organiser."""
    cause: Cause = ""
    """Why the server itself brought it to this phase; empty: it did not."""
    node: str | None = left_out()
    """The address of the node that has it, if that is another one."""
    until: int | None = left_out()
    """When check-in ends by itself, in seconds since 1970."""


@attrs.frozen
class Entrant:
    """Somebody who takes part."""

    name: str
    bot: bool
    since: int
    """The first round to play in."""
    gone: bool
    checked_in: bool
    nonce: str | None
    """What this entrant adds to all deals."""
    strength: int


@attrs.frozen
class PairedTable:
    """Who play together in a round: as listed in the first game, moved on by a seat with every other."""

    number: int
    players: tuple[str, ...]
    stake: Stake


@attrs.frozen
class Round:
    """One round: its tables, and who has none."""

    round: int
    tables: tuple[PairedTable, ...]
    byes: tuple[str, ...]
    secret: str | None
    """In hex; null while the round is being played."""


@attrs.frozen
class Failure:
    """How often somebody failed in a game, in one way."""

    name: str
    kind: FailureKind
    times: int


@attrs.frozen
class GameResult:
    """How one game of a tournament ended. What is listed goes by seat."""

    round: int
    table: int
    game: int
    """Counted from 0."""
    deal: int
    """Its number in the round: that of the game, unless it was played anew on a spare one."""
    players: tuple[str, ...]
    places: tuple[int, ...]
    failures: tuple[Failure, ...]
    forfeits: tuple[str, ...]
    """Who lost by rule, or gave up, and not on the board."""
    void: bool
    replay: str | None
    """What `replay` calls it; null if no game was played."""
    moves: tuple[int, ...]
    thinking: tuple[float, ...]
    """Seconds, without the way to and from the server."""


@attrs.frozen
class Mean:
    """A mean, its standard error, and the interval that holds the truth 95 times in 100."""

    count: int
    mean: float | None
    error: float | None
    low: float | None
    high: float | None


@attrs.frozen
class Standing:
    """One line of the standings."""

    rank: int
    name: str
    points: float
    games: int
    wins: int
    byes: int
    tie_breaks: Plain
    """By their names, in the order in which they count."""
    share: Mean
    """Of what games could bring: a half is the average."""
    adjusted: Mean
    """The same against the mean of that seat on that deal: 0 is the average."""
    strikes: int
    gone: bool


@attrs.frozen
class Cross:
    """A cell of the crosstable: what one got in games with the other."""

    one: str
    other: str
    games: int
    points: float


@attrs.frozen
class Rating:
    """How strong somebody is believed to be at a game, over all tournaments on this server."""

    name: str
    mean: float
    error: float
    low: float
    high: float
    games: int


@attrs.frozen
class Picture:
    """All that is to be known of a tournament; the events after it follow its number."""

    seq: int
    info: TournamentInfo
    rules: Plain
    entrants: tuple[Entrant, ...]
    rounds: tuple[Round, ...]
    results: tuple[GameResult, ...]
    standings: tuple[Standing, ...]
    crosstable: tuple[Cross, ...]
    ratings: tuple[Rating, ...]


# Commands


@attrs.frozen
class Tournaments(Command):
    """Which tournaments there are: first those that are not over, the newest first."""

    SINCE = 1

    id: int


@attrs.frozen
class CreateTournament(Command):
    """A new tournament by these rules; whoever makes it is its organiser."""

    SINCE = 1

    id: int
    rules: Plain


@attrs.frozen
class Enter(Command):
    """Take part."""

    SINCE = 1

    id: int
    tournament: str
    code: str | None = None
    """The invitation, if the rules ask for one."""


@attrs.frozen
class Withdraw(Command):
    """Take part no more; a game that runs is given up."""

    SINCE = 1

    id: int
    tournament: str


@attrs.frozen
class CheckIn(Command):
    """I am there, and this is what I add to the deals."""

    SINCE = 1

    id: int
    tournament: str
    nonce: str | None = None


@attrs.frozen
class Steer(Command):
    """The organiser opens, starts, pauses, resumes or cancels a tournament."""

    SINCE = 1

    id: int
    tournament: str
    to: Course
    why: str = ""
    seconds: int | None = left_out()
    """How long check-in lasts that `start` opens."""


@attrs.frozen
class WatchTournament(Command):
    """Tell me of everything in a tournament, or stop telling."""

    SINCE = 1

    id: int
    tournament: str
    on: bool = True


@attrs.frozen
class TournamentLog(Command):
    """A page of the log of a tournament: the events it is made of, from after this number on."""

    SINCE = 1

    id: int
    tournament: str
    after: int = 0


# Events


@attrs.frozen
class TournamentChanged(Event):
    """Phase, rounds or how many take part have changed."""

    SINCE = 1

    tournament: str
    seq: int
    info: TournamentInfo


@attrs.frozen
class TournamentEntrant(Event):
    """Somebody has entered, is there, or has gone."""

    SINCE = 1

    tournament: str
    seq: int
    entrant: Entrant
    withdrawn: bool
    """Before the start: taken off the list."""


@attrs.frozen
class TournamentRound(Event):
    """A round is paired; or it is over, and its secret is told."""

    SINCE = 1

    tournament: str
    seq: int
    round: Round


@attrs.frozen
class TournamentResult(Event):
    """A game is over."""

    SINCE = 1

    tournament: str
    seq: int
    result: GameResult


@attrs.frozen
class TournamentStandings(Event):
    """Standings, crosstable and ratings as they are now: not after every game if many end at once."""

    SINCE = 1

    tournament: str
    seq: int
    standings: tuple[Standing, ...]
    crosstable: tuple[Cross, ...]
    ratings: tuple[Rating, ...]
