"""How much the tests do: a little in `make test`, a lot in `make soak`."""

import os

FULL = 300
"""Games at each kind of table with which all other counts are as large as they get."""
GAMES = int(os.environ.get("PARLOUR_SOAK") or 0)
"""Games that this soak plays at each kind of table; none if it is no soak."""


def count(small: int, large: int) -> int:
    """`small` in `make test`; in a soak as much of `large` as its games are of FULL, and at least `small`."""
    return max(small, large * GAMES // FULL) if GAMES else small
