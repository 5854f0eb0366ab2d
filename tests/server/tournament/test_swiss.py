"""Swiss rounds of two: as few as possible meet again, and those who meet are close in score."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.server.tournaments import field, rules, tournament

from parlour.server.tournament.history import Name, Pair, pair
from parlour.server.tournament.lots import chance
from parlour.server.tournament.pairing import pairings
from parlour.server.tournament.swiss import Ladder, couples, groups

QUICK = settings(deadline=None, max_examples=25)
NAMES = tuple(Name(letter) for letter in "abcdefghij")


def all_pairs(names: Sequence[Name]) -> Iterator[list[Pair]]:
    """Every way to pair an even number."""
    if not names:
        yield []
        return
    first, rest = names[0], names[1:]
    for other in rest:
        for others in all_pairs([name for name in rest if name != other]):
            yield [pair(first, other), *others]


def repeats(found: Sequence[Sequence[Name]], met: Counter[Pair], least: int) -> int:
    return sum(met[pair(*both)] > least for both in found)


@st.composite
def ladders(draw: st.DrawFn) -> Ladder:
    """Small fields in which many have met, as no tournament would leave them."""
    names = NAMES[: draw(st.integers(2, 9))]
    every = [pair(one, other) for one in names for other in names if one < other]
    met = Counter({both: draw(st.sampled_from([0, 0, 1, 1, 2])) for both in every})
    byes = Counter({name: draw(st.sampled_from([0, 0, 1])) for name in names})
    scores = {name: draw(st.integers(0, 4)) for name in names}
    return Ladder(tuple(sorted(names, key=lambda name: -scores[name])), scores, met, byes)


@settings(deadline=None, max_examples=200)
@given(ladders())
def test_no_more_meet_again_than_must_by_trying_every_pairing(ladder: Ladder) -> None:
    found, byes = couples(ladder)
    fewest = min(ladder.byes[name] for name in ladder.names)
    least = ladder.least()
    if len(ladder.names) % 2:
        assert [ladder.byes[name] for name in byes] == [fewest]
        outs = [name for name in ladder.names if ladder.byes[name] == fewest]
        fields = [[name for name in ladder.names if name != out] for out in outs]
    else:
        assert byes == ()
        fields = [list(ladder.names)]
    best = min(repeats(every, ladder.met, least) for names in fields for every in all_pairs(names))
    assert repeats(found, ladder.met, least) == best


@QUICK
@given(st.integers(2, 24), st.integers(0, 2**32))
def test_nobody_meets_twice_in_fewer_rounds_than_half_the_field(size: int, start: int) -> None:
    # While each has met fewer than half of the others, the rest can always be paired (Dirac).
    history, _ = tournament(field(size), rules(rounds=max(1, (size - 1) // 2)), random.Random(start))
    assert set(history.met.values()) == {1}


@pytest.mark.parametrize("rounds", [9, 14])
def test_ten_who_play_more_rounds_than_there_are_opponents_go_round_again(rounds: int) -> None:
    history, _ = tournament(field(10), rules(rounds=rounds), random.Random(1))
    met = history.met
    assert sum(met.values()) == 5 * rounds
    assert max(met.values()) <= 2


def test_equal_scores_meet_where_nothing_stands_against_it() -> None:
    scores = dict(zip(NAMES[:8], (4, 4, 4, 4, 2, 2, 0, 0), strict=True))
    found, _ = couples(Ladder(NAMES[:8], scores, Counter(), Counter()))
    assert [{scores[one], scores[other]} for one, other in found] == [{4}, {4}, {2}, {0}]


def test_the_upper_half_of_equals_meets_the_lower_half() -> None:
    found, _ = couples(Ladder(NAMES[:8], dict.fromkeys(NAMES, 0), Counter(), Counter()))
    assert [one + other for one, other in found] == ["ae", "bf", "cg", "dh"]


def test_the_bye_goes_to_the_lowest_who_had_none() -> None:
    scores = dict(zip(NAMES[:5], (8, 6, 4, 2, 0), strict=True))
    _, byes = couples(Ladder(NAMES[:5], scores, Counter(), Counter({NAMES[4]: 1})))
    assert byes == ("d",)


def test_a_bye_is_worth_what_a_table_is_on_average() -> None:
    entrants = field(3)
    history, _ = tournament(entrants, rules(rounds=1), random.Random(0))
    (bye,) = history.rounds[0].byes
    pairing = pairings(history, entrants, rules(rounds=2))
    assert pairing is not None
    assert bye not in pairing.byes


def test_at_tables_of_four_nobody_meets_again_while_there_is_room() -> None:
    history, _ = tournament(field(64), rules(seats=4, rounds=6), random.Random(4))
    assert set(history.met.values()) == {1}


def test_at_tables_of_four_scores_are_close() -> None:
    scores = {name: number // 4 * 6 for number, name in enumerate(reversed(field_names(32)))}
    names = tuple(sorted(scores, key=lambda name: -scores[name]))
    found, _ = groups(Ladder(names, scores, Counter(), Counter()), 4, chance("lots", "1"))
    assert all(len({scores[name] for name in table}) == 1 for table in found)


def field_names(size: int) -> list[Name]:
    return [entrant.name for entrant in field(size)]
