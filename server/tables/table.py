"""A table: who sits where, what stage it is at, and what each viewer is told of the game on it.

It decides, and is told what time it is. Its events go into its event log, one log for each viewer.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from parlour.engine.maps import to_map
from parlour.engine.match import Beat
from parlour.engine.secret import ALL, Seat, Viewer, project
from parlour.protocol.codec import write, write_part
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
from parlour.protocol.parts import entries, map_header, part
from parlour.server.records.fairness import commitment
from parlour.server.tables.absences import NOBODY_AWAY, Absences
from parlour.server.tables.event_log import EventLog, TableViewer
from parlour.server.tables.live_game import Answer, Command, LiveGame, PendingMove, Then
from parlour.server.tables.recorder import Addition, Recorder
from parlour.server.tables.seats import SeatedPlayer, Settings
from parlour.server.tables.update_frames import UpdateFrames

CHAT_LINES = 50
UNSTORED = 1000
"""Events in a row that are not stored at most: a restart leaves out many more numbers (event_log.GAP)."""
_RESTORED = (
    "stage",
    "host",
    "number",
    "watchers",
    "live_game",
    "secret",
    "absences",
    "listing",
    "changed_at",
    "unsaved",
    "kicked",
    "released",
    "_empty",
)


@attrs.define(repr=False)
class Table:
    """One table. `registry.Tables` calls it, stores its changes, and delivers its events."""

    id: str
    code: str | None
    settings: Settings
    secret: bytes
    host: str | None
    players: list[SeatedPlayer | None]
    stage: Stage = "gathering"
    number: int = 1
    watchers: int = 0
    kicked: tuple[str, ...] = ()
    """Whom the host has sent away, and not let back yet."""
    released: tuple[str, ...] = ()
    """Substitutes that play here no more and are to be sent home."""
    alarm: float | None = None
    """When it is to be woken, as `Alarms` has it."""
    absences: Absences = NOBODY_AWAY
    live_game: LiveGame | None = None
    unsaved: bool = False
    """Something has changed since the table was last stored."""
    saves_at: float | None = None
    """When to try again to store it, after a refusal."""
    closes_at: float | None = None
    """When to close a tournament's table whose game is over and counted."""
    changed_at: float = 0.0
    """When `changed` was last called."""
    over_since: float | None = None
    """When its last game ended; unknown after a restart."""
    bots_due: bool = False
    """Its built-in bots are to be looked after: started, or sent home."""
    bots_at: float | None = None
    """When to look after them again."""
    version: object = attrs.field(factory=object)
    """Another one whenever its info has changed."""
    restores_at: float | None = None
    """After a restart, until its game is restored: when that is done if nothing else happens here before."""
    renumbered: bool = False
    """After a restart, until it is stored: the numbers of its events have gone on."""
    recorder: Recorder = attrs.field(init=False)
    event_log: EventLog = attrs.field(factory=EventLog)
    listing: tuple[Any, ...] = ()
    """What the lobby shows of it: stage, host and names."""
    _watchers_counted: int = 0
    """How often `watchers` has changed."""
    _given_up: bool = False
    _empty: bool = False
    """All players have got up, but for the server's own bots."""
    _chat: deque[Line] = attrs.field(factory=lambda: deque(maxlen=CHAT_LINES))

    def __attrs_post_init__(self) -> None:
        self.recorder = Recorder(self.id)

    # Who sits where

    def seat_of(self, name: str) -> Seat | None:
        for seat, player in enumerate(self.players):
            if player is not None and player.name == name and not player.gone:
                return Seat(seat)
        return None

    def seat_played_by(self, name: str) -> Seat | None:
        """The seat of a player, or the one that a substitute plays."""
        for seat, player in enumerate(self.players):
            if player is not None and (
                player.substitute == name or (player.name == name and not player.gone)
            ):
                return Seat(seat)
        return None

    def names(self) -> list[str]:
        """Everybody who has to do with a seat here, substitutes after players."""
        seated = [player for player in self.players if player is not None]
        return [
            *[player.name for player in seated],
            *[player.substitute for player in seated if player.substitute is not None],
        ]

    def vacate(self, seat: Seat, now: float) -> None:
        """Frees a seat; in a game and after it the name stays there."""
        player = self.player_at(seat)
        self.release_substitute(player)
        if self.stage == "gathering":
            self.players[seat] = None
            self.event_log.begin(seat)
        else:
            player.gone = True
            player.here = False
        if self.host == player.name:
            self.pass_host_on()
        self.changed(now)

    def pass_host_on(self) -> None:
        """Makes somebody else the host: people before bots, and connected players before others."""
        heirs = [player for player in self._present() if player.name != self.host]
        heirs.sort(key=lambda heir: (heir.bot, not heir.here))
        self.host = heirs[0].name if heirs else None

    def _present(self) -> list[SeatedPlayer]:
        """The players who have not got up, without the server's own bots."""
        return [player for player in self.players if player and not player.gone and not player.built_in]

    def is_deserted(self) -> bool:
        """Whether to close it: all have got up, or were away for too long."""
        return self._given_up or self._empty

    def release_substitute(self, player: SeatedPlayer) -> None:
        """Sends the substitute of a player home."""
        if player.substitute is not None:
            self.released = (*self.released, player.substitute)
            player.substitute = player.substitute_strategy = None

    def note_round_trip(self, seat: Seat, round_trip: float) -> None:
        """Notes the smallest recent round trip of a seat's connection."""
        self.player_at(seat).round_trip = round_trip

    def player_at(self, seat: Seat) -> SeatedPlayer:
        player = self.players[seat]
        if player is None:
            raise ProtocolError("not_seated")
        return player

    def must_be(self, stage: Stage) -> None:
        """Raises `not_now` at another stage."""
        if self.stage != stage:
            raise ProtocolError("not_now", stage=self.stage)

    def is_played_for(self, player: SeatedPlayer) -> bool:
        """Whether time plays for a player of the running game, who may have the seat back."""
        return self.stage == "playing" and player.stand_in and not player.left

    # Playing

    def start(self, now: float, by: Command | None = None) -> None:
        """Deals a game; raises ProtocolError if not everybody is ready."""
        self.must_be("gathering")
        players = [player for player in self.players if player is not None and player.ready]
        if len(players) != len(self.players):
            raise ProtocolError("not_ready")
        self.live_game = LiveGame.deal(self.settings, players, self.secret, now)
        self.live_game.begin(now, by)

    def act(self, seat: Seat, turn: int, plain: Mapping[str, Any], now: float, command: Command) -> None:
        game = self._running_game()
        if self.player_at(seat).stand_in:
            game.give_seat_back(seat, now)
            self.changed(now)
        game.act(seat, turn, plain, now, command)

    def resign(self, seat: Seat, now: float, by: Command | None = None, then: Then = "announce") -> None:
        self._running_game().resign(seat, now, by, then)

    # Moves, from proposed to committed

    def pending_move(self) -> PendingMove | None:
        """The move that is to be stored before anything else happens here."""
        return self.live_game.pending if self.live_game is not None else None

    def record(self, pending: PendingMove, wall: int) -> Addition:
        """Makes what a move adds to the record of its game."""
        game = self._existing_game()
        if self.stage == "gathering":
            self.recorder.begin(game, self.number, pending.at, wall)
        return self.recorder.addition(game, pending, wall)

    def commit(self, pending: PendingMove, addition: Addition | None, sent: float) -> None:
        """Applies a stored move and logs its events; `sent`: when these go out."""
        game = self._existing_game()
        if addition is not None:
            self.recorder.last, game.head = addition.last, addition.head
        if self.stage == "gathering":
            self.stage = "playing"
            self.changed(pending.at)
        entry = pending.proposal.beats[0].entry
        before = None if entry.cause == "act" else self._played_for()
        game.commit(pending, sent)
        if entry.cause == "leave" and entry.seat is not None:
            self.release_substitute(self.player_at(entry.seat))
        self._announce(game, pending.proposal.beats, pending.at)
        if pending.then == "vacate" and entry.seat is not None:
            self.vacate(entry.seat, pending.at)
        elif (
            self.stage == "playing"
            and before is not None
            and (pending.then == "announce" or before != self._played_for())
        ):
            self.changed(pending.at)

    def call_off(self, pending: PendingMove, wrong: ProtocolError) -> None:
        """Drops a move that could not be stored."""
        self._existing_game().call_off(pending, wrong)
        if self.stage == "gathering":
            self.live_game = None

    def take_answers(self) -> list[Answer]:
        """Hands over the answers to players' moves that are to be sent."""
        game = self.live_game
        if game is None or not game.answers:
            return []
        answers, game.answers = game.answers, []
        return answers

    def _played_for(self) -> list[tuple[bool, bool] | None]:
        return [(player.stand_in, player.left) if player else None for player in self.players]

    def _existing_game(self) -> LiveGame:
        if self.live_game is None:
            raise RuntimeError("there is no game at this table")
        return self.live_game

    def restore_point(self) -> Callable[[], None]:
        """Returns a function that makes everything as it is now, after a change that was not stored."""
        values = {name: getattr(self, name) for name in _RESTORED}
        players = [(player, attrs.evolve(player)) if player else None for player in self.players]
        event_log, chat = self.event_log.copy(), self._chat.copy()

        def restore() -> None:
            for name, value in values.items():
                setattr(self, name, value)
            for player, before in filter(None, players):
                # The game refers to the same objects, so their fields are set back, one by one.
                for field in attrs.fields(SeatedPlayer):
                    setattr(player, field.name, getattr(before, field.name))
            self.players = [both[0] if both else None for both in players]
            self.event_log, self._chat = event_log, chat
            self.version = object()

        return restore

    def tick(self, now: float) -> None:
        """Does what is due now: the host passes on, the table is given up, clocks run out."""
        if _has_come(self.absences.host_passes_at(), now):
            self.pass_host_on()
            self.changed(now)
        given_up_at = self.absences.given_up_at(self.stage)
        self._given_up = _has_come(given_up_at, now) or _has_come(self.closes_at, now)
        self.bots_due = self.bots_due or _has_come(self.bots_at, now)
        if self.live_game is not None and self.stage == "playing":
            self.live_game.tick(now)

    def wake_at(self) -> float | None:
        """When `tick` has something to do."""
        if self.restores_at is not None:
            return self.restores_at
        wake = self.live_game.wake_at() if self.live_game is not None and self.stage == "playing" else None
        absences = self.absences
        if absences is NOBODY_AWAY and self.closes_at is self.saves_at is self.bots_at is None:
            return wake
        others = self.closes_at, self.saves_at, self.bots_at
        times = wake, *others, absences.given_up_at(self.stage), absences.host_passes_at()
        return min([time for time in times if time is not None], default=None)

    def _running_game(self) -> LiveGame:
        if self.live_game is None or self.stage != "playing":
            raise ProtocolError("over" if self.stage == "finished" else "not_now", stage=self.stage)
        return self.live_game

    # Events

    def info(self) -> TableInfo:
        settings = self.settings
        return TableInfo(
            table=self.id,
            game=settings.game.name,
            options=settings.options.plain(),
            chairs=tuple(player.chair() if player else None for player in self.players),
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
            kicked=self.kicked,
            practice=settings.practice,
        )

    def chat_lines(self) -> tuple[Line, ...]:
        """The last chat lines at this table."""
        return tuple(self._chat)

    def count_watchers(self, more: int, now: float) -> None:
        """Tells everybody that somebody watches, or no longer does.

        That is not stored, so that no move waits for it; only now and then, for the numbers of the events.
        """
        self.watchers += more
        self._watchers_counted += 1
        self.unsaved = self.unsaved or self._watchers_counted % UNSTORED == 0
        self.tell_info(now)

    def say(self, line: Line) -> None:
        self._chat.append(line)
        self.unsaved = True
        self._tell(Chat(self.id, 0, line))

    def changed(self, now: float) -> None:
        """Tells everybody what the table looks like now."""
        self.unsaved = self.bots_due = True
        self.changed_at = now
        there = self._present()
        self._empty = not there
        self.listing = self.stage, self.host, tuple(player and player.name for player in self.players)
        self.absences = self.absences.noted(there, self.host, now)
        self.tell_info(now)

    def tell_info(self, now: float) -> None:
        """Tells everybody what is to be known of the table."""
        self.version = object()
        self._tell(TableChanged(self.id, 0, self.info(), self._clock(now)))

    def _tell(self, event: Event) -> None:
        """Logs an event that is the same for every viewer, but for its number."""
        plain, log = write(event), self.event_log
        first = {"type": plain.pop("type"), "table": plain.pop("table")}
        del plain["seq"]
        head = map_header(len(first) + 1 + len(plain)) + entries(first) + part("seq")
        rest = entries(plain)
        for viewer in self._told():
            log.post(viewer, Frame((head, part(log.seq(viewer) + 1), rest)))

    def snapshot(self, viewer: TableViewer, now: float) -> Frame:
        """Makes a frame of all that a viewer may know now; its number is that of the last event."""
        game = self.live_game
        seq = self.event_log.seq(viewer)
        snapshot = Snapshot(
            table=self.id,
            seq=seq,
            seat=viewer,
            code=self.code if viewer is not None else None,
            info=self.info(),
            view=to_map(project(game.match.view, self._engine_viewer(viewer))) if game else None,
            awaited=tuple(sorted(game.match.awaited)) if game else (),
            question=game.question(viewer) if game and viewer is not None else None,
            clock=self._clock(now),
            result=game.result(self._sees_all(viewer)) if game else None,
            chat=self.chat_lines(),
        )
        return Frame.of(snapshot)

    def viewers(self) -> list[TableViewer]:
        viewers: list[TableViewer] = []
        for seat, player in enumerate(self.players):
            if player is not None and not player.gone:
                viewers.append(Seat(seat))
        viewers.append(None)
        return viewers

    def _told(self) -> list[TableViewer]:
        """Who is told of the next event: while nobody watches, watchers' events are only counted."""
        viewers = self.viewers()
        if not self.watchers:
            self.event_log.skip(viewers.pop())
        return viewers

    def _announce(self, game: LiveGame, beats: tuple[Beat[Any, Any], ...], now: float) -> None:
        """Logs an update for every viewer, and the end of the game if it is over."""
        finished, result = game.over, None
        if finished:
            self.stage = "finished"
            for player in filter(None, self.players):
                self.release_substitute(player)
        news = beats[0].news if len(beats) == 1 else [item for beat in beats for item in beat.news]
        frames = UpdateFrames(self.id, game.match, news, game.clock.as_map(now), game.last_written)
        game.last_written = frames.written
        log, awaited = self.event_log, game.match.awaited
        for viewer in self._told():
            eyes: Viewer = viewer
            if finished:
                eyes = self._engine_viewer(viewer)
                result = write_part(game.result(eyes is ALL))
            asked = game.asked(viewer) if viewer in awaited and viewer is not None else None
            log.post(viewer, frames.frame_for(viewer, eyes, log.seq(viewer) + 1, asked, result))
        if finished:
            self.over_since = now
            self.changed(now)

    def _engine_viewer(self, viewer: TableViewer) -> Viewer:
        return ALL if self._sees_all(viewer) else viewer

    def _sees_all(self, viewer: TableViewer) -> bool:
        """Whether a viewer sees everything: after the end players do, and watchers if the table says so.

        Nobody does at a tournament's table: others may still play the same deal.
        """
        if self.stage != "finished" or self.settings.terms is not None:
            return False
        return viewer is not None or self.settings.watching == "everything"

    def _clock(self, now: float) -> Clock | None:
        return self.live_game.clock.message(now) if self.live_game is not None else None


def _has_come(time: float | None, now: float) -> bool:
    return time is not None and now >= time
