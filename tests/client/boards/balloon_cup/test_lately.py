"""What has just happened is to be seen: the card that was played last, and a tile that was scored."""

import time
from typing import Any

from support.client.seated_player import player_at, table_at

from parlour.client.boards.balloon_cup.lately import lately
from parlour.client.boards.text import plain
from parlour.client.table import Recent, Table
from parlour.client.terminal.screen import Screen

BEFORE: dict[str, Any] = {
    "tiles": [
        {"number": 1, "terrain": "plain", "cubes": ["red"], "sides": [["red-3"], []]},
        {"number": 2, "terrain": "mountain", "cubes": ["blue", "grey"], "sides": [[], []]},
    ]
}
AFTER = {
    "tiles": [{"number": 1, "terrain": "mountain", "cubes": ["green"], "sides": [[], []]}, BEFORE["tiles"][1]]
}
PLAYED = {"type": "card_played", "seat": 1, "card": "red-9", "tile": 1, "side": 1}
SCORED = {"type": "tile_scored", "tile": 1, "terrain": "plain", "sums": [3, 9], "winner": 0, "cubes": ["red"]}


def test_a_scored_tile_stands_with_the_card_that_completed_it() -> None:
    view = lately(AFTER, [PLAYED, SCORED], [(BEFORE, [PLAYED, SCORED])])
    first, second = view["tiles"]
    assert first["sides"] == [["red-3"], ["red-9"]] and first["winner"] == 0
    assert second == BEFORE["tiles"][1] and view["last_played"] == "red-9"


def test_a_moment_later_the_new_tile_is_there_and_the_last_card_stays_marked() -> None:
    view = lately(AFTER, [PLAYED, SCORED], [])
    assert view["tiles"] == AFTER["tiles"] and view["last_played"] == "red-9"


def test_a_card_that_the_wind_blew_away_is_not_on_the_tile() -> None:
    wind = {"type": "wind_blew", "seat": 1, "card": "red-7", "tile": 1, "side": 0, "replaced": "red-3"}
    view = lately(AFTER, [wind, SCORED], [(BEFORE, [wind, SCORED])])
    assert view["tiles"][0]["sides"] == [["red-7"], []]


def scored(at: float) -> tuple[Table, str]:
    """A table at which tile 1 was scored at a moment, and the sum that stood there."""
    table = table_at("balloon-cup", 14)
    assert table.view is not None
    tiles = table.view["tiles"]
    old = {**tiles[0], "sides": [["red-13"], ["red-12"]], "cubes": ["red"], "terrain": "mountain"}
    news = ({**SCORED, "winner": 1, "tile": tiles[0]["number"]},)
    table.recent = (Recent(at, {**table.view, "tiles": [old, *tiles[1:]]}, news),)
    return table, "★ Ben"


def window(screen: Screen) -> str:
    return "\n".join(plain(line) for line in screen.lines(80, 24))


async def test_it_stands_until_a_key_is_pressed() -> None:
    table, won = scored(at=time.monotonic() + 1000)
    screen = Screen(player_at(table)[0])
    assert won in window(screen)
    table.recent = scored(at=time.monotonic())[0].recent
    screen.press("right")
    assert won not in window(screen)


async def test_it_stands_for_a_moment_only() -> None:
    table, won = scored(at=time.monotonic() - 1000)
    assert won not in window(Screen(player_at(table)[0]))


async def test_whoever_does_not_like_it_turns_it_off() -> None:
    table, won = scored(at=time.monotonic() + 1000)
    player, _ = player_at(table)
    screen = Screen(player)
    screen.press("f10")
    assert "Clear scored tiles at once" in window(screen)
    screen.press("s")
    assert "Keep scored tiles in view for a moment" in window(screen)
    screen.press("g")
    assert not player.settings.linger and won not in window(screen)


def test_a_card_played_at_a_scored_tile_since_is_not_hidden() -> None:
    after = {**PLAYED, "card": "red-9"}
    view = lately(AFTER, [PLAYED, SCORED, after], [(BEFORE, [PLAYED, SCORED]), (AFTER, [after])])
    assert view["tiles"] == AFTER["tiles"]
