"""One player on the server, over all the connections that come and go."""

from collections import OrderedDict, deque
from typing import Protocol

import attrs

from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Message
from parlour.server.people.identity import Identity
from parlour.server.people.rate_limit import Bucket

REMEMBERED = 256
"""Answers that are kept for commands that are sent again."""
RECENT_TRIPS = 8


class Line(Protocol):
    """A connection as the lobby sees it: something to put frames into, and to hang up."""

    address: str

    def send(self, frame: Frame) -> None: ...

    def hang_up(self, code: int, reason: str) -> None: ...

    def hold(self) -> None: ...

    def let_go(self, forget: bool = False) -> None: ...


@attrs.define(repr=False)
class Session:
    """What the server knows of a player. Tables are named by their ids only."""

    identity: Identity
    line: Line | None = None
    built_in: bool = False
    """A bot that the server started itself."""
    restarts: int = 0
    """How often that bot was started anew."""
    last_id: int = 0
    tables: set[str] = attrs.field(factory=set)
    following: set[str] = attrs.field(factory=set)
    """Those of the tables whose events this connection gets: a new one must resume them first."""
    watching: set[str] = attrs.field(factory=set)
    takes_part: set[str] = attrs.field(factory=set)
    """Tournaments that are not over: whoever plays or organises there keeps the name."""
    attends: set[str] = attrs.field(factory=set)
    """Tournaments whose events this connection gets."""
    waits_for: str | None = None
    """The table that still has to do, or to keep, what this player asked for last."""
    in_lobby: bool = False
    answers: OrderedDict[int, Frame | None] = attrs.field(factory=OrderedDict)
    """By id; None while the answer is still to come."""
    drafts: dict[int, Frame] = attrs.field(factory=dict)
    """Answers that are given as soon as what they tell of is kept; they are kept together with it."""
    owed: set[int] = attrs.field(factory=set)
    """Commands that came in before a restart and were not done: they may come again."""
    buckets: dict[str, Bucket] = attrs.field(factory=dict)
    trips: deque[float] = attrs.field(factory=lambda: deque(maxlen=RECENT_TRIPS))

    @property
    def name(self) -> str:
        return self.identity.name

    def send(self, message: Message | Frame) -> None:
        if self.line is not None:
            self.line.send(message if isinstance(message, Frame) else Frame.of(message))

    def get_up(self, table: str) -> None:
        self.tables.discard(table)
        self.following.discard(table)

    def spend(self, what: str, rate: float, burst: int, now: float) -> None:
        """For what costs the server, or others, more than it costs the sender; raises `busy`."""
        bucket = self.buckets.setdefault(what, Bucket.full(rate, burst, now))
        wait = bucket.spare(now)
        if wait > 0:
            raise ProtocolError("busy", retry_after=wait)

    def expect(self, id: int, kept: bool) -> None:
        """A command came in: its answer is owed."""
        self.last_id = max(self.last_id, id)
        self.owed.discard(id)
        if not kept:
            return
        self.answers[id] = None
        if len(self.answers) > REMEMBERED:
            given = (old for old, frame in self.answers.items() if frame is not None)
            self.answers.pop(next(given, id))

    def remember(self, id: int, frame: Frame) -> None:
        """An answer that was given, or would have been, before a restart."""
        self.answers[id] = frame
        if len(self.answers) > REMEMBERED:
            # They come game by game, and not in the order of their ids.
            del self.answers[min(self.answers)]

    def answer(self, id: int, message: Message) -> None:
        """The one answer to a command, kept in case it is asked again; a second one is not given."""
        self.answer_with(id, Frame.of(message))

    def answer_with(self, id: int, frame: Frame) -> None:
        self.drafts.pop(id, None)
        if self.answers.get(id) is None:
            self.answers[id] = frame
            if self.line is not None:
                self.line.send(frame)

    def tell(self, _id: int, message: Message) -> None:
        """An answer that is not kept."""
        self.send(message)

    @property
    def round_trip(self) -> float:
        return min(self.trips, default=0.0)
