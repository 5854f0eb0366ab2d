"""Knockout: seeds, byes, level duels, the game for the third place, and those who leave."""

import random
from collections.abc import Callable, Sequence

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.server.tournaments import after, by_chance, field, played, rules, tournament

from parlour.server.tournament.history import History, Name
from parlour.server.tournament.knockout import bracket
from parlour.server.tournament.pairing import pairings, seeded
from parlour.server.tournament.points import Entrant
from parlour.server.tournament.scores import standings

UNDER = rules("knockout")


def ranked(size: int) -> list[Entrant]:
    """A field in which bot-000 is the strongest."""
    return [attrs.evolve(entrant, strength=size - at) for at, entrant in enumerate(field(size))]


def stronger_wins(players: Sequence[Name]) -> list[int]:
    return [1 + sorted(players).index(name) for name in players]


def level(players: Sequence[Name]) -> list[int]:
    return [1] * len(players)


def play(entrants: Sequence[Entrant], places: Callable[[Sequence[Name]], list[int]]) -> History:
    history = History()
    while (pairing := pairings(history, entrants, UNDER)) is not None:
        history = after(history, pairing, played(pairing, UNDER.games, places))
    return history


def places(history: History, entrants: Sequence[Entrant]) -> dict[str, int]:
    return {line.name: line.rank for line in standings(history, entrants, UNDER)}


def test_the_first_two_can_only_meet_in_the_final() -> None:
    names = [Name(letter) for letter in "abcdefgh"]
    assert bracket(names) == ["a", "h", "d", "e", "b", "g", "c", "f"]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 11, 16])
def test_if_the_stronger_always_wins_the_first_four_places_go_by_strength(size: int) -> None:
    entrants = ranked(size)
    found = places(play(entrants, stronger_wins), entrants)
    assert [found[entrant.name] for entrant in entrants][:4] == [1, 2, 3, 4][:size]


@pytest.mark.parametrize("size", [3, 5, 6, 11])
def test_byes_of_the_first_round_go_to_the_strongest(size: int) -> None:
    pairing = pairings(History(), ranked(size), UNDER)
    assert pairing is not None
    free = 2 ** (size - 1).bit_length() - size
    assert pairing.byes == tuple(entrant.name for entrant in ranked(size)[:free])


def test_whoever_has_left_before_the_first_round_has_no_bye() -> None:
    best, *others = ranked(3)
    pairing = pairings(History(), [attrs.evolve(best, gone=True), *others], UNDER)
    assert pairing is not None and pairing.byes == ()
    assert [set(table.players) for table in pairing.tables] == [{other.name for other in others}]


def test_final_and_third_place_are_played_in_the_same_round() -> None:
    history = play(ranked(8), stronger_wins)
    assert [[table.stake for table in round_.tables] for round_ in history.rounds] == [
        ["", "", "", ""],
        ["", ""],
        ["final", "third"],
    ]


def test_level_duels_are_played_again_and_then_the_better_seed_goes_on() -> None:
    history = play(ranked(2), level)
    assert len(history.rounds) == 1 + UNDER.replays
    assert places(history, ranked(2)) == {"bot-000": 1, "bot-001": 2}


def test_only_those_who_are_level_play_again() -> None:
    entrants = ranked(4)
    first = pairings(History(), entrants, UNDER)
    assert first is not None
    upset = [first.tables[0].players]

    def half_level(players: Sequence[Name]) -> list[int]:
        return level(players) if set(players) == set(upset[0]) else stronger_wins(players)

    again = pairings(after(History(), first, played(first, 2, half_level)), entrants, UNDER)
    assert again is not None
    assert [set(table.players) for table in again.tables] == [set(upset[0])]
    assert again.byes == ()


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 40), st.sampled_from([0.0, 0.1, 0.4]), st.integers(0, 2**32))
def test_there_is_one_winner_however_many_leave(size: int, leaving: float, start: int) -> None:
    history, entrants = tournament(ranked(size), UNDER, random.Random(start), leaving=leaving)
    found = places(history, entrants)
    assert sorted(found) == sorted(entrant.name for entrant in entrants)
    if sum(not entrant.gone for entrant in entrants) > 1 or leaving == 0.0:
        assert list(found.values()).count(1) == 1


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 40), st.integers(0, 2**32))
def test_nobody_plays_on_after_losing_but_for_the_third_place(size: int, start: int) -> None:
    history = play(ranked(size), by_chance(random.Random(start), 0.0))
    out: set[str] = set()
    for round_ in history.rounds:
        for table in round_.tables:
            assert table.stake == "third" or not out & set(table.players)
            halves = History((), tuple(one for one in history.results if one.round == round_.round)).halves
            one, other = table.players
            if halves[one] != halves[other]:
                out.add(min(one, other, key=lambda name: halves[name]))


def test_lots_seed_a_field_without_ratings() -> None:
    assert seeded(field(8), UNDER) != sorted(seeded(field(8), UNDER))
