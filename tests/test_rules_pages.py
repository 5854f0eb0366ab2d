"""The pages of docs/rules/ have the numbers of the engine: each digit stands in a sentence made here."""

import re
from typing import get_args

import attrs
import pytest
from support.paths import ROOT, TESTS

from parlour.engine.balloon_cup import public as balloon
from parlour.engine.butterflies import public as butterflies
from parlour.engine.catalogue import GAMES
from parlour.engine.hurry_cup import public as hurry
from parlour.engine.hurry_cup.championship import points, race_places
from parlour.engine.hurry_cup.road import TOP_SPEED, pave
from parlour.engine.hurry_cup.track import LEAST_LIMIT
from parlour.engine.match import Cause
from tools.protocol_page import page

RULES = ROOT / "docs" / "rules"
DIE = TOP_SPEED // 2
CARS = (31, 35, hurry.FINISH)
LIMIT = 70
TITLES = {"balloon-cup": "Balloon Cup", "hurry-cup": "Hurry' Cup", "butterflies": "Butterflies"}
TRADED = balloon.CUBES_IN_A_TRADE


def tens() -> int:
    """What the sum of two dice is multiplied with to give a speed."""
    road = pave((hurry.Section(limit=LIMIT), *(hurry.Section(),) * (hurry.LENGTH - 1)))
    return LIMIT // max(dice for dice in range(TOP_SPEED + 1) if not road.signs[dice] >> 1 & 1)


def players(game: str) -> tuple[int, int]:
    return min(GAMES[game].seats), max(GAMES[game].seats)


def balloon_cup() -> list[str]:
    cap = attrs.fields(balloon.BalloonOptions).tile_cap.default
    tiles = ", ".join(f"tile {number} a {terrain}" for number, terrain in balloon.TILES)
    return [
        f"For {players('balloon-cup')[0]} players",
        f"{balloon.TROPHIES_TO_WIN} trophies win",
        f"There are {len(balloon.CARDS)} cards, each of them once, and {sum(balloon.CUBES.values())} cubes",
        f"There are {len(balloon.TILES)} tiles: {tiles.replace('tile 1 a', 'tile 1 shows a')}",
        "beginning with tile 1",
        f"seat 0 gets the first {balloon.HAND}, seat 1 the next {balloon.HAND}",
        f"With `tile_cap` {cap} at most {cap} cubes of one colour may lie on a tile",
        f"a card of value {balloon.WIND} may instead take",
        f"with such a {balloon.WIND} has a card that fits",
        f"discard 1 to {balloon.MOST_EXCHANGED} cards",
        "those of side 0 as they were laid, then those of side 1",
        "the winner is asked again, as in 2",
        f"{TRADED} cubes of one colour whose trophy has been taken, by either player, count as one",
        f"each {TRADED} cubes of one",
        f"give {TRADED} cubes of a colour whose trophy has been taken, and take one cube of another colour",
        f"The {TRADED} cubes leave the game",
        "at once, as in 1.",
        "as the winner when 2 asks you, as the loser when 3 does",
        f"after {balloon.IDLE_LIMIT} turns in a row in which no card was played",
        f"the first {balloon.WIND} that can replace one",
    ]


def hurry_cup() -> list[str]:
    least, most = players("hurry-cup")
    tank = attrs.fields(hurry.HurryOptions).empty_tank.default
    scored = points(CARS)
    return [
        f"For {least} to {most} drivers",
        f"has {hurry.LENGTH} sections, numbered from 1; {hurry.START} is the start",
        f"and {hurry.FINISH} the finish",
        f"a list of {hurry.LENGTH} sections with limits of {LEAST_LIMIT} or more",
        f"All dice have the values 1 to {DIE}",
        "after seat 0 the highest",
        f"fuel counts as {tank} (as the option `empty_tank` says)",
        f"Your **speed** is {tens()} times the sum of fuel and accelerator",
        f"your speed is {tens()} times your fuel alone",
        "**You move** 1 to as many sections as your fuel",
        f"Oil on a section is a limit of {hurry.OIL_LIMIT}",
        f"At {hurry.FINISH} the move is over",
        "you stay (`steps` 0)",
        f"a section from 1 to {hurry.LENGTH} that you entered",
        f"A car that enters {hurry.FINISH} is home",
        f"With the option `races` above {attrs.fields(hurry.HurryOptions).races.default},",
        "the seat that is r - 1 to the left",
        f"and {hurry.POINTS_FOR_FINISHING} more if it is home",
        f"cars at {CARS[0]}, {CARS[1]} and {CARS[2]} they score {scored[0]}, {scored[1]} and {scored[2]}",
    ]


