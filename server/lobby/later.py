"""Answers that are read or made beside the event loop, and come later than those of commands after them."""

from collections.abc import Callable
from typing import Any

import attrs

from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Ok
from parlour.server.background import Background
from parlour.server.lobby.context import Context
from parlour.server.lobby.lists import PackedList
from parlour.server.people.session import Peer, Session, refusal
from parlour.server.storage.errors import Unreadable

MOST_READS = 200
"""Answers that may wait to be read."""
AGAIN_AFTER = 1.0
"""Seconds after which to ask again when there are more."""


@attrs.frozen(repr=False)
class AnswerLater:
    """The answer to a command that changes nothing: it goes to the connection that asked, or to nobody."""

    context: Context
    session: Session
    id: int
    _peer: Peer | None = attrs.field(
        init=False, default=attrs.Factory(lambda self: self.session.peer, takes_self=True)
    )

    @property
    def json(self) -> bool:
        return self._peer is not None and self._peer.json

    def read(self, work: Callable[[], Any]) -> None:
        """Has the result read and packed in the thread that reads; raises `busy`."""
        self.make(self.context.reading, MOST_READS, work)

    def make(self, thread: Background, most: int, work: Callable[[], Any]) -> None:
        """Has the result made and packed in a thread; raises `busy` if so many wait for it."""
        if thread.waiting >= most:
            raise ProtocolError("busy", retry_after=AGAIN_AFTER)
        thread.run(lambda: self.pack(work()), self.take)

    def show(self, packed: PackedList) -> None:
        """Has a list packed, unless it is, and sends it."""
        packed.ask(self.json, lambda answer: self.take(lambda: answer(self.id)))

    def pack(self, result: Any) -> Frame:
        frame = Frame.of(Ok(self.id, result))
        if self.json:
            frame.text()
        return frame

    def take(self, found: Callable[[], Frame]) -> bool:
        """Sends what was made, or what was wrong; says whether the peer has what it asked for."""
        if self._peer is None or self.session.peer is not self._peer:
            return False
        try:
            # It may be long: others go first.
            self._peer.send(found(), urgent=False)
            return True
        except ProtocolError as wrong:
            refused = wrong
        except Unreadable:
            refused = ProtocolError("busy", retry_after=AGAIN_AFTER)  # the archive is away for a while
        except Exception as bug:
            self.context.tables.on_bug(self.session.name, self.id, bug)
            refused = ProtocolError("failed")
        self._peer.send(Frame.of(refusal(self.id, refused)))
        return False
