"""Our Swiss pairs beside those of the FIDE (Dutch) system, by an engine that agrees with bbpPairings."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from py4swiss.engines import DutchEngine
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection
from support.server.tournaments import after, field, played, rules

from parlour.server.tournament.history import History, Name, Pair, pair
from parlour.server.tournament.pairing import pairings, seeded
from parlour.server.tournament.points import totals

UNDER = rules(rounds=7, bye="win")
"""The Dutch system gives a point for a bye."""
TOKENS = {4: ResultToken.WIN, 2: ResultToken.DRAW, 0: ResultToken.LOSS}


def one_sided(luck: random.Random) -> list[int]:
    """Both games of a table end alike, so that a table is worth a point, half of one or none, as in chess."""
    return luck.choice([[1, 2], [2, 1], [1, 1]])


def play_round(history: History, luck: random.Random, size: int) -> History:
    pairing = pairings(history, field(size), UNDER)
    assert pairing is not None
    stronger = {table.players: one_sided(luck) for table in pairing.tables}

    def places(seated: Sequence[Name]) -> list[int]:
        for players, order in stronger.items():
            if set(players) == set(seated):
                return [order[players.index(name)] for name in seated]
        raise AssertionError("nobody sits there")

    return after(history, pairing, played(pairing, UNDER.games, places))


def dutch(history: History, names: Sequence[Name]) -> tuple[set[Pair], set[Name]]:
    """What the Dutch system pairs next, and who has its bye."""
    number = {name: at for at, name in enumerate(names, 1)}
    lines: dict[Name, list[RoundResult]] = {name: [] for name in names}
    whites: Counter[Name] = Counter()
    for round_ in history.rounds:
        halves = History((), tuple(one for one in history.results if one.round == round_.round)).halves
        for table in round_.tables:
            # Ours play both colours; there, one is written down, as balanced as can be.
            white, black = sorted(table.players, key=lambda name: whites[name])
            whites.update({white: 1, black: -1})
            for name, other, colour in ((white, black, ColorToken.WHITE), (black, white, ColorToken.BLACK)):
                lines[name].append(RoundResult(id=number[other], color=colour, result=TOKENS[halves[name]]))
        for name in round_.byes:
            bye = ResultToken.PAIRING_ALLOCATED_BYE
            lines[name].append(RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=bye))
    points = totals(history, field(len(names)), UNDER)
    sections = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=at,
            points_times_ten=points[name] * 10 // 4,
            rank=at,
            results=lines[name],
        )
        for name, at in number.items()
    ]
    trf = ParsedTrf(player_sections=sections, x_section=XSection(number_of_rounds=UNDER.rounds or 0))
    trf.validate_contents()
    found = DutchEngine.generate_pairings(trf)
    return (
        {pair(names[both.white - 1], names[both.black - 1]) for both in found if both.black},
        {names[both.white - 1] for both in found if not both.black},
    )


def distance(found: set[Pair], points: Counter[Name]) -> int:
    return sum((points[one] - points[other]) ** 2 for one, other in found)


@pytest.mark.parametrize("size", [8, 10, 16, 24, 64])
def test_the_first_round_is_the_one_of_the_dutch_system(size: int) -> None:
    pairing = pairings(History(), field(size), UNDER)
    assert pairing is not None
    theirs, byes = dutch(History(), seeded(field(size), UNDER))
    assert ({pair(*table.players) for table in pairing.tables}, set(pairing.byes)) == (theirs, byes)


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize("size", [8, 14, 24, 40])
def test_as_many_are_paired_anew_and_no_further_apart_in_score_than_by_the_dutch_system(
    size: int, start: int
) -> None:
    luck, history = random.Random(start), History()
    for _ in range(5):
        theirs, _ = dutch(history, seeded(field(size), UNDER))
        points, met = totals(history, field(size), UNDER), history.met
        history = play_round(history, luck, size)
        ours = {pair(*table.players) for table in history.rounds[-1].tables}
        assert not any(met[both] for both in theirs)
        assert not any(met[both] for both in ours)
        assert distance(ours, points) <= distance(theirs, points)


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize("size", [9, 15, 25])
def test_the_bye_goes_as_low_as_in_the_dutch_system(size: int, start: int) -> None:
    luck, history = random.Random(start), History()
    for _ in range(5):
        _, (theirs,) = dutch(history, seeded(field(size), UNDER))
        points = totals(history, field(size), UNDER)
        history = play_round(history, luck, size)
        (ours,) = history.rounds[-1].byes
        assert points[ours] <= points[theirs]
