"""How much the tests do: a little in `make test`, a lot in `make soak`."""

import os

WHOLE = 300
"""Games that a whole soak plays at each kind of table; other counts grow in step with it."""
GAMES = int(os.environ.get("PARLOUR_SOAK") or 0)
"""Games that this soak plays at each kind of table; none if it is no soak."""


def count(small: int, large: int) -> int:
    """`small` in `make test`, `large` in a whole soak; in a shortened one a share of it, at least `small`."""
    return max(small, large * GAMES // WHOLE) if GAMES else small
