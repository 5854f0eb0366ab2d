"""Hints: what a strategy would play and why, thought out elsewhere, told in words, and where allowed."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from support.client.seated_player import player_at, table_at, table_info
from support.server.recorded_games import recorded

from parlour.client import hint as asking
from parlour.client.boards.moves import MoveContext
from parlour.client.boards.text import columns, plain
from parlour.client.bots import maker
from parlour.client.bots.hint_maker import FEW, make_hints
from parlour.client.cli.main import main
from parlour.client.decision import Decision
from parlour.client.hint import Hint, NoHint, ask_for_hints
from parlour.client.language import ENGLISH, LANGUAGES, Texts
from parlour.client.table import Table
from parlour.client.terminal.game import hints as hinting
from parlour.client.terminal.game.hint_texts import action_words, sentences, why
from parlour.client.terminal.screen import Screen
from parlour.server.records.replay_file import write

GAMES = {"balloon-cup": 14, "hurry-cup": 30, "butterflies": 14}
MEASURES = ("tried", "chance", "rounds", "rows", "only", "any")
PATIENCE = 30.0


def decision_at(game: str) -> Decision:
    table = table_at(game, GAMES[game])
    assert table.view is not None and table.question is not None
    return Decision.at(table, table.view, table.question)


# What a strategy thinks


@pytest.mark.parametrize("strategy", ["greedy", "search:60"])
@pytest.mark.parametrize("game", GAMES)
def test_the_first_hint_is_what_the_bot_plays(game: str, strategy: str) -> None:
    decision = decision_at(game)
    found = make_hints(decision, strategy, Random(4))
    assert 1 <= len(found) <= FEW
    assert found[0]["action"] == maker(strategy)(Random(4)).choose(decision)
    assert all(each["measure"] in MEASURES for each in found)


def test_a_search_tells_how_many_games_it_tried_out() -> None:
    first, *others = make_hints(decision_at("balloon-cup"), "search:200", Random(1))
    assert first["measure"] == "tried" and 0 <= first["evaluation"] <= 1
    assert all(first["games"] >= other["games"] > 0 for other in others)


def test_random_likes_nothing_better_than_anything_else() -> None:
    decision = decision_at("butterflies")
    (only,) = make_hints(decision, "random", Random(1))
    assert only["measure"] == "any" and only["action"] in list(decision.every())


# In a process of its own


async def test_another_process_thinks() -> None:
    found = await ask_for_hints(decision_at("balloon-cup"), "greedy")
    assert [each.measure for each in found] == ["chance"] * FEW
    assert found[0].evaluation >= found[-1].evaluation


async def test_a_strategy_that_is_not_there_is_told() -> None:
    with pytest.raises(NoHint, match="there is no strategy 'oracle'"):
        await ask_for_hints(decision_at("balloon-cup"), "oracle")


async def test_whoever_stops_waiting_stops_the_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: asyncio.Future[asyncio.subprocess.Process] = asyncio.get_running_loop().create_future()
    start = asyncio.create_subprocess_exec

    async def watched(*words: Any, **more: Any) -> asyncio.subprocess.Process:
        begun.set_result(await start(*words, **more))
        return begun.result()

    monkeypatch.setattr(asking.asyncio, "create_subprocess_exec", watched)
    waiting = asyncio.create_task(ask_for_hints(decision_at("balloon-cup"), "search:600s"))
    async with asyncio.timeout(PATIENCE):
        thinking = await begun
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert thinking.returncode is not None


# In words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_has_words(measure: str, language: str) -> None:
    assert why(Hint({}, measure, 0.4, 21), Texts(language))


@pytest.mark.parametrize("game", GAMES)
def test_actions_are_told_as_the_client_tells_them(game: str) -> None:
    decision = decision_at(game)
    found = [Hint(**each) for each in make_hints(decision, "greedy", Random(1))]
    context = MoveContext(game, 0, ("Anna", "Ben", "Cleo"), decision.view, ENGLISH)
    told = sentences(found, context)
    assert all(
        line.startswith(f"{action_words(hint.action, context)}: ")
        for line, hint in zip(told, found, strict=True)
    )


def context_of(game: str, view: dict[str, Any]) -> MoveContext:
    return MoveContext(game, 0, ("Anna", "Ben"), view, ENGLISH)


TILE = {"number": 2, "terrain": "mountain", "cubes": ["red", "blue"], "sides": [[], ["red-9"]]}
PLAY = {"type": "play", "tile": 2, "side": 0}


@pytest.mark.parametrize(
    ("sides", "action", "told"),
    [
        ([[], ["red-9"]], {**PLAY, "card": "red-11"}, "keeps tile 2: 11 beats their 9"),
        ([[], ["red-9"]], {**PLAY, "card": "red-1"}, "tile 2: 1 against their 9"),
        ([[], []], {**PLAY, "card": "red-11"}, "gives you 11 at tile 2"),
        ([["blue-1"], []], {**PLAY, "card": "red-12"}, "gives you 13 at tile 2"),
        ([["red-11"], []], {**PLAY, "side": 1, "card": "red-1"}, "spoils their side: 1 to your 11"),
        ([["red-11"], []], {**PLAY, "side": 1, "card": "red-10"}, "helps them: 10 to your 11"),
        ([["red-11"], []], {**PLAY, "side": 1, "card": "red-7"}, "tile 2: 11 against their 7"),
        (
            [["red-11"], ["red-9", "blue-9"]],
            {**PLAY, "card": "blue-7"},
            "wins tile 2: 18 each, yours is the last card",
        ),
        (
            [["red-11"], ["red-9", "blue-3"]],
            {**PLAY, "card": "blue-7"},
            "wins tile 2: 18 beats their 12",
        ),
    ],
)
def test_a_hint_says_why_in_the_words_of_balloon_cup(
    sides: list[list[str]], action: dict[str, Any], told: str
) -> None:
    view = {"tiles": [{**TILE, "sides": sides}]}
    (line,) = sentences([Hint(action, "tried", 0.61, 240)], context_of("balloon-cup", view))
    assert line.endswith(f": {told} (wins 61%)")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("sides", "side", "card"),
    [
        ([[], []], 0, "red-13"),
        ([[], []], 1, "red-13"),
        ([[], ["red-10"]], 0, "red-13"),
        ([[], ["red-13"]], 0, "red-10"),
        ([["red-13"], []], 1, "red-10"),
        ([["red-13"], ["red-10", "blue-11"]], 0, "blue-13"),
        ([["red-10"], ["red-13", "blue-13"]], 0, "blue-11"),
    ],
)
def test_a_hint_and_its_reason_fit_a_line_of_80_columns(
    sides: list[list[str]], side: int, card: str, language: str
) -> None:
    context = attrs.evolve(
        context_of("balloon-cup", {"tiles": [{**TILE, "sides": sides}]}), texts=Texts(language)
    )
    (line,) = sentences([Hint({**PLAY, "side": side, "card": card}, "tried", 0.61, 240)], context)
    assert columns([("", f" {line}")]) <= 80


def test_a_hint_says_why_in_the_words_of_hurry_cup() -> None:
    view = {
        "cars": [3, 5],
        "finished": [],
        "dice": {"red": 4},
        "accelerator": 2,
        "bonuses": [[], []],
    }
    drive = Hint({"type": "move", "steps": 3, "detour": None}, "rounds", 5.2, 0)
    pawn = Hint({"type": "grab", "pawn": "red"}, "rounds", 4.9, 0)
    told = sentences([drive, pawn], context_of("hurry-cup", view))
    assert "drives to section 6, place 1 of 2 (about 5.2" in told[0] and "fuel 4, accelerator 2 (" in told[1]


def test_a_hint_says_why_in_the_words_of_butterflies() -> None:
    grid = [{"at": [x, 0], "card": "monarch-red", "token": None} for x in (0, 1)]
    view = {"grid": grid, "goals": [{"colour": "red", "species": "morpho"}, {}], "turned": "peacock-red"}
    play = Hint({"type": "play", "card": "peacock-red", "at": [2, 0], "declare": None}, "rows", 1.5, 0)
    turned = Hint({"type": "place", "at": [0, 5], "declare": None}, "rows", 0.2, 0)
    told = sentences([play, turned], context_of("butterflies", view))
    assert "brings your goal red to 3 of 4 (" in told[0] and "brings" not in told[1]


def test_hints_whose_figures_do_not_differ_are_about_equal() -> None:
    hints = [Hint({"type": "decline"}, "tried", share, 100) for share in (0.5012, 0.4988)]
    told = sentences(hints, context_of("balloon-cup", {"tiles": []}))
    assert [line.rpartition(": ")[2] for line in told] == ["about equal"] * 2
    told = sentences(
        [hints[0], attrs.evolve(hints[1], evaluation=0.4)], context_of("balloon-cup", {"tiles": []})
    )
    assert "about equal" not in " ".join(told)


# At a table


async def pressed(table: Table) -> tuple[Screen, str]:
    """The key, and what stands on the screen when all is done."""
    player, _ = player_at(table)
    screen = Screen(player)
    screen.lines(80, 24)
    screen.press("f3")
    noticed = player.notice
    async with asyncio.timeout(PATIENCE):
        while player.busy:
            await asyncio.sleep(0.01)
    return screen, noticed


async def test_the_key_shows_what_the_strategy_would_play(monkeypatch: pytest.MonkeyPatch) -> None:
    async def found(decision: Decision, _strategy: str) -> list[Hint]:
        return [Hint(next(decision.every()), "tried", 0.61, 240)]

    monkeypatch.setattr(hinting, "ask_for_hints", found)
    screen, noticed = await pressed(table_at("balloon-cup", 14))
    assert noticed == "A bot of level “hard” is thinking about your move…"
    window = [plain(line) for line in screen.lines(80, 24)]
    assert any("(wins 61%)" in line for line in window[-4:])
    assert "BALLOON CUP" in window[0] and any("▸" in line for line in window[-4:])
    tall = "\n".join(plain(line) for line in screen.lines(80, 40))
    assert "What a bot of level “hard” would play" in tall
    screen.press("right")
    assert screen.player.hints is not None
    screen.press("escape")
    assert screen.player.hints is None


@pytest.mark.parametrize("more", [{"hints": False}, {"tournament": "OPEN"}])
async def test_there_are_no_hints_where_the_table_forbids_them(more: dict[str, Any]) -> None:
    table = table_at("balloon-cup", 14)
    table.info = table_info("balloon-cup", 2, **more)
    screen, noticed = await pressed(table)
    assert noticed == "There are no hints at this table."
    assert screen.player.hints is None


async def test_there_is_no_hint_for_somebody_elses_turn() -> None:
    table = table_at("balloon-cup", 14)
    table.question = None
    screen, noticed = await pressed(table)
    assert noticed.startswith("It is not your turn")
    assert screen.player.hints is None


@pytest.mark.parametrize(
    ("more", "offered"), [({}, True), ({"hints": False}, False), ({"tournament": "OPEN"}, False)]
)
async def test_the_menu_of_a_game_offers_a_hint_where_there_is_one(
    more: dict[str, Any], offered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def found(decision: Decision, _strategy: str) -> list[Hint]:
        return [Hint(next(decision.every()), "tried", 0.61, 240)]

    monkeypatch.setattr(hinting, "ask_for_hints", found)
    table = table_at("balloon-cup", 14)
    table.info = table_info("balloon-cup", 2, **more)
    player, _ = player_at(table)
    screen = Screen(player)
    screen.lines(80, 24)
    screen.press("f10")
    assert ("Ask for a hint (F3)" in {item.words for item in screen.menu().items}) is offered
    if offered:
        screen.press("f")
        assert player.notice == "A bot of level “hard” is thinking about your move…" and not player.places


async def test_a_hint_that_comes_too_late_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_at("balloon-cup", 14)

    async def late(_decision: Decision, _strategy: str) -> list[Hint]:
        table.question = None
        return [Hint({"type": "decline"}, "only", 0.0, 0)]

    monkeypatch.setattr(hinting, "ask_for_hints", late)
    screen, _ = await pressed(table)
    assert screen.player.hints is None and not screen.player.notice


# For a game that was played


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "one.parlour.json"
    path.write_text(write(recorded("balloon-cup", 2)), encoding="utf-8")
    return str(path)


def test_a_moment_of_a_replay_is_looked_into(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", file, "--at", "6", "--strategy", "medium"]) == 0
    heading, *best, played = capsys.readouterr().out.splitlines()
    assert heading == "After move 6: Anna to choose."
    assert len(best) == FEW and all("(wins " in line or "about equal" in line for line in best)
    assert played.startswith("What was played: play ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--strategy", "oracle"], "parlour: --strategy: there is no strategy 'oracle'"),
        (["--at", "9999"], "parlour: --at: must be from 0 to"),
        (["--as", "Nobody"], "parlour: --as: "),
        (["--at", "6", "--as", "Ben"], "parlour: That player had nothing to choose after move 6"),
        (["--as", "spectator"], "parlour: That player had nothing to choose"),
    ],
)
def test_what_cannot_be_looked_into_is_told(
    file: str, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", file, *words]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(told) and not said.out
