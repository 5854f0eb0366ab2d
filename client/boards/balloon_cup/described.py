"""Balloon Cup in sentences, for those who do not see the drawing."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.balloon_cup.news import amount, colour_of, in_order, value_of
from parlour.client.language import Texts
from parlour.engine.balloon_cup import public as p

View = Mapping[str, Any]


def describe(view: View, me: int | None, names: Sequence[str], texts: Texts) -> list[str]:
    near = me or 0
    hand = view["hands"][near]
    held = _cards(hand, texts) if hand and not isinstance(hand, int) else ""
    return [
        *[_tile(tile, near, names, texts) for tile in view["tiles"]],
        *[_purse(view, seat, names[seat], texts) for seat in (near, 1 - near)],
        *([texts("line.hand", cards=held)] if held and me is not None else []),
    ]


def _tile(tile: View, near: int, names: Sequence[str], texts: Texts) -> str:
    mine, theirs = tile["sides"][near], tile["sides"][1 - near]
    return texts(
        "line.tile",
        tile=tile["number"],
        terrain=texts(f"balloon.terrain.{tile['terrain']}"),
        aim=texts(f"balloon.aim.{tile['terrain']}"),
        cubes=_amounts({colour: tile["cubes"].count(colour) for colour in p.COLOURS}, texts),
        near=names[near],
        mine=_cards(mine, texts),
        sum=sum(map(value_of, mine)),
        far=names[1 - near],
        theirs=_cards(theirs, texts),
        other=sum(map(value_of, theirs)),
    )


def _cards(cards: Sequence[p.Card], texts: Texts) -> str:
    told = [texts(f"balloon.stated.{colour_of(card)}", value=value_of(card)) for card in in_order(cards)]
    return texts.listed(told) or texts("board.no_cards")


def _amounts(cubes: Mapping[p.Colour, int], texts: Texts) -> str:
    told = [amount(colour, cubes[colour], texts) for colour in p.COLOURS if cubes.get(colour)]
    return texts.listed(told) or texts("line.none")


def _purse(view: View, seat: int, name: str, texts: Texts) -> str:
    won = [texts(f"balloon.colour.{colour}") for colour in p.COLOURS if view["trophies"].get(colour) == seat]
    trophies = texts.listed(won) or texts("line.none")
    return texts("line.purse", who=name, trophies=trophies, cubes=_amounts(view["cubes"][seat], texts))
