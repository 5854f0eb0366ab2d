"""The names of people who are not connected: which are kept for them, and which are freed."""

from parlour.server.people.session import Session
from parlour.server.tables.registry import Tables


def keep_absent(tables: Tables, session: Session) -> None:
    """Keeps the name of a player who lost the connection, unless nothing was ever done with it."""
    if not session.tables and (session.built_in or not (session.last_id or session.returned)):
        tables.forget(session)


def give_up_unused(tables: Tables, name: str) -> None:
    """Frees names like this one, from before a restart, with which nothing was ever done.

    The owner's welcome may have been lost, and with it the token.
    """
    for owner in tables.register.alike(name):
        session = tables.sessions.get(owner.name)
        unused = session is not None and session.peer is None and not session.tables and not session.last_id
        # Whoever was last at another node may be there now, with a table.
        if unused and session is not None and (not tables.node or owner.version == 1):
            tables.forget(session)


def make_room(tables: Tables) -> bool:
    """Frees a name with which nobody has played; False if there is none to be had."""
    session = tables.newcomers.first_to_go(own=bool(tables.node))
    if session is not None:
        tables.forget(session)
    return session is not None
