"""How strong a strategy is: the share of wins in blocks of games, its 95% interval, and Elo."""

import math
from collections.abc import Sequence

import attrs

QUANTILE = 1.96
"""Of the normal distribution: 95% lie within so many deviations on both sides."""
ELO = 400.0


@attrs.frozen
class Score:
    """The share of wins of one player among `seats`, from the mean of each block."""

    seats: int
    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, blocks: Sequence[float], seats: int) -> "Score":
        """Games of a block share their deal, so blocks are what is independent.

        One block of wins and one of losses are added for the interval (as Agresti and Coull do for single
        games): else a few blocks that end alike would leave no doubt at all.
        """
        more = [*blocks, 0.0, 1.0]
        middle = sum(more) / len(more)
        variance = sum([(block - middle) ** 2 for block in more]) / (len(more) - 1)
        reach = QUANTILE * math.sqrt(variance / len(more))
        mean = sum(blocks) / len(blocks)
        return cls(seats, mean, max(0.0, middle - reach), min(1.0, middle + reach))

    def elo(self, share: float) -> float | None:
        """The difference in Elo that a share of wins against equal others stands for; None: it has no end."""
        if not 0.0 < share < 1.0:
            return None
        return ELO * math.log10(share * (self.seats - 1) / (1 - share))
