"""The actions of Balloon Cup: how they are put into words, ranked, typed and touched."""

from typing import Any

from parlour.client.boards.balloon_cup.news import amount, called, colour_of, short, value_of
from parlour.client.boards.moves import MoveContext, Moves, Plain, Wanted, number
from parlour.client.boards.text import Line, joined
from parlour.client.legal import Action
from parlour.engine.balloon_cup.public import CARDS, CUBES_IN_A_TRADE, PRICES, beats

MIDDLE = (min(map(value_of, CARDS)) + max(map(value_of, CARDS))) // 2
"""The value that helps neither who wants high cards nor who wants low ones."""

# Words


def _card(value: Any, _fields: Plain, context: MoveContext) -> Line:
    return [
        (f"class:card.{colour_of(value)}", called(value, context.texts) if context.spoken else short(value))
    ]


def _cards(value: Any, fields: Plain, context: MoveContext) -> Line:
    return joined([_card(card, fields, context) for card in value])


def _tile(value: Any, fields: Plain, context: MoveContext) -> Line:
    if context.spoken and not context.typed:
        return [("", _place(value, fields.get("side"), context))]
    return [("", context.texts("moves.tile", number=value))]


def _place(number: int, side: int | None, context: MoveContext) -> str:
    """A tile, and of a side of it what lies there, for those who do not see the board."""
    texts = context.texts
    tile = next(each for each in context.view["tiles"] if each["number"] == number)
    terrain = texts(f"balloon.terrain.{tile['terrain']}")
    if side is None:
        return texts("line.one_tile", tile=number, terrain=terrain)
    cards = tile["sides"][side]
    lies = texts("line.lies", sum=sum(map(value_of, cards)), count=len(cards))
    return texts(
        "line.place",
        tile=number,
        terrain=terrain,
        side=texts("line.own_side" if side == context.me else "line.other_side"),
        lies=lies if cards else texts("board.no_cards"),
    )


def _side(value: Any, fields: Plain, context: MoveContext) -> Line:
    if context.spoken and not context.typed and "tile" in fields:
        return []  # told with the tile
    if value == context.me:
        return [("", context.texts("moves.own_side"))]
    return [("", context.texts("moves.other_side"))]


def _replaces(value: Any, fields: Plain, context: MoveContext) -> Line:
    return [("", f"{context.texts('moves.instead_of')} "), *_card(value, fields, context)]


def _colour(value: Any, _fields: Plain, context: MoveContext) -> Line:
    return [(f"class:cube.{value}", context.texts(f"balloon.colour.{value}"))]


def _take(value: Any, fields: Plain, context: MoveContext) -> Line:
    return [("", "→ "), *_colour(value, fields, context)]


def _trades(value: Any, fields: Plain, context: MoveContext) -> Line:
    """What a trophy costs, if it is told with it; otherwise what is traded."""
    given = [amount(colour, CUBES_IN_A_TRADE * triples, context.texts) for colour, triples in value.items()]
    trophy = fields.get("trophy")
    if trophy is not None:
        own = PRICES[trophy] - sum(value.values())
        paid = [*([amount(trophy, own, context.texts)] if own else []), *given]
        return [("", context.texts("moves.paid", amount=context.texts.listed(paid)))]
    if not value:
        return [("", context.texts("moves.untraded"))]
    return [("", context.texts("moves.traded", amount=context.texts.listed(given)))]


# Hints


def _reason(action: Action, context: MoveContext) -> str:
    """What a card does at its tile: `keeps tile 4: 11 beats their 9`."""
    if action["type"] != "play" or context.me is None:
        return ""
    (tile,) = [each for each in context.view["tiles"] if each["number"] == action["tile"]]
    sides = [[*cards] for cards in tile["sides"]]
    sides[action["side"]].append(action["card"])
    mine, theirs = (sum(map(value_of, sides[seat])) for seat in (context.me, 1 - context.me))
    ahead = beats(tile["terrain"] == "mountain", mine, theirs)
    facts = {"tile": tile["number"], "mine": mine, "theirs": theirs}
    if not sides[1 - context.me] or not sides[context.me]:
        kind = "opens" if action["side"] == context.me else "opens_theirs"
    elif all(len(cards) == len(tile["cubes"]) for cards in sides):
        # On a tie the last card decides, and this is the one.
        kind = "wins" if ahead else "wins_level" if mine == theirs else "gives"
    elif action["side"] == context.me:
        kind = "keeps" if ahead else "behind"
    else:
        kind = _for_them(value_of(action["card"]), tile["terrain"] == "mountain")
    return context.texts(f"balloon.why.{kind}", **facts)


def _for_them(value: int, mountain: bool) -> str:
    """What a card on their side does to them, against one of middling value in its place."""
    if value == MIDDLE:
        return "behind"
    return "helps" if (value > MIDDLE) == mountain else "spoils"


# Order


def _in_hand(fields: Plain, context: MoveContext) -> tuple[int, int, bool]:
    """Cards stand in the order of the hand; of each tile one's own side comes first."""
    card, side = fields.get("card"), fields.get("side")
    in_hand = CARDS.index(card) if card in CARDS else 0
    return in_hand, fields.get("tile", 0), side is not None and side != context.me


# Touches and typed words


def _touched_card(value: str, _context: MoveContext) -> list[Wanted]:
    return [{"card": value}, {"cards": value}, {"replaces": value}]


def _touched_tile(value: str, _context: MoveContext) -> list[Wanted]:
    """`3` or, with a side, `3.0`; the other side if the one that was touched is closed."""
    tile, _, side = value.partition(".")
    either: Wanted = {"tile": int(tile)}
    return [{**either, "side": int(side)}, either] if side else [either]


def _touched_trophy(value: str, _context: MoveContext) -> list[Wanted]:
    return [{"trophy": value}, {"give": value}, {"take": value}]


def _meant(word: str) -> list[tuple[str, Any]]:
    cards = [card for card in CARDS if word in (short(card).casefold(), card)]
    return [("card", cards[0])] if cards else number(word, "tile")


MOVES = Moves(
    fields={
        "card": _card,
        "cards": _cards,
        "tile": _tile,
        "side": _side,
        "replaces": _replaces,
        "trophy": _colour,
        "give": _colour,
        "take": _take,
        "trades": _trades,
    },
    order=_in_hand,
    places=("tile", "side"),
    things={"card": _touched_card, "tile": _touched_tile, "trophy": _touched_trophy},
    meant=_meant,
    reason=_reason,
)
