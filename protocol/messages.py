"""Every message, as one frozen class that says who sends it and since which minor version.

Commands come from clients, each with an `id`, and are answered by exactly one `ok` or `error` with that id.
Events come from the server; those of a table are numbered, for each viewer, without gaps. What belongs to a
game (options, actions, views, news, legal actions) travels as it is: this package knows no game.
"""

from typing import Any, Final, Literal

import attrs

from parlour.protocol import node_messages, tournament_messages
from parlour.protocol.message import Command as Command
from parlour.protocol.message import Event as Event
from parlour.protocol.message import Message as Message
from parlour.protocol.message import Plain as Plain
from parlour.protocol.message import Reply as Reply
from parlour.protocol.message import left_out
from parlour.protocol.node_messages import Elsewhere as Elsewhere
from parlour.protocol.node_messages import Node as Node
from parlour.protocol.node_messages import NodesChanged as NodesChanged
from parlour.protocol.node_messages import TableAt as TableAt
from parlour.protocol.tournament_messages import CheckIn as CheckIn
from parlour.protocol.tournament_messages import CreateTournament as CreateTournament
from parlour.protocol.tournament_messages import Cross as Cross
from parlour.protocol.tournament_messages import Enter as Enter
from parlour.protocol.tournament_messages import Entrant as Entrant
from parlour.protocol.tournament_messages import Failure as Failure
from parlour.protocol.tournament_messages import GameResult as GameResult
from parlour.protocol.tournament_messages import Mean as Mean
from parlour.protocol.tournament_messages import PairedTable as PairedTable
from parlour.protocol.tournament_messages import Phase as Phase
from parlour.protocol.tournament_messages import Picture as Picture
from parlour.protocol.tournament_messages import Rating as Rating
from parlour.protocol.tournament_messages import Round as Round
from parlour.protocol.tournament_messages import Standing as Standing
from parlour.protocol.tournament_messages import Steer as Steer
from parlour.protocol.tournament_messages import TournamentChanged as TournamentChanged
from parlour.protocol.tournament_messages import TournamentEntrant as TournamentEntrant
from parlour.protocol.tournament_messages import TournamentInfo as TournamentInfo
from parlour.protocol.tournament_messages import TournamentLog as TournamentLog
from parlour.protocol.tournament_messages import TournamentResult as TournamentResult
from parlour.protocol.tournament_messages import TournamentRound as TournamentRound
from parlour.protocol.tournament_messages import Tournaments as Tournaments
from parlour.protocol.tournament_messages import TournamentStandings as TournamentStandings
from parlour.protocol.tournament_messages import WatchTournament as WatchTournament
from parlour.protocol.tournament_messages import Withdraw as Withdraw

Stage = Literal["gathering", "playing", "finished", "closed"]
Watching = Literal["nobody", "public", "everything"]
"""Nobody may watch; the public part may be watched; and after the end everything is shown."""
Lateness = Literal["stand_in", "forfeit"]
Going = Literal["closed", "kicked"]
"""Why a table is gone: for everybody, or for a player whom its host has sent away."""


# Parts of messages


@attrs.frozen
class Person:
    """Somebody on this server, by the name that nobody else has."""

    name: str
    bot: bool


@attrs.frozen
class Limits:
    """What the server takes from a peer."""

    frame_bytes: int
    depth: int
    name_length: int
    chat_length: int
    nonce_length: int
    tables_each: int
    commands_per_second: float
    burst: int
    remembered_ids: int


@attrs.frozen
class Clocks:
    """How long players may think. Seconds; null is for ever."""

    decision: float | None = None
    """For each decision."""
    bank: float = 0.0
    """On top of that, for each player and game."""
    scramble: float = 12.0
    """For horn, look and grab, at every table."""
    grace: float = 60.0
    """How long, in all of a game, a clock waits for a player who is disconnected."""
    late: Lateness = "stand_in"
    """What happens after three decisions in a row that time decided."""


@attrs.frozen
class Chair:
    """A seat with somebody on it."""

    name: str
    bot: bool
    here: bool
    """Connected right now."""
    ready: bool
    stand_in: bool
    """Played for until the owner acts, resumes the table or connects again."""
    left: bool
    nonce: str | None
    """What this player adds to the seed."""
    away_since: float | None = None
    """When the connection was lost, by the server's clock."""
    substitute: str | None = None
    """The built-in bot that plays this seat until its player is back."""
    strategy: str | None = None
    """How a bot plays that the server started itself."""


