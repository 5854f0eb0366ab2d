"""Who says hello: what the whole house knows of them, read before this node decides."""

import functools
import logging
from collections.abc import Callable, Collection, Sequence

import attrs

from parlour.protocol import messages as m
from parlour.protocol.errors import ProtocolError
from parlour.protocol.names import clean_name
from parlour.server.house.directory import Directory, entry_of
from parlour.server.house.house import Proof
from parlour.server.house.people import refresh
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.postgresql.house_values import (
    Found,
    HouseDatabase,
    HouseQuestions,
    LeaseHolder,
    Person,
)
from parlour.server.tables.recovery import Plain, Source
from parlour.server.tables.registry import Tables
from parlour.server.tables.stored_maps import table_from

log = logging.getLogger("parlour.house")


@attrs.frozen
class _Identified:
    """What was read of who says hello."""

    found: Found
    known: Sequence[Person]
    """Whose token it is as far as this node knows, as the database has them now."""
    seats: Sequence[tuple[LeaseHolder, Plain]]
    """Tables elsewhere, each with the node that has it."""


@attrs.define(eq=False, repr=False)
class Hellos:
    """Asks the database about each hello."""

    tables: Tables
    source: Source
    database: HouseDatabase
    directory: Directory
    closed: Collection[str]
    """Tables that were closed here not long ago."""
    _away: bool = False
    """The last hello could not be looked up."""

    def identify(self, hello: m.Hello, then: Callable[[Callable[[], Proof]], None]) -> None:
        name = None
        if hello.token is None and hello.ticket is None and hello.name is not None:
            try:
                name = clean_name(hello.name)
            except ProtocolError:
                name = None  # the lobby says what is wrong with it
        owner = self.tables.register.owner(hello.token) if hello.token is not None else None

        def work(asked: HouseQuestions) -> _Identified:
            found = asked.find(hello.token, hello.ticket, name)
            known = asked.people([owner]) if owner is not None else ()
            seats = self._seats(asked, found.people) if name is None else ()
            return _Identified(found, known, seats)

        self.database.ask(work, functools.partial(self._identified, name, then))

    def _seats(self, asked: HouseQuestions, people: Sequence[Person]) -> list[tuple[LeaseHolder, Plain]]:
        """The tables of people that are not at this node yet, with their nodes.

        Those of a node that has just died may not have been told of.
        """
        seats = []
        for person in people:
            for id, owner in asked.seats(person.name):
                plain = self.source.table(id) if id not in self.database.epochs else None
                if plain is not None:
                    seats.append((owner, plain))
        return seats

    def _identified(
        self,
        name: str | None,
        then: Callable[[Callable[[], Proof]], None],
        result: Callable[[], _Identified],
    ) -> None:
        try:
            read = result()
        except ArchiveError as wrong:
            if not self._away:  # one line however many come meanwhile
                log.error("hellos cannot be looked up: %s", wrong)
            self._away = True
            then(functools.partial(_refuse, ProtocolError("not_kept", retry_after=1.0)))
            return
        self._away = False
        found = read.found
        refresh(self.tables, [*found.people, *read.known])
        if name is not None:
            there = {person.name for person in found.people}
            self._forget_gone(name, there)
        for owner, plain in read.seats:
            if plain["id"] not in self.tables.by_id and plain["id"] not in self.closed:
                table = table_from(plain, self.tables.clock())
                self.directory.note(entry_of(table, owner.node, owner.epoch))
        then(lambda: Proof(found.number, found.ticket))

    def _forget_gone(self, name: str, there: set[str]) -> None:
        """Frees names that were given up at another node."""
        for owner in self.tables.register.alike(name):
            session = self.tables.sessions.get(owner.name)
            if owner.name in there or not owner.version or session is None:
                continue
            if session.peer is None and not session.tables:
                self.tables.forget(session)


def _refuse(wrong: ProtocolError) -> Proof:
    raise wrong
