"""Balloon Cup as text: the table in 80 columns and 19 lines, closer in less room, with larger cards in more.

Seats of the viewer's own side are at the bottom. A card is `R13`, an open place for a red card `r··`, a cube
`[R]`; the letter of each colour stands beside its name at the trophies. A star stands before the card that
was played last.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import attrs

from parlour.client.boards.balloon_cup.news import LETTERS, colour_of, in_order, short, size, value_of, words
from parlour.client.boards.balloon_cup.scale import Scale, boxed, empty, scale_for
from parlour.client.boards.press import touchable
from parlour.client.boards.room import LEAST, Room, fitted
from parlour.client.boards.text import Line, centred, clipped, columns, joined, padded, spread
from parlour.client.language import ENGLISH, Texts
from parlour.engine.balloon_cup import public as p

__all__ = ["LETTERS", "draw", "short", "words"]

View = Mapping[str, Any]
GROUND: Mapping[p.Terrain, tuple[str, str]] = {"plain": ("▁▁▁", "▁▁▁"), "mountain": ("/\\", "/\\")}
"""What is drawn to the left and to the right of a terrain's name."""


@attrs.frozen
class Sight:
    """What a table is drawn for: who looks, in which language and size, and what is marked."""

    view: View
    me: int | None
    names: Sequence[str]
    texts: Texts
    scale: Scale
    opened: Collection[int] = ()
    aims: Collection[int] = ()

    @property
    def near(self) -> int:
        return self.me or 0

    @property
    def far(self) -> int:
        return 1 - self.near


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
    sight = Sight(view, me, names, texts, scale_for(room), opened, aims)
    return fitted(room, lambda: _table(sight, room), texts)


def _tiles_of(action: Mapping[str, Any]) -> list[int]:
    match action.get("tile"):
        case None:
            return []
        case {"one_of": tiles}:
            return list(tiles)
        case tile:
            return [tile]


