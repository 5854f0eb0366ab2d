"""Duplicate deals: the same at all tables, never twice for anybody, and everybody can check them."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.server.tournaments import field, rules, tournament

from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.match import Match
from parlour.server.tournament.deals import NotTheSecret, boards, check, deal, round_secret
from parlour.server.tournament.history import Name, PairedTable, Pairing

SECRET = bytes(range(32))
NONCES = {entrant.name: f"nonce-{entrant.name}" for entrant in field(24)}


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from([("swiss", 2), ("swiss", 3), ("round_robin", 4), ("knockout", 2)]),
    st.integers(4, 20),
    st.integers(1, 3),
    st.integers(0, 2**32),
)
def test_nobody_meets_a_deal_twice_and_all_tables_of_a_round_play_the_same(
    kind: tuple[str, int], size: int, turns: int, start: int
) -> None:
    name, seats = kind
    history, _ = tournament(field(size), rules(name, seats, games=seats * turns), random.Random(start))
    met: Counter[tuple[str, bytes]] = Counter()
    for pairing in history.rounds:
        games = boards(pairing, seats * turns, round_secret(SECRET, pairing.round), NONCES)
        at = {table: [board.deal for board in games if board.table == table] for table in pairing.tables}
        assert len({tuple(dealt) for dealt in at.values()}) <= 1
        met.update((player, board.deal.key) for board in games for player in board.players)
    assert set(met.values()) == {1}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_everybody_at_a_table_has_every_seat_once_in_as_many_deals_as_seats(seats: int) -> None:
    players = tuple(entrant.name for entrant in field(seats))
    games = boards(Pairing(1, (PairedTable(1, players),)), seats, SECRET, NONCES)
    for player in players:
        assert sorted(board.players.index(player) for board in games) == list(range(seats))


def test_two_games_of_one_deal_start_alike_whoever_plays() -> None:
    pairing = Pairing(1, (PairedTable(1, (Name("a"), Name("b"))), PairedTable(2, (Name("c"), Name("d")))))
    game = GAMES["balloon-cup"]
    options = game.options.read({}, 2)
    starts = [
        game.position(Match.start(game, 2, options, Seeded(board.deal.key)).state)
        for board in boards(pairing, 2, SECRET, NONCES)
    ]
    assert starts[0] == starts[1] != starts[2] == starts[3]


def test_a_nonce_of_anybody_changes_every_deal() -> None:
    other = {**NONCES, Name("bot-023"): "another"}
    for number in range(4):
        assert deal(SECRET, NONCES, 1, number).key != deal(SECRET, other, 1, number).key


def test_deals_do_not_depend_on_the_order_in_which_nonces_came() -> None:
    assert deal(SECRET, dict(reversed(NONCES.items())), 1, 0) == deal(SECRET, NONCES, 1, 0)


def test_each_secret_that_is_told_is_checked_by_the_one_before() -> None:
    for number in range(1, 20):
        check(round_secret(SECRET, number), round_secret(SECRET, number - 1))


def test_a_secret_chosen_later_is_found_out() -> None:
    with pytest.raises(NotTheSecret, match="must be"):
        check(bytes(32), round_secret(SECRET, 0))
