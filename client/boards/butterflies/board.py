"""Butterflies as text: the grid with the cells that one may play, and beside it hands, goals and tokens."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.butterflies.grid import (
    COLOURS,
    SPECIES,
    TOKENS,
    At,
    Marks,
    cell,
    drawn_grid,
    longest,
    short,
    style_of,
)
from parlour.client.boards.butterflies.news import named, words
from parlour.client.boards.press import touchable
from parlour.client.boards.room import LEAST, Room, fitted
from parlour.client.boards.text import Line, clipped, columns, joined, padded
from parlour.client.language import ENGLISH, Texts
from parlour.engine.butterflies import public as p

__all__ = ["draw", "team", "words"]

View = Mapping[str, Any]
NARROW_PANEL, PANEL, WIDE_PANEL = 30, 34, 37
AROUND = 3
"""Lines around grid and players: title, the letters explained, whose turn it is."""


def draw(
    view: View,
    me: int | None,
    names: Sequence[str],
    room: Room = LEAST,
    legal: Sequence[Mapping[str, Any]] = (),
    chosen: Mapping[str, Any] | None = None,
    texts: Texts = ENGLISH,
) -> list[Line]:
    """The whole table; cells that the legal actions lead to have a plus."""
    marks = _marks(view, legal, chosen or {})
    return fitted(room, lambda: _table(view, me, names, room, marks, texts), texts)


def _table(
    view: View, me: int | None, names: Sequence[str], room: Room, marks: Marks, texts: Texts
) -> list[Line]:
    height = room.height - AROUND
    panel = NARROW_PANEL if room.width < 80 else PANEL if room.width < 100 else WIDE_PANEL
    wide = room.width - panel - 1
    last = cell(view["last"]["at"]) if view["last"] else None
    grid = drawn_grid(view["grid"], last, marks, (wide, height))
    each = [_player(view, seat, me, names, panel, texts) for seat in range(len(names))]
    gap: list[Line] = [[]] if sum(map(len, each)) + len(each) <= height else []
    players = [line for lines in each for line in [*lines, *gap]]
    players += [[]] * (height - len(players))
    body = [[*left, ("", " "), *right] for left, right in zip(grid, players, strict=False)]
    return [
        _title(view, room.width, texts),
        *body,
        _legend(marks, room.width, texts),
        _turn(view, names, room.width, texts),
    ]


# What is marked


def _marks(view: View, legal: Sequence[Mapping[str, Any]], chosen: Mapping[str, Any]) -> Marks:
    lays = [at for action in legal if "at" in action for at in _cells(action["at"])]
    moves = [action for action in legal if action.get("type") == "move"]
    only_moves = bool(moves) and not lays
    targets = [at for action in moves for at in _cells(action["to"])] if only_moves else []
    sources = [at for action in moves for at in _cells(action["from"])] if only_moves else []
    picked = [at for field in ("at", "from", "to") for at in _cells(chosen.get(field))]
    taken = {cell(each["at"]) for each in view["grid"]}
    return Marks(
        frozenset(at for at in [*lays, *targets] if at not in taken),
        frozenset(sources),
        frozenset(picked),
        frozenset(_won(view)),
    )


def _cells(field: Any) -> list[At]:
    match field:
        case None:
            return []
        case {"one_of": values}:
            return [cell(at) for at in values]
        case _:
            return [cell(field)]


def _won(view: View) -> list[At]:
    """The cells of the row that won, once a goal has."""
    if view["won"] is None:
        return []
    word = view["goals"][view["won"]["seat"]][view["won"]["goal"]]
    return longest(view["grid"], word) if word else []


# The players


def team(options: Mapping[str, Any], seat: int, texts: Texts) -> str:
    """What the team of a seat is called: partners sit across from each other."""
    return texts("butterflies.team", team="AB"[seat % 2]) if options.get("teams") == "on" else ""


def _player(
    view: View, seat: int, me: int | None, names: Sequence[str], width: int, texts: Texts
) -> list[Line]:
    asked = "▸" if seat in view["to_act"] else " "
    played = texts("butterflies.played", count=view["played"][seat])
    side = team(view["options"], seat, texts)
    right: Line = [("class:faint", f"{side}  {played}" if side else played)]
    mine = "class:mine" if seat == me else "class:name"
    left: Line = [
        ("class:turn" if asked == "▸" else "", asked),
        (mine, clipped(names[seat], width - 3 - columns(right))),
    ]
    held: Line = [("", " "), *_hand(view["hands"][seat], texts)]
    tokens = joined([_token(token, token in view["tokens"][seat], texts) for token in TOKENS])
    return [
        [*padded(left, width - columns(right) - 1), *right],
        [*padded(held, width - columns(tokens) - 1), *tokens],
        [("", " "), *_goals(view, seat, texts)],
    ]


def _token(token: str, there: bool, texts: Texts) -> Line:
    name: Line = [("", texts(f"butterflies.token.{token}"))]
    return name if there else [("", "·" * columns(name))]


def _hand(hand: Any, texts: Texts) -> Line:
    if not hand:
        return [("class:faint", texts("board.no_cards"))]
    return [("class:faint", "▒▒ " * hand)] if isinstance(hand, int) else joined(map(_card, hand))


def _card(card: str) -> Line:
    return touchable("card", card, [(style_of(card), short(card))])


def _goals(view: View, seat: int, texts: Texts) -> Line:
    """Each goal with the longest row on its way; face down to this viewer it is a question mark."""
    return joined([_goal(view, seat, goal, texts) for goal in ("colour", "species")])


def _goal(view: View, seat: int, goal: str, texts: Texts) -> Line:
    word = view["goals"][seat][goal]
    if word is None:
        return [("class:faint", texts(f"butterflies.goal.{goal}"))]
    told = f"[{named(word, texts)}]" if goal in view["shown"][seat] else named(word, texts)
    have = min(len(longest(view["grid"], word)), p.ROW)
    style = f"class:cube.{word}" if word in COLOURS else "class:name"
    return [(style, told), ("", f" {'■' * have}"), ("class:faint", "·" * (p.ROW - have))]


# Around them


def _size(pile: Any) -> int:
    return pile if isinstance(pile, int) else len(pile or ())


def _title(view: View, width: int, texts: Texts) -> Line:
    left: Line = [("class:title", f" {texts('game.butterflies').upper()}")]
    if view["turned"] is not None:
        left += [("", f"   {texts('butterflies.turned')} "), *_card(view["turned"])]
    right: Line = [("", texts("butterflies.deck", count=_size(view["deck"])))]
    if view["quiet"]:
        most = view["options"].get("quiet_limit", "?")
        right = [("", f"{texts('butterflies.quiet', quiet=view['quiet'], most=most)}   "), *right]
    return [*padded(left, width - 1 - columns(right)), *right]


def _legend(marks: Marks, width: int, texts: Texts) -> Line:
    signs = [("class:name", letter, named(species, texts)) for species, letter in SPECIES.items()]
    signs += [("class:name", sign, texts(f"butterflies.token.{token}")) for token, sign in TOKENS.items()]
    if marks.open:
        signs.append(("class:open", "+", texts("butterflies.yours")))
    if marks.movable - marks.chosen:
        # First, and so at the cost of what one has learned by then.
        signs.insert(0, ("class:name", "' '", texts("butterflies.movable")))
    if width >= 110:
        signs.append(("class:name", "[ ]", texts("butterflies.last")))
    told: list[Line] = [[(style, sign), ("class:faint", f" {name}")] for style, sign, name in signs]
    while columns(joined(told, "  ")) > width - 2 and len(told) > 1:
        told.pop()
    return [("", " "), *joined(told, "  ")]


def _question(view: View, texts: Texts) -> str:
    if view["phase"] == "place":
        return texts("butterflies.asked.place")
    if min(view["played"]) < p.PLAYED_BEFORE_MOVES:
        return texts("butterflies.asked.begin")
    return texts("butterflies.asked.act")


def _turn(view: View, names: Sequence[str], width: int, texts: Texts) -> Line:
    if view["to_act"]:
        asked = _question(view, texts)
        name = clipped(names[view["to_act"][0]], width - columns([("", asked)]) - 8)
        return [("class:turn", f" ▶ {texts('board.asked', who=name, what=asked)} ")]
    won = view["won"]
    if won is None:
        return [("class:turn", f" {texts('butterflies.nobody_won')} ")]
    goal = view["goals"][won["seat"]][won["goal"]]
    told = texts("butterflies.won", goal=named(goal, texts) if goal else "?", who="")
    name = clipped(names[won["seat"]], width - columns([("", told)]) - 3)
    return [
        ("class:turn", f" {texts('butterflies.won', goal=named(goal, texts) if goal else '?', who=name)} ")
    ]
