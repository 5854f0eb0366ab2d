"""People as the database has them, taken over into what this node remembers of them."""

from collections.abc import Iterable

from parlour.server.people.session import Session
from parlour.server.storage.postgresql.house_values import Person
from parlour.server.tables.registry import Tables
from parlour.server.tables.stored_maps import identity_from, person_from


def refresh(tables: Tables, people: Iterable[Person]) -> None:
    """Notes what other nodes have stored of people since this one has heard of them."""
    for person in people:
        session = tables.sessions.get(person.name)
        if session is None:
            session = tables.sessions[person.name] = person_from(person.plain, None, person.kept)
            tables.register.restore(session.identity)
            tables.newcomers.welcome(session)
            session.tables.update(tables.ids_of(person.name))  # a tournament may have dealt before they came
        elif not person.ours and person.version != session.identity.version:
            _renew(tables, session, person)
        session.identity.version = 1 if person.ours else person.version
        if person.kept:
            tables.newcomers.keep(session)


def _renew(tables: Tables, session: Session, person: Person) -> None:
    """Takes over what a hello elsewhere has made of the tokens."""
    known, identity = identity_from(person.plain, person.kept), session.identity
    tables.register.forget(identity)
    identity.proven, identity.offered, identity.also = known.proven, known.offered, known.also
    identity.seen, identity.hello = known.seen, known.hello
    tables.register.restore(identity)
