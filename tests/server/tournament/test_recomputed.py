"""docs/tournaments.md says enough to work a tournament out again, without any of our code."""

import ast
import inspect
import json
import random
import zipfile
from typing import Any

import attrs
import pytest
from support import recomputed_tournament as again
from support import soak
from support.paths import ROOT
from support.server.tournament_folders import usual
from support.server.tournaments import field, rules, tournament

from parlour.engine.maps import by_word, to_map
from parlour.server.tournament.events import EVENTS, PRIVATE
from parlour.server.tournament.history import Failure, History, Name, Result
from parlour.server.tournament.pairing import pairings
from parlour.server.tournament.ratings import after, to_maps
from parlour.server.tournament.rules import Entry
from parlour.server.tournament.scores import standings
from tools.sample_tournament import PATH

FIELDS = [
    ("round_robin", 2, 5, {}),
    ("round_robin", 2, 6, {"bye": "win"}),
    ("round_robin", 3, 7, {}),
    ("round_robin", 4, 9, {"rounds": 4}),
    ("swiss", 2, 8, {}),
    ("swiss", 2, 9, {"bye": "none"}),
    ("swiss", 2, 5, {"rounds": 7}),
    ("swiss", 3, 10, {"tie_breaks": ("head_to_head", "mean_place", "buchholz")}),
    ("swiss", 2, 12, {"tie_breaks": ("sonneborn_berger",), "entry": Entry(missed="half")}),
    ("knockout", 2, 6, {}),
    ("knockout", 2, 9, {"replays": 1}),
]


def test_nothing_of_ours_is_imported() -> None:
    tree = ast.parse(inspect.getsource(again))
    froms = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert froms == {"collections", "fractions", "itertools", "math", "typing"}


def close(mine: Any, theirs: Any) -> bool:
    """Equal, but for the last digits of floats."""
    if isinstance(mine, dict):
        return mine.keys() == theirs.keys() and all(close(mine[name], theirs[name]) for name in mine)
    if isinstance(mine, float) and theirs is not None:
        return abs(mine - theirs) < 1e-9
    return bool(mine == theirs)


def spoiled(history: History, luck: random.Random) -> History:
    """Some games are forfeited, void, played again on another deal, or missed."""

    def one(result: Result) -> Result:
        loser = luck.choice(result.players)
        places = tuple(2 if name == loser else 1 for name in result.players)
        match luck.randrange(12):
            case 0:
                return attrs.evolve(result, forfeits=(loser,), places=places)
            case 1:
                missed = (Failure(Name(loser), "absent"),)
                return attrs.evolve(result, forfeits=(loser,), places=places, failures=missed)
            case 2:
                return attrs.evolve(result, void=True, places=(1,) * len(places))
            case 3:
                return attrs.evolve(result, spare=40)
            case 4:
                return attrs.evolve(result, forfeits=result.players, places=(1,) * len(places))
        return result

    return attrs.evolve(history, results=tuple(map(one, history.results)))


@pytest.mark.parametrize(("format_", "seats", "size", "more"), FIELDS)
@pytest.mark.parametrize("number", range(soak.count(3, 40)))
def test_pairings_and_standings_follow_from_the_page(
    format_: str, seats: int, size: int, more: dict[str, Any], number: int
) -> None:
    luck = random.Random(f"{format_}{size}{number}")
    under = rules(format_, seats, **more)
    entrants = [
        attrs.evolve(
            entrant, strength=luck.randrange(3), since=luck.choice((1, 1, 1, 2)) if format_ == "swiss" else 1
        )
        for entrant in field(size)
    ]
    history, after_all = tournament(entrants, under, luck, leaving=0.03 * (number % 3))
    plain = under.plain()
    told = to_map(history)
    gone: set[str] = set()
    for count in range(len(history.rounds) + 1):
        so_far = History(history.rounds[:count], tuple(r for r in history.results if r.round <= count))
        # Who has left by now is known from the round that came of it.
        if count < len(history.rounds):
            there = [
                *[n for t in history.rounds[count].tables for n in t.players],
                *history.rounds[count].byes,
            ]
            gone = {
                each.name
                for each in after_all
                if each.gone and each.name not in there and each.since <= count + 1
            }
        else:
            gone = {each.name for each in after_all if each.gone}
        now = [attrs.evolve(each, gone=each.name in gone) for each in after_all]
        theirs = pairings(so_far, now, under)
        args = (
            plain,
            to_map(now),
            told["rounds"][:count],
            [r for r in told["results"] if r["round"] <= count],
        )
        assert again.pairing(*args) == (theirs and to_map(theirs))
    found = spoiled(history, luck)
    mine = again.standings(plain, to_map(after_all), to_map(found)["rounds"], to_map(found)["results"])
    counted = standings(found, after_all, under)
    for line, standing in zip(mine, counted, strict=True):
        assert close(line, {name: attrs.asdict(standing)[name] for name in line})
    rated = to_maps(after({}, found.results))
    assert close(again.ratings({}, to_map(found)["results"]), rated)


