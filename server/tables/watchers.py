"""Who watches the lobby, and who watches which table."""

from collections.abc import Collection

import attrs

from parlour.protocol.frame import Frame
from parlour.protocol.messages import Message
from parlour.server.people.session import Session


@attrs.define(repr=False)
class Watchers:
    """The sessions that watch, by their names."""

    _in_lobby: dict[str, Session] = attrs.field(factory=dict)
    _at_table: dict[str, dict[str, Session]] = attrs.field(factory=dict)
    """By the table's id."""

    @property
    def any_in_lobby(self) -> bool:
        return bool(self._in_lobby)

    def in_lobby(self, session: Session) -> bool:
        return session.name in self._in_lobby

    def watch_lobby(self, session: Session, on: bool) -> None:
        if on:
            self._in_lobby[session.name] = session
        else:
            self._in_lobby.pop(session.name, None)

    def tell_lobby(self, message: Message, only_nodes: bool = False) -> None:
        """Sends a message to all who watch the lobby, packed once; what is urgent for others goes first.

        What is at other nodes is told only to clients that can go there.
        """
        frame = Frame.of(message)
        for session in self._in_lobby.values():
            if session.nodes or not only_nodes:
                session.send(frame, urgent=False)

    def at_table(self, id: str) -> Collection[Session]:
        return self._at_table[id].values() if id in self._at_table else ()

    def watch(self, session: Session, id: str) -> None:
        """Sends a session the table's events from now on."""
        session.watching.add(id)
        self._at_table.setdefault(id, {})[session.name] = session

    def stop(self, session: Session, id: str) -> bool:
        """Sends a session no more of a table; False if it did not watch there."""
        if id not in session.watching:
            return False
        session.watching.discard(id)
        self._at_table[id].pop(session.name)
        return True

    def table_closed(self, id: str) -> Collection[Session]:
        """Forgets a table; those who watched it."""
        return self._at_table.pop(id, {}).values()
