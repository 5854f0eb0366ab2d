"""The way to the store: whatever is stored as one thing has one gate.

One change at a time goes through a gate. While it is being stored the gate is busy, and other work waits.
Then the change is committed or, if it could not be stored, refused; whoever waits for that is answered; and
the work that has waited goes on. A bug in any of these ends that piece of work and nothing else.
"""

import functools
import logging
from collections import deque
from collections.abc import Callable

import attrs

from parlour.protocol.errors import ProtocolError
from parlour.server.border import Bug, guard, nothing
from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.store import Store

AGAIN_AFTER = 5.0
"""Seconds after which to try again what could not be stored."""
Commit = Callable[[], None]
Refuse = Callable[[ProtocolError], ProtocolError | None]
"""Undoes a change that could not be stored, and returns what to answer: None if it is to be stored later."""
Reply = Callable[[ProtocolError | None], None]
"""Called once, when a change was stored or refused: with None, or with what was wrong."""
log = logging.getLogger("parlour.storage")


@attrs.define(eq=False, repr=False)
class WriteGate:
    """The gate before one table, one tournament or one new connection."""

    where: str
    """The id of what is stored, for reports."""
    store: Store
    report: Bug
    fail: Callable[[BaseException], None]
    """Ends what is stored here, after a bug in a commit or a refusal."""
    on_free: Callable[[], None] = nothing
    """Called when the gate is no longer busy."""
    busy: bool = False
    closed: bool = False
    _replies: deque[Reply] = attrs.field(factory=deque)
    """Who waits for the change that is being stored, or is about to be."""
    _due: deque[tuple[Reply, ProtocolError | None]] = attrs.field(factory=deque)
    """Who has waited for a change that was stored or refused, and what to answer: while what follows from it
    is being stored, and while those before them are answered, which may bring new work here."""
    _waiting: deque[Callable[[], None]] = attrs.field(factory=deque)
    _on_its_way: tuple[Commit, Refuse] | None = None
    """How to commit and how to refuse the change that is being stored."""

    def put(self, change: Change, commit: Commit, refuse: Refuse) -> None:
        """Stores a change, and then commits or refuses it, perhaps at once."""
        self.busy = True
        self._on_its_way = commit, refuse
        try:
            self.store.put(change, self._stored)
        except Exception as bug:
            self._end(bug)

    def _stored(self, wrong: ArchiveError | None) -> None:
        if self.closed or self._on_its_way is None:
            return
        commit, refuse = self._on_its_way
        self._on_its_way = None
        if wrong is None:
            self.release(functools.partial(self._commit, commit) if self._replies else commit)
        else:
            log.error("id=%s not stored: %s", self.where, wrong)
            self.release(functools.partial(self._refuse, refuse))

    def _commit(self, commit: Commit) -> None:
        """Commits; whoever waits for this change does not wait for the outcome of what follows from it."""
        before = len(self._due)
        # Due already: a commit that closes the gate answers them before it does what has waited.
        self._make_due(None)
        try:
            commit()
        except Exception:
            while len(self._due) > before:
                self._replies.appendleft(self._due.pop()[0])
            raise

    def _refuse(self, refuse: Refuse) -> None:
        self._make_due(refuse(ProtocolError("not_kept", retry_after=AGAIN_AFTER)))
        self._give_due()

    def hold(self) -> None:
        """Lets everything wait until `release`: for work that is done in another thread."""
        self.busy = True

    def release(self, work: Callable[[], None]) -> None:
        """Does the work that everything has waited for, and then what has waited."""
        self.busy = False
        try:
            work()
        except Exception as bug:
            self._end(bug)
        else:
            self.go_on()

    def _end(self, bug: BaseException) -> None:
        self.busy = False
        self.fail(bug)
        self._make_due(ProtocolError("failed"))
        self._give_due()
        self.go_on()

    def when_free(self, work: Callable[[], None], failed: Callable[[], None] = nothing) -> None:
        """Does the work now, or when the gate is no longer busy; calls `failed` after a bug in it."""
        if self.busy:
            self._waiting.append(functools.partial(guard, work, self.report, self.where, failed=failed))
        else:
            guard(work, self.report, self.where, failed=failed)

    def reply(self, reply: Reply) -> None:
        """Has somebody answered when the change that is about to be put is stored or refused."""
        self._replies.append(reply)

    def go_on(self) -> None:
        """Gives the answers that are due, and does what has waited, until the gate is busy again."""
        if not self.busy and (self._replies or self._due):
            self._make_due(None)
            self._give_due()
        while self._waiting and not self.busy:
            self._waiting.popleft()()
        if not self.busy:
            self.on_free()

    def _make_due(self, wrong: ProtocolError | None) -> None:
        self._due += [(reply, wrong) for reply in self._replies]
        self._replies.clear()

    def _give_due(self) -> None:
        while self._due:
            reply, wrong = self._due.popleft()
            guard(functools.partial(reply, wrong), self.report, self.where)

    def close(self, wrong: ProtocolError | None) -> None:
        """Answers everybody and lets all that waits go on: nothing is stored here any more.

        Nobody learns whether a change that is on its way is stored: whoever waits for it gets `failed`.
        """
        if self.busy and wrong is None:
            wrong = ProtocolError("failed")
        self.closed, self.busy = True, False
        self._make_due(wrong)
        self.go_on()
