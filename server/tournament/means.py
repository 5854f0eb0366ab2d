"""A mean with its error: how far it may be off, by how much the values differ and how many they are."""

from collections.abc import Iterable
from math import fsum, sqrt

import attrs

STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""By degrees of freedom from 1: how many standard errors to either side hold the truth 95 times in 100."""
NORMAL = 1.959964
DOUBT = 0.05
"""How often an interval may miss the truth."""


@attrs.frozen
class Mean:
    """The mean of some values, its standard error, and the interval that holds the truth 95 times in 100."""

    count: int
    mean: float | None
    error: float | None = None
    """None for fewer than two values, and for such as are all alike: they do not tell it."""
    low: float | None = None
    high: float | None = None


def student(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    # Beyond the table two terms of the expansion in 1/freedom are good to a thousandth.
    return NORMAL + (NORMAL**3 + NORMAL) / (4 * freedom)


def mean(values: Iterable[float], least: float, most: float) -> Mean:
    """Of values that can be from least to most: its interval goes no further than that.

    Sums are rounded once, at their end, so that the order of the values changes nothing.
    """
    found = list(values)
    if not found:
        return Mean(0, None)
    middle = fsum(found) / len(found)
    if len(found) == 1:
        return Mean(1, middle)
    if len(set(found)) == 1:
        # Values that are all alike have no spread to tell an error from, and no width would look like
        # certainty. Still, others cannot be frequent: were more than this part of all values others, one of
        # them would have come, 95 times in 100. At worst all of that part is the least, or the most.
        others = 1 - DOUBT ** (1 / len(found))
        low, high = middle - others * (middle - least), middle + others * (most - middle)
        return Mean(len(found), found[0], None, low, high)
    error = sqrt(fsum((value - middle) ** 2 for value in found) / (len(found) - 1) / len(found))
    reach = student(len(found) - 1) * error
    return Mean(len(found), middle, error, max(least, middle - reach), min(most, middle + reach))
