"""Keys with another keyboard layout, or with an input method on."""

import asyncio
from typing import Any

import pytest
from support.client.seated_player import FakeConnection, player_at, table_at

from parlour.client.language import Texts
from parlour.client.table import Table
from parlour.client.terminal.keyboard import same_place, twins
from parlour.client.terminal.menus.menu import Prompt
from parlour.client.terminal.screen import Screen
from parlour.protocol import messages as m

GRAB = ({"type": "grab", "pawn": {"one_of": ["red", "yellow", "green"]}},)


def scrambling(language: str) -> tuple[Screen, FakeConnection]:
    table = table_at("hurry-cup", 0)
    table.question = m.Question(4, "grab", True, GRAB)
    return drawn(table, language)


def drawn(table: Table, language: str) -> tuple[Screen, FakeConnection]:
    player, connection = player_at(table)
    player.texts = Texts(language)
    screen = Screen(player)
    screen.lines(80, 24)
    return screen, connection


async def acted(connection: FakeConnection) -> list[Any]:
    for _ in range(5):
        await asyncio.sleep(0)
    return [fields["action"] for kind, fields in connection.asked if kind is m.Act]


@pytest.mark.parametrize(
    ("language", "key", "pawn"),
    [
        ("en", "y", "yellow"),
        ("en", "Y", "yellow"),
        ("ru", "y", "yellow"),
        ("ru", "ж", "yellow"),
        ("ru", "н", "yellow"),
        ("ru", "К", "red"),
        ("ru", "п", "green"),
        ("it", "g", "green"),
        ("it", "v", "green"),
        ("zh", "ｙ", "yellow"),
        ("zh", "黄", "yellow"),
        ("zh", "绿", "green"),
    ],
)
async def test_a_pawn_is_grabbed_by_its_letter_its_place_or_its_word(
    language: str, key: str, pawn: str
) -> None:
    screen, connection = scrambling(language)
    screen.press(key)
    assert await acted(connection) == [{"type": "grab", "pawn": pawn}]


async def test_a_card_is_typed_with_a_russian_layout() -> None:
    screen, _ = drawn(table_at("balloon-cup", 14), "ru")
    way = screen.move_entry.offers[0].ways[0].casefold()
    places = {latin: letter for letter in "кнпиу" for latin in same_place(letter)}
    for letter in way:
        screen.press(places.get(letter, letter))
    assert screen.move_entry.fitting() == [0]


async def test_menus_take_the_key_in_the_same_place() -> None:
    player, _ = player_at(None)
    screen = Screen(player)
    screen.lines(80, 24)
    screen.press("т")  # n: open a new table
    assert player.places
    screen.lines(80, 24)
    screen.press("й")  # q: back
    assert not player.places


async def test_chat_and_help_open_with_an_input_method_on() -> None:
    screen, _ = drawn(table_at("balloon-cup", 14), "zh")
    screen.press("？")
    assert screen.player.reading is not None
    screen.press("ｑ")
    assert screen.player.reading is None
    screen.press("、")
    assert screen.player.prompt is not None


async def test_what_is_written_stays_as_it_was_typed() -> None:
    player, _ = player_at(None)
    said: list[str] = []
    screen = Screen(player)
    player.prompt = Prompt("", said.append)
    for letter in "йц：ｑ":
        screen.press(letter)
    screen.press("enter")
    assert said == ["йц：ｑ"]


def test_a_key_has_twins_of_other_keyboards() -> None:
    assert twins("q") == ["q", "ｑ", "й"] and twins("1") == ["1", "１"] and twins("left") == ["left"]
