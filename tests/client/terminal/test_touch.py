"""A click on the board: cards, tiles, cells, pawns and sections narrow the move, or play it."""

import asyncio
import re
import time
from typing import Any

import attrs
import pytest
from support.client.seated_player import FakeConnection, player_at, table_at

from parlour.client.table import Table
from parlour.client.terminal.screen import Screen
from parlour.protocol import messages as m


def seated(table: Table) -> tuple[Screen, FakeConnection]:
    """Drawn once, as before any click."""
    player, connection = player_at(table)
    screen = Screen(player)
    screen.lines(80, 24)
    return screen, connection


def things(screen: Screen, kind: str, size: tuple[int, int] = (80, 24)) -> list[str]:
    """All that can be touched of a kind."""
    styles = [style for line in screen.lines(*size) for style, _ in line]
    found = [re.search(rf"\[press:(thing:{kind}:[^]]+)\]", style) for style in styles]
    return list(dict.fromkeys(each[1] for each in found if each))


async def acted(connection: FakeConnection) -> list[Any]:
    for _ in range(5):
        await asyncio.sleep(0)
    return [fields["action"] for kind, fields in connection.asked if kind is m.Act]


async def test_a_card_and_then_a_tile_are_a_move() -> None:
    screen, connection = seated(table_at("balloon-cup", 14))
    assert len(things(screen, "card")) == 8
    card = screen.move_entry.offers[2].choice
    assert card is not None
    screen.press(f"thing:card:{card.fields['card']}")
    selection = screen.move_entry.selection
    assert selection is not None and selection.settled["card"] == card.fields["card"]
    places = [
        (offer.choice.fields["tile"], offer.choice.fields["side"])
        for offer in screen.move_entry.offers
        if offer.choice
    ]
    tile, side = places[-1]
    screen.press(f"thing:tile:{tile}.{side}")
    (action,) = await acted(connection)
    assert (action["card"], action["tile"], action["side"]) == (card.fields["card"], tile, side)


async def test_another_card_takes_the_place_of_the_first() -> None:
    screen, connection = seated(table_at("balloon-cup", 14))
    cards = [offer.choice.fields["card"] for offer in screen.move_entry.offers if offer.choice]
    for card in cards[:2]:
        screen.press(f"thing:card:{card}")
    assert screen.move_entry.selection is not None and screen.move_entry.selection.settled["card"] == cards[1]
    assert await acted(connection) == []


async def test_a_card_with_one_place_only_is_not_played_before_the_place_was_shown() -> None:
    screen, connection = seated(table_at("balloon-cup", 14))
    only = next(
        offer.choice for offer in screen.move_entry.offers if offer.choice and len(offer.choice.legal) == 1
    )
    screen.press(f"thing:card:{only.fields['card']}")
    assert await acted(connection) == []
    (offer,) = screen.move_entry.offers
    assert f"tile {only.legal[0]['tile']}" in offer.ways[0]
    screen.press("thing:tile:" + str(only.legal[0]["tile"]))
    assert await acted(connection) == [only.legal[0]]


async def test_what_cannot_be_chosen_is_answered_with_what_can() -> None:
    screen, connection = seated(table_at("balloon-cup", 14))
    card = next(iter(screen.move_entry.offers[0].ways))
    screen.press("thing:trophy:red")
    assert (
        screen.move_entry.wrong.startswith("You can't choose that now.") and card in screen.move_entry.wrong
    )
    assert await acted(connection) == []


async def test_a_cell_first_and_then_the_card_are_a_move_as_well() -> None:
    screen, connection = seated(table_at("butterflies", 6))
    cell = next(
        each
        for each in things(screen, "cell")
        if _free(screen, tuple(map(int, each.split(":")[2].split(","))))
    )
    screen.press(cell)
    assert await acted(connection) == []
    cards = [
        offer.choice.fields["card"]
        for offer in screen.move_entry.offers
        if offer.choice and "card" in offer.choice.fields
    ]
    screen.press(f"thing:card:{cards[0]}")
    (action,) = await acted(connection)
    x, y = map(int, cell.split(":")[2].split(","))
    assert (action["type"], action["card"], list(action["at"])) == ("play", cards[0], [x, y])


