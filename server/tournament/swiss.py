"""Swiss rounds: everybody plays an opponent with a similar score whom they have not met yet."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import attrs

from parlour.engine.chance import Seeded
from parlour.server.tournament.history import Name, Pair, pair
from parlour.server.tournament.matching.exchange import exchanged
from parlour.server.tournament.matching.largest import Matching
from parlour.server.tournament.matching.seating import tables


@attrs.frozen
class Ladder:
    """The players to be paired, the best first, and what the pairing depends on."""

    names: tuple[Name, ...]
    scores: Mapping[Name, int]
    met: Counter[Pair]
    byes: Counter[Name]

    def least(self) -> int:
        """How often every two of them have met: only more than that counts as meeting again."""
        return min((self.met[pair(*both)] for both in combinations(self.names, 2)), default=0)

    def apart(self, one: Name, other: Name) -> int:
        return abs(self.scores[one] - self.scores[other])


def couples(ladder: Ladder) -> tuple[list[tuple[Name, Name]], tuple[Name, ...]]:
    """Tables of two, and who has a bye.

    The bye goes to one of those who had the fewest, and of these to the lowest with whom out as few as
    possible meet again. Then, from the top, everybody gets the first opponent by `wishes` with whom the rest
    can still be paired without more meeting again than must. Exchanges bring scores closer where that allows.
    """
    board = _Board.of(ladder)
    bye = _bye(ladder, board)
    names = [number for number, name in enumerate(ladder.names) if name not in bye]
    found = board.without_bye([ladder.names.index(name) for name in bye]).pair(names)
    closer = exchanged(found, _costs(ladder, board.again))
    return [(ladder.names[one], ladder.names[other]) for one, other in closer], bye


def _bye(ladder: Ladder, board: "_Board") -> tuple[Name, ...]:
    if len(ladder.names) % 2 == 0:
        return ()
    fewest = min(ladder.byes[name] for name in ladder.names)
    open_to = [number for number, name in enumerate(ladder.names) if ladder.byes[name] == fewest][::-1]
    alone = len(board.matching.alone())
    repeats = {}
    for number in open_to:
        repeats[number] = len(board.matching.without([number]).alone())
        if repeats[number] < alone:
            break
    return (ladder.names[min(repeats, key=repeats.__getitem__)],)


@attrs.define
class _Board:
    """Who can still be paired with whom. A pair that meets again takes two blanks out of the matching.

    Blanks are neighbours of everybody and not of each other: with two for each pair that has to meet again, a
    matching leaves nobody alone just when no more pairs have to.
    """

    ladder: Ladder
    again: list[list[int]]
    matching: Matching

    @classmethod
    def of(cls, ladder: Ladder) -> "_Board":
        least, names = ladder.least(), ladder.names
        again = [[ladder.met[pair(one, other)] - least for other in names] for one in names]
        near = [
            sum(1 << other for other, times in enumerate(row) if not times and other != number)
            for number, row in enumerate(again)
        ]
        return cls(ladder, again, Matching.largest(near))

    def without_bye(self, gone: Sequence[int]) -> "_Board":
        """Leaves out the player with the bye, and adds a blank for every player who is left alone."""
        rest = self.matching.without(gone)
        alone, size = rest.alone(), len(self.ladder.names)
        blanks = ((1 << len(alone)) - 1) << size
        near = [row | blanks for row in rest.near] + [(1 << size) - 1] * len(alone)
        mate = rest.mate + [None] * len(alone)
        for blank, number in enumerate(alone, size):
            mate[blank], mate[number] = number, blank
        return _Board(self.ladder, self.again, Matching(near, rest.there | blanks, mate))

    def pair(self, numbers: list[int]) -> list[tuple[int, int]]:
        found = []
        left = numbers
        while left:
            one = left[0]
            other = next(other for other in self.wishes(left) if self._takes(one, other))
            found.append((one, other))
            left = [number for number in left[1:] if number != other]
        return found

    def wishes(self, left: Sequence[int]) -> Iterator[int]:
        """Opponents for the first player left: not met, similar score, from the middle of the equals on."""
        names, scores, again = self.ladder.names, self.ladder.scores, self.again[left[0]]
        top = scores[names[left[0]]]
        equals = sum(scores[names[number]] == top for number in left)
        middle = equals // 2
        order = [*range(middle, equals), *range(middle - 1, 0, -1), *range(equals, len(left))]
        numbers = [left[index] for index in order if index]
        yield from sorted(numbers, key=lambda number: (again[number], top - scores[names[number]]))

    def _takes(self, one: int, other: int) -> bool:
        gone = [one, other]
        if self.again[one][other]:
            size = len(self.ladder.names)
            blanks = [
                blank for blank in range(size, len(self.matching.near)) if self.matching.there >> blank & 1
            ]
            if not blanks:
                return False
            gone += blanks[:2]
        rest = self.matching.without(gone)
        if rest.alone():
            return False
        self.matching = rest
        return True


def _costs(ladder: Ladder, again: Sequence[Sequence[int]]) -> list[list[int]]:
    """What pairs cost: first those that meet again count, then how often they have, then the squares of the
    distances in score, each for more than all of the next together."""
    scores = [ladder.scores[name] for name in ladder.names]
    widest = (scores[0] - scores[-1]) ** 2 * len(scores) + 1
    often = max(map(max, again)) * len(scores) + 1
    return [
        [
            (times and often + times) * widest + (mine - other) ** 2
            for times, other in zip(row, scores, strict=True)
        ]
        for row, mine in zip(again, scores, strict=True)
    ]


def groups(ladder: Ladder, seats: int, chance: Seeded) -> tuple[list[list[Name]], tuple[Name, ...]]:
    """Tables of three and more, and who has a bye: the lowest of those who had the fewest."""
    upwards = ladder.names[::-1]
    byes = tuple(sorted(upwards, key=lambda name: ladder.byes[name])[: len(ladder.names) % seats])
    names = [name for name in ladder.names if name not in byes]
    least = min((ladder.met[pair(*both)] for both in combinations(names, 2)), default=0)
    widest = max((ladder.apart(names[0], name) for name in names), default=0)
    # Avoiding a second meeting counts for more than any table's spread of scores.
    weight = widest**2 * seats * seats + 1
    costs = [
        [
            0
            if one == other
            else (ladder.met[pair(one, other)] - least) * weight + ladder.apart(one, other) ** 2
            for other in names
        ]
        for one in names
    ]
    return [[names[player] for player in table] for table in tables(costs, seats, chance)], byes