def butterfly_rules() -> list[str]:
    least, most = players("butterflies")
    quiet = attrs.fields(butterflies.ButterflyOptions).quiet_limit
    species, colours = len(butterflies.SPECIES), len(butterflies.COLOURS)
    teams = GAMES["butterflies"].sides(4, butterflies.ButterflyOptions(teams="on"))
    (us, partner), (they, theirs) = teams
    return [
        f"For {least} to {most} players",
        f"There are {len(butterflies.CARDS) * butterflies.COPIES} cards: each of the {species} species "
        + ", ".join(f"`{kind}`" for kind in butterflies.SPECIES),
        f"in each of the {colours} colours "
        + ", ".join(f"`{colour}`" for colour in butterflies.COLOURS)
        + f", {butterflies.COPIES} times",
        f"Each gets {butterflies.HAND} cards",
        f"played at least {butterflies.PLAYED_BEFORE_MOVES} cards",
        "(1 and 2): the first card goes to `[0, 0]`",
        f"A **row** is {butterflies.ROW} or more cards",
        f"for {len(teams) * 2} players, seats {us} and {partner} play against {they} and {theirs}",
        "the winner, or both of the team, in place 1, all others in place 2",
        f"After {quiet.default} quiet turns in a row",
        f"from {quiet.metadata['least']} to {quiet.metadata['most']}",
    ]


def for_all() -> list[str]:
    places = race_places((35, 31, 31, 20), ())
    return [
        "from 0 on",
        "comes seat 0 again",
        "winners in place 1, the others in place 2",
        "those in place 1; in a draw all share place 1",
        "the next one is left out: " + ", ".join(map(str, places)),
    ]


SENTENCES = {
    "README": for_all,
    "balloon-cup": balloon_cup,
    "hurry-cup": hurry_cup,
    "butterflies": butterfly_rules,
}


def text(name: str) -> str:
    return (RULES / f"{name}.md").read_text(encoding="utf-8")


def prose(name: str) -> str:
    """A page without its tables, the numbers of its lists and the targets of its links, in one line."""
    plain = re.sub(r"\]\([^)]*\)", "]", re.sub(r"^\|.*$", "", text(name), flags=re.MULTILINE))
    return " ".join(re.sub(r"^\d+\. ", "", plain, flags=re.MULTILINE).split())


@pytest.mark.parametrize("name", SENTENCES)
def test_every_number_of_a_page_stands_in_a_sentence_that_the_engine_makes(name: str) -> None:
    left = prose(name)
    for sentence in SENTENCES[name]():
        assert sentence in left, sentence
        left = left.replace(sentence, "", 1)
    unheld = re.findall(r".{0,40}\d.{0,20}", left.replace("PROTOCOL.md", ""))
    assert unheld == []


def test_each_game_has_its_page_and_its_cases() -> None:
    pages = {path.stem for path in RULES.glob("*.md")}
    assert pages == set(SENTENCES) == {"README", *GAMES}
    for game in GAMES:
        assert (TESTS / "scenarios" / game).is_dir()
        assert f"(../../tests/scenarios/{game})" in text(game)


def test_the_material_of_balloon_cup_is_that_of_the_engine() -> None:
    rows = page.table(page.section(text("balloon-cup"), "Material"))
    assert [list(row.values()) for row in rows] == [
        [
            f"`{colour}`",
            ", ".join(map(str, balloon.VALUES[colour])),
            str(balloon.CUBES[colour]),
            str(balloon.PRICES[colour]),
        ]
        for colour in balloon.COLOURS
    ]


def test_the_editions_of_balloon_cup_are_those_of_the_engine() -> None:
    rows = page.table(page.section(text("balloon-cup"), "Editions"))
    told = {row["edition"].strip("`"): page.words(row["sets"]) for row in rows}
    assert told == {
        edition: [str(word) for pair in sets.items() for word in pair]
        for edition, sets in balloon.BalloonOptions.EDITIONS.items()
    }


@pytest.mark.parametrize("game", GAMES)
def test_each_option_its_values_and_each_end_are_told(game: str) -> None:
    """Of values those that change something: the first is the default."""
    told = set(page.words(text(game)))
    for option in attrs.fields(GAMES[game].options):
        values = () if option.metadata.get("open") else option.metadata.get("values", ())
        assert {option.name, *(value for value in values[1:] if isinstance(value, str))} <= told
    ends = page.table(page.section(page.text(), f"End of {TITLES[game]}", 4))
    assert {row["reason"].strip("`") for row in ends} - {"forfeit"} <= told


def test_every_cause_of_a_journal_is_told() -> None:
    rows = page.table(page.section(text("README"), "To check a journal"))
    assert [row["cause"].strip("`") for row in rows] == list(get_args(Cause))


def test_the_material_of_hurry_cup_is_in_its_order() -> None:
    told = prose("hurry-cup")
    for words in (hurry.PAWNS, hurry.BONUSES[:-1]):
        assert ", ".join(f"`{word}`" for word in words) in told
    for trump in hurry.TRUMPS:
        assert f"a `{trump}`" in told
