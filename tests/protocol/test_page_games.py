"""The parts of PROTOCOL.md on each game say what its classes and rules do."""

import re
from typing import Any, Literal, get_args, get_origin

import attrs
import pytest
from laws.playing import ALL_KINDS

from parlour.engine.balloon_cup import public as balloon_cup
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.game import Game
from parlour.engine.maps import word
from parlour.engine.match import Match
from tools.protocol_page import page
from tools.protocol_page.kinds import fields_of, listed, names_of, parts_of
from tools.protocol_page.raised import reasons

PAGE = page.text()
TITLES = {"balloon-cup": "Balloon Cup", "hurry-cup": "Hurry' Cup", "butterflies": "Butterflies"}
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.name))


def part(game: Game[Any, Any, Any], heading: str) -> str:
    """A section of the part of a game; `*` in the heading is its title."""
    return page.section(PAGE, heading.replace("*", TITLES[game.name]), 4)


@every_game
def test_the_options_of_a_game_are_those_of_its_class(game: Game[Any, Any, Any]) -> None:
    rows = page.table(part(game, "Options of *"))
    told = [(row["option"], row["values"]) for row in rows]
    assert told == [(f"`{field.name}`", values(field)) for field in attrs.fields(game.options)]


def values(field: "attrs.Attribute[Any]") -> str:
    about = field.metadata
    if "values" not in about:
        return f"`{field.default}`, from {about['least']} to {about['most']}"
    assert field.default == about["values"][0]
    return ", ".join(f"`{value}`" for value in about["values"]) + (", or a list" if about.get("open") else "")


@every_game
def test_the_words_and_parts_of_a_game_are_those_of_its_classes(game: Game[Any, Any, Any]) -> None:
    known = names_of(game)
    words, parts = page.tables(part(game, "Words of *"))
    kinds = parts_of([game.view_class, *game.actions, *game.news], known)
    assert {row["part"]: row["fields"] for row in parts} == {
        name: listed(kind, known) for name, kind in kinds.items()
    }
    written = " ".join(
        listed(kind, known) for kind in (game.view_class, *game.actions, *game.news, *kinds.values())
    )
    used = {
        name: ", ".join(f"`{value}`" for value in get_args(hint))
        for hint, name in known.items()
        if get_origin(hint) is Literal and re.search(rf"\b{name}\b", written)
    }
    assert {row["word"]: row["one of"] for row in words} == used


@every_game
def test_the_fields_of_a_view_are_those_of_its_class(game: Game[Any, Any, Any]) -> None:
    rows = page.table(part(game, "View of *"))
    told = [(row["field"].strip("`"), row["type"]) for row in rows]
    assert told == fields_of(game.view_class, names_of(game))


@every_game
def test_the_actions_and_news_of_a_game_are_those_of_its_classes(game: Game[Any, Any, Any]) -> None:
    actions, _ = page.tables(part(game, "Actions of *"))
    news = page.table(part(game, "News of *"))
    for rows, head, kinds in ((actions, "action", game.actions), (news, "news", game.news)):
        told = [(row[head], row["fields"]) for row in rows]
        assert told == [(f"`{word(kind)}`", listed(kind, names_of(game))) for kind in kinds]


@every_game
def test_the_reasons_of_a_refusal_are_those_of_the_rules(game: Game[Any, Any, Any]) -> None:
    _, rows = page.tables(part(game, "Actions of *"))
    told = {row["why"].strip("`"): set(page.words(row["facts"])) for row in rows}
    assert told == reasons(game.name)


@every_game
def test_the_seats_of_a_game_are_told(game: Game[Any, Any, Any]) -> None:
    seats = ", ".join(map(str, game.seats))
    assert f"`game` is `{game.name}`; seats: {seats}.\n" in page.section(PAGE, TITLES[game.name], 3)


def played(kind: Any, secret: bytes) -> list[tuple[Any, str, str]]:
    """Every state of a random game, with the phase and who was asked what there."""
    game = kind.game
    match: Match[Any, Any, Any] = Match.start(game, kind.seats, kind.options, Seeded(secret))
    whims, found = Seeded(secret), [(match.state, "", "")]
    while match.awaited:
        seat = whims.draw("seat", sorted(match.awaited))
        choices = game.legal(match.state, seat)
        action = choices[whims.roll("action", choices.count) - 1]
        found.append((match.state, match.deadline.phase if match.deadline else "", word(type(action))))
        match.act(seat, action)
    found.append((match.state, "", match.outcome.reason if match.outcome else ""))
    return found


@every_game
def test_phases_reasons_and_hidden_fields_are_those_that_games_show(game: Game[Any, Any, Any]) -> None:
    """What random games of every kind come across stands in the page."""
    actions, _ = page.tables(part(game, "Actions of *"))
    told = {(phase, row["action"].strip("`")) for row in actions for phase in page.words(row["in phase"])}
    ends = {row["reason"].strip("`") for row in page.table(part(game, "End of *"))}
    secrets = {row["field"].strip("`") for row in page.table(part(game, "Hidden in *"))}
    assert "forfeit" in ends
    hidden: set[str] = set()
    for kind in ALL_KINDS:
        if kind.game is game:
            *states, last = played(kind, bytes([7] * 32))
            assert {(phase, action) for _, phase, action in states[1:]} <= told
            assert last[2] in ends
            hidden.update(path.split(".")[0] for state, _, _ in states for path in game.hidden(state))
    assert hidden == secrets


def test_the_editions_of_balloon_cup_are_those_of_the_code() -> None:
    row = page.table(part(GAMES["balloon-cup"], "Options of *"))[0]
    for edition, settings in balloon_cup.BalloonOptions.EDITIONS.items():
        sets = ", ".join(f"`{option}` `{value}`" for option, value in settings.items())
        assert re.search(rf"`{edition}` sets {sets}(;|$)", row["meaning"])


def test_the_cards_and_prices_of_balloon_cup_are_those_of_the_code() -> None:
    text = " ".join(page.section(PAGE, "Balloon Cup", 3).split())
    assert balloon_cup.VALUES["red"] == tuple(range(1, 14)) and "Red has the values 1 to 13;" in text
    for colour in balloon_cup.COLOURS[1:]:
        assert f"{colour} {' '.join(map(str, balloon_cup.VALUES[colour]))}" in text
    assert ", ".join(f"{colour} {price}" for colour, price in balloon_cup.PRICES.items()) in text
    assert text.count(f"{balloon_cup.IDLE_LIMIT} ") >= 2
