"""Balloon Cup as text: the table in 80 columns and 19 lines, and a sentence for each piece of news.

Seats of the viewer's own side are at the bottom. A card is `R13`, an open place for a red card `r··`, a cube
`[R]`; the letter of each colour stands beside its name at the trophies.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from parlour.client.pictures.room import LEAST, Room, fitted
from parlour.client.pictures.text import WIDTH, Line, centred, clipped, joined, listed, padded
from parlour.engine.balloon_cup import public as p

View = Mapping[str, Any]
News = Mapping[str, Any]
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


def draw(
    view: View,
    me: int | None,
    names: Sequence[str],
    room: Room = LEAST,
    legal: Sequence[Mapping[str, Any]] = (),
    chosen: Mapping[str, Any] | None = None,
) -> list[Line]:
    """The whole table; `me` sits at the bottom, or seat 0 for a spectator. Tiles to play at have a plus."""
    opened = {tile for action in legal for tile in _tiles_of(action)}
    aims = set(_tiles_of(chosen or {}))
    return fitted(room, lambda: _table(view, me, names, opened, aims))


def _tiles_of(action: Mapping[str, Any]) -> list[int]:
    match action.get("tile"):
        case None:
            return []
        case {"one_of": tiles}:
            return list(tiles)
        case tile:
            return [tile]


def _table(
    view: View, me: int | None, names: Sequence[str], opened: Collection[int], aims: Collection[int]
) -> list[Line]:
    near = me or 0
    far = 1 - near
    return [
        _title(view),
        [],
        _hand(view, far, me, names),
        *_tiles(view, far, near, opened, aims),
        _hand(view, near, me, names),
        [],
        _prices(view),
        _cubes(view, far, names),
        _cubes(view, near, names),
        _bag(view),
        [],
        _turn(view, names),
    ]


def _title(view: View) -> Line:
    piles = f"deck {_size(view['deck'])}   discard {len(view['discard'])}"
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


def _hand(view: View, seat: int, me: int | None, names: Sequence[str]) -> Line:
    name = padded([("", " "), ("class:name", clipped(names[seat], NAME - 2))], NAME)
    hand: Any = view["hands"][seat]
    if not isinstance(hand, int):
        return [*name, *(_cards(hand) if hand else [("class:faint", "no cards")])]
    line: Line = [*name, ("class:faint", "▒▒ " * hand), ("", f"{hand} cards" if hand != 1 else "1 card")]
    if view["seen"][seat] and seat != me:
        line = [*name, ("", f"{hand} cards, shown: "), *_cards(view["seen"][seat])]
    return line


def _tiles(view: View, far: int, near: int, opened: Collection[int], aims: Collection[int]) -> list[Line]:
    if not view["tiles"]:
        return [[("class:faint", " no tiles left")]]
    columns = [
        _tile(tile, far, near, "+" if tile["number"] in opened else "", tile["number"] in aims)
        for tile in view["tiles"]
    ]
    return [joined(row) for row in zip(*columns, strict=True)]


def _tile(tile: Mapping[str, Any], far: int, near: int, plus: str, aim: bool) -> list[Line]:
    cubes = sorted(tile["cubes"], key=p.COLOURS.index)
    rows = [
        _side(tile["sides"][far], cubes),
        _sum(tile["sides"][far]),
        [("class:name", SHAPES[tile["terrain"]])],
        joined([[(f"class:cube.{cube}", f"[{LETTERS[cube]}]")] for cube in cubes]),
        _sum(tile["sides"][near]),
        _side(tile["sides"][near], cubes),
    ]
    style = "class:chosen" if aim else ""
    return [
        [(style, f"╭─ {tile['number']}{plus} ".ljust(TILE - 1, "─") + "╮")],
        *[[("", "│"), *centred(row, TILE - 2), ("", "│")] for row in rows],
        [("", f"╰─ {AIMS[tile['terrain']]} ".ljust(TILE - 1, "─") + "╯")],
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


def _prices(view: View) -> Line:
    return _row(
        [("class:faint", "trophies")],
        [
            [
                (f"class:cube.{colour}", f"{LETTERS[colour]} {colour} "),
                ("class:trophy", "★") if colour in view["trophies"] else ("", str(p.PRICES[colour])),
            ]
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


def _bag(view: View) -> Line:
    total = sum(view["bag"].values())
    return _row(
        [("class:faint", f"bag {total}")], [[("class:faint", str(view["bag"].get(c, 0)))] for c in p.COLOURS]
    )


def _turn(view: View, names: Sequence[str]) -> Line:
    if not view["to_act"]:
        return [("class:turn", " The game is over. ")]
    name = clipped(names[view["to_act"][0]], 30)
    return [("class:turn", f" ▶ {name}: {ASKED.get(view['phase'], view['phase'])} ")]


# Sentences are in the past tense, so that "You" can stand where a name does.


def words(news: News, names: Sequence[str]) -> str:
    """One piece of news as a sentence; nothing for a kind that a later server may have."""
    tell = _SENTENCES.get(news["type"])
    return tell(news, names) if tell is not None else ""


def _who(news: News, names: Sequence[str]) -> str:
    return names[news["seat"]]


def called(card: p.Card) -> str:
    return f"{colour_of(card)} {value_of(card)}"


def _shorts(cards: Iterable[p.Card]) -> str:
    return " ".join(map(short, in_order(cards)))


def _amounts(colours: Iterable[p.Colour]) -> str:
    """Colours with how many there are of each: `2 red and 1 blue`."""
    counted = Counter(colours)
    return listed([f"{counted[colour]} {colour}" for colour in p.COLOURS if counted[colour]])


def _place(news: News) -> str:
    own = news["side"] == news["seat"]
    return f"tile {news['tile']}" if own else f"tile {news['tile']}, on the opponent's side"


def _tile_filled(news: News, _: Sequence[str]) -> str:
    cubes = "cube" if len(news["cubes"]) == 1 else "cubes"
    return f"Tile {news['tile']} is now a {news['terrain']} with {_amounts(news['cubes'])} {cubes}."


def _hand_dealt(news: News, names: Sequence[str]) -> str:
    return f"{_who(news, names)} picked up {_size(news['cards'])} cards."


def _first_chosen(news: News, names: Sequence[str]) -> str:
    return f"The first turn went to {_who(news, names)}."


def _card_played(news: News, names: Sequence[str]) -> str:
    return f"{_who(news, names)} played {called(news['card'])} at {_place(news)}."


def _wind_blew(news: News, names: Sequence[str]) -> str:
    blown = f"{called(news['replaced'])} away with {called(news['card'])}"
    return f"{_who(news, names)} blew {blown} at {_place(news)}."


def _tile_scored(news: News, names: Sequence[str]) -> str:
    sums = f"{news['sums'][news['winner']]} against {news['sums'][1 - news['winner']]}"
    won = f"tile {news['tile']}, a {news['terrain']}, {sums}: {_amounts(news['cubes'])}"
    return f"{names[news['winner']]} won {won}."


def _tile_removed(news: News, _: Sequence[str]) -> str:
    return f"Too few cubes were left for tile {news['tile']}, and it left the game."


def _trophy_taken(news: News, names: Sequence[str]) -> str:
    verb = "took" if news["forced"] else "claimed"
    paid = [f"{news['paid']} {news['trophy']}"] if news["paid"] else []
    trades = news["trades"].items()
    paid += [f"{p.CUBES_IN_A_TRADE * triples} {colour} in trade" for colour, triples in trades]
    return f"{_who(news, names)} {verb} the {news['trophy']} trophy for {listed(paid)}."


def _claim_declined(news: News, names: Sequence[str]) -> str:
    return f"{_who(news, names)} claimed nothing more."


def _cubes_traded(news: News, names: Sequence[str]) -> str:
    given = f"{p.CUBES_IN_A_TRADE} {news['give']}"
    return f"{_who(news, names)} traded {given} for 1 {news['take']} out of the bag."


def _stuck(news: News, names: Sequence[str], shown: str) -> str:
    return f"{_who(news, names)} had no card that fitted and showed {shown or 'an empty hand'}."


def _hand_shown(news: News, names: Sequence[str]) -> str:
    return _stuck(news, names, _shorts(news["cards"]))


def _colours_shown(news: News, names: Sequence[str]) -> str:
    return _stuck(news, names, _amounts(news["colours"]))


def _cards_exchanged(news: News, names: Sequence[str]) -> str:
    return f"{_who(news, names)} discarded {_shorts(news['cards'])} to draw as many."


def _deck_shuffled(news: News, _: Sequence[str]) -> str:
    return f"The discard pile was shuffled into a new deck of {news['cards']}."


def _card_drawn(news: News, names: Sequence[str]) -> str:
    drawn: Any = news["card"]
    return f"{_who(news, names)} drew {called(drawn) if drawn else 'a card'}."


def _turn_passed(news: News, names: Sequence[str]) -> str:
    return f"{_who(news, names)} could play nothing."


def _game_won(news: News, names: Sequence[str]) -> str:
    return f"{_who(news, names)} had the third trophy and won."


def _game_locked(news: News, names: Sequence[str]) -> str:
    told = [
        f"{name} had {trophies} trophies and {cubes} cubes"
        for name, trophies, cubes in zip(names, news["trophies"], news["cubes"], strict=True)
    ]
    return f"No card fitted anywhere any more: {', '.join(told)}."


_SENTENCES: Mapping[str, Callable[[Any, Sequence[str]], str]] = {
    "tile_filled": _tile_filled,
    "hand_dealt": _hand_dealt,
    "first_chosen": _first_chosen,
    "card_played": _card_played,
    "wind_blew": _wind_blew,
    "tile_scored": _tile_scored,
    "tile_removed": _tile_removed,
    "trophy_taken": _trophy_taken,
    "claim_declined": _claim_declined,
    "cubes_traded": _cubes_traded,
    "hand_shown": _hand_shown,
    "colours_shown": _colours_shown,
    "cards_exchanged": _cards_exchanged,
    "deck_shuffled": _deck_shuffled,
    "card_drawn": _card_drawn,
    "turn_passed": _turn_passed,
    "game_won": _game_won,
    "game_locked": _game_locked,
}
