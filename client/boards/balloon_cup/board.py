"""Balloon Cup as text: the table in 80 columns and 19 lines.

Seats of the viewer's own side are at the bottom. A card is `R13`, an open place for a red card `r··`, a cube
`[R]`; the letter of each colour stands beside its name at the trophies.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from parlour.client.boards.balloon_cup.news import LETTERS, colour_of, in_order, short, size, value_of, words
from parlour.client.boards.press import touchable
from parlour.client.boards.room import LEAST, Room, fitted
from parlour.client.boards.text import WIDTH, Line, centred, clipped, columns, joined, padded, spread
from parlour.client.language import ENGLISH, Texts
from parlour.engine.balloon_cup import public as p

__all__ = ["LETTERS", "draw", "short", "words"]

View = Mapping[str, Any]
GROUND: Mapping[p.Terrain, tuple[str, str]] = {"plain": ("▁▁▁", "▁▁▁"), "mountain": ("/\\", "/\\")}
"""What is drawn to the left and to the right of a terrain's name."""
TILE = 19
"""Columns of one tile, frame included."""
NAME = 12
TROPHY = 13


def draw(
    view: View,
    me: int | None,
    names: Sequence[str],
    room: Room = LEAST,
    legal: Sequence[Mapping[str, Any]] = (),
    chosen: Mapping[str, Any] | None = None,
    texts: Texts = ENGLISH,
) -> list[Line]:
    """The whole table; `me` sits at the bottom, or seat 0 for a spectator. Tiles to play at have a plus."""
    opened = {tile for action in legal for tile in _tiles_of(action)}
    aims = set(_tiles_of(chosen or {}))
    return fitted(room, lambda: _table(view, me, names, opened, aims, texts), texts)


def _tiles_of(action: Mapping[str, Any]) -> list[int]:
    match action.get("tile"):
        case None:
            return []
        case {"one_of": tiles}:
            return list(tiles)
        case tile:
            return [tile]


def _table(
    view: View,
    me: int | None,
    names: Sequence[str],
    opened: Collection[int],
    aims: Collection[int],
    texts: Texts,
) -> list[Line]:
    near = me or 0
    far = 1 - near
    return [
        _title(view, texts),
        [],
        _hand(view, far, me, names, texts),
        *_tiles(view, far, near, opened, aims, texts),
        _hand(view, near, me, names, texts),
        [],
        _prices(view, texts),
        _cubes(view, far, names),
        _cubes(view, near, names),
        _bag(view, texts),
        [],
        _turn(view, names, texts),
    ]


def _title(view: View, texts: Texts) -> Line:
    piles: Line = [("", texts("balloon.piles", deck=size(view["deck"]), discard=len(view["discard"])))]
    title: Line = [("class:title", f" {texts('game.balloon-cup').upper()}")]
    return [*padded(title, WIDTH - 1 - columns(piles)), *piles]


def _card(card: p.Card) -> Line:
    return touchable("card", card, [(f"class:card.{colour_of(card)}", short(card))])


def _cards(cards: Sequence[p.Card]) -> Line:
    """A hand, sorted, with a wider gap between colours."""
    groups = [[card for card in in_order(cards) if colour_of(card) == colour] for colour in p.COLOURS]
    return joined([joined(map(_card, group)) for group in groups if group], "   ")


def _hand(view: View, seat: int, me: int | None, names: Sequence[str], texts: Texts) -> Line:
    name = padded([("", " "), ("class:name", clipped(names[seat], NAME - 2))], NAME)
    hand: Any = view["hands"][seat]
    if not isinstance(hand, int):
        return [*name, *(_cards(hand) if hand else [("class:faint", texts("board.no_cards"))])]
    line: Line = [*name, ("class:faint", "▒▒ " * hand), ("", texts("board.cards", count=hand))]
    if view["seen"][seat] and seat != me:
        line = [*name, ("", f"{texts('balloon.shown', count=hand)} "), *_cards(view["seen"][seat])]
    return line


def _tiles(
    view: View, far: int, near: int, opened: Collection[int], aims: Collection[int], texts: Texts
) -> list[Line]:
    if not view["tiles"]:
        return [[("class:faint", f" {texts('balloon.no_tiles')}")]]
    drawn = [
        _tile(tile, far, near, "+" if tile["number"] in opened else "", tile["number"] in aims, texts)
        for tile in view["tiles"]
    ]
    return [joined(row) for row in zip(*drawn, strict=True)]


