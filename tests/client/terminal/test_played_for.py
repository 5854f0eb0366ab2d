"""A player whose time was up too often is played for: the screen says so, and a key brings the seat back."""

import io

import attrs
import pytest
from support.client.seated_player import FakeConnection, player_at, table_at

from parlour.client.boards.text import columns, plain
from parlour.client.language import LANGUAGES, Texts
from parlour.client.table import Table
from parlour.client.terminal.line_mode import LineMode, Voice
from parlour.client.terminal.player import Player
from parlour.client.terminal.screen import Screen
from parlour.protocol import messages as m

GAMES = {"balloon-cup": 14, "hurry-cup": 30, "butterflies": 14}
TEXTS = Texts("en")


def played_for(game: str = "balloon-cup", **more: bool) -> Table:
    table = table_at(game, GAMES[game])
    own, *others = table.info.chairs
    assert own is not None
    chairs = (attrs.evolve(own, **{"stand_in": True, **more}), *others)
    return attrs.evolve(table, info=attrs.evolve(table.info, chairs=chairs))


def returned(connection: FakeConnection, table: Table) -> bool:
    """Whether the server was told that the player is here, and nothing else."""
    return connection.asked == [(m.Resume, {"table": table.id, "after": table.seq})]


def shown(player: Player, width: int = 80, height: int = 24) -> str:
    lines = Screen(player).lines(width, height)
    assert len(lines) == height and max(map(columns, lines)) <= width
    return " ".join(" ".join(plain(line) for line in lines).split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20)])
@pytest.mark.parametrize("game", GAMES)
async def test_every_board_says_that_one_is_played_for(
    game: str, size: tuple[int, int], language: str
) -> None:
    player, _ = player_at(played_for(game), Texts(language))
    assert player.texts("absence.own_key") in shown(player, *size)


@pytest.mark.parametrize("key", ["enter", "x", "left", "escape", "offer:0"])
async def test_any_key_brings_the_seat_back_and_does_nothing_else(key: str) -> None:
    table = played_for()
    player, connection = player_at(table)
    screen = Screen(player)
    screen.press(key)
    assert returned(connection, table) and screen.playing is table
    assert TEXTS("absence.own_returned") in shown(player)


async def test_going_back_to_the_game_brings_the_seat_back() -> None:
    table = played_for()
    player, connection = player_at(table)
    player.look_at(None)
    assert connection.asked == []
    player.look_at(table.id)
    assert returned(connection, table)


@pytest.mark.parametrize("more", [{"stand_in": False}, {"left": True}])
async def test_who_is_not_played_for_or_has_left_has_nothing_to_take_back(more: dict[str, bool]) -> None:
    table = played_for(**more)
    player, connection = player_at(table)
    assert TEXTS("absence.own_key") not in shown(player)
    Screen(player).press("left")
    player.look_at(table.id)
    assert connection.asked == []


async def test_plain_lines_say_it_once_and_enter_brings_the_seat_back() -> None:
    table = played_for()
    player, connection = player_at(table)
    said = io.StringIO()
    mode = LineMode(player, Voice(said))
    lines = iter(["\n", ""])
    await mode.run(lambda: next(lines))
    assert said.getvalue().count(TEXTS("absence.own_line")) == 1
    assert TEXTS("absence.own_returned") in said.getvalue()
    assert returned(connection, table)
