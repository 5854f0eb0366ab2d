"""What a node finds of its house in the database, as values; and the questions that it has."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import attrs

T = TypeVar("T")
Mark = tuple[str, int]
"""The last event that was read: its transaction and its number."""
Plain = dict[str, Any]


@attrs.frozen
class Node:
    """What a server says of itself: its name and how others reach it, both empty if it is alone."""

    name: str = ""
    url: str = ""
    lease: float = 6.0
    """Seconds for which its row is held: others may take it over when it is silent for longer."""


ALONE = Node()


@attrs.frozen
class Person:
    """Somebody as the house knows them."""

    name: str
    plain: Plain
    version: int
    ours: bool
    """This node has stored them last: what it remembers is as new."""
    kept: bool


@attrs.frozen
class Found:
    """What the database says to a hello."""

    number: int
    """Larger than that of every hello before it; by ticket that of its line."""
    ticket: str | None
    """Whose ticket it was; None if it was none of this node's."""
    people: tuple[Person, ...]
    """Who has the token, the ticket or the name, or one that looks like it."""


@attrs.frozen
class Lease:
    """A table or a tournament of this node."""

    id: str
    kind: str
    epoch: int


@attrs.frozen
class LeaseHolder:
    """Who has a table or a tournament, and since which epoch."""

    node: str
    epoch: int


@attrs.frozen
class Look:
    """What has changed since the last look."""

    nodes: dict[str, str]
    addresses: tuple[str, ...]
    """Of these, and of nodes that are over: pages that were opened there are still open."""
    events: Sequence[tuple[str, Plain]]
    """The node that has told it, and what."""
    mark: Mark
    mine: Sequence[Lease]
    loads: Mapping[str, int]
    """How many tables and tournaments each node has."""


class HouseQuestions(Protocol):
    """What can be asked, in the thread for that (house.HouseRows)."""

    def find(self, token: str | None, ticket: str | None, name: str | None) -> Found: ...

    def people(self, names: Sequence[str]) -> Sequence[Person]: ...

    def make_ticket(self, name: str, line: int, node: str) -> str: ...

    def where(self, id: str) -> LeaseHolder | None: ...

    def settled(self, id: str) -> LeaseHolder | None: ...

    def leases(self) -> Sequence[tuple[str, str, LeaseHolder]]: ...

    def mine(self) -> Sequence[Lease]: ...

    def seats(self, name: str) -> Sequence[tuple[str, LeaseHolder]]: ...

    def tell(self, events: Sequence[Mapping[str, Any]]) -> None: ...

    def hand_over(self, event: str) -> int: ...

    def give(self, event: str, id: str, node: str, table: Mapping[str, Any]) -> LeaseHolder | None: ...


class HouseDatabase(Protocol):
    """The database as a node has it (house_thread.HouseThread)."""

    epochs: dict[str, int]
    """Of what is this node's, or is being stored as such."""
    takes_over: bool
    """Whether this node takes what others had that are over."""

    @property
    def over(self) -> bool:
        """Whether this node may have lost what it had."""

    def first(self) -> tuple[Mark, HouseQuestions]:
        """A mark before everything that is read from now on; and the questions, before `begin`."""

    def begin(self, mark: Mark, look: Callable[[Look], None]) -> None:
        """Has `look` called on the loop with what has happened after this mark, again and again."""

    def ask(self, work: Callable[[HouseQuestions], T], then: Callable[[Callable[[], T]], None]) -> None:
        """Does the work in the thread; `then` gets a function that returns the result, or raises."""

    def soon(self, work: Callable[[], None]) -> None:
        """Does something in the next round of the loop."""

    def stop(self) -> None:
        """Ends, after what was asked before."""
