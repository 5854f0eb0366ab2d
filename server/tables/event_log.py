"""What each viewer of a table was told: numbered without gaps, the last events kept for whoever was away."""

from collections import deque
from collections.abc import Callable, Iterable

import attrs

from parlour.engine.secret import Seat
from parlour.protocol.frame import Frame

KEPT_EVENTS = 64
GAP = 10_000
"""Numbers that are left out at a restart: more than were ever told and not kept."""
Eyes = Seat | None
"""A seat, or all who watch: they are one viewer."""


@attrs.define(repr=False)
class Log:
    seq: int = 0
    kept: deque[Frame] = attrs.field(factory=lambda: deque(maxlen=KEPT_EVENTS))


@attrs.define(repr=False)
class Bulletin:
    """One log per viewer, and the mail that is still to be delivered."""

    mail: list[tuple[Eyes, Frame]] = attrs.field(factory=list)
    _logs: dict[Eyes, Log] = attrs.field(factory=dict)

    def post(self, viewer: Eyes, pack: Callable[[int], bytes]) -> None:
        """An event: `pack` makes it, given its number."""
        log = self._log(viewer)
        log.seq += 1
        frame = Frame(pack(log.seq), log.seq)
        log.kept.append(frame)
        self.mail.append((viewer, frame))

    def pass_over(self, viewers: Iterable[Eyes]) -> None:
        """An event that everybody got before a restart."""
        for viewer in viewers:
            self.skip(viewer)

    def turn_over(self) -> None:
        """After a restart: whoever asks for what followed anything told before it gets a snapshot.

        What was told may not have been kept, and told times are by a clock that is gone.
        """
        for log in self._logs.values():
            log.seq += GAP
            log.kept.clear()

    def skip(self, viewer: Eyes) -> None:
        """An event that nobody gets: it has its number, and whoever asks for it later gets a snapshot."""
        log = self._log(viewer)
        log.seq += 1
        log.kept.clear()

    def numbers(self) -> list[tuple[Eyes, int]]:
        """How far each viewer's numbers have come."""
        return [(viewer, log.seq) for viewer, log in self._logs.items()]

    def copy(self) -> "Bulletin":
        """As it is now, whatever is posted later."""
        logs = {viewer: Log(log.seq, log.kept.copy()) for viewer, log in self._logs.items()}
        return Bulletin(self.mail.copy(), logs)

    def seq(self, viewer: Eyes) -> int:
        """The number of the last event."""
        return self._log(viewer).seq

    def missed(self, viewer: Eyes, after: int) -> list[Frame] | None:
        """The events after a number, or None if they are not kept any more."""
        log = self._log(viewer)
        if not log.seq - len(log.kept) <= after <= log.seq:
            return None
        return [frame for frame in log.kept if frame.seq is not None and frame.seq > after]

    def begin(self, viewer: Eyes, after: int | None = None) -> None:
        """A seat has a new owner, who must not get what was told to the old one.

        One who comes from another seat, where `after` was the last number, gets no number of that seat again:
        whoever asks for what followed it gets a snapshot.
        """
        self._logs[viewer] = Log(0 if after is None else after + 1)
        self.mail = [letter for letter in self.mail if letter[0] != viewer]

    def show(self, viewer: Eyes, snapshot: Frame) -> None:
        """A snapshot instead of all that this viewer is still to get."""
        self.mail = [letter for letter in self.mail if letter[0] != viewer]
        self.mail.append((viewer, snapshot))

    def _log(self, viewer: Eyes) -> Log:
        log = self._logs.get(viewer)
        if log is None:
            log = self._logs[viewer] = Log()
        return log
