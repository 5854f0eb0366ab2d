"""Greedy bots: what they see, what they do in clear positions, and that they beat chance by far."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import attrs
import pytest
from support.client.decisions import decision_at

from parlour.client.bots import maker
from parlour.client.bots.arena import Matchup, Player, play, play_block
from parlour.client.bots.greedy import GreedyBot
from parlour.client.bots.position import Position
from parlour.client.bots.score import Score
from parlour.engine.butterflies.public import GoalDeclared
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import SECRET_BYTES, Seeded
from parlour.engine.match import Match
from parlour.engine.secret import Seat


def answer(
    name: str, position: Mapping[str, Any], seats: int = 2, seat: int = 0, strategy: str = "greedy"
) -> Mapping[str, Any]:
    """What a strategy does in a position."""
    game = GAMES[name]
    state = game.from_position(position, seats, game.read_options({}, seats))
    action: Any = maker(strategy)(Random("the same")).choose(decision_at(game, state, Seat(seat)))
    return dict(action)


# What it sees


@attrs.frozen
class Elsewhere(Position):
    """Sees the same, and imagines another world."""

    def world(self, luck: Random) -> Any:
        luck.randbytes(SECRET_BYTES)
        return self.game.imagine(self.view, self.seat, Seeded(b"another world, as good as this.."))


@pytest.mark.parametrize("name", GAMES)
def test_what_it_imagines_of_hidden_things_does_not_change_what_it_plays(name: str) -> None:
    game = GAMES[name]
    seats = game.seats[0]
    match = Match.start(game, seats, game.read_options({}, seats), Seeded(bytes(32)))
    looked = 0
    while match.awaited and looked < 60:
        seat = min(match.awaited)
        here = Position.of(decision_at(game, match.state, seat))
        elsewhere = Elsewhere(here.game, here.seat, here.view, here.choices, here.until)
        action = GreedyBot(Random(looked)).rank(here)[0].action
        assert GreedyBot(Random(looked)).rank(elsewhere)[0].action == action
        match.act(seat, action)
        looked += 1
    assert looked > 10


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("strategy", ["random", "greedy", "search:8"])
def test_what_a_bot_answers_can_be_sent(name: str, strategy: str) -> None:
    game = GAMES[name]
    seats = game.seats[-1]
    match = Match.start(game, seats, game.read_options({}, seats), Seeded(bytes(32)))
    for _ in range(12):
        seat = min(match.awaited)
        action = maker(strategy)(Random(1)).choose(decision_at(game, match.state, seat))
        assert json.loads(json.dumps(action)) == json.loads(json.dumps(dict(action)))  # type: ignore[arg-type]
        match.act(seat, game.read_action(json.loads(json.dumps(action))))


# Clear positions


def test_it_takes_the_third_trophy() -> None:
    position = {
        "tiles": [{"number": 1, "terrain": "plain", "cubes": ["red"], "sides": [[], []]}],
        "hands": [["red-2"], ["red-5"]],
        "cubes": [{"grey": 2, "red": 3, "yellow": 3}, {}],
        "trophies": {"red": 0, "green": 0},
        "to_act": [0],
        "phase": "claim",
        "scored": {"winner": 0, "loser": 1, "by": 0},
    }
    claim = answer("balloon-cup", position)
    assert (claim["type"], claim["trophy"]) == ("claim", "grey")


def test_it_completes_a_tile_that_it_wins_by_that() -> None:
    position = {
        "tiles": [
            {"number": 1, "terrain": "plain", "cubes": ["red"], "sides": [[], ["red-9"]]},
            {
                "number": 2,
                "terrain": "mountain",
                "cubes": ["grey", "blue"],
                "sides": [["grey-10"], ["grey-4", "blue-3"]],
            },
        ],
        "hands": [["red-12", "blue-11"], ["red-5"]],
        "cubes": [{"grey": 2}, {}],
        "to_act": [0],
        "phase": "play",
    }
    assert answer("balloon-cup", position) == {"type": "play", "card": "blue-11", "tile": 2, "side": 0}


def test_it_spoils_the_opponents_side_with_a_card_that_is_bad_there() -> None:
    position = {
        "tiles": [
            {"number": 1, "terrain": "mountain", "cubes": ["red"], "sides": [["red-13"], []]},
        ],
        "hands": [["red-1", "red-12"], ["red-5"]],
        "to_act": [0],
        "phase": "play",
    }
    assert answer("balloon-cup", position) == {"type": "play", "card": "red-1", "tile": 1, "side": 1}


GOALS = [{"colour": "red", "species": "monarch"}, {"colour": "blue", "species": "morpho"}]


def test_it_completes_a_row_and_declares_it() -> None:
    reds = ["swallowtail-red", "morpho-red", "peacock-red"]
    position = {
        "grid": [{"at": [x, 0], "card": card} for x, card in enumerate(reds)],
        "hands": [["monarch-red", "morpho-blue"], ["peacock-green", "peacock-blue"]],
        "goals": GOALS,
        "to_act": [0],
        "phase": "act",
    }
    action = answer("butterflies", position)
    assert action["card"] == "monarch-red" and action["at"][0] in (-1, 3)
    assert action["declare"] == {"goal": "colour", "seat": 0}


def test_it_declares_a_row_that_is_there() -> None:
    reds = ["swallowtail-red", "morpho-red", "peacock-red", "monarch-red"]
    position = {
        "grid": [{"at": [x, 0], "card": card} for x, card in enumerate(reds)],
        "hands": [["monarch-blue", "morpho-blue"], ["peacock-green", "peacock-blue"]],
        "goals": GOALS,
        "to_act": [0],
        "phase": "act",
    }
    assert answer("butterflies", position) == {"type": "declare", "goal": "colour", "seat": 0}


def test_it_blocks_a_row_of_a_goal_that_it_has_seen() -> None:
    blues = ["swallowtail-blue", "monarch-blue", "peacock-blue"]
    position = {
        "grid": [
            {"at": [-1, 0], "card": "monarch-green"},
            *({"at": [x, 0], "card": card} for x, card in enumerate(blues)),
        ],
        "hands": [["swallowtail-yellow", "morpho-green"], ["peacock-green", "peacock-yellow"]],
        "goals": GOALS,
        "shown": [[], ["colour"]],
        "to_act": [0],
        "phase": "act",
    }
    assert answer("butterflies", position)["at"] == (3, 0)


def test_it_takes_the_die_that_brings_it_furthest() -> None:
    position = {
        "cars": [3, 5, 8],
        "accelerator": 1,
        "dice": {"red": 2, "yellow": 6, "green": 3},
        "phase": "grab",
        "to_act": [0, 1, 2],
    }
    assert answer("hurry-cup", position, seats=3) == {"type": "grab", "pawn": "yellow"}


def test_it_drives_home_when_it_can() -> None:
    position = {
        "cars": [33, 5, 8],
        "accelerator": 1,
        "dice": {"red": 2, "yellow": 6, "green": 3},
        "pawns": ["yellow", "red", "green"],
        "phase": "drive",
        "to_act": [0],
    }
    assert answer("hurry-cup", position, seats=3) == {"type": "move", "steps": 4, "detour": None}


# Strength


@pytest.mark.parametrize(
    ("game", "seats", "blocks", "bar"),
    [("balloon-cup", 2, 25, 0.85), ("butterflies", 2, 25, 0.85), ("hurry-cup", 4, 10, 0.6)],
)
def test_greedy_beats_chance_by_far(game: str, seats: int, blocks: int, bar: float) -> None:
    matchup = Matchup.of("greedy", "random", game, seats, "strength", {})
    means = [sum(shares) / seats for shares in (play_block(matchup, n).shares for n in range(blocks))]
    assert Score.of(means, seats).low > bar


@pytest.mark.parametrize(
    ("stronger", "game", "seats", "blocks", "bar"),
    [
        ("casual", "balloon-cup", 2, 25, 0.75),
        ("casual", "butterflies", 2, 25, 0.75),
        ("casual", "hurry-cup", 3, 10, 0.5),
        ("greedy", "balloon-cup", 2, 25, 0.6),
        ("greedy", "butterflies", 2, 25, 0.6),
        ("greedy", "hurry-cup", 4, 25, 0.3),
    ],
)
def test_easy_stands_between_chance_and_medium(
    stronger: str, game: str, seats: int, blocks: int, bar: float
) -> None:
    weaker = "random" if stronger == "casual" else "casual"
    matchup = Matchup.of(stronger, weaker, game, seats, "strength", {})
    means = [sum(shares) / seats for shares in (play_block(matchup, n).shares for n in range(blocks))]
    assert Score.of(means, seats).low > bar


@pytest.mark.parametrize("strategy", ["casual", "greedy", "search:8"])
def test_no_bot_declares_a_row_that_is_not_there(strategy: str) -> None:
    game = GAMES["butterflies"]
    met: list[bool] = []
    for deal in range(4):
        seats = game.seats[deal % len(game.seats)]
        match = Match.start(game, seats, game.read_options({}, seats), Seeded(bytes([deal] * 32)))
        bots = [maker(strategy)(Random(f"{deal} {seat}")) for seat in range(seats)]
        while match.awaited:
            seat = min(match.awaited)
            action: Any = bots[seat].choose(decision_at(game, match.state, seat))
            beats = match.act(seat, game.read_action(action)).beats
            met += [each.met for beat in beats for each in beat.news if isinstance(each, GoalDeclared)]
    assert met and all(met)


@pytest.mark.parametrize("strategy", ["casual", "greedy"])
def test_drivers_at_the_start_do_not_all_honk_at_once(strategy: str) -> None:
    game = GAMES["hurry-cup"]
    honks: list[int] = []
    for race in range(10):
        match = Match.start(game, 4, game.read_options({}, 4), Seeded(bytes([race] * 32)))
        bots = [maker(strategy)(Random(f"{race} {seat}")) for seat in range(4)]
        while match.awaited and match.state.round < 4:
            seat = min(match.awaited)
            phase, number = match.state.phase, match.state.round
            action: Any = bots[seat].choose(decision_at(game, match.state, seat))
            if phase == "horn" and action["type"] == "honk":
                honks.append(race * 10 + number)
            match.act(seat, game.read_action(action))
    assert honks and max(map(honks.count, honks)) < 4


def test_a_greedy_bot_without_luck_of_its_own_plays_too() -> None:
    game = GAMES["balloon-cup"]
    match = Match.start(game, 2, game.read_options({}, 2), Seeded(bytes(32)))
    seat = min(match.awaited)
    action: Any = GreedyBot().choose(decision_at(game, match.state, seat))
    assert game.read_action(action) in game.legal(match.state, seat)


@pytest.mark.parametrize("strategy", ["greedy", "casual", "search:20"])
def test_no_card_is_moved_back_to_a_grid_that_was_there(strategy: str) -> None:
    game = GAMES["butterflies"]
    moved = 0
    for number in range(6):
        players = [Player(maker(strategy)(Random(f"{number}/{seat}")), Seat(seat)) for seat in range(2)]
        play(game, game.read_options({}, 2), bytes([number] * SECRET_BYTES), players)
        grid: dict[tuple[int, int], str] = {}
        seen: list[Mapping[tuple[int, int], str]] = []
        for piece in players[0].news:
            match piece:
                case {"type": "card_played" | "card_placed", "card": card, "at": at}:
                    grid = {**grid, tuple(at): card}
                    seen = [grid]
                case {"type": "card_moved", "card": card, "from": from_, "to": to}:
                    grid = {**{at: each for at, each in grid.items() if at != tuple(from_)}, tuple(to): card}
                    assert grid not in seen
                    seen.append(grid)
                    moved += 1
    assert moved
