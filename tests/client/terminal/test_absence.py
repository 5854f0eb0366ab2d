"""Somebody loses the connection in a game: the others see it, and may have a bot play meanwhile."""

import time
from typing import Any

import attrs
import pytest
from support.client.seated_player import player_at, table_at

from parlour.client.boards.text import columns, plain
from parlour.client.language import LANGUAGES, Texts
from parlour.client.table import Table
from parlour.client.terminal.game.story import Story
from parlour.client.terminal.menus.table import pause
from parlour.client.terminal.screen import Screen
from parlour.protocol import messages as m

GAMES = {"balloon-cup": 14, "hurry-cup": 30, "butterflies": 14}
TEXTS = Texts("en")


def without(table: Table, seconds: float, **more: Any) -> Table:
    """The table so many seconds after the player of seat 1 was lost; host is seat 0."""
    chairs = list(table.info.chairs)
    chair, host = chairs[1], chairs[0]
    assert chair is not None and host is not None
    chairs[1] = attrs.evolve(chair, name="Bob", bot=False, here=False, away_since=100.0, **more)
    info = attrs.evolve(table.info, chairs=tuple(chairs), stage="playing", host=host.name)
    count = len(chairs)
    clock = m.Clock(100.0 + seconds, (None,) * count, (0.0,) * count, (60.0,) * count)
    return attrs.evolve(table, info=info, clock=clock, heard_at=time.monotonic())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20)])
@pytest.mark.parametrize("game", GAMES)
async def test_every_board_shows_who_is_away_and_since_when(
    game: str, size: tuple[int, int], language: str
) -> None:
    player, _ = player_at(without(table_at(game, GAMES[game]), 75.0), Texts(language))
    lines = Screen(player).lines(*size)
    assert len(lines) == size[1] and max(map(columns, lines)) <= size[0]
    shown = " ".join("\n".join(plain(line) for line in lines).split())
    assert " ".join(player.texts("absence.lost_since", name="Bob", time="1:15").split()) in shown


async def test_the_host_is_offered_to_wait_a_bot_or_the_end() -> None:
    table = without(table_at("balloon-cup", 14), 61.0)
    player, _ = player_at(table, TEXTS)
    player.games = (m.GameInfo("balloon-cup", (2,), (), ("random", "greedy")),)
    words = [item.words for item in pause(player, table).items]
    assert TEXTS("absence.end", name="Bob") in words
    assert [each for each in words if each.startswith("Let a bot play for Bob")]
    early = without(table, 30.0)
    assert TEXTS("absence.end", name="Bob") not in [item.words for item in pause(player, early).items]
    played = without(table, 30.0, substitute="Bot Ada")
    assert TEXTS("absence.take_out", bot="Bot Ada", name="Bob") in [
        item.words for item in pause(player, played).items
    ]


async def test_who_is_no_host_is_not_offered_what_only_the_host_may_do() -> None:
    table = without(table_at("balloon-cup", 14), 61.0)
    table = attrs.evolve(table, info=attrs.evolve(table.info, host="Somebody"))
    player, _ = player_at(table, TEXTS)
    assert not [item for item in pause(player, table).items if "Bob" in item.words]
    assert TEXTS("absence.others", key="Esc") in "\n".join(
        plain(line) for line in Screen(player).lines(120, 40)
    )


def test_news_tell_who_chose_even_to_the_player_who_was_away() -> None:
    table = table_at("balloon-cup", 14)
    news = [each for each in table.news if each.get("seat") == table.seat and each["type"] == "card_played"][
        :1
    ]
    assert news
    own = attrs.evolve(table, news=news, chosen_by={})
    (spoken, *_) = Story().follow(own, TEXTS)
    played = attrs.evolve(table, news=news, chosen_by={0: {table.seat: "Bot Ada"}})
    (told, *_) = Story().follow(played, TEXTS)
    assert told != spoken and "Bot Ada (for " in told
