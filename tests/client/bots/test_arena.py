"""The arena: duplicate deals, the same games from the same seed, and honest intervals."""

import json
import math
import sys
from pathlib import Path

import pytest
from support.paths import ROOT

from parlour.client.bots import arena
from parlour.client.bots.arena import BadMatchup, Matchup, Pace, play_block, play_blocks, share
from parlour.client.bots.score import Score
from parlour.client.cli.main import main
from parlour.engine.game import Outcome
from parlour.engine.secret import Seat


def matchup(first: str = "greedy", second: str = "random", seed: str = "7") -> Matchup:
    return Matchup.of(first, second, "balloon-cup", None, seed, {})


# Games


def test_the_same_seed_gives_the_same_games() -> None:
    shares = [play_block(matchup("random"), number).shares for number in range(6)]
    assert shares == [play_block(matchup("random"), number).shares for number in range(6)]
    assert shares != [play_block(matchup("random", seed="8"), number).shares for number in range(6)]


def test_any_number_of_processes_plays_the_same_games() -> None:
    alone, many = (list(play_blocks(matchup("random"), 4, processes)) for processes in (1, 2))
    assert [block.shares for block in alone] == [block.shares for block in many]
    assert [block.number for block in many] == [0, 1, 2, 3]


@pytest.mark.parametrize(("game", "seats"), [("balloon-cup", 2), ("hurry-cup", 5), ("butterflies", 3)])
def test_the_measured_strategy_has_every_seat_once_in_a_deal(game: str, seats: int) -> None:
    block = play_block(Matchup.of("greedy", "random", game, seats, "1", {}), 0)
    assert len(block.shares) == seats
    assert all(pace.moves > 0 and pace.seconds > 0 for pace in block.paces)


def test_a_strategy_against_itself_scores_par_in_the_long_run() -> None:
    means = [sum(block.shares) / 2 for block in play_blocks(matchup("random"), 60, 1)]
    score = Score.of(means, 2)
    assert score.low < 0.5 < score.high


def test_the_options_of_the_game_are_played() -> None:
    plain, windy = (
        play_block(Matchup.of("random", "random", "balloon-cup", 2, "1", options), 0)
        for options in ({}, {"wind": "on"})
    )
    assert [pace.moves for pace in plain.paces] != [pace.moves for pace in windy.paces]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("oracle", "random", "balloon-cup", None, {}), "there is no strategy 'oracle'"),
        (("random", "random", "chess", None, {}), "there is no game 'chess'"),
        (("random", "random", "hurry-cup", 2, {}), "hurry-cup is for 3, 4, 5, 6 players, not 2"),
        (("random", "random", "hurry-cup", 3, {"races": 0}), "options: races"),
    ],
)
def test_a_contest_that_cannot_be_held_says_why(
    given: tuple[str, str, str, int, dict[str, int]], told: str
) -> None:
    first, second, game, seats, options = given
    with pytest.raises(BadMatchup, match=told):
        Matchup.of(first, second, game, seats, "1", options)


# Scores


@pytest.mark.parametrize(
    ("winners", "places", "shares"),
    [
        ((0,), (1, 2, 3), [1.0, 0.0, 0.0]),
        ((0, 2), (1, 3, 1), [0.5, 0.0, 0.5]),
        ((), (1, 1, 1), [1 / 3, 1 / 3, 1 / 3]),
    ],
)
def test_a_win_is_shared_by_the_winners_and_a_draw_by_all(
    winners: tuple[int, ...], places: tuple[int, ...], shares: list[float]
) -> None:
    outcome = Outcome(tuple(map(Seat, winners)), "race", places)
    assert [share(outcome, seat) for seat in range(3)] == shares


def test_an_interval_holds_the_share_and_narrows_with_more_deals() -> None:
    few, many = Score.of([1.0, 0.5, 0.5, 1.0], 2), Score.of([1.0, 0.5, 0.5, 1.0] * 25, 2)
    assert few.mean == many.mean == 0.75
    assert few.low < many.low < 0.75 < many.high < few.high


def test_wins_alone_leave_some_doubt() -> None:
    assert Score.of([1.0] * 10, 2).low < Score.of([1.0] * 100, 2).low < 1.0


