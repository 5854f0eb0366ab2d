"""What the marks on the road, the letters of colours and the short names of tokens mean, in a line or two."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.hurry_cup.panel import PAWN_LETTERS, token
from parlour.client.boards.hurry_cup.stops import MORE
from parlour.client.boards.text import Line, columns
from parlour.client.language import Texts
from parlour.engine.hurry_cup import public as p

View = Mapping[str, Any]
MARKS: Mapping[str, tuple[str, str]] = {"open": ("class:open", "+"), "more": ("class:car", MORE)}
"""What is there at times: the style, and the mark."""


def legend(
    view: View, shown: Sequence[str], shortened: bool, width: int, lines: int, texts: Texts
) -> list[Line]:
    """As much as there is room for: the road, tokens with short names, what else is shown, colours."""
    signs = [("class:speed", "80", "sign"), ("class:star", "★", "star")]
    signs += [("class:oil", "≈", "oil")] if view["oil"] is not None else []
    signs += [("", "↰↱", "turn")]
    told = [_entry(style, sign, texts(f"hurry.legend.{name}")) for style, sign, name in signs]
    if shortened:
        short = [(token(each, "short", texts), token(each, "token", texts)) for each in _held(view)]
        told += [_entry("class:name", sign, name) for sign, name in short]
    told += [_entry(*MARKS[each], texts(f"hurry.legend.{each}")) for each in shown]
    pawns = [each for each in p.PAWNS if each in view["dice"]] or p.PAWNS[: len(view["cars"])]
    told += [
        _entry(f"class:pawn.{each}", PAWN_LETTERS[each], texts(f"hurry.colour.{each}")) for each in pawns
    ]
    return _flowed(told, width, lines)


def _entry(style: str, sign: str, name: str) -> Line:
    return [(style, sign), ("class:faint", f" {name}")]


def _held(view: View) -> list[str]:
    """The tokens that somebody has; the trumps, which everybody has known from the start, are the last."""
    held = ["tank_due"] if view["tank_due"] is not None else []
    held += ["lantern"] if view["lantern"] is not None else []
    held += ["second_chance"] if any(view["second_chance"]) else []
    held += [bonus for bonuses in view["bonuses"] for bonus in bonuses]
    held += [trump for trump in p.TRUMPS if any(trump in trumps for trumps in view["trumps"])]
    return list(dict.fromkeys(held))


def _flowed(entries: Sequence[Line], width: int, lines: int) -> list[Line]:
    flowed: list[Line] = [[("", " ")]]
    for entry in entries:
        if columns(flowed[-1]) + columns(entry) + 2 > width:
            if len(flowed) == lines:
                break
            flowed.append([("", " ")])
        flowed[-1] += [*entry, ("", "  ")]
    return [*flowed, *[[]] * (lines - len(flowed))]
