"""The events that each viewer of a table got, numbered without gaps; the last ones are kept for resuming."""

import itertools
from collections import deque
from collections.abc import Iterable

import attrs

from parlour.engine.secret import Seat
from parlour.protocol.frame import Frame

KEPT_EVENTS = 64
GAP = 20_000
"""Numbers that a restart leaves out: 10,000, and more than can have been sent and not stored."""
TableViewer = Seat | None
"""A seat, or all who watch: they are one viewer."""


@attrs.define(repr=False)
class ViewerLog:
    seq: int = 0
    """The number of the last event."""
    kept: deque[tuple[bytes, ...]] = attrs.field(factory=lambda: deque(maxlen=KEPT_EVENTS))
    """The parts of the frames of the last events, numbered without gaps."""


class Logs(dict[TableViewer, ViewerLog]):
    """The log of each viewer, which is there when somebody asks for it."""

    def __missing__(self, viewer: TableViewer) -> ViewerLog:
        log = self[viewer] = ViewerLog()
        return log


@attrs.define(repr=False)
class EventLog:
    """One log for each viewer, and the frames that are still to be sent."""

    outgoing: list[tuple[TableViewer, Frame]] = attrs.field(factory=list)
    _logs: Logs = attrs.field(factory=Logs)

    def post(self, viewer: TableViewer, frame: Frame) -> None:
        """Adds an event, which was made with the next number."""
        log = self._logs[viewer]
        log.seq += 1
        log.kept.append(frame.parts)
        self.outgoing.append((viewer, frame))

    def take(self) -> list[tuple[TableViewer, Frame]]:
        """Hands over the frames that are still to be sent."""
        outgoing = self.outgoing
        if outgoing:
            self.outgoing = []
        return outgoing

    def skip_all(self, viewers: Iterable[TableViewer]) -> None:
        """Counts an event that these viewers got before a restart."""
        for viewer in viewers:
            self.skip(viewer)

    def restart(self, viewers: Iterable[TableViewer]) -> None:
        """After a restart: resuming from any event before it gets a snapshot.

        An event that was sent may not have been stored, and its times are those of a clock that is gone. It
        may have been the first one, so that a viewer of the table has no log yet.
        """
        for viewer in dict.fromkeys((*viewers, *self._logs)):
            log = self._logs[viewer]
            log.seq += GAP
            log.kept.clear()

    def skip(self, viewer: TableViewer) -> None:
        """Counts an event that nobody gets; resuming from before it gets a snapshot."""
        log = self._logs[viewer]
        log.seq += 1
        log.kept.clear()

    def numbers(self) -> list[tuple[TableViewer, int]]:
        """The number of each viewer's last event."""
        return [(viewer, log.seq) for viewer, log in self._logs.items()]

    def copy(self) -> "EventLog":
        """Copies it, so that a change can be undone."""
        logs = {viewer: ViewerLog(log.seq, log.kept.copy()) for viewer, log in self._logs.items()}
        return EventLog(self.outgoing.copy(), Logs(logs))

    def seq(self, viewer: TableViewer) -> int:
        """The number of the last event."""
        return self._logs[viewer].seq

    def missed(self, viewer: TableViewer, after: int) -> list[Frame] | None:
        """The events after a number, or None if some are no longer kept."""
        log = self._logs[viewer]
        before = log.seq - len(log.kept)
        if not before <= after <= log.seq:
            return None
        return [Frame(parts) for parts in itertools.islice(log.kept, after - before, None)]

    def kept(self, viewer: TableViewer) -> list[Frame]:
        """The last events that a viewer got, as far as they are kept."""
        return [Frame(parts) for parts in self._logs[viewer].kept]

    def begin(self, viewer: TableViewer, after: int | None = None) -> None:
        """Starts a new log for a seat's new owner, who must not get the old owner's events.

        For one who comes from another seat, where `after` was the last number, the numbers go on from there:
        resuming from that seat's events gets a snapshot.
        """
        self._logs[viewer] = ViewerLog(0 if after is None else after + 1)
        self.outgoing = [item for item in self.outgoing if item[0] != viewer]

    def send_snapshot(self, viewer: TableViewer, snapshot: Frame) -> None:
        """Sends a snapshot in place of all frames that this viewer is still to get."""
        self.outgoing = [item for item in self.outgoing if item[0] != viewer]
        self.outgoing.append((viewer, snapshot))
