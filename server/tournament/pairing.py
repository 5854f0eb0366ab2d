"""Pairing: the next round of a tournament as a pure function of its rules, its field and what was played."""

from collections.abc import Sequence
from math import ceil, log2

from parlour.server.tournament import knockout, round_robin, swiss
from parlour.server.tournament.history import History, Name, PairedTable, Pairing, Stake
from parlour.server.tournament.lots import chance, lots
from parlour.server.tournament.points import Entrant, totals
from parlour.server.tournament.round_robin import Round
from parlour.server.tournament.rules import Rules


def seeded(entrants: Sequence[Entrant], rules: Rules) -> list[Name]:
    """The field from its strongest entrant down."""
    strength = {entrant.name: entrant.strength for entrant in entrants}
    return sorted(lots(rules.seed, strength, "field"), key=lambda name: -strength[name])


def rounds(entrants: Sequence[Entrant], rules: Rules) -> int | None:
    """How many rounds there will be, for those who were there at the start; None: as a knockout takes."""
    starters = sum(entrant.since == 1 for entrant in entrants)
    match rules.format:
        case "knockout":
            return None
        case "round_robin":
            return rules.rounds or round_robin.whole_cycle(starters, rules.seats)
        case "swiss":
            return rules.rounds or max(1, min(ceil(log2(max(2, starters))) + 2, starters - 1))


def pairings(history: History, entrants: Sequence[Entrant], rules: Rules) -> Pairing | None:
    """The round after those in the history, all of whose games are finished; None when there is no more."""
    number = len(history.rounds) + 1
    last = rounds(entrants, rules)
    here = [entrant for entrant in entrants if not entrant.gone and entrant.since <= number]
    if len(here) < rules.seats or (last is not None and number > last):
        return None
    match rules.format:
        case "knockout":
            return _knockout(history, entrants, rules, number)
        case "round_robin":
            found, byes = _round_robin(history, entrants, rules, number)
        case "swiss":
            found, byes = _swiss(history, here, entrants, rules, number)
    tables = [_table(players, rules, number, at) for at, players in enumerate(found, 1)]
    return Pairing(number, tuple(tables), tuple(sorted(byes)))


def _table(players: Sequence[Name], rules: Rules, number: int, at: int, stake: Stake = "") -> PairedTable:
    return PairedTable(at, tuple(lots(rules.seed, players, f"seats/{number}")), stake)


def _round_robin(history: History, entrants: Sequence[Entrant], rules: Rules, number: int) -> Round:
    order = seeded([entrant for entrant in entrants if entrant.since == 1], rules)
    here = {entrant.name for entrant in entrants if not entrant.gone}
    if rules.seats == 2:
        return round_robin.circle(order, here, number)
    names = [name for name in order if name in here]
    last = rounds(entrants, rules)
    if len(names) == len(order) <= round_robin.PLANNED and last is not None:
        return round_robin.plan(tuple(names), rules.seats, last, rules.seed)[number - 1]
    luck = chance(rules.seed, f"tables/{number}")
    return round_robin.groups(names, rules.seats, history.met, history.byes, luck)


def _swiss(
    history: History, here: Sequence[Entrant], entrants: Sequence[Entrant], rules: Rules, number: int
) -> Round:
    scores = totals(history, entrants, rules)
    names = sorted(seeded(here, rules), key=lambda name: -scores[name])
    ladder = swiss.Ladder(tuple(names), scores, history.met, history.byes)
    if rules.seats == 2:
        return swiss.couples(ladder)
    return swiss.groups(ladder, rules.seats, chance(rules.seed, f"tables/{number}"))


def _knockout(history: History, entrants: Sequence[Entrant], rules: Rules, number: int) -> Pairing | None:
    here = {entrant.name for entrant in entrants if not entrant.gone}
    stage = knockout.stages(seeded(entrants, rules), here, history, rules.replays)[-1]
    open_ = [duel for duel in stage if not duel.decided]
    tables = [
        _table((duel.one, duel.other), rules, number, at, duel.stake)
        for at, duel in enumerate(open_, 1)
        if duel.one is not None and duel.other is not None
    ]
    # A player without an opponent in the first stage has a bye; later that only follows from withdrawals.
    free = [duel.winner for duel in stage if number == 1 and None in (duel.one, duel.other)]
    byes = [name for name in free if name in here]
    return Pairing(number, tuple(tables), tuple(sorted(byes))) if tables else None
