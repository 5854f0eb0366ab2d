"""Rules of a tournament: read strictly, and refused by the name of the field."""

from typing import Any

import pytest

from parlour.server.tournament.rules import Failures
from parlour.server.tournament.rules_reading import BadRules, from_toml, make

TOML = """
name = "Friday cup"
game = "hurry-cup"
format = "swiss"
seats = 4
rounds = 5
games = 8
seed = "2030-05"
starts = 2030-05-01T19:00:00Z
tables = 6
tie_breaks = ["mean_place", "head_to_head"]

[options]

[clocks]
decision = 10
bank = 60

[entry]
who = "named"
names = ["ada", "bob"]
most = 64
late = 2
missed = "half"

[failures]
late = "default"
illegal = "strike"
"""
LEAST: dict[str, Any] = {"name": "Cup", "game": "balloon-cup", "format": "swiss", "seed": "s"}


def test_rules_come_from_toml() -> None:
    rules = from_toml(TOML)
    assert (rules.game, rules.format, rules.seats, rules.rounds, rules.games) == (
        "hurry-cup",
        "swiss",
        4,
        5,
        8,
    )
    assert (rules.clocks.decision, rules.clocks.bank) == (10.0, 60.0)
    assert rules.entry.names == ("ada", "bob")
    assert rules.failures == Failures(illegal="strike")
    assert rules.starts == 1903892400
    assert rules.breaks() == ("mean_place", "head_to_head")


@pytest.mark.parametrize("rules", [from_toml(TOML), make(LEAST)])
def test_rules_written_as_a_map_are_the_same_rules(rules: Any) -> None:
    assert make(rules.plain()) == rules


def test_a_table_plays_as_many_games_as_it_has_seats_unless_told_otherwise() -> None:
    assert make({**LEAST, "game": "hurry-cup", "seats": 5}).games == 5


def test_tie_breaks_fit_the_number_of_seats() -> None:
    assert make(LEAST).breaks() == ("buchholz", "sonneborn_berger", "head_to_head")
    assert make({**LEAST, "game": "hurry-cup", "seats": 3}).breaks() == ("mean_place",)


@pytest.mark.parametrize(
    ("change", "where", "told"),
    [
        ({"name": ""}, "name", "1 to 60"),
        ({"name": "two\nlines"}, "name", "one line"),
        ({"game": "chess"}, "game", "balloon-cup"),
        ({"format": "ladder"}, "format", "round_robin, swiss, knockout"),
        ({"seats": 3}, "seats", "one of 2"),
        ({"seats": True}, "seats", "whole number"),
        ({"rounds": 0}, "rounds", "from 1"),
        ({"games": 3}, "games", "multiple of the 2 seats"),
        ({"seed": ""}, "seed", "1 to 64"),
        ({"tables": 0}, "tables", "from 1"),
        ({"starts": "tomorrow"}, "starts", "a time like"),
        ({"starts": "2030-05-01T19:00:00"}, "starts", "offset"),
        ({"options": {"wings": 2}}, "options.wings", "not an option"),
        ({"options": []}, "options", "a map"),
        ({"name": "  "}, "name", "1 to 60 letters"),
        ({"seed": "a\x1b[31m"}, "seed", "on one line"),
        ({"entry": {"who": "named", "names": ["Ada", "B\x1b[31m"]}}, "entry.names.1", "on one line"),
        ({"starts": -1}, "starts", "from 0"),
        ({"starts": 2**53 - 1}, "starts", "from 0"),
        ({"clocks": {"decision": "soon"}}, "clocks.decision", "seconds"),
        ({"clocks": {"decision": float("nan")}}, "clocks.decision", "0.5 to"),
        ({"clocks": {"tick": 1}}, "clocks.tick", "not a field"),
        ({"clocks": {"late": "forgive"}}, "clocks.late", "stand_in"),
        ({"entry": {"who": "cats"}}, "entry.who", "people, bots"),
        ({"entry": {"who": "named"}}, "entry.names", "named"),
        ({"entry": {"names": ["ada"]}}, "entry.names", "named"),
        ({"entry": {"most": 201}}, "entry.most", "to 200"),
        ({"entry": {"least": 1}}, "entry.least", "from 2"),
        ({"entry": {"least": 9, "most": 8}}, "entry.most", "from 9"),
        ({"failures": {"late": "shrug"}}, "failures.late", "default, loss, strike"),
        ({"failures": {"rude": "loss"}}, "failures.rude", "not a field"),
        ({"failures": {"strikes": 0}}, "failures.strikes", "from 1"),
        ({"tie_breaks": ["dice"]}, "tie_breaks.0", "buchholz"),
        ({"tie_breaks": ["buchholz", "buchholz"]}, "tie_breaks", "twice"),
        ({"format": "knockout", "rounds": 3}, "rounds", "leave them out"),
        ({"format": "knockout", "game": "hurry-cup", "seats": 3}, "format", "two seats"),
        ({"format": "round_robin", "entry": {"late": 1}}, "entry.late", "only a swiss"),
        ({"prize": 100}, "prize", "not a field"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], where: str, told: str) -> None:
    with pytest.raises(BadRules, match=told) as wrong:
        make({**LEAST, **change})
    assert wrong.value.where == where


@pytest.mark.parametrize("missing", list(LEAST))
def test_what_must_be_there_is_missed(missing: str) -> None:
    with pytest.raises(BadRules, match=f"{missing}: is missing"):
        make({name: value for name, value in LEAST.items() if name != missing})


@pytest.mark.parametrize("given", [None, [], "rules", 3])
def test_what_is_no_map_is_refused(given: object) -> None:
    with pytest.raises(BadRules, match="must be a map"):
        make(given)


def test_what_is_no_toml_is_refused_with_its_place() -> None:
    with pytest.raises(BadRules, match="line 1"):
        from_toml("name = = 3")


def test_clocks_of_which_some_are_left_out_still_run() -> None:
    clocks = make({**LEAST, "clocks": {"grace": 5}}).clocks
    assert (clocks.decision, clocks.grace) == (20.0, 5.0)
    assert make({**LEAST, "clocks": {"decision": None}}).clocks.decision is None
