"""The log of a table: all of it can be read, others' lost time and absence are in it, and what was missed."""

from random import Random
from typing import Any

import attrs
from support.client.seated_player import player_at, table_at, table_info
from support.client.sessions import gathered, step
from support.server.memory_server import MemoryServer

from parlour.client.boards.text import plain
from parlour.client.language import Texts
from parlour.client.session import Session
from parlour.client.table import Table
from parlour.client.terminal.game.story import Story
from parlour.client.terminal.screen import Screen
from parlour.client.terminal.status import turn
from parlour.protocol import messages as m

EN = Texts("en")


def window(screen: Screen, width: int = 80, height: int = 24) -> str:
    return "\n".join(plain(line) for line in screen.lines(width, height))


async def test_page_up_opens_all_that_has_happened_at_its_end() -> None:
    player, _ = player_at(table_at("balloon-cup", 90))
    screen = Screen(player)
    screen.lines(80, 24)
    first, last = screen.story.sentences[0], screen.story.sentences[-1]
    screen.press("pageup")
    assert "What has happened" in window(screen) and last in window(screen) and first not in window(screen)
    screen.press("up")
    assert last not in window(screen)
    screen.press("home")
    assert first in window(screen)
    screen.press("escape")
    assert "BALLOON CUP" in window(screen)


async def test_a_large_window_has_a_longer_log() -> None:
    player, _ = player_at(table_at("balloon-cup", 60))
    screen = Screen(player)
    told = window(screen, 200, 60)
    assert sum(sentence in told for sentence in screen.story.sentences[-20:]) > 12


# Time


def asked_in_time(ends: float, banks: tuple[float, ...] = (20.0, 20.0)) -> Table:
    """A table at which Ben is asked, until his time ends."""
    table = table_at("balloon-cup", 14)
    clock = m.Clock(now=10.0, ends=(None, ends), banks=banks, graces=(0.0, 0.0))
    return attrs.evolve(table, question=None, awaited=(1,), clock=clock, heard_at=0.0)


def played(table: Table, now: float) -> m.Update:
    news: tuple[dict[str, Any], ...] = (
        {"type": "card_played", "seat": 1, "card": "red-4", "tile": 2, "side": 1},
    )
    clock = m.Clock(now=now, ends=(None, None), banks=(20.0, 0.0), graces=(0.0, 0.0))
    return m.Update("OAK", table.seq + 1, table.view or {}, news, (0,), None, clock, None)


def test_everybody_is_told_whose_time_was_up() -> None:
    table, story = asked_in_time(30.0), Story()
    story.follow(table, EN)
    table.take(played(table, 30.002), 20.0)
    told = story.follow(table, EN)
    assert told == ["Ben ran out of time. This was played instead:", "Ben played red 4 at tile 2."]


def test_nobody_is_said_to_have_run_out_of_time_in_good_time() -> None:
    table, story = asked_in_time(30.0), Story()
    story.follow(table, EN)
    table.take(played(table, 29.9), 20.0)
    assert story.follow(table, EN) == ["Ben played red 4 at tile 2."]


def test_the_clock_tells_the_time_for_a_move_from_the_reserve() -> None:
    table = asked_in_time(50.0)
    assert "Ben 0:20, then 0:20 in reserve" in plain(turn(table, EN, 0.0))
    assert "Ben reserve 0:15" in plain(turn(table, EN, 25.0))
    assert plain(turn(asked_in_time(30.0, (0.0, 0.0)), EN, 0.0)).endswith("Ben 0:20")


# Comings and goings


def test_who_leaves_and_who_comes_back_is_told() -> None:
    table, story = table_at("hurry-cup", 0), Story()
    away = attrs.evolve(table.info.chairs[1], here=False)
    table.info = table_info("hurry-cup", 3, chairs=(table.info.chairs[0], away, table.info.chairs[2]))
    story.follow(table, EN)
    gone = attrs.evolve(table.info.chairs[2], left=True)
    back = attrs.evolve(away, here=True)
    table.info = table_info("hurry-cup", 3, chairs=(table.info.chairs[0], back, gone))
    told = story.follow(table, EN)
    assert told[0] == "Ben is back." and told[1].startswith("Chloe has left the game.") and len(told) == 2
    assert story.follow(table, EN) == []


def test_a_client_that_is_started_anew_is_told_the_last_events() -> None:
    server = MemoryServer()
    id, (ann, bob) = gathered(server, "balloon-cup", 2)
    luck = Random(1)
    ann.do(m.Start, table=id)
    while len(bob.table(id).news) < 60 or ann.table(id).question is None:
        assert step(id, [ann, bob], luck)
    bob.lose()
    assert step(id, [ann], luck)
    old, bob.session = bob.session, Session(token=bob.session.token, looks_back=20)
    bob.connect()
    told = bob.table(id).news
    bob.lose()
    bob.session = old
    bob.connect()
    everything = bob.table(id).news
    assert 20 <= len(told) < len(everything) and told == everything[-len(told) :]