@attrs.frozen
class TableInfo:
    """A table as everybody may know it."""

    table: str
    game: str
    options: Plain
    chairs: tuple[Chair | None, ...]
    host: str | None
    stage: Stage
    public: bool
    bots: bool
    """Whether bots may sit down."""
    watching: Watching
    clocks: Clocks
    reaction: float
    """How long bots wait in a scramble when people play."""
    watchers: int
    number: int
    """Which game at this table, counted from 1."""
    commitment: str
    """The hash of the secret that the next deal, or the current one, is made with."""
    tournament: str | None = None
    """The id of the tournament that has dealt this game."""
    hints: bool = True
    """Whether players may ask a strategy what it would play; never in a tournament."""
    kicked: tuple[str, ...] = ()
    """Whom the host has sent away, and not let back yet."""
    practice: bool = False
    """Whether it is for learning: no clock runs, and in a scramble bots act after people."""
    node: str | None = left_out()
    """The address of the node that has it, if that is another one."""


@attrs.frozen
class Question:
    """What a seat is asked. `turn` must come back with the answer."""

    turn: int
    phase: str
    scramble: bool
    legal: tuple[Plain, ...]


@attrs.frozen
class Clock:
    """Times by the server's clock, in seconds: `now` is when this was sent."""

    now: float
    ends: tuple[float | None, ...]
    """By seat: when its time is up; null if it is not asked, or has for ever, or its clock waits."""
    banks: tuple[float, ...]
    graces: tuple[float, ...]


@attrs.frozen
class Result:
    """How a game ended, and what is needed to check its luck."""

    winners: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    secret: str | None
    """In hex; null for watchers who may see the public part only, since it gives everything away."""
    nonces: tuple[str | None, ...]
    head: str | None
    """The last of the hashes that run through the record of the game; null if it is not kept."""


@attrs.frozen
class Line:
    """One line of chat."""

    name: str
    bot: bool
    text: str
    at: float


@attrs.frozen
class GameInfo:
    """A game that can be played here."""

    game: str
    seats: tuple[int, ...]
    options: tuple[Plain, ...]
    strategies: tuple[str, ...]


# The handshake


@attrs.frozen
class Hello(Message):
    """The first message: who is there, and what it speaks. Frozen for ever."""

    SENDER = "client"

    versions: tuple[int, ...]
    client: str
    name: str | None = None
    token: str | None = None
    bot: bool = False
    features: tuple[str, ...] = ()
    ticket: str | None = left_out()
    """Proves a name at one node of a house, once."""


@attrs.frozen
class Welcome(Event):
    """The answer to hello. Frozen for ever."""

    version: int
    minor: int
    server: str
    features: tuple[str, ...]
    limits: Limits
    heartbeat: float
    you: Person
    token: str
    last_id: int
    tables: tuple[str, ...]
    """Where you sit: resume them."""
    now: float
    node: str | None = left_out()
    """The name of this node, if it is one of a house."""
    nodes: tuple[Node, ...] = left_out(())
    """All nodes of the house, this one included."""
    elsewhere: tuple[Elsewhere, ...] = left_out(())
    """Where you sit at other nodes."""


@attrs.frozen
class Goodbye(Event):
    """The last message before the server closes: a code of the table of close codes, in words."""

    reason: str
    retry_after: float | None = None


# Answers


@attrs.frozen
class Ok(Reply):
    """Done. `result` is the command's own, or null."""

    id: int
    result: Any = None


@attrs.frozen
class Error(Reply):
    """Not done. `id` is null if no command could be read."""

    id: int | None
    code: str
    facts: Plain
    retry_after: float | None = None


# Commands


@attrs.frozen
class Ping(Command):
    """Are you there? `ok` answers with the server's clock."""

    id: int


@attrs.frozen
class Games(Command):
    """Which games there are, with their options."""

    id: int


@attrs.frozen
class ListTables(Command):
    """The public tables now."""

    id: int


@attrs.frozen
class WatchLobby(Command):
    """Tell me of every change in the lobby, or stop telling."""

    id: int
    on: bool


REACTION: Final = 0.8
"""Seconds: the shortest reaction of bots in a scramble with people, about that of a very quick person."""


@attrs.frozen
class CreateTable(Command):
    """A new table; whoever makes it is its host and sits down at seat 0."""

    id: int
    game: str
    seats: int
    options: Plain = attrs.field(factory=dict)
    public: bool = True
    bots: bool = True
    watching: Watching = "public"
    clocks: Clocks = Clocks()
    reaction: float = REACTION
    hints: bool = True
    practice: bool = False


@attrs.frozen
class Join(Command):
    """Sit down at a table, by its id or by its code; at any free seat if none is named."""

    id: int
    table: str | None = None
    code: str | None = None
    seat: int | None = None


@attrs.frozen
class Watch(Command):
    """Watch a table without a seat."""

    id: int
    table: str | None = None
    code: str | None = None


@attrs.frozen
class Sit(Command):
    """Change to another free seat before the game."""

    id: int
    table: str
    seat: int


@attrs.frozen
class Ready(Command):
    """Ready to begin, or not yet; with a nonce for the seed if you like."""

    id: int
    table: str
    on: bool = True
    nonce: str | None = None


@attrs.frozen
class Start(Command):
    """The host deals."""

    id: int
    table: str


