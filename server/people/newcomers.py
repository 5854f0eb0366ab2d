"""New names: how many of them a network may take in an hour, and which give way when there are too many.

A name that has finished a game or entered a tournament belongs to its owner for good.
"""

from collections import Counter

import attrs

from parlour.protocol.errors import ProtocolError
from parlour.server.people.session import Session

HOUR = 3600.0


@attrs.define(repr=False)
class Newcomers:
    """The sessions whose names do not belong to anybody for good; whoever came last is last."""

    _by_name: dict[str, Session] = attrs.field(factory=dict)
    _taken: Counter[str] = attrs.field(factory=Counter)
    """Names taken in this hour, by network."""
    _hour_ends: float = 0.0

    def spend(self, network: str, most: int, now: float) -> None:
        """Counts a name that a network is about to take; raises `too_many_names`."""
        if now >= self._hour_ends:
            self._taken.clear()
            self._hour_ends = now + HOUR
        if self._taken[network] >= most:
            raise ProtocolError("too_many_names", retry_after=self._hour_ends - now, most=most)
        self._taken[network] += 1

    def welcome(self, session: Session) -> None:
        """Notes that somebody has come; bots that the server has started go with their tables."""
        self.forget(session)
        if not (session.identity.played or session.built_in):
            self._by_name[session.name] = session

    def keep(self, session: Session) -> None:
        """Gives a name to its owner for good."""
        if not session.built_in:
            session.identity.played = True
            self.forget(session)

    def forget(self, session: Session) -> None:
        self._by_name.pop(session.name, None)

    def first_to_go(self, own: bool = False) -> Session | None:
        """Whoever came longest ago, of those without a connection, a table or a tournament.

        `own`: of those who were last at this node, for others may be at another now.
        """
        for session in self._by_name.values():
            if own and session.identity.version != 1:
                continue
            if session.peer is None and not session.tables and not session.takes_part:
                return session
        return None

    def __len__(self) -> int:
        return len(self._by_name)
