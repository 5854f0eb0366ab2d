"""The kinds of table that the laws play leave out no number of seats and no value of an option."""

from typing import Any

import attrs
import pytest
from laws.playing import ALL_KINDS, TableKind, every_table, some_tables, values

from parlour.engine.catalogue import GAMES
from parlour.engine.errors import BadOptions

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


def is_usual(game: Any, name: str, value: Any) -> bool:
    """Whether a value changes nothing at any table that allows it."""
    for seats in game.seats:
        try:
            if TableKind(game, seats, {name: value}).options != TableKind(game, seats, {}).options:
                return False
        except BadOptions:
            continue
    return True


@every_game
def test_each_number_of_seats_is_played_with_the_default_options(game: Any) -> None:
    plain = [kind.seats for kind in ALL_KINDS if kind.game is game and not kind.given]
    assert plain == list(game.seats)


@every_game
def test_each_value_of_an_option_that_changes_something_is_played(game: Any) -> None:
    given = [kind.given for kind in ALL_KINDS if kind.game is game]
    for field in attrs.fields(game.options):
        for value in values(field):
            assert {field.name: value} in given or is_usual(game, field.name, value)


@every_game
def test_options_are_spread_over_all_numbers_of_seats(game: Any) -> None:
    spread = [kind.seats for kind in some_tables(game) if kind.given]
    assert set(spread) == set(game.seats)


@every_game
def test_a_soak_plays_the_full_product_of_options_and_seats(game: Any) -> None:
    whole, some = list(map(str, every_table(game))), list(map(str, some_tables(game)))
    assert set(some) <= set(whole)
    assert len(set(whole)) == len(whole)
    assert (len(some) < len(whole)) == (len(game.seats) > 1)
