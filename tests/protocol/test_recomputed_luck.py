"""PROTOCOL.md says enough to work every deal out again: `recomputed_luck.py` knows nothing but the page."""

import ast
import inspect
import json
from collections import Counter
from typing import Any

import pytest
from support import recomputed_luck
from support.paths import ROOT
from support.recomputed_luck import GAMES, Luck, refill, seed

FOLDER = ROOT / "protocol" / "vectors"


def vectors(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found


def test_nothing_of_ours_is_imported() -> None:
    tree = ast.parse(inspect.getsource(recomputed_luck))
    froms = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert froms == {"collections", "pathlib", "typing"}


def shown(game: str, position: dict[str, Any]) -> dict[str, Any]:
    """What the position has of a deal, with a hand of Butterflies in any order."""
    if game == "balloon-cup":
        return {**position, "tiles": [tile["cubes"] for tile in position["tiles"]]}
    if game == "butterflies":
        return {**position, "hands": [sorted(hand) for hand in position["hands"]]}
    return position


@pytest.mark.parametrize("vector", vectors("deals.json"), ids=lambda vector: vector["name"])
def test_a_deal_can_be_worked_out_from_the_page(vector: dict[str, Any]) -> None:
    luck = Luck(seed(bytes.fromhex(vector["secret"]), vector["nonces"]))
    mine = GAMES[vector["game"]](luck, vector["seats"], vector["options"])
    theirs = shown(vector["game"], vector["position"])
    assert mine == {name: theirs[name] for name in mine}


@pytest.mark.parametrize("vector", vectors("refills.json"), ids=lambda vector: vector["name"])
def test_a_tile_can_be_filled_by_the_page(vector: dict[str, Any]) -> None:
    luck, bag = Luck(bytes.fromhex(vector["seed"]), {"bag": vector["index"]}), Counter(vector["bag"])
    caps = vector["tile_cap"], vector["table_cap"]
    assert refill(luck, bag, vector["tile"], vector["others"], *caps) == (vector["cubes"], vector["draws"])
    assert {colour: bag[colour] for colour in vector["left"]} == vector["left"]


def test_vectors_have_cubes_that_go_back_and_caps_that_are_waived() -> None:
    found = vectors("refills.json")
    assert any(len(vector["draws"]) > vector["tile"] for vector in found)
    assert any(vector["tile_cap"] == 2 and max(Counter(vector["cubes"]).values()) > 2 for vector in found)


@pytest.mark.parametrize("vector", vectors("late.json"))
def test_a_late_driver_gets_the_pawn_of_the_page(vector: dict[str, Any]) -> None:
    luck = Luck(bytes.fromhex(vector["seed"]), {vector["stream"]: vector["index"]})
    assert luck.draw(vector["stream"], vector["free"]) == vector["pawn"]