def _free(screen: Screen, at: tuple[int, ...]) -> bool:
    table = screen.playing
    assert table is not None and table.view is not None
    return at not in [tuple(each["at"]) for each in table.view["grid"]]


async def test_a_pawn_is_grabbed_by_its_die_and_a_section_is_driven_to() -> None:
    table = table_at("hurry-cup", 0)
    legal: tuple[Any, ...] = ({"type": "grab", "pawn": {"one_of": ["red", "blue"]}},)
    table.question = m.Question(4, "grab", True, legal)
    screen, connection = seated(table)
    screen.press("thing:pawn:blue")
    assert await acted(connection) == [{"type": "grab", "pawn": "blue"}]
    assert table.view is not None
    here = table.view["cars"][0]
    legal = (
        {"type": "move", "steps": {"one_of": [1, 2, 3]}, "detour": None},
        {"type": "helmet", "via": "helmet"},
    )
    table.question = m.Question(5, "drive", False, legal)
    screen, connection = seated(table)
    assert f"thing:section:{here + 2}" in things(screen, "section")
    screen.press(f"thing:section:{here + 2}")
    assert await acted(connection) == [{"type": "move", "steps": 2, "detour": None}]


async def test_cards_to_exchange_are_picked_one_by_one_and_put_back() -> None:
    table = table_at("balloon-cup", 14)
    legal = ({"type": "exchange", "cards": {"subset": ["red-1", "red-2", "blue-3"], "min": 1, "max": 4}},)
    table.question = m.Question(4, "exchange", False, legal)
    screen, connection = seated(table)
    for card in ("red-1", "blue-3", "red-1"):
        screen.press(f"thing:card:{card}")
    assert screen.move_entry.picked == ["blue-3"]
    screen.press(f"offer:{len(screen.move_entry.offers) - 1}")
    assert await acted(connection) == [{"type": "exchange", "cards": ["blue-3"]}]


async def test_nothing_is_touched_on_a_board_that_is_old() -> None:
    screen, connection = seated(table_at("balloon-cup", 14))
    screen.player.lost_at = time.monotonic()
    assert things(screen, "card") == []
    screen.press("thing:card:red-1")
    assert await acted(connection) == []


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize(
    ("game", "kind"), [("balloon-cup", "tile"), ("butterflies", "cell"), ("hurry-cup", "section")]
)
async def test_every_place_of_a_board_can_be_touched(game: str, kind: str, size: tuple[int, int]) -> None:
    screen, _ = seated(table_at(game, 14))
    assert len(things(screen, kind, size)) >= {"tile": 8, "cell": 10, "section": 25}[kind]


def asks_why(table: Table, refusal: m.Error | None = None) -> tuple[Screen, FakeConnection]:
    """A click on a card whose places are all closed: the rules have something against it."""
    screen, connection = seated(table)
    connection.refusal = refusal
    legal = ({"type": "play", "card": "red-7", "tile": {"one_of": [1, 2]}, "side": 0},)
    table.question = m.Question(4, "play", False, legal)
    screen.lines(80, 24)
    screen.press("thing:card:grey-4")
    return screen, connection


async def test_the_server_is_asked_why_something_cannot_be_chosen() -> None:
    _, connection = asks_why(table_at("balloon-cup", 14))
    assert await acted(connection) == [{"type": "play", "card": "grey-4", "tile": 1, "side": 0}]


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"why": "not_in_hand", "card": "grey-4"}, "E4 is not in your hand. You can choose: tile 1"),
        ({"why": "no_room", "card": "grey-4", "tile": 1}, "You can't choose that now."),
    ],
)
async def test_a_reason_is_told_if_it_is_about_what_was_touched(facts: dict[str, Any], told: str) -> None:
    """Tile 1 was filled in: whoever touched a card said nothing of a tile."""
    refusal = m.Error(id=1, code="illegal", facts=facts, retry_after=None)
    screen, connection = asks_why(table_at("balloon-cup", 14), refusal)
    await acted(connection)
    assert screen.move_entry.wrong.startswith(told)


async def test_in_a_tournament_nothing_is_tried_out() -> None:
    table = table_at("balloon-cup", 14)
    table.info = attrs.evolve(table.info, tournament="ASPEN")
    screen, connection = asks_why(table)
    assert await acted(connection) == []
    assert screen.move_entry.wrong.startswith("You can't choose that now.")
