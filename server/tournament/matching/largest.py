"""Pairing everybody with somebody: the largest matching of a graph, by augmenting paths (Edmonds).

Written here because the libraries that match general graphs in pure Python take seconds for 200 vertices
with weights, and those that are quick bring a numeric stack along; without weights, bit sets do.
"""

from collections import deque
from collections.abc import Iterable, Iterator

import attrs


def bits(mask: int) -> Iterator[int]:
    """The numbers in a set, smallest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@attrs.define
class Matching:
    """A matching of those vertices of a graph that are still there."""

    near: list[int]
    """By vertex: the set of its neighbours."""
    there: int
    mate: list[int | None]

    @classmethod
    def largest(cls, near: list[int]) -> "Matching":
        matching = cls(near, (1 << len(near)) - 1, [None] * len(near))
        for vertex in range(len(near)):
            if matching.mate[vertex] is None:
                for other in bits(near[vertex]):
                    if matching.mate[other] is None:
                        matching.mate[vertex], matching.mate[other] = other, vertex
                        break
        for vertex in matching.alone():
            if matching.mate[vertex] is None:
                matching.augment(vertex)
        return matching

    def alone(self) -> list[int]:
        return [vertex for vertex in bits(self.there) if self.mate[vertex] is None]

    def without(self, gone: Iterable[int]) -> "Matching":
        """The largest matching of the rest."""
        rest = Matching(self.near, self.there, self.mate[:])
        for vertex in gone:
            mate = rest.mate[vertex]
            if mate is not None:
                rest.mate[mate] = rest.mate[vertex] = None
            rest.there &= ~(1 << vertex)
        for vertex in rest.alone():
            if rest.mate[vertex] is None:
                rest.augment(vertex)
        return rest

    def augment(self, root: int) -> bool:
        """Matches one more vertex, along a path on which every second edge is matched, if there is one."""
        search = _Search(self, root)
        last = search.run()
        while last is not None:
            before = search.parent[last]
            assert before is not None
            after = self.mate[before]
            self.mate[last], self.mate[before] = before, last
            last = after
        return self.mate[root] is not None


class _Search:
    """A tree of alternating paths from one vertex; odd circles (blossoms) shrink to their base."""

    def __init__(self, matching: Matching, root: int) -> None:
        size = len(matching.near)
        self.near, self.there, self.mate, self.root = matching.near, matching.there, matching.mate, root
        self.parent: list[int | None] = [None] * size
        self.base = list(range(size))
        self.outer = 1 << root
        self.queue = deque([root])
        self.tree = [root]

    def run(self) -> int | None:
        """The unmatched vertex at the end of a path from the root."""
        lonely = sum(1 << vertex for vertex in bits(self.there) if self.mate[vertex] is None) & ~(
            1 << self.root
        )
        while self.queue:
            vertex = self.queue.popleft()
            # Most searches end here, before any circle has to be shrunk.
            for last in bits(self.near[vertex] & lonely):
                self.parent[last] = vertex
                return last
            for other in bits(self.near[vertex] & self.there):
                if self.base[vertex] == self.base[other] or self.mate[vertex] == other:
                    continue
                mate = self.mate[other]
                if other == self.root or (mate is not None and self.parent[mate] is not None):
                    self._shrink(vertex, other)
                elif self.parent[other] is None:
                    assert mate is not None
                    self.parent[other] = vertex
                    self.outer |= 1 << mate
                    self.tree += other, mate
                    self.queue.append(mate)
        return None

    def _shrink(self, one: int, other: int) -> None:
        stem = self._meet(one, other)
        flower: set[int] = set()
        self._mark(one, stem, other, flower)
        self._mark(other, stem, one, flower)
        for vertex in self.tree:
            if self.base[vertex] in flower:
                self.base[vertex] = stem
                if not self.outer >> vertex & 1:
                    self.outer |= 1 << vertex
                    self.queue.append(vertex)

    def _meet(self, one: int, other: int) -> int:
        """The base where the paths of two outer vertices to the root come together."""
        passed = set()
        vertex: int | None = one
        while vertex is not None:
            vertex = self.base[vertex]
            passed.add(vertex)
            mate = self.mate[vertex]
            vertex = None if mate is None else self.parent[mate]
        vertex = self.base[other]
        while vertex not in passed:
            vertex = self.base[self._back(vertex)]
        return vertex

    def _mark(self, vertex: int, stem: int, child: int, flower: set[int]) -> None:
        while self.base[vertex] != stem:
            mate = self.mate[vertex]
            assert mate is not None
            flower |= {self.base[vertex], self.base[mate]}
            self.parent[vertex] = child
            child = mate
            vertex = self._back(vertex)

    def _back(self, outer: int) -> int:
        """The outer vertex before this one on the way to the root."""
        mate = self.mate[outer]
        before = None if mate is None else self.parent[mate]
        assert before is not None
        return before