def test_the_interval_of_many_fair_games_is_that_of_the_textbook() -> None:
    score = Score.of([0.0, 1.0] * 200, 2)
    assert score.low == pytest.approx(0.5 - 1.96 * math.sqrt(0.25 / 400), abs=0.001)
    assert score.high == pytest.approx(0.5 + 1.96 * math.sqrt(0.25 / 400), abs=0.001)


def test_elo_is_nothing_at_par_and_400_at_ten_to_one() -> None:
    assert Score(2, 0.5, 0.4, 0.6).elo(0.5) == pytest.approx(0.0)
    assert Score(4, 0.25, 0.2, 0.3).elo(0.25) == pytest.approx(0.0)
    assert Score(2, 0.5, 0.4, 0.6).elo(10 / 11) == pytest.approx(400.0)
    assert Score(2, 1.0, 0.9, 1.0).elo(1.0) is None


def test_paces_add_up() -> None:
    assert Pace(2, 1.0, 0.75) + Pace(1, 0.5, 0.5) == Pace(3, 1.5, 0.75)


# The command


def test_the_command_prints_score_interval_elo_and_time(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "greedy", "random", "--game", "balloon-cup", "--games", "5", "--workers", "1"]
    assert main(words) == 0
    out, err = capsys.readouterr()
    title, score, elo, *times = out.splitlines()
    assert title == ("greedy against random: balloon-cup, 6 games (3 deals with every seat), seed 1")
    assert score.startswith("score ") and "95% interval" in score and score.endswith("(par 50%)")
    assert elo.startswith("Elo ")
    assert [line.split()[:4] for line in times] == [
        ["time", "per", "move:", name] for name in ("greedy", "random")
    ]
    assert err == ""


def test_the_command_prints_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "hurry-cup", "--seats", "4", "--games", "4", "--workers", "1", "--json"]
    assert main(["arena", "random", "random", *words, "--options", '{"grab": "sealed"}']) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["games"], report["deals"], report["par"]) == (4, 1, 0.25)
    assert report["options"] == {"grab": "sealed"}
    assert report["interval"][0] <= report["score"] <= report["interval"][1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["oracle", "random", "--game", "balloon-cup"], "there is no strategy 'oracle'"),
        (["random", "random", "--game", "chess"], "there is no game 'chess'"),
        (["random", "random", "--game", "balloon-cup", "--games", "none"], "--games"),
        (["random", "random", "--game", "balloon-cup", "--options", "[1]"], "must be a JSON map"),
        (["random", "random", "--game", "balloon-cup", "--options", '{"wind": 1}'], "options: wind"),
    ],
)
def test_what_is_wrong_with_a_contest_is_told_in_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1 and told in err


def test_a_program_plays_in_the_place_of_a_strategy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    program = f"{sys.executable} {ROOT / 'examples' / 'by_lines.py'}"
    words = ["arena", "--exec", program, "random", "--game", "butterflies", "--games", "2", "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["games"], told["strategies"][0]["name"]) == (2, program)
    assert told["strategies"][0]["moves"] > 0


def test_a_program_that_plays_what_is_not_legal_is_told_which_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    turn = json.loads(line)['turn']\n"
        "    print(json.dumps({'type': 'act', 'turn': turn, 'action': {'type': 'fly'}}), flush=True)\n"
    )
    words = ["arena", "--exec", f"{sys.executable} {wrong}", "random", "--game", "butterflies"]
    assert main(words) == 1
    assert "an action was refused at turn 1: " in capsys.readouterr().err


def test_a_program_that_never_answers_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(arena, "PATIENCE", 0.01)
    words = ["arena", "--exec", "cat", "random", "--game", "butterflies", "--games", "2", "--workers", "1"]
    assert main(words) == 1
    assert "no answer to turn 1 within 0.01 s; its stderr is in cat.stderr" in capsys.readouterr().err


def test_the_arena_wants_two_strategies_or_a_program_and_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "random", "--game", "butterflies"]) == 2
    assert main(["arena", "random", "greedy", "--exec", "x", "--game", "butterflies"]) == 2
    assert "give two strategies, or --exec CMD" in capsys.readouterr().err
