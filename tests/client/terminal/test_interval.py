"""Between two races of a championship those who play see a page with how everybody stands."""

from typing import Any

import attrs
from support.client.seated_player import player_at, table_at

from parlour.client.boards.text import plain
from parlour.client.language import Texts
from parlour.client.table import Table
from parlour.client.terminal.screen import Screen
from parlour.protocol import messages as m

SCORED = {"type": "race_scored", "race": 1, "points": [4, 8, 2]}


def championship() -> Table:
    """A table whose second race begins."""
    table = table_at("hurry-cup", 0, races=3)
    table.view = {**(table.view or {}), "race": 2, "points": [4, 8, 2]}
    return table


def shown(screen: Screen) -> str:
    return "\n".join(plain(line) for line in screen.lines(80, 24))


def after_a_race(table: Table, **player: Any) -> Screen:
    """The screen of a player who was there when a race ended."""
    screen = Screen(player_at(table, **player)[0])
    shown(screen)
    table.news.append(SCORED)
    return screen


async def test_it_stays_until_a_key_is_pressed_and_that_key_plays_nothing() -> None:
    screen = after_a_race(championship())
    page = shown(screen)
    assert "After race 1 of 3" in page and "Your turn" in page
    places = [line.strip() for line in page.splitlines() if "points in all" in line]
    assert places[0] == "1. Ben, Tony & Anna-Maria: 8 points in all, 8 for this race"
    assert [line.split(",")[0] for line in places] == ["1. Ben", "2. Anna", "3. Chloe"]
    screen.press("enter")
    assert "After race 1 of 3" not in shown(screen)
    assert not screen.player.connection.asked  # type: ignore[union-attr]


async def test_it_is_in_the_language_of_the_player() -> None:
    assert "После гонки 1 из 3" in shown(after_a_race(championship(), texts=Texts("ru")))


async def test_it_is_in_nobodys_way() -> None:
    watching = championship()
    watching.seat, watching.question = None, None
    assert "After race" not in shown(after_a_race(watching))
    over = championship()
    over.result = m.Result((1,), (2, 1, 3), "points", None, (None,) * 3, None)
    over.info = attrs.evolve(over.info, stage="finished")
    assert "After race" not in shown(after_a_race(over))
    coming_back = championship()
    coming_back.news.append(SCORED)
    coming_back.news_missed = True
    assert "After race" not in shown(Screen(player_at(coming_back)[0]))
