"""One player on the server, over all the connections that come and go."""

from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

import attrs

from parlour.machine.addresses import network_of
from parlour.machine.output import printable
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Error, Message, Ok
from parlour.protocol.parts import entries, map_header, part
from parlour.server.people.identity import Identity
from parlour.server.people.rate_limit import Bucket, Budget, Networks
from parlour.server.people.remembered import OK, RememberedAnswers
from parlour.server.storage.gate import WriteGate

_OK_HEAD: Final = map_header(3) + entries({"type": Ok.WORD}) + part("id")
_OK_TAIL: Final = entries({"result": None})
RECENT_TRIPS = 8


class Peer(Protocol):
    """A connection as the lobby sees it: it takes frames, and can be closed."""

    address: str
    json: bool
    """Whether it reads JSON, not msgpack."""

    def send(self, frame: Frame, urgent: bool = True) -> None:
        """Sends a frame after all that were sent before; one that is not urgent lets other peers go first."""

    def hang_up(self, code: int, reason: str) -> None: ...

    def hold(self) -> None: ...

    def let_go(self, forget: bool = False) -> None: ...


def ok_frame(id: int) -> Frame:
    """The answer to a command that was done and has no result."""
    return Frame((_OK_HEAD, part(id), _OK_TAIL))


def refusal(id: int | None, wrong: ProtocolError) -> Error:
    """The message that tells a peer what was wrong with a command; what it quotes of it is printable."""
    facts = {name: printable(fact) if isinstance(fact, str) else fact for name, fact in wrong.facts.items()}
    return Error(id, wrong.code.name, facts, wrong.retry_after)


def _is_urgent(answer: Message) -> bool:
    """Refusals can wait: whoever floods the server gets many."""
    return not isinstance(answer, Error)


@attrs.define(repr=False)
class Session:
    """What the server knows of a player. Tables are named by their ids only."""

    identity: Identity
    peer: Peer | None = None
    built_in: bool = False
    """A bot that the server started itself."""
    asked_from: str = ""
    """The network of whoever asked for that bot; unknown after a restart."""
    nodes: bool = False
    """Its client goes by itself to the node that has a table."""
    line: int = 0
    """In a house the number of its hello by token, or of that from which its ticket stems: a later hello by
    token, anywhere, replaces it. Lines that stem from one hello have the same number, each at a node."""
    last_id: int = 0
    told_id: int | None = None
    """The `last_id` of the first welcome since this server began: larger ids are those of newer commands."""
    returned: bool = False
    """Has come back by its token, so that somebody has it."""
    tables: set[str] = attrs.field(factory=set)
    following: set[str] = attrs.field(factory=set)
    """Those of `tables` whose events this connection gets: a new connection must resume them first."""
    watching: set[str] = attrs.field(factory=set)
    takes_part: set[str] = attrs.field(factory=set)
    """Tournaments that are not over: their players and organisers keep their names."""
    watched_tournaments: set[str] = attrs.field(factory=set)
    """Tournaments whose events this connection gets."""
    waits_for: WriteGate | None = None
    """The gate through which this player's last command goes: the next one waits while it is busy."""
    waiting: deque[Callable[[], WriteGate | None]] = attrs.field(factory=deque)
    """Commands that are still to be done, in their order; each returns the gate that it must wait for."""
    leaving: Peer | None = None
    """The connection on which `bye` has come: nothing that comes behind it is done."""
    lobby_wish: int = 0
    """The last `watch_lobby`, by its id: an earlier one that is answered after it does not count."""
    answers: RememberedAnswers = attrs.field(factory=RememberedAnswers)
    drafts: dict[int, bytes] = attrs.field(factory=dict)
    """Answers that wait for a change to be stored; they are stored together with it."""
    owed: set[int] = attrs.field(factory=set)
    """Commands that came before a restart and were not done: they may come again."""
    buckets: dict[str, Bucket] = attrs.field(factory=dict)
    told_to_wait: dict[str, float] = attrs.field(factory=dict)
    """By budget: the time before which there is no use in asking again."""
    hasty: bool = False
    """Has asked again before that time: its connection is read more slowly, and the mark taken away."""
    mistakes: int = 0
    """Commands that were refused since its connection last counted them: the same, but far less."""
    trips: deque[float] = attrs.field(factory=lambda: deque(maxlen=RECENT_TRIPS))
    name: str = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.name = self.identity.name

    def send(self, message: Message | Frame, urgent: bool = True) -> None:
        if self.peer is not None:
            self.peer.send(message if isinstance(message, Frame) else Frame.of(message), urgent)

    def get_up(self, table: str) -> None:
        self.tables.discard(table)
        self.following.discard(table)

    def spend(self, what: str, budget: Budget, networks: Networks, now: float) -> None:
        """Limits what costs the server, or others, more than it costs the sender; raises `busy`."""
        wait = self.take(what, budget, networks, now)
        if wait > 0:
            if now < self.told_to_wait.get(what, 0.0):
                self.hasty = True
            else:
                self.told_to_wait[what] = now + wait
            raise ProtocolError("busy", retry_after=wait)

    def take(self, what: str, budget: Budget, networks: Networks, now: float) -> float:
        """Takes from the budget of this name, and of its network; returns how long to wait if it cannot."""
        own = self.buckets.setdefault(what, Bucket.full(budget.per_second, budget.burst, now))
        buckets = [own]
        if self.peer is not None:
            buckets.append(networks.bucket(network_of(self.peer.address), what, budget, now))
        wait = max(bucket.wait(now) for bucket in buckets)
        if wait <= 0:
            for bucket in buckets:
                bucket.take(now)
        return wait

    def expect(self, id: int, remembered: bool) -> None:
        """Notes that a command came in, and whether its answer is to be remembered."""
        if id > self.last_id:
            self.last_id = id
        self.owed.discard(id)
        if remembered:
            self.answers.expect(id)

    def remembered(self, id: int) -> Frame | None:
        """The answer to a command, if it was given."""
        answer = self.answers.get(id)
        if answer is None:
            return None
        return ok_frame(id) if answer == OK else Frame((answer,))

    def answer(self, id: int, message: Message) -> None:
        """Answers a command and remembers the answer; a second answer is not sent."""
        frame = Frame.of(message)
        self._answer(id, frame, frame.packed(), urgent=_is_urgent(message))

    def answer_ok(self, id: int) -> None:
        """Answers a command that was done and has no result, as moves have none."""
        self._answer(id, ok_frame(id), OK)

    def _answer(self, id: int, frame: Frame, remembered: bytes, urgent: bool = True) -> None:
        self.drafts.pop(id, None)
        if self.answers.give(id, remembered) and self.peer is not None:
            self.peer.send(frame, urgent)

    def answer_on(self, peer: Peer | None, message: Message) -> None:
        """Answers a command that only its own connection has asked for; another one does not get it."""
        if peer is not None and self.peer is peer:
            peer.send(Frame.of(message), urgent=_is_urgent(message))

    @property
    def round_trip(self) -> float:
        return min(self.trips, default=0.0)
