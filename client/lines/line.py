"""One line of a client: the ids that it has used there, and the commands that wait for an answer. No I/O.

Maps for the server are taken from `outgoing`, in that order: an id never goes out after a higher one.
"""

from collections import deque
from collections.abc import Callable, Collection
from typing import Any

import attrs

from parlour.protocol import messages as m
from parlour.protocol.codec import write

Answer = m.Ok | m.Error
Done = Callable[[Answer], None]
OF_ONE_CONNECTION = (m.Watch, m.WatchLobby, m.WatchTournament)
"""What they subscribe to ends with the connection, so that the old answer is not enough."""
ASKING = (m.Resume, *OF_ONE_CONNECTION)
"""What tells a client where a table is."""
NOT_TWICE = (m.CreateTable, m.AddBot, m.Substitute, m.Kick, m.Say, m.CreateTournament, m.Resign)
"""What another node, which does not know the old id, might do a second time. All else does no harm twice."""


def nobody(_answer: Answer) -> None:
    """Default when nobody waits for the answer."""


def subject(command: Any) -> str | None:
    """The table or tournament that a command names by its id."""
    id = getattr(command, "table", None) or getattr(command, "tournament", None)
    return id if isinstance(id, str) else None


def _resumes(command: Any, tables: Collection[str]) -> bool:
    return isinstance(command, m.Resume) and command.table in tables


@attrs.frozen
class Pending:
    """A command without an answer yet, and who gets the answer."""

    command: Any
    done: Done = nobody
    waited: float = 0.0
    """Seconds for which it was put off."""
    moves: int = 0
    """How often it was sent on to another node."""


@attrs.define(eq=False)
class Line:
    """A name at one server. What has no answer when it is lost waits here until it is known where to ask."""

    url: str = ""
    node: str | None = None
    """The name of the node; None: a server alone, or not known yet."""
    ticket: str | None = None
    """For the next hello, instead of the token."""
    open: bool = False
    """Welcome, and not lost since."""
    welcome: m.Welcome | None = None
    goodbye: m.Goodbye | None = None
    """Why the server is about to close the connection, if it has said so."""
    refusal: m.Error | None = None
    """The last error that answers no command: the server closes the connection after most of them."""
    last_id: int = 0
    pending: dict[int, Pending] = attrs.field(factory=dict)
    outgoing: deque[dict[str, Any]] = attrs.field(factory=deque)
    ended: bool = False
    """The server has ended it on purpose: what has no answer is not done."""
    silent: bool = False
    """Given up because the server did not answer: it may be frozen, and take a connection all the same."""
    _unsent: set[int] = attrs.field(factory=set)

    def ask(self, pending: Pending) -> int:
        """Puts a command in line under the next id."""
        self.last_id += 1
        self._put(attrs.evolve(pending, command=attrs.evolve(pending.command, id=self.last_id)))
        return self.last_id

    def _put(self, pending: Pending) -> None:
        self.pending[pending.command.id] = pending
        self.outgoing.append(write(pending.command))

    def begin(self, welcome: m.Welcome, resumed: Collection[str]) -> None:
        """Starts a new connection: sends again what has no answer, but for tables that are resumed anyway."""
        old, self.pending = self.pending, {}
        if self.welcome is None:
            self.last_id = -1  # nothing was sent so far
        # A higher id than any of ours: somebody else spoke in our name, and our ids mean other commands now.
        ours = welcome.last_id <= self.last_id
        self.welcome, self.goodbye, self.refusal = welcome, None, None
        self.node, self.open, self.ended, self.silent = welcome.node, True, False, False
        self.outgoing.clear()
        self._unsent.clear()
        self.last_id = max(self.last_id, welcome.last_id)
        waiting = [pending for _, pending in sorted(old.items()) if not _resumes(pending.command, resumed)]
        anew = [each for each in waiting if not ours or isinstance(each.command, ASKING)]
        for pending in waiting:
            if pending not in anew:
                self._put(pending)
        for pending in anew:
            self.ask(pending)

    def lose(self) -> None:
        """Notes that the connection is gone, and which commands never went out."""
        self.open, self.ticket = False, None
        self._unsent |= {int(plain["id"]) for plain in self.outgoing}
        self.outgoing.clear()

    def take_back(self) -> list[Pending]:
        """Takes what was sent on to this line, or asks for a table: the connection did not come about."""
        unsent = [self.pending[int(plain["id"])] for plain in self.outgoing]
        self.lose()
        taken = [each for each in unsent if each.moves or isinstance(each.command, ASKING)]
        return [self.pending.pop(each.command.id) for each in taken]

    def take(self, which: Callable[[Any], bool]) -> list[Pending]:
        """Takes the commands that wait in vain for an answer on this line."""
        ids = [id for id, pending in sorted(self.pending.items()) if which(pending.command)]
        unsent = [plain for plain in self.outgoing if plain["id"] in ids]
        for plain in unsent:
            self.outgoing.remove(plain)
            self._unsent.add(int(plain["id"]))
        return [self.pending.pop(id) for id in ids]

    def may_be_done(self, pending: Pending) -> bool:
        """Whether the server may have done a command that has no answer from it."""
        return not self.ended and pending.command.id not in self._unsent
