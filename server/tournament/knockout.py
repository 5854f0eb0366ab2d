"""Knockout: losers are out, the best by seed meet last, and there is a game for the third place."""

from collections.abc import Collection, Mapping, Sequence

import attrs

from parlour.server.tournament.history import History, Name, Stake, pair

Slot = Name | None
"""A place in the bracket; None where nobody came, or both who could have come have left."""


@attrs.frozen
class Duel:
    """Two places of one stage, and who goes on as far as that is decided."""

    one: Slot
    other: Slot
    stake: Stake = ""
    winner: Slot = None
    decided: bool = False

    @property
    def loser(self) -> Slot:
        return self.other if self.winner == self.one else self.one


def bracket(seeded: Sequence[Name]) -> list[Slot]:
    """Everybody's place: first against last, and the first two can only meet in the final."""
    places = [0]
    while len(places) < len(seeded):
        size = 2 * len(places)
        places = [seed for place in places for seed in (place, size - 1 - place)]
    return [seeded[place] if place < len(seeded) else None for place in places]


def stages(
    seeded: Sequence[Name], here: Collection[Name], history: History, replays: int
) -> list[list[Duel]]:
    """All stages up to the one that is being played; only in the last can a duel be undecided."""
    rank = {name: seed for seed, name in enumerate(seeded)}
    scores, sets = _duels(history)

    def decide(one: Slot, other: Slot, stake: Stake = "") -> Duel:
        if one is None or other is None:
            return Duel(one, other, stake, one or other, decided=True)
        both = pair(one, other)
        ahead = scores.get((one, other), 0) - scores.get((other, one), 0)
        if ahead:
            return Duel(one, other, stake, one if ahead > 0 else other, decided=True)
        # A player who has left loses an undecided duel; if both have left, the better seed goes on, absent.
        if (one in here) != (other in here):
            return Duel(one, other, stake, one if one in here else other, decided=True)
        better = min(both, key=rank.__getitem__)
        over = one not in here or sets.get(both, 0) > replays
        return Duel(one, other, stake, better if over else None, decided=over)

    slots = bracket(seeded)
    found: list[list[Duel]] = []
    while len(slots) > 1:
        last = len(slots) == 2
        stage = [decide(slots[at], slots[at + 1], "final" if last else "") for at in range(0, len(slots), 2)]
        if last and found:
            one, other = found[-1]
            stage.append(decide(one.loser, other.loser, "third"))
        found.append(stage)
        if not all(duel.decided for duel in stage) or last:
            break
        slots = [duel.winner for duel in stage]
    return found


def _duels(history: History) -> tuple[Mapping[tuple[Name, Name], int], Mapping[tuple[Name, Name], int]]:
    """Half points of one against another, and how often two were paired: in a knockout that is one duel."""
    scores: dict[tuple[Name, Name], int] = {}
    for result in history.results:
        for name, halves, other in zip(result.players, result.halves, reversed(result.players), strict=True):
            scores[name, other] = scores.get((name, other), 0) + halves
    sets: dict[tuple[Name, Name], int] = {}
    for round_ in history.rounds:
        for table in round_.tables:
            both = pair(*table.players)
            sets[both] = sets.get(both, 0) + 1
    return scores, sets


def ranking(played: Sequence[Sequence[Duel]], seeded: Sequence[Name]) -> dict[Name, int]:
    """By name a number, smaller the further a player got; those who went out at one stage share theirs."""
    out = dict.fromkeys(seeded, 0)
    for number, stage in enumerate(played):
        for duel in stage:
            first = {"final": 0, "third": 2, "": 0}[duel.stake]
            last = {"final": 1, "third": 3, "": 4 + len(played) - number}[duel.stake]
            for name in (duel.one, duel.other):
                if name is not None and (duel.decided or duel.stake):
                    out[name] = last if duel.decided and name == duel.loser else first
    return out
