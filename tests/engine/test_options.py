"""Options: typed, with defaults and editions, and errors that name the field. Run on every game."""

from typing import Any

import attrs
import pytest
from laws.playing import ALL_KINDS, TableKind

from parlour.engine.catalogue import GAMES
from parlour.engine.errors import BadOptions

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


@every_game
def test_an_unknown_option_is_refused_by_name(game: Any) -> None:
    with pytest.raises(BadOptions) as wrong:
        game.read_options({"cheat": "on"}, max(game.seats))
    assert wrong.value.where == "cheat"


@every_game
def test_a_value_that_an_option_does_not_take_is_refused_by_name(game: Any) -> None:
    for field in attrs.fields(game.options):
        for value in ("nonsense", -1, 1.5, True, None, [], {"a": 1}):
            with pytest.raises(BadOptions) as wrong:
                game.read_options({field.name: value}, max(game.seats))
            assert wrong.value.where.split(".")[0] == field.name


@every_game
def test_options_must_be_a_map(game: Any) -> None:
    for plain in (None, [], "edition", 3):
        with pytest.raises(BadOptions):
            game.read_options(plain, max(game.seats))


@every_game
def test_the_first_player_must_sit_at_the_table(game: Any) -> None:
    with pytest.raises(BadOptions) as wrong:
        game.read_options({"first": 9}, max(game.seats))
    assert wrong.value.where == "first"


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_options_round_trip(kind: TableKind) -> None:
    assert kind.game.read_options(kind.options.plain(), kind.seats) == kind.options


def test_an_edition_sets_its_options_and_an_option_beside_it_wins() -> None:
    game = GAMES["balloon-cup"]
    italian = game.read_options({"edition": "italian"}, 2)
    assert (italian.tile_cap, italian.trade, italian.paid_cubes) == ("none", "turn", "bag")
    mixed = game.read_options({"edition": "italian", "trade": "off"}, 2)
    assert (mixed.tile_cap, mixed.trade) == ("none", "off")
