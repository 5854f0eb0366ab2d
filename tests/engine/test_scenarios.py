"""Every scenario file holds, and the runner tells when one does not."""

import json
from pathlib import Path
from typing import Any

import pytest

from parlour.engine.scenario import BadScenario, Failed, Scenario

FOLDER = Path(__file__).parents[1] / "scenarios"
FILES = sorted(FOLDER.rglob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_scenario_holds(file: Path) -> None:
    Scenario.load(file).run()


def test_there_are_scenarios_for_every_game() -> None:
    from parlour.engine.catalogue import GAMES

    assert {file.parent.name for file in FILES} == set(GAMES)


BASE = json.loads((FOLDER / "balloon-cup" / "loser-plays-twice.json").read_text())
PLAY = {"type": "play", "card": "red-9", "tile": 1, "side": 0}


def run(**change: Any) -> None:
    Scenario.read({**BASE, **change}).run()


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([{"seat": 1, "do": PLAY}], "step 1: refused: not_asked"),
        ([{"seat": 0, "do": {**PLAY, "tile": "1"}}], "step 1: tile"),
        ([{"seat": 0, "refuse": PLAY}], "step 1: accepted"),
        ([{"expect": {"idle": 0}}, {"expect": {"idle": 3}}], "step 2: idle is 0, not 3"),
        ([{"expect": {"exchanged": 0}}], "step 1: exchanged is false"),
        ([{"expect": {"nonsense.3": 1}}], "step 1: "),
        ([{"result": {"winners": [0], "reason": "trophies"}}], "step 1: the result is None"),
        ([{"legal": 0, "count": 17}], "legal actions, not 17"),
        ([{"legal": 0, "lacks": [PLAY]}], "step 1: legal"),
        ([{"legal": 0, "has": [{"type": "decline"}]}], "step 1: not legal"),
        ([{"view": 0, "hides": ["red-9"]}], "'red-9'"),
        ([{"view": 1, "shows": {"hands.0": ["red-9"]}}], "hands.0 is 2"),
        ([{"timeout": 1}], "step 1: refused: not_asked"),
        ([{"sing": 1}], "step 1: "),
        ([{"refused": "hands"}], "step 1: accepted"),
        ([{"refused": ["hands"]}], "step 1: refused stands alone"),
        ([{"refused": "hands", "seat": 0}], "step 1: refused stands alone"),
        ([{"expect": {"hands.²": []}}], "step 1: there is no hands.²"),
        ([{"expect": {f"hands.{'9' * 5000}": []}}], "step 1: there is no hands.9"),
    ],
)
def test_a_step_that_does_not_hold_is_named(steps: list[Any], told: str) -> None:
    with pytest.raises(Failed) as failed:
        run(steps=steps, chance=["blue"])
    assert told in str(failed.value)


def test_chance_that_is_left_over_fails_the_scenario() -> None:
    with pytest.raises(Failed, match="were not asked for"):
        run(steps=[], chance=["blue"])


def test_chance_that_is_missing_or_impossible_fails_the_step() -> None:
    for chance in ([], ["red"]):
        with pytest.raises(Failed, match="step 1"):
            run(steps=[{"seat": 0, "do": PLAY}], chance=chance)


def test_a_game_that_could_be_dealt_is_not_refused() -> None:
    with pytest.raises(Failed, match="accepted"):
        run(position=None, options={}, steps=[{"refused": "trade"}], chance=[])


def test_what_is_nested_too_deeply_is_no_scenario(tmp_path: Path) -> None:
    file = tmp_path / "deep.json"
    for depth in (40, 900, 100_000):
        deep = "[" * depth + "]" * depth
        file.write_text(
            f'{{"game": "butterflies", "players": 2, "steps": [{{"expect": {{"grid": {deep}}}}}]}}'
        )
        with pytest.raises(BadScenario, match="nested too deeply"):
            Scenario.load(file)


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"},
        {"players": 3},
        {"players": "2"},
        {"steps": {}},
        {"steps": [3]},
        {"position": []},
        {"chance": 4},
        {"title": 3},
        {"tittle": "x"},
    ],
)
def test_what_is_not_a_scenario_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadScenario):
        run(**change)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_what_is_not_even_json_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "case.json"
    file.write_bytes(content)
    with pytest.raises(BadScenario):
        Scenario.load(file)