# The example of the page

TEXT = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve")


def test_the_example_of_the_page_follows_from_its_formulas() -> None:
    block = TEXT.partition("<!-- worked: results -->")[2].split("```")[1].splitlines()[1:]
    plain = rules("swiss", 2, 2, seed="tea").plain()
    entrants = [{"name": name, "since": 1, "gone": False, "strength": 0} for name in NAMES]
    results = [_read(line) for line in block]
    rounds: list[dict[str, Any]] = []
    for number in (1, 2):
        paired = again.pairing(plain, entrants, rounds, [each for each in results if each["round"] < number])
        assert paired is not None
        rounds.append(paired)
        for table in paired["tables"]:
            at = (number, table["number"], 0)
            (first,) = [each for each in results if (each["round"], each["table"], each["game"]) == at]
            assert first["players"] == table["players"]
    told = table_rows(TEXT.partition("<!-- worked: standings -->")[2])
    for row, line in zip(told, again.standings(plain, entrants, rounds, results), strict=True):
        assert [str(line[name]) for name in ("rank", "name", "points", "games", "wins", "byes")] == row[:6]
        assert [str(line["tie_breaks"][name]) for name in ("buchholz", "sonneborn_berger")] == row[6:8]
        means = (line["share"]["mean"], line["share"]["error"], line["adjusted"]["mean"])
        assert ["-" if value is None else f"{value:.3f}" for value in means] == row[8:]
    cleo = again.ratings({}, results[:1])["Cleo"]
    assert f"{cleo['mean']:.3f} with an error of {cleo['error']:.3f}" in " ".join(TEXT.split())


def _read(line: str) -> dict[str, Any]:
    round_, table, game, one, other, *places = line.split()
    return {
        "round": int(round_),
        "table": int(table),
        "game": int(game),
        "players": [one, other],
        "places": [int(place) for place in places[:2]],
        "forfeits": places[2:3],
        "failures": [],
        "void": False,
        "spare": None,
    }


def table_rows(text: str) -> list[list[str]]:
    lines = text.strip().split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_page_names_every_line_of_the_log_with_its_fields() -> None:
    told = " ".join(TEXT.partition("### The log")[2].partition("### An example")[0].split())
    for word, kind in by_word(EVENTS).items():
        if kind not in PRIVATE:
            assert f"`{word}`" in told
            assert all(f"`{field.name}`" in told for field in attrs.fields(kind))


# The sample that ships


def test_the_sample_folder_is_written_by_the_code_of_today() -> None:
    with zipfile.ZipFile(PATH) as folder:
        found = {name: folder.read(name).decode("utf-8") for name in folder.namelist()}
    assert found == usual(), "made anew by: PYTHONPATH=tests python -m tools.sample_tournament"


def test_the_sample_folder_can_be_worked_out_from_the_page() -> None:
    with zipfile.ZipFile(PATH) as folder:
        plain, told = (json.loads(folder.read(name)) for name in ("tournament.json", "standings.json"))
    rounds = [event["pairing"] for event in plain["events"] if event["type"] == "round_paired"]
    results = [event["result"] for event in plain["events"] if event["type"] == "game_finished"]
    for number, paired in enumerate(rounds):
        known = [each for each in results if each["round"] <= number]
        assert again.pairing(plain["rules"], plain["entrants"], rounds[:number], known) == paired
    before = next(event["ratings"] for event in plain["events"] if event["type"] == "finished")
    rated = again.ratings(before, results)
    for mine, theirs in zip(
        again.standings(plain["rules"], plain["entrants"], rounds, results), told["standings"], strict=True
    ):
        same = ("rank", "name", "points", "games", "wins", "byes", "tie_breaks")
        assert [mine[name] for name in same] == [theirs[name] for name in same]
        for mean in ("share", "adjusted"):
            assert mine[mean]["count"] == theirs[mean]["turns"]
            assert mine[mean]["mean"] == pytest.approx(theirs[mean]["mean"])
        assert rated[mine["name"]]["mean"] == pytest.approx(theirs["rating"]["mean"])
