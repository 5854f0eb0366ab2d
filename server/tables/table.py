"""A table: who sits where, what stage it is at, and what each viewer is told of the game on it.

It decides and is told what time it is. What it wants to say it posts on its bulletin, by viewer.
"""

import functools
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from parlour.engine.maps import to_map
from parlour.engine.match import Beat
from parlour.engine.secret import ALL, Seat, Viewer, project
from parlour.protocol.codec import pack, write, write_part
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.messages import (
    Chat,
    Clock,
    Event,
    Line,
    Snapshot,
    Stage,
    TableChanged,
    TableInfo,
)
from parlour.server.records.fairness import commitment
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.store import NoStore, Store
from parlour.server.tables.event_log import Bulletin, Eyes
from parlour.server.tables.live_game import Answer, Command, Deed, Play
from parlour.server.tables.recorder import Book, Page
from parlour.server.tables.seats import Settings, Sitter
from parlour.server.tables.update_frames import Telling

KEPT_LINES = 50
AGAIN_AFTER = 5.0
"""When to try again what could not be kept."""
HOST_AWAY = 60.0
"""How long a host may be away before somebody else is the host."""
Later = Callable[["Table", Callable[["Table"], None]], None]
_PUT_BACK = (
    "stage",
    "host",
    "number",
    "play",
    "secret",
    "empty_since",
    "host_away_since",
    "face",
    "told_at",
    "unsaved",
    "_empty",
)


def _no_clock() -> None:
    """Nobody knows what time it is."""


def _never(_table: "Table", _work: Callable[["Table"], None]) -> None:
    raise RuntimeError("a table that keeps nothing has nothing to wait for")


EMPTY_FOR: dict[Stage, float] = {"gathering": 600.0, "playing": 14_400.0, "finished": 600.0, "closed": 0.0}
"""How long a table is kept, by its stage, when nobody is connected any more."""


