"""Who watches which tournament: each gets a picture first, and then every event after it, numbered."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from typing import Protocol

import attrs

from parlour.protocol import messages as m
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.server.background import Background, gently
from parlour.server.people.session import Session
from parlour.server.tables.registry import Tables
from parlour.server.tournament import lifecycle
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name
from parlour.server.tournament.ratings import Rating
from parlour.server.tournament.state import Tournament
from parlour.server.tournament.watching.news import message
from parlour.server.tournament.watching.pictures import Answer, Drawing, OldPictures, Picture, Wish, draw
from parlour.server.tournament.watching.scores import LastScores, Scores

MOST_DRAWINGS = 4
"""Pictures from the archive that may wait to be drawn."""
DRAWN_AFTER = 2.0
"""Seconds after which to ask again when there are more."""


class Shown(Protocol):
    """A tournament of this server, as its watchers see it."""

    @property
    def state(self) -> Tournament: ...

    @property
    def log(self) -> Sized: ...


class Stored(Protocol):
    """What watchers need of `live.stored.StoredTournaments`."""

    def read_slowly(self, id: str) -> Tournament:
        """Reads the state of one in a thread."""

    def ratings_of(self, state: Tournament) -> dict[Name, Rating]:
        """The ratings of all who take part."""


class Host(Protocol):
    """What watchers need of `live.registry.RunningTournaments`."""

    tables: Tables
    working: Background
    """The thread in which scores are worked out, and pictures drawn."""
    drawing: Background
    """The one for pictures of tournaments that lie in the archive: slowly."""

    @property
    def stored(self) -> Stored: ...


@attrs.define(repr=False)
class Watchers:
    """Those of all tournaments. Of one that another node has, only clients that cannot hear of it there."""

    host: Host
    open: Mapping[str, Shown]
    """Tournaments in memory, by their ids."""
    scores: LastScores
    _seqs: dict[str, int] = attrs.field(factory=dict)
    """By tournament: the number of its last event."""
    _watching: dict[str, dict[str, Session]] = attrs.field(factory=dict)
    """By tournament: who watches it, by name, and some who no longer do."""
    _drawings: dict[str, Drawing] = attrs.field(factory=dict)
    """The pictures that are being drawn."""
    _pictures: dict[str, Picture] = attrs.field(factory=dict)
    """The last one of each tournament in memory."""
    _old: OldPictures = attrs.field(factory=OldPictures)

    def seq(self, id: str) -> int:
        """The number of the last event."""
        return self._seqs.get(id, 0)

    def next_seq(self, id: str) -> int:
        """Gives the next event its number."""
        seq = self._seqs[id] = self.seq(id) + 1
        return seq

    # Beginning to watch

    def watch(
        self, session: Session, info: m.TournamentInfo, json: bool, then: Callable[[Answer], bool]
    ) -> None:
        """Hands `then` a picture of a tournament, and sends a session every event after it.

        Raises `busy` if too many wait for one from the archive.
        """
        id = info.tournament
        wish, drawing, shown = Wish(session, json, then), self._drawings.get(id), self.open.get(id)
        if drawing is None and shown is None and self.host.drawing.waiting >= MOST_DRAWINGS:
            raise ProtocolError("busy", retry_after=DRAWN_AFTER)
        session.watched_tournaments.add(id)
        if shown is not None or info.phase not in lifecycle.OVER:  # nothing more happens in others
            self._watching.setdefault(id, {})[session.name] = session
        if drawing is None:
            self._draw(id, [wish])
            return
        wish.since = len(drawing.held)
        # Standings are an event, too, and change no state: whoever watched before has had them.
        is_same = not drawing.held and (shown is None or shown.state is drawing.state)
        # Another kind of text takes another drawing.
        (drawing.waiting if is_same and not json else drawing.later).append(wish)

    def unwatch(self, session: Session, id: str) -> None:
        """Sends a session no more events."""
        session.watched_tournaments.discard(id)
        drawing, shown = self._drawings.get(id), self.open.get(id)
        for wish in drawing.wishes() if drawing is not None else ():
            if wish.session is session and shown is not None and session.name in shown.state.entrants:
                for frame, for_players in drawing.held[wish.since :] if drawing is not None else ():
                    if for_players:
                        session.send(frame)
                return

    def _draw(self, id: str, wishes: list[Wish]) -> None:
        """Draws a picture, unless there is one."""
        host, shown, json = self.host, self.open.get(id), any(wish.json for wish in wishes)
        picture = self._old.get(id, json) if shown is None else self._pictures.get(id)
        state = None if shown is None else shown.state
        fits = picture is not None and (state is None or picture.state is state)
        drawing = Drawing(state, self.seq(id), wishes)
        if picture is not None and fits and (picture.text is not None or not json):
            self._show(id, drawing, picture.answer(drawing.seq))
            return
        self._drawings[id] = drawing
        take = functools.partial(self._take_picture, id, drawing)
        if state is None:
            host.drawing.run(functools.partial(self._draw_old, id, json), take)
        else:
            scores, before = self.scores.get(id, state), host.stored.ratings_of(state)
            host.working.run(functools.partial(draw, id, state, before, scores, json), take)

    def _draw_old(self, id: str, json: bool) -> tuple[Scores, Picture]:
        """Reads a tournament that is over, and draws its picture: in the thread for that."""
        state = self.host.stored.read_slowly(id)
        return draw(id, state, self.host.stored.ratings_of(state), None, json, gently)

    def _take_picture(self, id: str, drawing: Drawing, found: Callable[[], tuple[Scores, Picture]]) -> None:
        """Shows a picture to all who wait for it, with what has happened since; then draws the next one."""
        del self._drawings[id]
        answer: Answer
        try:
            scores, picture = found()
        except Exception as wrong:
            answer = functools.partial(_fail, wrong)
        else:
            answer = picture.answer(drawing.seq)
            if drawing.state is None and picture.state.phase in lifecycle.OVER:
                self._old.keep(id, picture)
            elif drawing.state is not None and id in self.open:
                self._pictures[id] = picture
                self.scores.keep(id, picture.state, scores)
        self._show(id, drawing, answer)
        if drawing.later:
            self._draw(id, drawing.later)

    def _show(self, id: str, drawing: Drawing, answer: Answer) -> None:
        shown = {}
        for wish in drawing.waiting:
            if wish.then(answer) and id in wish.session.watched_tournaments:
                shown[wish.session.name] = wish.session
        for session in shown.values():  # once, also to one who has asked twice
            for frame, _ in drawing.held:
                session.send(frame, urgent=False)

    # Events

    def tell(self, id: str, happened: Sequence[Event], state: Tournament, before: Tournament) -> None:
        """Sends what has happened to all who watch."""
        for event in happened:
            made = message(id, event, state, before)
            if made is not None:
                self.send(id, Frame.of(made(self.next_seq(id))))

    def tell_course(self, info: m.TournamentInfo, players: Iterable[str]) -> None:
        """Sends a change of phase or round to all who watch, and to those who play."""
        id = info.tournament
        self.send(id, Frame.of(m.TournamentChanged(id, self.next_seq(id), info)), players)

    def send(self, id: str, frame: Frame, players: Iterable[str] = ()) -> None:
        """Sends a frame to all who watch, packed once, and to players."""
        drawing, here = self._drawings.get(id), id in self.open
        if drawing is not None:
            drawing.held.append((frame, bool(players)))
        for session in self.of(id):
            if here or not session.nodes:
                session.send(frame, urgent=False)
        for name in players:
            player = self.host.tables.sessions.get(name)
            if player is not None and id not in player.watched_tournaments and (here or not player.nodes):
                player.send(frame, urgent=False)

    def of(self, id: str) -> list[Session]:
        """Those who watch, but for those who wait for a picture: what comes now is held back for them."""
        drawing = self._drawings.get(id)
        waiting = {wish.session.name for wish in drawing.wishes()} if drawing is not None else set()
        known = self._watching.get(id, {})
        for session in [session for session in known.values() if id not in session.watched_tournaments]:
            del known[session.name]
        return [session for session in known.values() if session.name not in waiting]

    def forget(self, id: str) -> None:
        """Forgets a tournament that is over, and no longer in memory."""
        self._watching.pop(id, None)
        self._pictures.pop(id, None)
        self._seqs.pop(id, None)


def _fail(wrong: Exception, _id: int) -> Frame:
    raise wrong
