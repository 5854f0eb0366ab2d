"""Tables of three and more: who sits with whom so that it costs least, by swapping while it pays."""

from collections.abc import Sequence

import attrs

from parlour.engine.chance import Seeded

Costs = Sequence[Sequence[int]]
"""What it costs that two sit at one table; the same both ways, and nothing for oneself."""


@attrs.define
class _Seating:
    costs: Costs
    table: list[int]
    """By player."""
    shares: list[list[int]]
    """By player and table: what it would cost to sit with all who are there."""

    @classmethod
    def seat(cls, costs: Costs, table: list[int], tables: int) -> "_Seating":
        shares = [[0] * tables for _ in table]
        for player, row in enumerate(costs):
            for other, cost in enumerate(row):
                shares[player][table[other]] += cost
        return cls(costs, table, shares)

    def total(self) -> int:
        return sum(self.shares[player][table] for player, table in enumerate(self.table))

    def gain(self, one: int, other: int) -> int:
        """What is saved when two at different tables change places."""
        here, there = self.table[one], self.table[other]
        mine, theirs = self.shares[one], self.shares[other]
        return mine[here] + theirs[there] - mine[there] - theirs[here] + 2 * self.costs[one][other]

    def swap(self, one: int, other: int) -> None:
        here, there = self.table[one], self.table[other]
        for shares, mine, theirs in zip(self.shares, self.costs[one], self.costs[other], strict=True):
            shares[here] += theirs - mine
            shares[there] += mine - theirs
        self.table[one], self.table[other] = there, here

    def settle(self) -> None:
        """Swaps until no two can change places with a gain."""
        players = range(len(self.table))
        moved = True
        while moved:
            moved = False
            for one in players:
                for other in range(one):
                    if self.table[one] != self.table[other] and self.gain(one, other) > 0:
                        self.swap(one, other)
                        moved = True


def tables(costs: Costs, seats: int, chance: Seeded) -> list[list[int]]:
    """Players by table, `seats` at each, from a first guess in their order."""
    count = len(costs) // seats
    if not count:
        return []
    seating = _Seating.seat(costs, [player // seats for player in range(len(costs))], count)
    seating.settle()
    best, best_tables = seating.total(), seating.table[:]
    # A local optimum is often not the best one: some players are moved at random, and all settle again. Small
    # fields get more tries: there it helps most and costs least.
    for _ in range(max(2, 4_000 // len(costs) ** 2)):
        if not best or count == 1:
            break
        seating = _Seating.seat(costs, best_tables[:], count)
        for _ in range(2 + count // 2):
            one, other = (chance.roll("seating", len(costs)) - 1 for _ in range(2))
            if seating.table[one] != seating.table[other]:
                seating.swap(one, other)
        seating.settle()
        if seating.total() <= best:
            best, best_tables = seating.total(), seating.table[:]
    return [[player for player, at in enumerate(best_tables) if at == table] for table in range(count)]
