"""What holds for the pairings of every format, for any field and whoever leaves."""

import random
from collections import Counter

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.server.tournaments import after, by_chance, field, played, rules, tournament

from parlour.server.tournament.history import History
from parlour.server.tournament.pairing import pairings, rounds

FORMATS = [("swiss", 2), ("round_robin", 2), ("knockout", 2)]
FORMATS += [(name, seats) for name in ("swiss", "round_robin") for seats in (3, 4, 5, 6)]
QUICK = settings(deadline=None, max_examples=25)


@st.composite
def any_tournament(draw: st.DrawFn, largest: int = 14) -> tuple[str, int, int, random.Random]:
    name, seats = draw(st.sampled_from(FORMATS))
    return name, seats, draw(st.integers(seats, largest)), random.Random(draw(st.integers(0, 2**32)))


@QUICK
@given(any_tournament(), st.sampled_from([0.0, 0.05, 0.3]))
def test_in_every_round_everybody_who_is_there_has_one_table_or_a_bye(
    drawn: tuple[str, int, int, random.Random], leaving: float
) -> None:
    name, seats, size, luck = drawn
    under, entrants, history, places = rules(name, seats), field(size), History(), by_chance(luck)
    while (pairing := pairings(history, entrants, under)) is not None:
        here = {entrant.name for entrant in entrants if not entrant.gone}
        placed = [name for table in pairing.tables for name in table.players] + list(pairing.byes)
        assert len(set(placed)) == len(placed)
        assert set(placed) <= here if name == "knockout" else set(placed) == here
        assert {len(table.players) for table in pairing.tables} <= {seats}
        assert [table.number for table in pairing.tables] == list(range(1, len(pairing.tables) + 1))
        history = after(history, pairing, played(pairing, under.games, places))
        entrants = [attrs.evolve(one, gone=one.gone or luck.random() < leaving) for one in entrants]
    last = rounds(field(size), under)
    if leaving == 0.0 and last is not None:
        assert len(history.rounds) == last


@QUICK
@given(any_tournament())
def test_pairing_is_a_function_of_what_was_played_and_of_nothing_else(
    drawn: tuple[str, int, int, random.Random],
) -> None:
    name, seats, size, luck = drawn
    under = rules(name, seats)
    history, entrants = tournament(field(size), under, luck, leaving=0.05)
    for number in range(len(history.rounds)):
        results = [one for one in history.results if one.round <= number]
        before = History(history.rounds[:number], tuple(results))
        shuffled = History(before.rounds, tuple(luck.sample(results, len(results))))
        others = luck.sample(entrants, len(entrants))
        again = pairings(before, entrants, under)
        assert again == pairings(before, entrants, under) == pairings(shuffled, others, under)


@QUICK
@given(any_tournament(), st.integers(1, 3))
def test_everybody_sits_on_every_seat_equally_often(
    drawn: tuple[str, int, int, random.Random], turns: int
) -> None:
    name, seats, size, luck = drawn
    history, _ = tournament(field(size), rules(name, seats, games=turns * seats), luck, leaving=0.05)
    sat = Counter((name, seat) for one in history.results for seat, name in enumerate(one.players))
    for name in {name for name, _ in sat}:
        assert len({sat[name, seat] for seat in range(seats)}) == 1


@QUICK
@given(any_tournament())
def test_in_the_middle_of_a_round_seats_are_balanced_within_one(
    drawn: tuple[str, int, int, random.Random],
) -> None:
    name, seats, size, _ = drawn
    pairing = pairings(History(), field(size), rules(name, seats))
    assert pairing is not None
    for table in pairing.tables:
        for games in range(1, 2 * seats):
            sat = Counter(
                (who, seat) for game in range(games) for seat, who in enumerate(table.seating(game))
            )
            for who in table.players:
                counts = [sat[who, seat] for seat in range(seats)]
                assert max(counts) - min(counts) <= 1


@QUICK
@given(any_tournament())
def test_byes_are_spread_within_one(drawn: tuple[str, int, int, random.Random]) -> None:
    name, seats, size, luck = drawn
    if name == "knockout":
        name = "swiss"
    history, entrants = tournament(field(size), rules(name, seats, rounds=9), luck)
    byes = history.byes
    counts = [byes[entrant.name] for entrant in entrants]
    assert max(counts) - min(counts) <= 1


@QUICK
@given(st.integers(5, 16), st.sampled_from([2, 3, 4]), st.integers(0, 2**32))
def test_in_swiss_byes_stay_within_one_of_those_still_there_while_others_leave(
    size: int, seats: int, start: int
) -> None:
    history, entrants = tournament(
        field(size), rules("swiss", seats, rounds=12), random.Random(start), leaving=0.03
    )
    byes = history.byes
    counts = [byes[entrant.name] for entrant in entrants if not entrant.gone]
    assert max(counts, default=0) - min(counts, default=0) <= 1


@pytest.mark.parametrize(("name", "seats"), FORMATS)
@pytest.mark.parametrize("size", [2, 3, 7, 63, 64, 199, 200])
def test_any_field_from_2_to_200_can_be_paired(name: str, seats: int, size: int) -> None:
    luck, under, entrants = random.Random(size), rules(name, seats), field(size)
    history = History()
    for _ in range(2):
        pairing = pairings(history, entrants, under)
        if size < seats:
            assert pairing is None
            return
        if pairing is None:
            assert (name, size) in (("knockout", 2), ("swiss", 2), ("round_robin", 2)) or size == seats
            return
        assert len(pairing.tables) * seats + len(pairing.byes) == size or name == "knockout"
        history = after(history, pairing, played(pairing, under.games, by_chance(luck, 0.0)))


def test_the_seed_draws_other_lots() -> None:
    one = pairings(History(), field(20), rules("swiss"))
    other = pairings(History(), field(20), rules("swiss", seed="other"))
    assert one is not None and other is not None and one.tables != other.tables
