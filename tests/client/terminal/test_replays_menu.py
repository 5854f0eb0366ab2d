"""The list of games that were played: when, with whom, and how each ended for the player."""

from datetime import datetime
from typing import Any

import pytest
from support.client.seated_player import player_at

from parlour.client.terminal.menus.replays import look_back, played
from parlour.protocol import messages as m

ENDED = int(datetime(2026, 11, 17, 20, 15).timestamp() * 1000)


def game(names: list[str], winners: list[int], places: list[int], **more: Any) -> dict[str, Any]:
    usual = {"id": "OAK-1", "game": "balloon-cup", "reason": "trophies", "started": 0, "ended": ENDED}
    seats = {"names": names, "bots": [False] * len(names)}
    return {**usual, **seats, "winners": winners, "places": places, **more}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (game(["Anna", "Ben"], [0], [1, 2]), "Balloon Cup with Ben: you won (trophies)"),
        (game(["Ben", "Anna"], [0], [1, 2]), "Balloon Cup with Ben: you lost (trophies)"),
        (
            game(["Anna", "Ben"], [], [1, 1], reason="locked"),
            "Balloon Cup with Ben: nobody won (no card could be played)",
        ),
        (
            game(["Ben", "Chloe", "Anna"], [1], [3, 1, 2], game="hurry-cup", reason="race"),
            "Hurry' Cup with Ben and Chloe: place 2 of 3",
        ),
    ],
)
async def test_each_game_has_its_date_its_players_and_its_result(row: dict[str, Any], told: str) -> None:
    player, connection = player_at(None)
    connection.answers[m.Played] = {"games": [row]}
    await look_back(player)
    assert player.places[-1]().items[0].words == f"2026-11-17 20:15  {told}"


def test_a_game_of_somebody_else_is_left_out() -> None:
    player, _ = player_at(None)
    menu = played(player, [game(["Ben", "Eve"], [0], [1, 2])])
    assert len(menu.items) == 1 and menu.about
