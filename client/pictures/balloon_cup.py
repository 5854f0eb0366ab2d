"""Balloon Cup as text: the table in 80 columns and 19 lines, and a sentence for each piece of news.

Seats of the viewer's own side are at the bottom. A card is `R13`, an open place for a red card `r··`, a cube
`[R]`; the letter of each colour stands beside its name at the trophies.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from parlour.client.pictures.text import WIDTH, Line, centred, clipped, joined, listed, padded
from parlour.engine.balloon_cup import public as p

LETTERS: Mapping[p.Colour, str] = {"red": "R", "yellow": "Y", "green": "G", "blue": "B", "grey": "E"}
SHAPES: Mapping[p.Terrain, str] = {"plain": "▁▁▁ plain ▁▁▁", "mountain": "/\\ mountain /\\"}
AIMS: Mapping[p.Terrain, str] = {"plain": "low sum wins", "mountain": "high sum wins"}
ASKED: Mapping[p.Phase, str] = {
    "play": "play a card",
    "exchange": "no card fits; exchange one to four",
    "claim": "claim a trophy or decline",
}
TILE = 19
"""Columns of one tile, frame included."""
NAME = 12
TROPHY = 13


def colour_of(card: p.Card) -> p.Colour:
    return next(colour for colour in p.COLOURS if card.startswith(colour))


def value_of(card: p.Card) -> int:
    return int(card.rpartition("-")[2])


def short(card: p.Card) -> str:
    """A card in as few letters as possible: `R13`."""
    return f"{LETTERS[colour_of(card)]}{value_of(card)}"


def in_order(cards: Iterable[p.Card]) -> list[p.Card]:
    return sorted(cards, key=p.CARDS.index)


def draw(view: p.View, me: int | None, names: Sequence[str]) -> list[Line]:
    """The whole table; `me` sits at the bottom, or seat 0 for a spectator."""
    near = me or 0
    far = 1 - near
    return [
        _title(view),
        [],
        _hand(view, far, me, names),
        *_tiles(view, far, near),
        _hand(view, near, me, names),
        [],
        _prices(view),
        _cubes(view, far, names),
        _cubes(view, near, names),
        _bag(view),
        [],
        _turn(view, names),
    ]


def _title(view: p.View) -> Line:
    piles = f"deck {_size(view.deck)}   discard {len(view.discard)}"
    title: Line = [("class:title", " BALLOON CUP")]
    return [*padded(title, WIDTH - 1 - len(piles)), ("", piles)]


def _size(pile: Any) -> int:
    return pile if isinstance(pile, int) else len(pile or ())


def _card(card: p.Card) -> Line:
    return [(f"class:card.{colour_of(card)}", short(card))]


def _cards(cards: Sequence[p.Card]) -> Line:
    """A hand, sorted, with a wider gap between colours."""
    groups = [[card for card in in_order(cards) if colour_of(card) == colour] for colour in p.COLOURS]
    return joined([joined(map(_card, group)) for group in groups if group], "   ")


def _hand(view: p.View, seat: int, me: int | None, names: Sequence[str]) -> Line:
    name = padded([("", " "), ("class:name", clipped(names[seat], NAME - 2))], NAME)
    hand: Any = view.hands[seat]
    if not isinstance(hand, int):
        return [*name, *(_cards(hand) if hand else [("class:faint", "no cards")])]
    line: Line = [*name, ("class:faint", "▒▒ " * hand), ("", f"{hand} cards" if hand != 1 else "1 card")]
    if view.seen[seat] and seat != me:
        line = [*name, ("", f"{hand} cards, shown: "), *_cards(view.seen[seat])]
    return line


def _tiles(view: p.View, far: int, near: int) -> list[Line]:
    if not view.tiles:
        return [[("class:faint", " no tiles left")]]
    columns = [_tile(tile, far, near) for tile in view.tiles]
    return [joined(row) for row in zip(*columns, strict=True)]


def _tile(tile: p.Tile, far: int, near: int) -> list[Line]:
    cubes = sorted(tile.cubes, key=p.COLOURS.index)
    rows = [
        _side(tile.sides[far], cubes),
        _sum(tile.sides[far]),
        [("class:name", SHAPES[tile.terrain])],
        joined([[(f"class:cube.{cube}", f"[{LETTERS[cube]}]")] for cube in cubes]),
        _sum(tile.sides[near]),
        _side(tile.sides[near], cubes),
    ]
    return [
        [("", f"╭─ {tile.number} ".ljust(TILE - 1, "─") + "╮")],
        *[[("", "│"), *centred(row, TILE - 2), ("", "│")] for row in rows],
        [("", f"╰─ {AIMS[tile.terrain]} ".ljust(TILE - 1, "─") + "╯")],
    ]


def _sum(cards: Sequence[p.Card]) -> Line:
    return [("", f"sum {sum(map(value_of, cards))}") if cards else ("class:faint", "-")]


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


def _prices(view: p.View) -> Line:
    return _row(
        [("class:faint", "trophies")],
        [
            [
                (f"class:cube.{colour}", f"{LETTERS[colour]} {colour} "),
                ("class:trophy", "★") if colour in view.trophies else ("", str(p.PRICES[colour])),
            ]
            for colour in p.COLOURS
        ],
    )


def _cubes(view: p.View, seat: int, names: Sequence[str]) -> Line:
    won = sum(holder == seat for holder in view.trophies.values())
    name: Line = [("class:name", clipped(names[seat], NAME - 3 - won)), ("class:trophy", f" {'★' * won}")]
    return _row(name, [_progress(view, seat, colour) for colour in p.COLOURS])


def _progress(view: p.View, seat: int, colour: p.Colour) -> Line:
    """Cubes on the way to a free trophy; of a taken one the holder, and what is left to trade with."""
    have, price = view.cubes[seat].get(colour, 0), p.PRICES[colour]
    style = f"class:cube.{colour}"
    if colour in view.trophies:
        star = "★ " if view.trophies[colour] == seat else "  "
        return [("class:trophy", star), (style, f"■ x{have}" if have else "")]
    full = min(have, price)
    return [(style, "■" * full), ("class:faint", "·" * (price - full)), ("", f" {have}")]


def _bag(view: p.View) -> Line:
    total = sum(view.bag.values())
    return _row(
        [("class:faint", f"bag {total}")], [[("class:faint", str(view.bag.get(c, 0)))] for c in p.COLOURS]
    )


def _turn(view: p.View, names: Sequence[str]) -> Line:
    if not view.to_act:
        return [("class:turn", " The game is over. ")]
    name = clipped(names[view.to_act[0]], 30)
    return [("class:turn", f" ▶ {name}: {ASKED[view.phase]} ")]


# Sentences are in the past tense, so that "You" can stand where a name does.


def words(news: Any, names: Sequence[str]) -> str:
    """One piece of news as a sentence."""
    return _SENTENCES[type(news)](news, names)


def called(card: p.Card) -> str:
    return f"{colour_of(card)} {value_of(card)}"


def _shorts(cards: Iterable[p.Card]) -> str:
    return " ".join(map(short, in_order(cards)))


def _amounts(colours: Iterable[p.Colour]) -> str:
    """Colours with how many there are of each: `2 red and 1 blue`."""
    counted = Counter(colours)
    return listed([f"{counted[colour]} {colour}" for colour in p.COLOURS if counted[colour]])


def _place(tile: int, side: int, seat: int) -> str:
    return f"tile {tile}" if side == seat else f"tile {tile}, on the opponent's side"


def _tile_filled(news: p.TileFilled, _: Sequence[str]) -> str:
    cubes = "cube" if len(news.cubes) == 1 else "cubes"
    return f"Tile {news.tile} is now a {news.terrain} with {_amounts(news.cubes)} {cubes}."


def _hand_dealt(news: p.HandDealt, names: Sequence[str]) -> str:
    return f"{names[news.seat]} picked up {_size(news.cards)} cards."


def _first_chosen(news: p.FirstChosen, names: Sequence[str]) -> str:
    return f"The first turn went to {names[news.seat]}."


def _card_played(news: p.CardPlayed, names: Sequence[str]) -> str:
    return f"{names[news.seat]} played {called(news.card)} at {_place(news.tile, news.side, news.seat)}."


def _wind_blew(news: p.WindBlew, names: Sequence[str]) -> str:
    blown = f"{called(news.replaced)} away with {called(news.card)}"
    return f"{names[news.seat]} blew {blown} at {_place(news.tile, news.side, news.seat)}."


def _tile_scored(news: p.TileScored, names: Sequence[str]) -> str:
    sums = f"{news.sums[news.winner]} against {news.sums[1 - news.winner]}"
    return f"{names[news.winner]} won tile {news.tile}, a {news.terrain}, {sums}: {_amounts(news.cubes)}."


def _tile_removed(news: p.TileRemoved, _: Sequence[str]) -> str:
    return f"Too few cubes were left for tile {news.tile}, and it left the game."


def _trophy_taken(news: p.TrophyTaken, names: Sequence[str]) -> str:
    verb = "took" if news.forced else "claimed"
    paid = [f"{news.paid} {news.trophy}"] if news.paid else []
    paid += [f"{p.CUBES_IN_A_TRADE * triples} {colour} in trade" for colour, triples in news.trades]
    return f"{names[news.seat]} {verb} the {news.trophy} trophy for {listed(paid)}."


def _claim_declined(news: p.ClaimDeclined, names: Sequence[str]) -> str:
    return f"{names[news.seat]} claimed nothing more."


def _cubes_traded(news: p.CubesTraded, names: Sequence[str]) -> str:
    return f"{names[news.seat]} traded {p.CUBES_IN_A_TRADE} {news.give} for 1 {news.take} out of the bag."


def _hand_shown(news: p.HandShown, names: Sequence[str]) -> str:
    return f"{names[news.seat]} had no card that fitted and showed {_shorts(news.cards) or 'an empty hand'}."


def _colours_shown(news: p.ColoursShown, names: Sequence[str]) -> str:
    return (
        f"{names[news.seat]} had no card that fitted and showed {_amounts(news.colours) or 'an empty hand'}."
    )


def _cards_exchanged(news: p.CardsExchanged, names: Sequence[str]) -> str:
    return f"{names[news.seat]} discarded {_shorts(news.cards)} to draw as many."


def _deck_shuffled(news: p.DeckShuffled, _: Sequence[str]) -> str:
    return f"The discard pile was shuffled into a new deck of {news.cards}."


def _card_drawn(news: p.CardDrawn, names: Sequence[str]) -> str:
    drawn: Any = news.card
    return f"{names[news.seat]} drew {called(drawn) if drawn else 'a card'}."


def _turn_passed(news: p.TurnPassed, names: Sequence[str]) -> str:
    return f"{names[news.seat]} could play nothing."


def _game_won(news: p.GameWon, names: Sequence[str]) -> str:
    return f"{names[news.seat]} had the third trophy and won."


def _game_locked(news: p.GameLocked, names: Sequence[str]) -> str:
    told = [
        f"{name} had {trophies} trophies and {cubes} cubes"
        for name, trophies, cubes in zip(names, news.trophies, news.cubes, strict=True)
    ]
    return f"No card fitted anywhere any more: {', '.join(told)}."


_SENTENCES: Mapping[type, Callable[[Any, Sequence[str]], str]] = {
    p.TileFilled: _tile_filled,
    p.HandDealt: _hand_dealt,
    p.FirstChosen: _first_chosen,
    p.CardPlayed: _card_played,
    p.WindBlew: _wind_blew,
    p.TileScored: _tile_scored,
    p.TileRemoved: _tile_removed,
    p.TrophyTaken: _trophy_taken,
    p.ClaimDeclined: _claim_declined,
    p.CubesTraded: _cubes_traded,
    p.HandShown: _hand_shown,
    p.ColoursShown: _colours_shown,
    p.CardsExchanged: _cards_exchanged,
    p.DeckShuffled: _deck_shuffled,
    p.CardDrawn: _card_drawn,
    p.TurnPassed: _turn_passed,
    p.GameWon: _game_won,
    p.GameLocked: _game_locked,
}
