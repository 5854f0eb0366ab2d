"""The options of a table: settled as the server does, said only where needed, and told in words."""

import itertools
from typing import Any

import pytest
from laws.playing import ALL_KINDS, TableKind

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.options import needed, option_line, option_value, settled, unusual
from parlour.client.boards.text import columns
from parlour.client.language import LANGUAGES, Texts
from parlour.engine.balloon_cup.public import BalloonOptions
from parlour.engine.catalogue import GAMES
from parlour.engine.maps import to_map
from parlour.server.lobby.games import describe

OPTIONS = [
    (info.game, option, value)
    for info in (describe(game, ()) for game in GAMES.values())
    for option in info.options
    for value in option.get("values") or (option["least"], option["most"])
]


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_options_are_settled_as_the_server_settles_them(kind: TableKind) -> None:
    whole = to_map(kind.options)
    said = needed(board_of(kind.game.name).options, whole)
    assert dict(settled(board_of(kind.game.name).options, said)) == whole
    assert to_map(kind.game.read_options(said, kind.seats)) == whole


@pytest.mark.parametrize(
    ("edition", "paid"), list(itertools.product(BalloonOptions.EDITIONS, ["box", "bag"]))
)
def test_an_option_is_said_when_it_is_not_as_the_edition_has_it(edition: str, paid: str) -> None:
    said = needed(BalloonOptions, {"edition": edition, "paid_cubes": paid})
    assert to_map(GAMES["balloon-cup"].read_options(said, 2))["paid_cubes"] == paid
    assert ("paid_cubes" in said) == (BalloonOptions.EDITIONS[edition].get("paid_cubes", "box") != paid)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_of_every_option_has_words_and_fits_a_line(language: str) -> None:
    texts = Texts(language)
    for game, option, value in OPTIONS:
        line = option_line(game, option["option"], value, texts)
        assert "_" not in line and columns([("", line)]) <= 74, line
        if isinstance(value, str) and (language != "en" or "_" in value):
            assert option_value(game, option["option"], value, texts) != value
        assert texts(f"options.{game}.{option['option']}.about")


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_of_an_option_have_words_of_their_own(language: str) -> None:
    texts = Texts(language)
    told: dict[tuple[str, str], list[str]] = {}
    for game, option, value in OPTIONS:
        told.setdefault((game, option["option"]), []).append(
            option_value(game, option["option"], value, texts)
        )
    assert all(len(set(words)) == len(words) for words in told.values())


def test_seats_count_from_1() -> None:
    assert option_value("hurry-cup", "first", 0, Texts("en")) == "seat 1"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, []),
        ({"edition": "italian"}, ["Edition: Italian"]),
        (
            {"edition": "italian", "paid_cubes": "box"},
            ["Edition: Italian", "Cubes paid for a trophy go: out of the game"],
        ),
        ({"first": 1}, ["Who begins: seat 2"]),
    ],
)
def test_what_is_unusual_is_told(options: dict[str, Any], told: list[str]) -> None:
    whole = to_map(GAMES["balloon-cup"].read_options(options, 2))
    assert unusual("balloon-cup", BalloonOptions, whole, Texts("en")) == told
