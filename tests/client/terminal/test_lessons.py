"""Practice: what has befallen the learner stays in sight until a key is pressed, and no other key plays."""

import attrs
from support.client.seated_player import player_at, table_at

from parlour.client.boards.text import plain
from parlour.client.language import Texts
from parlour.client.table import Table
from parlour.client.terminal.screen import Screen
from parlour.protocol import messages as m

SWAPPED = {"type": "pawns_swapped", "seat": 1, "with": 0}
STAR = {"type": "bonus_taken", "seat": 0, "section": 7, "token": "assist"}
DRIVE = ({"type": "move", "steps": {"one_of": [1, 2, 3]}, "detour": None},)


def learning(practice: bool = True) -> tuple[Table, Screen]:
    table = table_at("hurry-cup", 0)
    table.info = attrs.evolve(table.info, practice=practice)
    table.news.clear()
    screen = Screen(player_at(table, Texts("en"))[0])
    screen.lines(80, 24)
    return table, screen


def happen(table: Table, *news: m.Plain) -> None:
    question = m.Question(9, "drive", False, DRIVE)
    table.take(m.Update("OAK", table.seq + 1, table.view or {}, news, (0,), question, None, None), 0.0)


def foot(screen: Screen) -> str:
    return "\n".join(plain(line) for line in screen.lines(80, 24)[-5:])


async def test_each_is_read_before_the_next_and_before_the_choices() -> None:
    table, screen = learning()
    happen(table, SWAPPED, STAR)
    assert "swapped pawns with you" in foot(screen) and "Enter go on" in foot(screen)
    screen.press("enter")
    assert "You found an assist on section 7. Assist: use your" in foot(screen)
    screen.press(" ")
    assert "3 sections" in foot(screen) and "go on" not in foot(screen)


async def test_other_keys_neither_play_nor_take_it_away() -> None:
    table, screen = learning()
    happen(table, SWAPPED)
    for key in ("3", "d", "right", "tab", "offer:0", "thing:section:5"):
        screen.press(key)
    assert "swapped pawns with you" in foot(screen)
    assert not screen.move_entry.typed
    screen.press("escape")
    assert screen.player.places


async def test_elsewhere_nothing_is_in_the_way() -> None:
    table, screen = learning(practice=False)
    happen(table, SWAPPED, STAR)
    assert "3 sections" in foot(screen)
