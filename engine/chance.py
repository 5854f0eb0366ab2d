"""Randomness as an input: a game asks for it by name and never makes any.

There are three ways to ask, each naming a stream: `roll` a number from 1 to n, `draw` an item of a pool,
`shuffle` a list. The live source hashes (secret, stream, index in the stream), so that what players have
seen tells nothing about what comes next, and two games with one secret keep the same luck in every stream
even after their moves differ.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from parlour.engine.errors import Wrong
from parlour.engine.lean import lean

T = TypeVar("T")
How = Literal["roll", "draw", "shuffle"]
SECRET_BYTES = 32


@lean
class Luck:
    """One outcome: a roll's number, a draw's item, or a shuffle's order (old indices, first to last)."""

    stream: str
    how: How
    outcome: Any


class WrongLuck(Wrong):
    """A script or journal that does not hold what the game asks for."""


class Chance(ABC):
    """Where the luck of a game comes from."""

    used: Mapping[str, int] = MappingProxyType({})
    """By stream: how often a live source was asked, here or since the fork."""

    def fork(self) -> "Chance":
        """A source that goes on from here; a live one is left alone, and `advance` follows its fork."""
        return self

    @abstractmethod
    def roll(self, stream: str, sides: int) -> int:
        """A number from 1 to `sides`."""

    @abstractmethod
    def draw(self, stream: str, pool: Sequence[T]) -> T:
        """One item of the pool, which holds plain words or numbers."""

    @abstractmethod
    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        """All the items in a new order."""


def order(number: int, size: int) -> list[int]:
    """The permutation of range(size) that a large number stands for (Fisher-Yates, from the end)."""
    indices = list(range(size))
    for last in range(size - 1, 0, -1):
        number, chosen = divmod(number, last + 1)
        indices[last], indices[chosen] = indices[chosen], indices[last]
    return indices


class Seeded(Chance):
    """The live source: keyed blake2b over the stream's name and the index in that stream.

    Every ask takes one 512-bit number. A list that is shuffled has at most 64 items: 64! is below 2^296,
    so no order is more likely than another by more than 2^-216.
    """

    def __init__(self, secret: bytes, used: Mapping[str, int] | None = None) -> None:
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
        self.secret = secret
        self._keyed = hashlib.blake2b(key=secret)
        self.used: dict[str, int] = dict(used or {})
        self._before: Mapping[str, int] = {}

    def fork(self) -> "Seeded":
        fork = Seeded.__new__(Seeded)
        fork.secret = self.secret
        fork._keyed = self._keyed
        fork.used = {}
        fork._before = self.used
        return fork

    def advance(self, used: Mapping[str, int]) -> None:
        """What a fork of this source has used counts."""
        self.used.update(used)

    def _number(self, stream: str) -> int:
        used = self.used
        index = used.get(stream)
        if index is None:
            index = self._before.get(stream, 0)
        used[stream] = index + 1
        hashed = self._keyed.copy()  # a third quicker than to take the key in again for every number
        hashed.update(f"{stream}#{index}".encode())
        return int.from_bytes(hashed.digest(), "big")

    def roll(self, stream: str, sides: int) -> int:
        return self._number(stream) % sides + 1

    def draw(self, stream: str, pool: Sequence[T]) -> T:
        return pool[self._number(stream) % len(pool)]

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        if len(items) > 64:
            raise ValueError(f"at most 64 items can be shuffled fairly, not {len(items)}")
        return tuple([items[index] for index in order(self._number(stream), len(items))])


class Recording(Chance):
    """Passes on what a fork of another source gives and keeps it in `heard`."""

    def __init__(self, source: Chance) -> None:
        self._source = source
        self._fork: Chance | None = None
        """Made when something is asked: most moves need no luck."""
        self.heard: list[Luck] = []

    def _asked(self) -> Chance:
        if self._fork is None:
            self._fork = self._source.fork()
            self.used = self._fork.used
        return self._fork

    def roll(self, stream: str, sides: int) -> int:
        number = self._asked().roll(stream, sides)
        self.heard.append(Luck(stream, "roll", number))
        return number

    def draw(self, stream: str, pool: Sequence[T]) -> T:
        item = self._asked().draw(stream, pool)
        self.heard.append(Luck(stream, "draw", item))
        return item

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        indices = self._asked().shuffle(stream, range(len(items)))
        self.heard.append(Luck(stream, "shuffle", indices))
        return tuple([items[index] for index in indices])


class Recorded(Chance):
    """Gives again what was heard, and refuses to be asked anything else."""

    def __init__(self, heard: Iterable[Luck]) -> None:
        self._left = list(heard)[::-1]

    def _next(self, stream: str, how: How) -> Any:
        if not self._left:
            raise WrongLuck(f"the record ends before a {how} of {stream}")
        luck = self._left.pop()
        if (luck.stream, luck.how) != (stream, how):
            raise WrongLuck(
                f"the record has a {luck.how} of {luck.stream} where the game asks for a {how} of {stream}"
            )
        return luck.outcome

    def roll(self, stream: str, sides: int) -> int:
        number = self._next(stream, "roll")
        if type(number) is not int or not 1 <= number <= sides:
            raise WrongLuck(f"{number!r} is no roll of {stream} from 1 to {sides}")
        return number

    def draw(self, stream: str, pool: Sequence[T]) -> T:
        item: T = self._next(stream, "draw")
        if item not in pool:
            raise WrongLuck(f"{item!r} is not in the pool of {stream}")
        return item

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        indices = self._next(stream, "shuffle")
        if sorted(indices) != list(range(len(items))):
            raise WrongLuck(f"the record's order of {stream} is not one of {len(items)} items")
        return tuple([items[index] for index in indices])

    def finish(self) -> None:
        """Fails if the game asked for less than was recorded."""
        if self._left:
            raise WrongLuck(f"{len(self._left)} outcomes of the record were not asked for")


class Scripted(Chance):
    """Chance as a scenario gives it: rolls and draws in order, shuffles leave everything in its place."""

    def __init__(self, entries: Iterable[Any]) -> None:
        self._left = list(entries)[::-1]

    def _next(self, asked: str) -> Any:
        if not self._left:
            raise WrongLuck(f"the script has no entry left for {asked}")
        return self._left.pop()

    def roll(self, stream: str, sides: int) -> int:
        number = self._next(f"a roll of {stream}")
        if type(number) is not int or not 1 <= number <= sides:
            raise WrongLuck(f"{number!r} is no roll of {stream} from 1 to {sides}")
        return number

    def draw(self, stream: str, pool: Sequence[T]) -> T:
        item = self._next(f"a draw of {stream}")
        for there in pool:
            if type(there) is type(item) and there == item:
                return there
        raise WrongLuck(f"{item!r} is not in the pool of {stream}")

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:  # noqa: ARG002
        return tuple(items)

    def finish(self) -> None:
        """Fails if entries are left over."""
        if self._left:
            raise WrongLuck(f"{len(self._left)} entries of the script were not asked for")