def _table(sight: Sight, room: Room) -> list[Line]:
    """The blocks of the table, in the middle of the room and as far apart as it allows."""
    near, far = sight.near, sight.far
    prizes = [_prices(sight), _cubes(sight, far), _cubes(sight, near)]
    blocks: list[list[Line]] = [
        [_title(sight)],
        [*_hand(sight, far), *_tiles(sight), *_hand(sight, near)],
        [*prizes, _letters(sight) if sight.scale.compact else _bag(sight)],
        [_turn(sight)],
    ]
    spare = room.height - sum(map(len, blocks))
    gap: list[Line] = [[]] * min(3, spare // (len(blocks) - 1))
    lines = [line for block in blocks[:-1] for line in [*block, *gap]]
    lines += [[]] * (room.height - len(lines) - len(blocks[-1])) + blocks[-1]
    margin: Line = [("", " " * max(0, (room.width - sight.scale.width) // 2))]
    return [[*margin, *line] if line else line for line in lines]


def _title(sight: Sight) -> Line:
    view, texts = sight.view, sight.texts
    piles: Line = [("", texts("balloon.piles", deck=size(view["deck"]), discard=len(view["discard"])))]
    title: Line = [("class:title", f" {texts('game.balloon-cup').upper()}")]
    return [*padded(title, sight.scale.width - columns(piles)), *piles]


# Hands


def _cards(cards: Sequence[p.Card], scale: Scale) -> list[Line]:
    """A hand, sorted, with a wider gap between colours."""
    groups = [[card for card in in_order(cards) if colour_of(card) == colour] for colour in p.COLOURS]
    drawn = [[touched_card(card, scale) for card in group] for group in groups if group]
    return [
        joined([joined([card[line] for card in group]) for group in drawn], scale.between_colours)
        for line in range(scale.card_lines)
    ]


def touched_card(card: p.Card, scale: Scale) -> list[Line]:
    style = f"class:card.{colour_of(card)}"
    return [touchable("card", card, line) for line in boxed(short(card), style, scale, fill=False)]


def _hand(sight: Sight, seat: int) -> list[Line]:
    view, texts, scale = sight.view, sight.texts, sight.scale
    name = padded([("", " "), ("class:name", clipped(sight.names[seat], scale.name - 2))], scale.name)
    blank = padded([], scale.name)
    hand: Any = view["hands"][seat]
    if isinstance(hand, int):
        if view["seen"][seat] and seat != sight.me:
            shown = _cards(view["seen"][seat], attrs.evolve(scale, card=(3, 1)))
            return [[*name, ("", f"{texts('balloon.shown', count=hand)} "), *shown[0]]]
        return [[*name, ("class:faint", "▒▒ " * hand), ("", texts("board.cards", count=hand))]]
    if not hand:
        return [[*name, ("class:faint", texts("board.no_cards"))]]
    lines = _cards(hand, scale)
    middle = len(lines) // 2
    return [[*(name if number == middle else blank), *line] for number, line in enumerate(lines)]


# Tiles


def _tiles(sight: Sight) -> list[Line]:
    if not sight.view["tiles"]:
        return [[("class:faint", f" {sight.texts('balloon.no_tiles')}")]]
    drawn = [_tile(tile, sight) for tile in sight.view["tiles"]]
    return [joined(row, sight.scale.between_tiles) for row in zip(*drawn, strict=True)]


def _tile(tile: Mapping[str, Any], sight: Sight) -> list[Line]:
    texts, scale, number = sight.texts, sight.scale, tile["number"]
    cubes = sorted(tile["cubes"], key=p.COLOURS.index)
    last = sight.view.get("last_played")
    far_side = _side(tile["sides"][sight.far], cubes, last, scale)
    near_side = _side(tile["sides"][sight.near], cubes, last, scale)
    far = [*far_side, _sum(tile["sides"][sight.far], sight)]
    near = [_sum(tile["sides"][sight.near], sight), *near_side]
    squares = [centred([(f"class:cube.{cube}", f"[{LETTERS[cube]}]")], scale.card[0]) for cube in cubes]
    row = joined(squares, "" if scale.compact else " ")
    left, right = GROUND[tile["terrain"]]
    ground = texts(f"balloon.terrain.{tile['terrain']}")
    terrain: Line = [("class:name", f"{left} {ground} {right}")]
    middle = [row] if scale.compact else [terrain, row]
    plus = "+" if number in sight.opened else ""
    inner = scale.tile - 2
    head = f"{number}{plus} {ground}" if scale.compact else f"{number}{plus}"
    style = "class:chosen" if number in sight.aims else ""
    drawn: list[Line] = [
        [(style, spread(f"╭{'' if scale.compact else '─ '}{head} ", scale.tile - 1, "─") + "╮")],
        *[[("", "│"), *centred(line, inner), ("", "│")] for line in [*far, *middle, *near]],
        _foot(tile, sight),
    ]
    # Above and below the terrain a touch means that side of the tile, on the terrain and the cubes either.
    touched = [f"{number}.{sight.far}"] * (len(far) + 1) + [f"{number}"] * len(middle)
    touched += [f"{number}.{sight.near}"] * (len(near) + 1)
    return [touchable("tile", each, line) for each, line in zip(touched, drawn, strict=True)]


def _foot(tile: Mapping[str, Any], sight: Sight) -> Line:
    """What wins the tile; or who has won it, while it still stands."""
    scale, winner = sight.scale, tile.get("winner")
    told = sight.texts(f"balloon.aim.{tile['terrain']}") if winner is None else f"★ {sight.names[winner]}"
    style = "" if winner is None else "class:trophy"
    if scale.compact:
        return [(style, spread(clipped(told, scale.tile), scale.tile, "─"))]
    return [(style, spread(f"╰─ {clipped(told, scale.tile - 5)} ", scale.tile - 1, "─") + "╯")]


def _sum(cards: Sequence[p.Card], sight: Sight) -> Line:
    if not cards:
        return [("class:faint", "-")]
    return [("", sight.texts("balloon.sum", sum=sum(map(value_of, cards))))]


def _side(
    cards: Sequence[p.Card], cubes: Sequence[p.Colour], last: p.Card | None, scale: Scale
) -> list[Line]:
    """Each card in the column of a cube of its colour, and the places that are still open."""
    left = in_order(cards)
    lines: list[Line] = [[] for _ in range(scale.card_lines)]
    for cube in cubes:
        card = next((card for card in left if colour_of(card) == cube), None)
        if card is None:
            place = empty(f"{LETTERS[cube].lower()}··", f"class:room.{cube}", scale)
        else:
            left.remove(card)
            place = boxed(short(card), f"class:card.{cube}", scale)
        for number, line in enumerate(place):
            marked = card is not None and card == last and number == scale.card_lines // 2
            blank: Line = [] if scale.compact else [("", " ")]
            gap: Line = [("class:name", "*")] if marked else blank
            lines[number] += [*gap, *line]
    return lines


# Prizes


def _row(name: Line, cells: Iterable[Line], scale: Scale) -> Line:
    return [
        ("", " "),
        *padded(name, scale.name - 1),
        *joined([padded(cell, scale.trophy) for cell in cells], ""),
    ]


def _prices(sight: Sight) -> Line:
    texts, view, compact = sight.texts, sight.view, sight.scale.compact

    def prize(colour: p.Colour) -> Line:
        name = LETTERS[colour] if compact else f"{LETTERS[colour]} {texts(f'balloon.colour.{colour}')}"
        taken = colour in view["trophies"]
        price: Line = [("class:trophy", "★") if taken else ("", str(p.PRICES[colour]))]
        return touchable("trophy", colour, [(f"class:cube.{colour}", f"{name} "), *price])

    return _row([("class:faint", texts("balloon.trophies"))], map(prize, p.COLOURS), sight.scale)


def _cubes(sight: Sight, seat: int) -> Line:
    won = sum(holder == seat for holder in sight.view["trophies"].values())
    name: Line = [
        ("class:name", clipped(sight.names[seat], sight.scale.name - 3 - won)),
        ("class:trophy", f" {'★' * won}"),
    ]
    return _row(name, [_progress(sight.view, seat, colour) for colour in p.COLOURS], sight.scale)


def _progress(view: View, seat: int, colour: p.Colour) -> Line:
    """Cubes on the way to a free trophy; of a taken one the holder, and what is left to trade with."""
    have, price = view["cubes"][seat].get(colour, 0), p.PRICES[colour]
    style = f"class:cube.{colour}"
    if colour in view["trophies"]:
        star = "★ " if view["trophies"][colour] == seat else "  "
        return [("class:trophy", star), (style, f"■ x{have}" if have else "")]
    full = min(have, price)
    return [(style, "■" * full), ("class:faint", "·" * (price - full)), ("", f" {have}")]


def _letters(sight: Sight) -> Line:
    """What the letters of the colours mean, where their names do not stand beside the trophies."""
    told: list[Line] = [
        [
            (f"class:cube.{colour}", LETTERS[colour]),
            ("class:faint", f" {sight.texts(f'balloon.colour.{colour}')}"),
        ]
        for colour in p.COLOURS
    ]
    return [("", " "), *joined(told, "  ")]


def _bag(sight: Sight) -> Line:
    bag = sight.view["bag"]
    return _row(
        [("class:faint", sight.texts("balloon.bag", count=sum(bag.values())))],
        [[("class:faint", str(bag.get(colour, 0)))] for colour in p.COLOURS],
        sight.scale,
    )


def _turn(sight: Sight) -> Line:
    view, texts = sight.view, sight.texts
    if not view["to_act"]:
        return [("class:turn", f" {texts('board.over')} ")]
    name = clipped(sight.names[view["to_act"][0]], 30)
    asked = texts.or_else(f"balloon.asked.{view['phase']}", view["phase"])
    return [("class:turn", f" ▶ {texts('board.asked', who=name, what=asked)} ")]
