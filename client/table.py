"""What a client knows of one table: the latest of everything, and the news so far."""

from collections.abc import Mapping
from typing import Any

import attrs

from parlour.protocol import messages as m

KEPT_LINES = 50
"""As many lines of chat as a snapshot brings."""
KEPT_RECENT = 4
NO_TIME = 1.0
"""Seconds left, below which a question that ends has ended because of the clock."""


def _hands(clock: m.Clock | None) -> Any:
    """A clock without the moment at which it was sent."""
    return clock and (clock.ends, clock.banks, clock.graces)


@attrs.frozen
class Ended:
    """How the last game here ended, for a reader who comes after the next one has begun."""

    number: int
    seat: int | None
    chairs: tuple[m.Chair | None, ...]
    """Who sat where then: for the next game, seats may change."""
    result: m.Result

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(chair.name if chair else "" for chair in self.chairs)


@attrs.frozen
class Recent:
    """An update of a moment ago."""

    at: float
    """When it arrived, by the client's own clock."""
    before: m.Plain
    """The view before it."""
    news: tuple[m.Plain, ...]


@attrs.define
class Table:
    """Equal to another if both know the same, be it from a snapshot or from all the events before."""

    id: str
    seq: int
    """The number of the last event that was taken in."""
    seat: int | None
    """None: watching."""
    code: str | None
    info: m.TableInfo
    view: m.Plain | None
    awaited: tuple[int, ...]
    question: m.Question | None
    clock: m.Clock | None = attrs.field(eq=_hands)
    result: m.Result | None
    chat: tuple[m.Line, ...]
    news: list[m.Plain] = attrs.field(factory=list, eq=False)
    """The news of this game that arrived."""
    chosen_by: dict[int, Mapping[int, str]] = attrs.field(factory=dict, eq=False)
    """By the place of a news: which bots played for whom then, by seat; left out where none did."""
    news_missed: bool = attrs.field(default=False, eq=False)
    heard_at: float = attrs.field(default=0.0, eq=False)
    """When the clock arrived, by the client's own clock."""
    newest: int = attrs.field(default=0, eq=False)
    """The highest number that arrived, whether or not it was the next."""
    ended: Ended | None = attrs.field(default=None, eq=False)
    resuming: bool = attrs.field(default=False, eq=False)
    """What was missed has been asked for."""
    hurried: bool = attrs.field(default=False, eq=False)
    """The last question was a scramble, or time answered it: keys may still be meant for that one."""

    recent: tuple[Recent, ...] = attrs.field(default=(), eq=False)
    """The last updates, for whoever shows them for a moment."""
    last: "Table | None" = attrs.field(default=None, eq=False)
    """The table at the end of the game before, while the next one gathers."""
    timed_out: dict[int, tuple[int, ...]] = attrs.field(factory=dict, eq=False)
    """By the place of a news: the seats whose time was up, so that it was done for them."""

    @classmethod
    def of(cls, snapshot: m.Snapshot, now: float, known: "Table | None") -> "Table":
        """From a snapshot, with the news of what was known before if it is still the same game."""
        table = cls(
            id=snapshot.table,
            seq=snapshot.seq,
            seat=snapshot.seat,
            code=snapshot.code,
            info=snapshot.info,
            view=snapshot.view,
            awaited=snapshot.awaited,
            question=snapshot.question,
            clock=snapshot.clock,
            result=snapshot.result,
            chat=snapshot.chat,
            heard_at=now,
            newest=snapshot.seq,
            news_missed=snapshot.view is not None,
        )
        if known is not None:
            table.ended = known.ended
            table.resuming = known.resuming
            table.hurried = known.hurried or known._unanswered(snapshot.question)
            table.code = table.code or known.code
            if snapshot.view is not None and known.info.number == snapshot.info.number:
                table.news, table.chosen_by = known.news, known.chosen_by
                table.timed_out = known.timed_out
                table.news_missed = known.news_missed or known.seq != snapshot.seq
            else:
                table.hurried = False
            if snapshot.info.stage == "gathering":
                table.last = known if known.result is not None else known.last
        table._note_end()
        return table

    def _note_end(self) -> None:
        known = self.ended is not None and self.ended.number == self.info.number
        if self.result is not None and not known:
            self.ended = Ended(self.info.number, self.seat, self.info.chairs, self.result)

    @property
    def chairs(self) -> tuple[m.Chair | None, ...]:
        """Who plays the game that is shown; after its end, who played it."""
        return self.ended.chairs if self.result is not None and self.ended is not None else self.info.chairs

    def take(self, event: m.TableChanged | m.Update | m.Chat, now: float) -> None:
        """Applies the next event."""
        self.seq = event.seq
        match event:
            case m.TableChanged():
                if event.info.stage == "gathering" and self.result is not None and self.last is None:
                    # For the next game seats may change; whoever watches still reads who won this one.
                    self.last = attrs.evolve(self)
                self.info = event.info
                self.clock, self.heard_at = event.clock, now
            case m.Update():
                self._note_time_ups(event, now)
                self.hurried = event.result is None and (self.hurried or self._unanswered(event.question))
                self.recent = (*self.recent, Recent(now, self.view or {}, event.news))[-KEPT_RECENT:]
                self.view, self.awaited, self.question = event.view, event.awaited, event.question
                self.result = event.result
                self.clock, self.heard_at = event.clock, now
                if substitutes := self.substitutes:
                    places = range(len(self.news), len(self.news) + len(event.news))
                    self.chosen_by.update(dict.fromkeys(places, substitutes))
                self.news.extend(event.news)
                self._note_end()
            case m.Chat():
                self.chat = (*self.chat, event.line)[-KEPT_LINES:]

    def look_back(self) -> "Table":
        """A copy without news that takes in the events before a snapshot, once they are asked for."""
        return attrs.evolve(self, news=[], chosen_by={}, timed_out={}, recent=(), clock=None)

    def recall(self, past: "Table") -> None:
        """Takes over the news from before the snapshot, unless there is newer already."""
        if not self.news:
            self.news, self.chosen_by, self.timed_out = past.news, past.chosen_by, past.timed_out

    def answered(self, turn: int) -> None:
        """Notes that an answer counted: nothing is asked until the next update, which follows at once."""
        if self.question is not None and self.question.turn == turn:
            self.hurried = self.question.scramble
            self.question = None

    def _unanswered(self, next_: m.Question | None) -> bool:
        """Whether the question ends without an answer of this seat."""
        return self.question is not None and (next_ is None or next_.turn != self.question.turn)

    def _note_time_ups(self, event: m.Update, now: float) -> None:
        """Notes whose time was up before the first news of what was done for them."""
        for seat in [] if event.result is not None else self.awaited:
            if self._ran_out_for(seat, event) or (seat == self.seat and self._ran_out(event, now)):
                first = (place for place, news in enumerate(event.news) if news.get("seat") == seat)
                place = len(self.news) + next(first, 0)
                self.timed_out[place] = (*self.timed_out.get(place, ()), seat)

    def _ran_out(self, event: m.Update, now: float) -> bool:
        """Whether the question ends because its time does."""
        left = self.time_left(now)
        return self._unanswered(event.question) and left is not None and left < NO_TIME

    def _ran_out_for(self, seat: int, event: m.Update) -> bool:
        """Whether the server's clock, which alone tells of other seats, went past the end of its time."""
        ends = self.clock.ends[seat] if self.clock is not None else None
        return ends is not None and event.clock is not None and event.clock.now >= ends

    def time_left(self, now: float) -> float | None:
        """Seconds until the seat's time is up; None if it has no limit, or the clock waits."""
        if self.clock is None or self.seat is None:
            return None
        ends = self.clock.ends[self.seat]
        return None if ends is None else max(0.0, ends - self.clock.now - (now - self.heard_at))

    @property
    def at_its_end(self) -> "Table | None":
        """The table as it was at the end of its last game, with what was said since.

        None while a game is on, or if the next one gathers and this player was not there at the end.
        """
        if self.info.stage == "playing" or (self.last is None and self.result is None):
            return None
        return attrs.evolve(self.last, chat=self.chat) if self.last is not None else self

    @property
    def substitutes(self) -> Mapping[int, str]:
        """The bots that play for somebody who is away, by seat."""
        chairs = self.info.chairs
        return {seat: chair.substitute for seat, chair in enumerate(chairs) if chair and chair.substitute}

    @property
    def me(self) -> m.Chair | None:
        return self.info.chairs[self.seat] if self.seat is not None else None

    @property
    def played_for(self) -> bool:
        """Whether time plays for this player, who may have the seat back."""
        me, running = self.me, self.info.stage == "playing" and self.result is None
        return running and me is not None and me.stand_in and not me.left

    @property
    def hosting(self) -> bool:
        return self.me is not None and self.me.name == self.info.host

    @property
    def options(self) -> Mapping[str, Any]:
        return self.info.options
