"""What a peer keeps in mind: the commands that it has sent, each of its lines, tables and tournaments."""

from typing import Any

import attrs

from tools.simulation.line import Line

Plain = dict[str, Any]
REPEATABLE = frozenset(
    {"ping", "games", "list_tables", "watch_lobby", "played", "replay", "resume", "watch"}
    | {"tournaments", "watch_tournament", "tournament_log"}
)
"""Answered anew whenever they are sent (G2)."""
IN_SESSIONS = frozenset({"create_table", "join", "sit", "rematch", "enter", "check_in"})
IN_JOURNALS = frozenset({"start", "act", "resign"})
"""Commands that are stored when they are answered: the answers stand with the session, or with the game."""
SITS = frozenset({"create_table", "join", "sit"})
GRANTS = SITS | {"resume", "watch"}
"""Commands after which events of a table may come on the line (G10)."""
BEFORE_THE_START = ("announced", "registration", "check_in")


@attrs.define(eq=False)
class Sent:
    """A command, on whichever lines it was sent."""

    id: int
    word: str
    fields: Plain
    readable: bool = True
    scramble: bool = False
    legal: bool = False
    """For an act: it was chosen from those that its question lists."""
    game: int = 0
    """For an act: the number of its game at the table."""
    lines: list[int] = attrs.field(factory=list)
    answer: Plain | None = None
    """The first one."""
    epoch: int = 0
    """The server that gave it."""
    done: bool = False
    """An answer was ok: what was refused may be done when it is sent again after a restart (G2)."""
    behind_bye: bool = False
    behind: bool = False
    """Another command of its sender had no answer when it was first sent."""
    watched: bool = False
    """For a `leave`: the peer had no seat there, as far as it knew."""
    stamp: int = 0
    """How many commands had been sent on its last line before."""
    at: float = 0.0
    """When it was last sent."""


@attrs.define(eq=False)
class Visit:
    """What has passed on one line."""

    line: Line
    epoch: int
    who: Plain
    welcome: Plain | None = None
    over: str | None = None
    """The reason of a goodbye, or the code of an error that closes."""
    bye: int | None = None
    order: list[Sent] = attrs.field(factory=list)
    counts: dict[int, list[int]] = attrs.field(factory=dict)
    """By id: how often it was sent and answered here."""
    late: set[int] = attrs.field(factory=set)
    """Commands that later ones were answered before: they name what another node may have."""
    unreadable: int = 0
    """Frames without a readable id: so many errors may come."""
    streams: dict[str, int] = attrs.field(factory=dict)
    """By table: the number of the last event."""
    grants: dict[str, int] = attrs.field(factory=dict)
    """By table: when here a command was last sent after which its events may come, by `sends`."""
    sends: int = 0
    resumes: list[Sent] = attrs.field(factory=list)
    """Those that are not answered yet."""
    snapshots: dict[str, int] = attrs.field(factory=dict)
    """By table: how many came."""
    due: dict[str, Sent] = attrs.field(factory=dict)
    """Tables of which a snapshot must still come, and the command that says so."""
    was_stuck: bool = False
    broke_rules: bool = False
    """The peer has sent a frame that closes the connection."""
    closed: bool = False
    """The peer has sent a close frame."""
    before_close: list[int] = attrs.field(factory=list)
    """The ids of the commands in front of it."""
    watching: set[str] = attrs.field(factory=set)
    """Tables, by the answers that came."""
    lobby: dict[str, Plain] | None = None
    """The public tables as far as they were told, while the lobby is watched."""
    lobby_chat: set[str] = attrs.field(factory=set)
    tournaments: dict[str, int] = attrs.field(factory=dict)
    """By tournament that is watched: the number of the last event."""


def last_wish(visit: Visit) -> Sent | None:
    """The last `watch_lobby` on a line: answers to earlier ones may come after its own."""
    wishes = [sent for sent in visit.order if sent.word == "watch_lobby"]
    return max(wishes, key=lambda sent: sent.stamp, default=None)


@attrs.define(eq=False)
class Table:
    """What a peer knows of a table by its events."""

    seq: int
    epoch: int
    known: Plain
    turn: int | None = None
    """Of the last question that came, if it is known."""
    ended: bool = False
    """The last update had a result."""
    events: dict[int, bytes] = attrs.field(factory=dict)
    highest: int = 0
    resumable: int = 0
    """The lowest number after which nothing but single events may come."""

    @property
    def seat(self) -> int | None:
        seat: int | None = self.known["seat"]
        return seat

    @property
    def info(self) -> Plain:
        info: Plain = self.known["info"]
        return info


@attrs.define(eq=False)
class Picture:
    """What a peer knows of a tournament."""

    phase: str
    entrants: set[str] | None
    """None after the start, which leaves out whoever has not checked in."""
    results: set[tuple[int, int, int]] = attrs.field(factory=set)