@attrs.frozen
class Leave(Command):
    """Get up, or stop watching. In a game that is resigning first."""

    id: int
    table: str


@attrs.frozen
class Kick(Command):
    """The host clears a seat before or after a game."""

    id: int
    table: str
    seat: int


@attrs.frozen
class LetBack(Command):
    """The host lets somebody come back who was sent away."""

    id: int
    table: str
    name: str


@attrs.frozen
class AddBot(Command):
    """The host puts a built-in bot on a free seat."""

    id: int
    table: str
    strategy: str = "random"
    seat: int | None = None


@attrs.frozen
class Substitute(Command):
    """In a game: the host has a built-in bot play for somebody who is not connected."""

    SINCE = 2
    id: int
    table: str
    seat: int
    strategy: str | None = "random"


@attrs.frozen
class Rematch(Command):
    """After the end: gather again, with the seats moved on by one."""

    id: int
    table: str


@attrs.frozen
class Say(Command):
    """Say something at a table, or in the lobby if no table is named."""

    id: int
    text: str
    table: str | None = None


@attrs.frozen
class Act(Command):
    """Answer a decision."""

    id: int
    table: str
    turn: int
    action: Plain


@attrs.frozen
class Hint(Command):
    """What would a strategy play here, and why? Where the table allows hints."""

    SINCE = 2

    id: int
    table: str
    strategy: str = "search"


@attrs.frozen
class Resign(Command):
    """Give the game up and stay at the table."""

    id: int
    table: str


@attrs.frozen
class Resume(Command):
    """Bring what was missed after this number, or a snapshot; who is played for is back."""

    id: int
    table: str
    after: int | None = None


@attrs.frozen
class Played(Command):
    """Which games I have played here to their ends, the newest first."""

    id: int


@attrs.frozen
class Replay(Command):
    """A game that I have played, from the deal to the end."""

    id: int
    game: str


@attrs.frozen
class ReplayView(Command):
    """A part of a game that I have played, as a seat saw it, or with nothing hidden: views and news."""

    SINCE = 2

    id: int
    game: str
    eyes: int | None = None
    first: int = 0
    count: int = 16


@attrs.frozen
class Bye(Command):
    """Goodbye: the server closes."""

    id: int


# Events of the lobby


@attrs.frozen
class LobbyTable(Event):
    """A public table is new or has changed."""

    info: TableInfo


@attrs.frozen
class LobbyGone(Event):
    """A table is no longer there, or no longer there for you."""

    table: str
    reason: Going = "closed"


@attrs.frozen
class LobbyChat(Event):
    """Somebody said something in the lobby."""

    line: Line


# Events of a table, numbered for each viewer


@attrs.frozen
class TableChanged(Event):
    """Seats, stage, host, presence or the clock of a table changed."""

    table: str
    seq: int
    info: TableInfo
    clock: Clock | None


@attrs.frozen
class Update(Event):
    """The game went on: the whole view, the news since the last one, and what you are asked."""

    table: str
    seq: int
    view: Plain
    news: tuple[Plain, ...]
    awaited: tuple[int, ...]
    question: Question | None
    clock: Clock | None
    result: Result | None


@attrs.frozen
class Chat(Event):
    """Somebody said something at a table."""

    table: str
    seq: int
    line: Line


@attrs.frozen
class Snapshot(Event):
    """All that is to be known at a table; the events after it follow its number."""

    table: str
    seq: int
    seat: int | None
    code: str | None
    info: TableInfo
    view: Plain | None
    awaited: tuple[int, ...]
    question: Question | None
    clock: Clock | None
    result: Result | None
    chat: tuple[Line, ...]


def _word(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _classes() -> list[type]:
    """All that travel, in the order of the pages: what every client knows, then tournaments, then nodes."""
    found: list[type] = []
    pages = {__name__: globals()}
    pages |= {page.__name__: vars(page) for page in (tournament_messages, node_messages)}
    for name, page in pages.items():
        for kind in page.values():
            if isinstance(kind, type) and attrs.has(kind) and kind.__module__ == name:
                found.append(kind)
    return found


def _kinds(root: type[Message]) -> tuple[type[Message], ...]:
    return tuple(kind for kind in _classes() if issubclass(kind, root))


PARTS: tuple[type, ...] = tuple(kind for kind in _classes() if not issubclass(kind, Message))
ALL: tuple[type[Message], ...] = _kinds(Message)
COMMANDS = _kinds(Command)
EVENTS = _kinds(Event)
for _kind in ALL:
    _kind.WORD = _word(_kind.__name__)
BY_WORD: dict[str, type[Message]] = {kind.WORD: kind for kind in ALL}
FROM_CLIENT = {word: kind for word, kind in BY_WORD.items() if kind.SENDER == "client"}
FROM_SERVER = {word: kind for word, kind in BY_WORD.items() if kind.SENDER == "server"}
