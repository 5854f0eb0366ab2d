"""Round robin: everybody meets everybody, at tables of two once each, at larger ones as evenly as can be."""

import random
from collections import Counter
from itertools import combinations

import attrs
import pytest
from support.server.tournaments import after, by_chance, field, played, rules, tournament

from parlour.server.tournament.history import History, pair
from parlour.server.tournament.pairing import pairings


def meetings(size: int, seats: int, rounds: int | None = None) -> Counter[int]:
    """How many pairs have met how often after all rounds."""
    history, entrants = tournament(field(size), rules("round_robin", seats, rounds), random.Random(1))
    return Counter(history.met[pair(one.name, other.name)] for one, other in combinations(entrants, 2))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 13, 30])
def test_at_tables_of_two_everybody_meets_everybody_once(size: int) -> None:
    assert meetings(size, 2) == {1: size * (size - 1) // 2}


@pytest.mark.parametrize("size", [3, 7, 13])
def test_in_an_odd_field_everybody_has_one_bye(size: int) -> None:
    history, entrants = tournament(field(size), rules("round_robin"), random.Random(1))
    assert history.byes == {entrant.name: 1 for entrant in entrants}


def test_a_second_cycle_meets_everybody_again() -> None:
    assert meetings(6, 2, 10) == {2: 15}


@pytest.mark.parametrize(
    ("size", "seats", "rounds"), [(9, 3, 4), (16, 4, 5), (25, 5, 6), (6, 6, 1), (4, 4, 3)]
)
def test_where_numbers_allow_it_all_meet_equally_often(size: int, seats: int, rounds: int) -> None:
    assert len(meetings(size, seats, rounds)) == 1


@pytest.mark.parametrize("size", [12, 16, 25, 31])
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_at_larger_tables_meetings_are_much_more_even_than_by_lots(size: int, seats: int) -> None:
    met = meetings(size, seats)
    pairs = size * (size - 1) // 2
    mean = sum(times * count for times, count in met.items()) / pairs
    # Tables by lots would give a variance of about the mean.
    variance = sum((times - mean) ** 2 * count for times, count in met.items()) / pairs
    assert variance < 0.6 * mean
    assert max(met) <= 3


def test_who_leaves_changes_nobody_elses_opponents() -> None:
    under, luck = rules("round_robin"), random.Random(1)
    whole, entrants = tournament(field(8), under, luck)
    quitter = entrants[3].name
    history = History()
    for number in range(7):
        gone = [attrs.evolve(one, gone=number >= 3 and one.name == quitter) for one in entrants]
        pairing = pairings(history, gone, under)
        assert pairing is not None
        planned = [table.players for table in whole.rounds[number].tables]
        kept = [players for players in planned if number < 3 or quitter not in players]
        assert [table.players for table in pairing.tables] == kept
        assert len(pairing.byes) == (number >= 3)
        history = after(history, pairing, played(pairing, under.games, by_chance(luck)))
