"""Standings for those who watch: worked out in a thread after games, and then the server rests a while."""

import functools
from collections.abc import Callable, Mapping, Sequence

import attrs

from parlour.server.border import guard
from parlour.server.tournament import events
from parlour.server.tournament.events import Event
from parlour.server.tournament.state import Tournament
from parlour.server.tournament.watching.news import SCORED
from parlour.server.tournament.watching.scores import LastScores, Scores, work_out
from parlour.server.tournament.watching.watchers import Host, Shown, Watchers

STANDINGS_REST = 200.0
"""After working standings out, the server rests so many times as long as that took."""
LONGEST_REST = 30.0


@attrs.define(repr=False)
class Standings:
    """Those of all tournaments in memory: which have changed, and when to send them."""

    host: Host
    open: Mapping[str, Shown]
    """Tournaments in memory, by their ids."""
    watchers: Watchers
    scores: LastScores
    _due: dict[str, bool] = attrs.field(factory=dict)
    """Tournaments whose standings have changed, and whether watchers get them without a rest before."""
    _rests_until: dict[str, float] = attrs.field(factory=dict)
    _working: set[str] = attrs.field(factory=set)
    """Tournaments whose scores are being worked out: their next standings wait for that."""

    def note(self, id: str, happened: Sequence[Event]) -> None:
        """Notes what has happened, which may change them; the end of a round is told without a rest."""
        if any(isinstance(event, SCORED) for event in happened):
            at_once = any(isinstance(event, events.RoundFinished | events.Finished) for event in happened)
            self._due[id] = at_once or self._due.get(id, False)

    def times(self) -> dict[str, float]:
        """When to tell which standings, but for those that are being worked out."""
        return {
            id: 0.0 if at_once else self._rests_until.get(id, 0.0)
            for id, at_once in self._due.items()
            if id not in self._working
        }

    def tick(self, now: float) -> None:
        for id in [id for id, at in self.times().items() if at <= now]:
            del self._due[id]
            shown = self.open.get(id)
            if shown is not None and self.watchers.of(id):
                self._tell(id, shown.state)

    def _tell(self, id: str, state: Tournament) -> None:
        """Sends them, which are worked out first unless they are known."""
        known = self.scores.get(id, state)
        if known is not None:
            self._send(id, known)
            return
        self._working.add(id)
        work = functools.partial(work_out, state, self.host.stored.ratings_of(state))
        started = self.host.tables.clock()
        self.host.working.run(work, functools.partial(self._take, id, state, started))

    def _take(self, id: str, state: Tournament, started: float, scores: Callable[[], Scores]) -> None:
        """Calls `scores`, which raises if working them out has failed, and sends them to all who watch."""

        def take() -> None:
            found = scores()
            if id in self.open:
                self.scores.keep(id, state, found)
                self._send(id, found)

        tables, shown = self.host.tables, self.open.get(id)
        self._working.discard(id)
        now = tables.clock()
        self._rests_until[id] = now + min(LONGEST_REST, (now - started) * STANDINGS_REST)
        guard(take, tables.on_bug, id, len(shown.log) if shown is not None else 0)
        tables.set_alarm()

    def _send(self, id: str, scores: Scores) -> None:
        self.watchers.send(id, scores.frame(id, self.watchers.next_seq(id)))

    def forget(self, id: str) -> None:
        """Forgets a tournament that is over, and no longer in memory."""
        self._rests_until.pop(id, None)
        self.scores.forget(id)
