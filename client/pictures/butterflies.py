"""Butterflies as text: the grid with the cells that one may play, and beside it hands, goals and tokens."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.pictures.butterfly_grid import (
    COLOURS,
    SPECIES,
    TOKENS,
    At,
    Marks,
    cell,
    longest,
    picture,
    short,
    style_of,
)
from parlour.client.pictures.butterfly_words import words
from parlour.client.pictures.room import LEAST, Room, fitted
from parlour.client.pictures.text import Line, clipped, joined, padded
from parlour.engine.butterflies import public as p

__all__ = ["draw", "words"]

View = Mapping[str, Any]
PANEL = 34
WIDE_PANEL = 37
AROUND = 3
"""Lines around grid and players: title, the letters explained, whose turn it is."""


def draw(
    view: View,
    me: int | None,
    names: Sequence[str],
    room: Room = LEAST,
    legal: Sequence[Mapping[str, Any]] = (),
    chosen: Mapping[str, Any] | None = None,
) -> list[Line]:
    """The whole table; cells that the legal actions lead to have a plus."""
    return fitted(room, lambda: _table(view, me, names, room, _marks(view, legal, chosen or {})))


def _table(view: View, me: int | None, names: Sequence[str], room: Room, marks: Marks) -> list[Line]:
    height = room.height - AROUND
    panel = PANEL if room.width < 100 else WIDE_PANEL
    wide = room.width - panel - 1
    last = cell(view["last"]["at"]) if view["last"] else None
    grid = picture(view["grid"], last, marks, (wide, height))
    players = [line for seat in range(len(names)) for line in _player(view, seat, me, names, panel)]
    if len(players) + len(names) <= height:
        players = [
            line for seat in range(len(names)) for line in [*_player(view, seat, me, names, panel), []]
        ]
    players += [[]] * (height - len(players))
    body = [[*left, ("", " "), *right] for left, right in zip(grid, players, strict=False)]
    return [_title(view, room.width), *body, _legend(marks, room.width), _turn(view, names, room.width)]


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


def _player(view: View, seat: int, me: int | None, names: Sequence[str], width: int) -> list[Line]:
    asked = "▸" if seat in view["to_act"] else " "
    team = f"team {'AB'[seat % 2]}  " if view["options"].get("teams") == "on" else ""
    right = f"{team}{view['played'][seat]} played"
    mine = "class:mine" if seat == me else "class:name"
    left: Line = [
        ("class:turn" if asked == "▸" else "", asked),
        (mine, clipped(names[seat], width - 3 - len(right))),
    ]
    tokens = [token if token in view["tokens"][seat] else "·" * len(token) for token in TOKENS]
    held: Line = [("", " "), *_hand(view["hands"][seat])]
    return [
        [*padded(left, width - len(right) - 1), ("class:faint", right)],
        [*padded(held, width - 8), ("", " ".join(tokens))],
        [("", " "), *_goals(view, seat)],
    ]


def _hand(hand: Any) -> Line:
    if isinstance(hand, int):
        return [("class:faint", "▒▒ " * hand)] if hand else [("class:faint", "no cards")]
    return joined([_card(card) for card in hand]) if hand else [("class:faint", "no cards")]


def _card(card: str) -> Line:
    return [(style_of(card), short(card))]


def _goals(view: View, seat: int) -> Line:
    """Each goal with the longest row on its way; face down to this viewer it is a question mark."""
    return joined([_goal(view, seat, goal) for goal in ("colour", "species")])


def _goal(view: View, seat: int, goal: str) -> Line:
    word = view["goals"][seat][goal]
    if word is None:
        return [("class:faint", f"{goal} ?")]
    told = f"[{word}]" if goal in view["shown"][seat] else word
    have = min(len(longest(view["grid"], word)), p.ROW)
    style = f"class:cube.{word}" if word in COLOURS else "class:name"
    return [(style, told), ("", f" {'■' * have}"), ("class:faint", "·" * (p.ROW - have))]


# Around them


def _size(pile: Any) -> int:
    return pile if isinstance(pile, int) else len(pile or ())


def _title(view: View, width: int) -> Line:
    left: Line = [("class:title", " BUTTERFLIES")]
    if view["turned"] is not None:
        left += [("", "   turned up "), *_card(view["turned"])]
    quiet = f"quiet turns {view['quiet']} of {view['options'].get('quiet_limit', '?')}   "
    right = f"{quiet if view['quiet'] else ''}deck {_size(view['deck'])}"
    return [*padded(left, width - 1 - len(right)), ("", right)]


def _legend(marks: Marks, width: int) -> Line:
    species = [[("class:name", letter), ("class:faint", f" {name}")] for name, letter in SPECIES.items()]
    tokens = [[("class:name", sign), ("class:faint", f" {name}")] for name, sign in TOKENS.items()]
    here: list[Line] = [[("class:open", "+"), ("class:faint", " yours to play")]] if marks.open else []
    more: list[Line] = [[("class:name", "[ ]"), ("class:faint", " last card, goal face up")]]
    return [("", " "), *joined([*species, *tokens, *here, *(more if width >= 110 else [])], "  ")]


def _asked(view: View) -> str:
    if view["phase"] == "place":
        return "place the card that is turned up"
    if min(view["played"]) < p.PLAYED_BEFORE_MOVES:
        return "play a card, or turn one up"
    return "play, turn up or move a card, or put a token"


def _turn(view: View, names: Sequence[str], width: int) -> Line:
    if view["to_act"]:
        asked = _asked(view)
        name = clipped(names[view["to_act"][0]], width - len(asked) - 8)
        return [("class:turn", f" ▶ {name}: {asked} ")]
    if view["won"] is None:
        return [("class:turn", " The game is over: nobody has won. ")]
    told = f"The game is over: {view['goals'][view['won']['seat']][view['won']['goal']]} was the goal of "
    return [("class:turn", f" {told}{clipped(names[view['won']['seat']], width - len(told) - 4)}. ")]