@attrs.define(repr=False)
class Table:
    """See the module."""

    id: str
    code: str | None
    settings: Settings
    secret: bytes
    host: str | None
    sitters: list[Sitter | None]
    stage: Stage = "gathering"
    number: int = 1
    watchers: int = 0
    alarm: float | None = None
    """When it last asked to be woken."""
    empty_since: float | None = None
    """Since when nobody is connected but the server's own bots."""
    host_away_since: float | None = None
    play: Play | None = None
    store: Store = attrs.field(factory=NoStore)
    busy: bool = False
    """Something is on its way to the store: until it is there, everything else waits."""
    unsaved: bool = False
    """Something changed that the store does not have yet."""
    waiting: deque[Callable[[], None]] = attrs.field(factory=deque)
    """What is to be done when the table is no longer busy."""
    replies: deque[Answer] = attrs.field(factory=deque)
    """Answers that are given when it is known whether what they answer is kept."""
    later: Later = _never
    """How to go on when the store has answered."""
    clock: Callable[[], float | None] = _no_clock
    """Tells the moment at which something went out, which is later than it was decided."""
    closes_at: float | None = None
    """A game of a tournament is over and counted: when its table is cleared away."""
    told_at: float = 0.0
    """When everybody was last told what the table looks like."""
    sleeps_until: float | None = None
    asleep: Callable[["Table"], None] | None = None
    """After a restart: brings the game back; to be called before anything else happens here."""
    book: Book = attrs.field(init=False)
    bulletin: Bulletin = attrs.field(factory=Bulletin)
    face: tuple[Any, ...] = ()
    """What the lobby shows of it: stage, host and names, as they were told last."""
    _given_up: bool = False
    _empty: bool = False
    """All have got up, but for the server's own bots."""
    _lines: deque[Line] = attrs.field(factory=lambda: deque(maxlen=KEPT_LINES))

    def __attrs_post_init__(self) -> None:
        self.book = Book(self.store, self.id)

    # Who sits where

    def seat_of(self, name: str) -> Seat | None:
        for seat, sitter in enumerate(self.sitters):
            if sitter is not None and sitter.name == name and not sitter.gone:
                return Seat(seat)
        return None

    def sit(self, name: str, bot: bool, seat: int | None, now: float, strategy: str | None = None) -> Seat:
        """Takes a free seat, or changes to one, and gets a snapshot; raises ProtocolError.

        Bots that the server starts itself have a strategy.
        """
        self._must_be("gathering")
        if bot and not self.settings.bots:
            raise ProtocolError("not_allowed", setting="bots")
        free = [number for number, sitter in enumerate(self.sitters) if sitter is None]
        chosen = seat if seat is not None else next(iter(free), None)
        if chosen not in free or chosen is None:
            raise ProtocolError("no_seat", seat=seat)
        old = self.seat_of(name)
        sitter = self.sitters[old] if old is not None else None
        after = self.bulletin.seq(old) if old is not None else None
        if old is not None:
            self.sitters[old] = None
            self.bulletin.begin(old)
        built_in = strategy is not None
        self.sitters[chosen] = sitter or Sitter(
            name, bot, not built_in, ready=bot, built_in=built_in, strategy=strategy
        )
        self.bulletin.begin(Seat(chosen), after)
        self.changed(now)
        self.bulletin.show(Seat(chosen), self.snapshot(Seat(chosen), now))
        return Seat(chosen)

    def get_up(self, seat: Seat, now: float, by: Command | None = None) -> None:
        """Leaves the seat; in a game that is resigning, and the name stays on the seat."""
        sitter = self.sitter(seat)
        if self.stage == "playing" and not sitter.left:
            self._game().resign(seat, now, functools.partial(self._gets_up, seat, now), by)
        else:
            self._gets_up(seat, now, None)

    def _gets_up(self, seat: Seat, now: float, wrong: ProtocolError | None) -> None:
        if wrong is not None:
            self.give_replies(wrong)
            return
        sitter = self.sitter(seat)
        if self.stage == "gathering":
            self.sitters[seat] = None
            self.bulletin.begin(seat)
        else:
            sitter.gone = True
            sitter.here = False
        if self.host == sitter.name:
            self.pass_on()
        self.changed(now)

    def pass_on(self) -> None:
        """Somebody else is the host from now on: people before bots, and who is there before who is not."""
        heirs = [sitter for sitter in self._there() if sitter.name != self.host]
        heirs.sort(key=lambda heir: (heir.bot, not heir.here))
        self.host = heirs[0].name if heirs else None

    def _there(self) -> list[Sitter]:
        """Whoever sits here, but for the bots that the server put there."""
        return [sitter for sitter in self.sitters if sitter and not sitter.gone and not sitter.built_in]

    @property
    def deserted(self) -> bool:
        """All have got up, or were away for too long: it can be cleared away."""
        return self._given_up or self._empty

    def ready(self, seat: Seat, on: bool, nonce: str | None, now: float) -> None:
        self._must_be("gathering")
        sitter = self.sitter(seat)
        sitter.ready = on
        if nonce is not None:
            sitter.nonce = nonce
        self.changed(now)

    def presence(self, seat: Seat, here: bool, now: float) -> None:
        """Somebody lost the connection or is back."""
        sitter = self.sitter(seat)
        if sitter.here == here:
            return
        sitter.here = here
        if self.play is not None:
            if here:
                self.play.clock.back(seat, now)
                self.play.wake(seat, now)
            else:
                self.play.clock.away(seat, now)
        self.changed(now)

    def note_round_trip(self, seat: Seat, round_trip: float) -> None:
        """The smallest recent round trip of a seat's connection."""
        self.sitter(seat).round_trip = round_trip

    def sitter(self, seat: Seat) -> Sitter:
        sitter = self.sitters[seat]
        if sitter is None:
            raise ProtocolError("not_seated")
        return sitter

    def _must_be(self, stage: Stage) -> None:
        if self.stage != stage:
            raise ProtocolError("not_now", stage=self.stage)

    # Playing

    def start(self, now: float, by: Command | None = None) -> None:
        """Deals; raises ProtocolError if not everybody is ready."""
        self._must_be("gathering")
        sitters = [sitter for sitter in self.sitters if sitter is not None and sitter.ready]
        if len(sitters) != len(self.sitters):
            raise ProtocolError("not_ready")
        self.play = Play.deal(self.settings, sitters, self.secret, self.keep, self.announce, now)
        self.book.open(self.play, self.number, now)
        self.play.begin(now, self._dealt, by)

    def _dealt(self, wrong: ProtocolError | None) -> None:
        if wrong is not None:
            self.play = None
            self.give_replies(wrong)

    def act(
        self, seat: Seat, turn: int, plain: Mapping[str, Any], now: float, command: Command, answer: Answer
    ) -> None:
        game = self._game()
        if self.sitter(seat).stand_in:
            game.wake(seat, now)
            self.changed(now)
        game.act(seat, turn, plain, now, command, answer)

    def resign(self, seat: Seat, now: float, by: Command | None = None) -> None:
        self._game().resign(seat, now, functools.partial(self._resigned, now), by)

    def _resigned(self, now: float, wrong: ProtocolError | None) -> None:
        if wrong is not None:
            self.give_replies(wrong)
        elif self.stage == "playing":
            self.changed(now)

    def give_replies(self, wrong: ProtocolError | None) -> None:
        """Whoever waits for an answer learns that it is done, or what is wrong."""
        while self.replies:
            self.replies.popleft()(wrong)

    # Keeping

    def keep(self, deed: Deed) -> None:
        if not self.store.durable:
            self._carry_out(deed)
            return
        page = self.book.page(self._playing(), deed)
        self.busy = True
        self.store.put(page.change, functools.partial(self._kept, deed, page))

    def _kept(self, deed: Deed, page: Page, wrong: ArchiveError | None) -> None:
        self.busy = False
        if wrong is None:
            self.book.last = page.last
            self._playing().head = page.head
            self.later(self, lambda table: table._carry_out(deed))
        else:
            refusal = ProtocolError("not_kept", retry_after=AGAIN_AFTER)
            self.later(self, lambda table: table._playing().call_off(deed, refusal))

    def _carry_out(self, deed: Deed) -> None:
        play = self._playing()
        if self.stage == "gathering":
            self.stage = "playing"
            self.changed(deed.at)
        before = self._played_for()
        play.carry_out(deed)
        if deed.done is None and self.stage == "playing" and before != self._played_for():
            self.changed(deed.at)

    def _played_for(self) -> list[tuple[bool, bool] | None]:
        return [(sitter.stand_in, sitter.left) if sitter else None for sitter in self.sitters]

    def _playing(self) -> Play:
        if self.play is None:
            raise RuntimeError("no game is on")
        return self.play

    def memory(self) -> Callable[[], None]:
        """Puts everything back as it is now, whatever has been changed by then but not kept."""
        kept = {name: getattr(self, name) for name in _PUT_BACK}
        sitters = [(sitter, attrs.evolve(sitter)) if sitter else None for sitter in self.sitters]
        bulletin, lines = self.bulletin.copy(), self._lines.copy()

        def put_back() -> None:
            for name, value in kept.items():
                setattr(self, name, value)
            for sitter, before in filter(None, sitters):
                # The game knows them as well: they stay who they are.
                for field in attrs.fields(Sitter):
                    setattr(sitter, field.name, getattr(before, field.name))
            self.sitters = [both[0] if both else None for both in sitters]
            self.bulletin, self._lines = bulletin, lines

        return put_back

    def tick(self, now: float) -> None:
        """Time went by."""
        if self.host_away_since is not None and now >= self.host_away_since + HOST_AWAY:
            self.pass_on()
            self.changed(now)
        self._given_up = self.empty_since is not None and now >= self.empty_since + EMPTY_FOR[self.stage]
        if self.closes_at is not None and now >= self.closes_at:
            self._given_up = True
        if self.play is not None and self.stage == "playing":
            self.play.tick(now)

    def wake_at(self) -> float | None:
        """When `tick` has something to do."""
        if self.asleep is not None:
            return self.sleeps_until
        wake = self.play.wake_at() if self.play is not None and self.stage == "playing" else None
        if self.empty_since is None and self.host_away_since is None and self.closes_at is None:
            return wake
        times = [] if wake is None else [wake]
        if self.closes_at is not None:
            times.append(self.closes_at)
        if self.empty_since is not None:
            times.append(self.empty_since + EMPTY_FOR[self.stage])
        if self.host_away_since is not None:
            times.append(self.host_away_since + HOST_AWAY)
        return min(times)

    def rematch(self, secret: bytes, now: float) -> None:
        """Gathers again: the seats move on by one, and whoever got up is gone."""
        if self.settings.terms is not None:
            raise ProtocolError("not_allowed", setting="tournament")
        self._must_be("finished")
        stayed = [sitter if sitter and not sitter.gone else None for sitter in self.sitters]
        told = [self.bulletin.seq(Seat(seat)) for seat in range(len(stayed))]
        self.sitters = [stayed[-1], *stayed[:-1]]
        self.play, self.secret = None, secret
        self.stage = "gathering"
        self.number += 1
        for seat, sitter in enumerate(self.sitters):
            self.bulletin.begin(Seat(seat), told[seat - 1])
            if sitter is not None:
                sitter.begin_anew()
        self.changed(now)
        for viewer in self.viewers():
            if viewer is not None:
                self.bulletin.show(viewer, self.snapshot(viewer, now))

    def _game(self) -> Play:
        if self.play is None or self.stage != "playing":
            raise ProtocolError("over" if self.stage == "finished" else "not_now", stage=self.stage)
        return self.play

    # Telling

    def info(self) -> TableInfo:
        settings = self.settings
        return TableInfo(
            table=self.id,
            game=settings.game.name,
            options=settings.options.plain(),
            chairs=tuple(sitter.chair() if sitter else None for sitter in self.sitters),
            host=self.host,
            stage=self.stage,
            public=settings.public,
            bots=settings.bots,
            watching=settings.watching,
            clocks=settings.clocks,
            reaction=settings.reaction,
            watchers=self.watchers,
            number=self.number,
            commitment=commitment(self.secret),
            tournament=settings.terms.tournament if settings.terms is not None else None,
            hints=settings.hints,
        )

    def said(self) -> tuple[Line, ...]:
        """The end of the talk at this table."""
        return tuple(self._lines)

    def say(self, line: Line) -> None:
        self._lines.append(line)
        self.unsaved = True
        self._tell(Chat(self.id, 0, line))

    def changed(self, now: float) -> None:
        """Tells everybody what the table looks like now."""
        self.unsaved = True
        self.told_at = now
        there = self._there()
        self._empty = not there
        self.face = self.stage, self.host, tuple(sitter and sitter.name for sitter in self.sitters)
        here = any(sitter.here for sitter in there)
        self.empty_since = None if here else (now if self.empty_since is None else self.empty_since)
        self._note_host(there, now)
        info, clock = self.info(), self._clock(now)
        self._tell(TableChanged(self.id, 0, info, clock))

    def _note_host(self, there: list[Sitter], now: float) -> None:
        """Since when the host has been away while somebody is there who could be it."""
        away = any(sitter.name == self.host and not sitter.here for sitter in there)
        if not (away and any(sitter.here and not sitter.bot for sitter in there)):
            self.host_away_since = None
        elif self.host_away_since is None:
            self.host_away_since = now

    def _tell(self, event: Event) -> None:
        """Posts what is the same for everybody, but for its number."""
        plain = write(event)
        for viewer in self.viewers():
            self._post(viewer, lambda seq: pack({**plain, "seq": seq}))

    def _post(self, viewer: Eyes, made: Callable[[int], bytes]) -> None:
        """Posts an event; while nobody watches, watchers' events are not even made."""
        if viewer is None and not self.watchers:
            self.bulletin.skip(viewer)
        else:
            self.bulletin.post(viewer, made)

    def snapshot(self, viewer: Eyes, now: float) -> Frame:
        """All that this viewer may know now; its number is that of the last event before it."""
        play = self.play
        seq = self.bulletin.seq(viewer)
        snapshot = Snapshot(
            table=self.id,
            seq=seq,
            seat=viewer,
            code=self.code if viewer is not None else None,
            info=self.info(),
            view=to_map(project(play.match.view, self._eyes(viewer))) if play else None,
            awaited=tuple(sorted(play.match.awaited)) if play else (),
            question=play.question(viewer) if play and viewer is not None else None,
            clock=self._clock(now),
            result=play.result(self._sees_all(viewer)) if play else None,
            chat=self.said(),
        )
        return Frame.of(snapshot, seq)

    def viewers(self) -> list[Eyes]:
        seats = [Seat(seat) for seat, sitter in enumerate(self.sitters) if sitter and not sitter.gone]
        return [*seats, None]

    def announce(self, beats: tuple[Beat[Any, Any], ...], now: float) -> None:
        play = self.play
        if play is None:
            return
        finished = play.over
        if finished:
            self.stage = "finished"
        match = play.match
        news = [item for beat in beats for item in beat.news]
        telling = Telling(self.id, match.view, news, match.awaited, play.clock.told(now))
        for viewer in self.viewers():
            self._post(viewer, functools.partial(self._update, telling, play, viewer))
        play.sent = self.clock()
        if finished:
            self.changed(now)

    def _update(self, telling: Telling, play: Play, viewer: Eyes, seq: int) -> bytes:
        asked = None if viewer is None else play.asked(viewer)
        result = write_part(play.result(self._sees_all(viewer))) if play.over else None
        return telling.to(viewer, self._eyes(viewer), seq, asked, result)

    def _eyes(self, viewer: Eyes) -> Viewer:
        return ALL if self._sees_all(viewer) else viewer

    def _sees_all(self, viewer: Eyes) -> bool:
        """After the end everything is shown, to players and, if the table says so, to watchers.

        Not at the tables of a tournament: others may still play the same deal.
        """
        if self.stage != "finished" or self.settings.terms is not None:
            return False
        return viewer is not None or self.settings.watching == "everything"

    def _clock(self, now: float) -> Clock | None:
        return self.play.clock.shown(now) if self.play is not None else None
