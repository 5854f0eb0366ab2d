"""The rules to be read: in every language, of a bearable length, and with a table's options applied."""

import re
from typing import Any

import pytest
from laws.playing import ALL_KINDS, TableKind

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.hurry_cup.stops import LETTERS
from parlour.client.boards.rules import TOPIC
from parlour.client.boards.text import wrapped
from parlour.client.language import LANGUAGES, Text, Texts, catalogue
from parlour.engine.balloon_cup import public as balloon
from parlour.engine.butterflies import public as butterflies
from parlour.engine.catalogue import GAMES
from parlour.engine.hurry_cup import public as hurry
from parlour.engine.hurry_cup.championship import points
from parlour.engine.maps import to_map
from parlour.protocol import messages as m


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_every_table_has_its_rules_in_every_language(kind: TableKind) -> None:
    for language in LANGUAGES:
        paragraphs = board_of(kind.game.name).rules(to_map(kind.options), Texts(language))
        assert len(paragraphs) >= 15
        assert all(paragraph[-1] in ".。" and "{" not in paragraph for paragraph in paragraphs)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_rules_can_be_read_in_four_screens(name: str, language: str) -> None:
    lines = [line for each in board_of(name).rules({}, Texts(language)) for line in wrapped(each, 78)]
    assert 24 <= len(lines) <= 84


def rules_text(game: str, **options: Any) -> str:
    return " ".join(board_of(game).rules(options))


@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        ("balloon-cup", {"wind": "on"}, "A 7 may also take the place"),
        ("balloon-cup", {"table_cap": "on"}, "stays below the price of its trophy"),
        ("balloon-cup", {"stuck_shows": "colours"}, "the colours of your hand are shown"),
        ("balloon-cup", {"trade": "off"}, "There are no trades"),
        ("balloon-cup", {"paid_cubes": "bag"}, "go back into the bag"),
        ("balloon-cup", {"opponent_side": "own_full"}, "only when your own side of it is full"),
        ("balloon-cup", {"first": 1}, "Seat 2 begins."),
        ("hurry-cup", {"grab": "sealed"}, "secretly ranks the free ones"),
        ("hurry-cup", {"finish": "first"}, "the round is played out and the race is over"),
        ("hurry-cup", {"races": 4}, "There are 4 races"),
        ("hurry-cup", {"empty_tank": 3}, "your fuel counts as 3"),
        ("hurry-cup", {"track": "esterel"}, "is the Esterel"),
        ("hurry-cup", {"track": [{"turn": "left"}] * 36}, "was laid by its host"),
        ("butterflies", {"teams": "on"}, "Seats 1 and 3 play against seats 2 and 4"),
        ("butterflies", {"declare": "auto"}, "Nobody has to declare"),
        ("butterflies", {"quiet_limit": 40}, "After 40 turns in a row"),
    ],
)
def test_an_option_changes_what_the_rules_say(game: str, options: dict[str, Any], sentence: str) -> None:
    assert sentence in rules_text(game, **options) and sentence not in rules_text(game)


def test_a_championship_ends_its_races_with_the_first_car_home() -> None:
    assert "until one car is left" not in rules_text("hurry-cup", races=2, finish="all")


@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        ("hurry-cup", {"races": 2}, "may also be set up as a championship"),
        ("butterflies", {"teams": "on"}, "Four may also play in two teams"),
    ],
)
def test_a_larger_way_to_play_is_named_only_where_it_is_not_chosen(
    game: str, options: dict[str, Any], sentence: str
) -> None:
    assert sentence in rules_text(game) and sentence not in rules_text(game, **options)


@pytest.mark.parametrize("edition", balloon.BalloonOptions.EDITIONS)
def test_an_edition_says_the_same_as_the_options_it_sets(edition: str) -> None:
    whole = to_map(GAMES["balloon-cup"].read_options({"edition": edition}, 2))
    assert rules_text("balloon-cup", edition=edition) == rules_text("balloon-cup", **whole)


def test_an_option_beside_an_edition_wins() -> None:
    assert "go back into the bag" not in rules_text("balloon-cup", edition="italian", paid_cubes="box")


# Facts


def numbers(text: Text) -> list[str]:
    """All numbers that a text tells, in the form that its language uses most."""
    form = text if isinstance(text, str) else list(text.values())[-1]
    return sorted(re.findall(r"\d+", re.sub(r"\{\w+\}", "", form)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_the_same_numbers(language: str) -> None:
    ours, english = catalogue(language, TOPIC), catalogue("en", TOPIC)
    assert {key: numbers(text) for key, text in ours.items()} == {
        key: numbers(text) for key, text in english.items()
    }


def test_balloon_cup_tells_the_cards_cubes_and_prices_that_are_played_with() -> None:
    english = catalogue("en", TOPIC)
    cards = str(english["balloon-cup.cards"]).partition("different.")[2]
    for colour, told in zip(balloon.COLOURS, cards.casefold().split(";"), strict=True):
        values = [int(card.split("-")[1]) for card in balloon.CARDS if card.startswith(colour)]
        said = list(map(int, re.findall(r"\d+", told)))
        assert colour in told and (list(range(said[0], said[-1] + 1)) if " to " in told else said) == values
    trophies = str(english["balloon-cup.trophies"])
    for colour in balloon.COLOURS:
        assert f"{colour} {balloon.PRICES[colour]}" in trophies
        assert re.search(rf"{balloon.CUBES[colour]} {colour}", trophies)


def test_hurry_cup_tells_the_times_points_and_crews_of_the_game() -> None:
    text = rules_text("hurry-cup", races=3)
    assert f"{m.Clocks().scramble:g} seconds" in text
    assert f"{hurry.LENGTH} sections" in text and f"a sign of {hurry.OIL_LIMIT}" in text
    assert points((31, 35, hurry.FINISH)) == (0, 4, 9) and "score 0, 4 and 9" in text
    assert f"counting as {hurry.FINISH}, and {hurry.POINTS_FOR_FINISHING} more" in text
    for letter, crew in zip(LETTERS, hurry.CREWS, strict=True):
        assert f"{letter} {' and '.join(crew.names)} from {crew.country}" in text


def test_butterflies_tells_the_cards_of_the_game() -> None:
    text = rules_text("butterflies")
    assert f"There are {len(butterflies.CARDS) * 2} butterflies" in text
    assert all(word in text for card in butterflies.CARDS for word in card.split("-"))


def test_a_game_of_a_later_server_has_no_rules_here() -> None:
    assert board_of("chess").rules({}) == []
