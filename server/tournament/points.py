"""Points: what games, byes and missed rounds are worth, counted in halves so that sums are exact."""

from collections import Counter
from collections.abc import Sequence

import attrs

from parlour.server.tournament.history import History, Name
from parlour.server.tournament.rules import Rules, Worth


@attrs.frozen
class Entrant:
    """Somebody who takes part."""

    name: Name
    bot: bool = True
    since: int = 1
    """The first round to play in."""
    gone: bool = False
    """Has left or was put out: is paired no more, and what was played stands."""
    strength: int = 0
    """The order in which a field starts: more is better, lots decide between equals."""
    address: str = ""
    """The hash of the network that this one entered from; empty: not known."""


def worth(rules: Rules, of: Worth) -> int:
    """Half points for a round without a table: none, the average of a table, or all that it has."""
    average = rules.games * (rules.seats - 1)
    return {"none": 0, "half": average, "win": 2 * average}[of]


def totals(history: History, entrants: Sequence[Entrant], rules: Rules) -> Counter[Name]:
    """Everybody's half points."""
    won = history.halves
    sums: Counter[Name] = Counter({entrant.name: won[entrant.name] for entrant in entrants})
    if rules.format != "knockout":
        for name, times in history.byes.items():
            sums[name] += times * worth(rules, rules.bye)
    for entrant in entrants:
        sums[entrant.name] += (entrant.since - 1) * worth(rules, rules.entry.missed)
    return sums