def _tile(tile: Mapping[str, Any], far: int, near: int, plus: str, aim: bool, texts: Texts) -> list[Line]:
    terrain = tile["terrain"]
    left, right = GROUND[terrain]
    cubes = sorted(tile["cubes"], key=p.COLOURS.index)
    number = tile["number"]
    rows = [
        _side(tile["sides"][far], cubes),
        _sum(tile["sides"][far], texts),
        [("class:name", f"{left} {texts(f'balloon.terrain.{terrain}')} {right}")],
        joined([[(f"class:cube.{cube}", f"[{LETTERS[cube]}]")] for cube in cubes]),
        _sum(tile["sides"][near], texts),
        _side(tile["sides"][near], cubes),
    ]
    style = "class:chosen" if aim else ""
    drawn: list[Line] = [
        [(style, f"╭─ {number}{plus} ".ljust(TILE - 1, "─") + "╮")],
        *[[("", "│"), *centred(row, TILE - 2), ("", "│")] for row in rows],
        [("", spread(f"╰─ {texts(f'balloon.aim.{terrain}')} ", TILE - 1, "─") + "╯")],
    ]
    # Above and below the terrain a touch means that side of the tile, on the terrain and the cubes either.
    touched = [f"{number}.{far}"] * 3 + [f"{number}"] * 2 + [f"{number}.{near}"] * 3
    return [touchable("tile", each, line) for each, line in zip(touched, drawn, strict=True)]


def _sum(cards: Sequence[p.Card], texts: Texts) -> Line:
    return [("", texts("balloon.sum", sum=sum(map(value_of, cards)))) if cards else ("class:faint", "-")]


def _side(cards: Sequence[p.Card], cubes: Sequence[p.Colour]) -> Line:
    """Each card in the column of a cube of its colour, and the places that are still open."""
    left = in_order(cards)
    places: list[Line] = []
    for cube in cubes:
        card = next((card for card in left if colour_of(card) == cube), None)
        if card is None:
            places.append([(f"class:room.{cube}", f"{LETTERS[cube].lower()}··")])
        else:
            left.remove(card)
            places.append([(f"class:card.{cube}", short(card).ljust(3))])
    return joined(places)


def _row(name: Line, cells: Iterable[Line]) -> Line:
    return [("", " "), *padded(name, NAME - 1), *joined([padded(cell, TROPHY) for cell in cells], "")]


def _prices(view: View, texts: Texts) -> Line:
    return _row(
        [("class:faint", texts("balloon.trophies"))],
        [
            touchable(
                "trophy",
                colour,
                [
                    (f"class:cube.{colour}", f"{LETTERS[colour]} {texts(f'balloon.colour.{colour}')} "),
                    ("class:trophy", "★") if colour in view["trophies"] else ("", str(p.PRICES[colour])),
                ],
            )
            for colour in p.COLOURS
        ],
    )


def _cubes(view: View, seat: int, names: Sequence[str]) -> Line:
    won = sum(holder == seat for holder in view["trophies"].values())
    name: Line = [("class:name", clipped(names[seat], NAME - 3 - won)), ("class:trophy", f" {'★' * won}")]
    return _row(name, [_progress(view, seat, colour) for colour in p.COLOURS])


def _progress(view: View, seat: int, colour: p.Colour) -> Line:
    """Cubes on the way to a free trophy; of a taken one the holder, and what is left to trade with."""
    have, price = view["cubes"][seat].get(colour, 0), p.PRICES[colour]
    style = f"class:cube.{colour}"
    if colour in view["trophies"]:
        star = "★ " if view["trophies"][colour] == seat else "  "
        return [("class:trophy", star), (style, f"■ x{have}" if have else "")]
    full = min(have, price)
    return [(style, "■" * full), ("class:faint", "·" * (price - full)), ("", f" {have}")]


def _bag(view: View, texts: Texts) -> Line:
    total = sum(view["bag"].values())
    return _row(
        [("class:faint", texts("balloon.bag", count=total))],
        [[("class:faint", str(view["bag"].get(c, 0)))] for c in p.COLOURS],
    )


def _turn(view: View, names: Sequence[str], texts: Texts) -> Line:
    if not view["to_act"]:
        return [("class:turn", f" {texts('board.over')} ")]
    name = clipped(names[view["to_act"][0]], 30)
    asked = texts.or_else(f"balloon.asked.{view['phase']}", view["phase"])
    return [("class:turn", f" ▶ {texts('board.asked', who=name, what=asked)} ")]
