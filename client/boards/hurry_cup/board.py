"""Hurry' Cup as text: the road with its cars, the standings, the dice, and the road ahead of the viewer.

A car is the letter of its seat. Pawns and dice have the letter of their colour, K for black. Standings stand
beside the road or below it, wherever the road gets larger by it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from parlour.client.boards.hurry_cup.legend import legend
from parlour.client.boards.hurry_cup.news import words
from parlour.client.boards.hurry_cup.panel import (
    DICE,
    PAWN_LETTERS,
    Form,
    below,
    beside,
    lines_beside,
    name_below,
    shortened,
    token,
)
from parlour.client.boards.hurry_cup.road import drawn_road, laid_out
from parlour.client.boards.hurry_cup.stops import LETTERS, MORE, Stop, car_style, cars, drive_end, sign, stops
from parlour.client.boards.press import touchable
from parlour.client.boards.room import LEAST, Room, fitted
from parlour.client.boards.text import Line, clipped, columns, padded, plain
from parlour.client.language import ENGLISH, Texts
from parlour.engine.hurry_cup import public as p

__all__ = ["PAWN_LETTERS", "draw", "words"]

View = Mapping[str, Any]
BENDS: Mapping[str, str] = {"straight": "", "left": "↰", "right": "↱"}
PANEL = 28
"""The narrowest that standings can be."""
WIDEST_PANEL = 44
AROUND = 3
"""Lines around road and standings: title, the road ahead, whose turn it is."""


def draw(
    view: View,
    me: int | None,
    names: Sequence[str],
    room: Room = LEAST,
    legal: Sequence[Mapping[str, Any]] = (),
    chosen: Mapping[str, Any] | None = None,
    texts: Texts = ENGLISH,
) -> list[Line]:
    """The whole table; sections that the legal actions lead to have a plus."""
    return fitted(room, lambda: _table(view, me, names, room, legal, chosen or {}, texts), texts)


def _table(
    view: View,
    me: int | None,
    names: Sequence[str],
    room: Room,
    legal: Sequence[Mapping[str, Any]],
    chosen: Mapping[str, Any],
    texts: Texts,
) -> list[Line]:
    driver = _driver(view, me)
    here = view["cars"][driver]
    opened = [section for action in legal for section in _leads_to(action, view, driver)]
    aim = next(iter(_leads_to(chosen, view, driver)), None)
    road = stops(view, opened, aim)
    explained = _explained(road, room, names)
    height, under = room.height - AROUND - explained, len(names) + 1
    rooms = _rooms(room, names, explained)
    layout = laid_out(road, rooms)
    if layout.place == 0 and len(rooms) > 1:
        wide = max(layout.scale.size(layout.road)[0] + 2, room.width - WIDEST_PANEL - 1)
        wide = min(wide, room.width - PANEL - 1)
        panel = beside(view, me, names, room.width - wide - 1, texts)
        for_tokens = room.width - wide - 5
        drawn = drawn_road(layout, me, here, (wide, height), texts)
        blank: Line = []
        panel += [blank] * (height - len(panel))
        body = [[*left, ("", " "), *right] for left, right in zip(drawn, panel, strict=True)]
    else:
        drawn = drawn_road(layout, me, here, (room.width, height - under), texts)
        body = [*drawn, [], *below(view, me, names, room.width, texts)]
        for_tokens = room.width - DICE - name_below(room.width) - 1
    title = _title(view, room.width, layout.in_tens, texts)
    ahead = _ahead(road, driver, me, here, room.width, texts)
    short = shortened(view, for_tokens, texts)
    crowded = any(MORE in plain(line) for line in (*drawn, ahead))
    shown = [*(["open"] if opened else []), *(["more"] if crowded else [])]
    marks = legend(view, shown, short, room.width, explained, texts) if explained else []
    return [title, *body, *marks, ahead, _turn(view, names, room.width, texts)]


def _rooms(room: Room, names: Sequence[str], explained: int) -> list[tuple[int, int]]:
    """For the road: beside the standings, if these are not too long, and above them."""
    height = room.height - AROUND - explained
    above = (room.width - 2, height - len(names) - 1)
    return [(room.width - PANEL - 3, height), above] if lines_beside(names) <= height else [above]


def _explained(road: Sequence[Stop], room: Room, names: Sequence[str]) -> int:
    """Lines for the legend: as long as the road gets no smaller by it."""
    without = _rooms(room, names, 0)
    layout = laid_out(road, without)
    for lines in (2, 1) if room.height > LEAST.height else (1,):
        rooms = _rooms(room, names, lines)
        if len(rooms) == len(without) and laid_out(road, rooms).scale == layout.scale:
            return lines
    return 0


def _driver(view: View, me: int | None) -> int:
    """Whose road is looked at: the viewer's own, or that of whoever is to act."""
    if me is not None and me not in view["finished"]:
        return me
    asked = view["to_act"] or view["finished"]
    return int(asked[0]) if asked else 0


def _leads_to(action: Mapping[str, Any], view: View, driver: int) -> list[int]:
    here = view["cars"][driver]
    match action:
        case {"type": "move", "steps": steps, "detour": detour} if not isinstance(detour, Mapping):
            ends = [drive_end(view, driver, step, detour) for step in _values(steps) if step]
            return [section for section in ends if section is not None]
        case {"type": "oil", "section": section}:
            return _values(section)
        case {"type": "advance"} | {"type": "nitro"}:
            return [here + 1]
        case _:
            return []


def _values(field: Any) -> list[int]:
    return list(field["one_of"]) if isinstance(field, Mapping) else [field]


def _title(view: View, width: int, in_tens: bool, texts: Texts) -> Line:
    name = f" {texts('game.hurry-cup').upper()}"
    left: Line = [("class:title", name), ("", "  "), *_under_the_stars(view, width, texts)]
    races = view["options"].get("races", 1)
    told = [texts("hurry.in_tens")] if in_tens else []
    told += [texts("hurry.race", race=view["race"], races=races)] if races > 1 else []
    right: Line = [("", "   ".join([*told, texts("hurry.round", round=view["round"])]))]
    return [*padded(left, width - 1 - columns(right)), *right]


def _under_the_stars(view: View, width: int, texts: Texts) -> Line:
    """The bonuses face down, for whoever sees everything; for all others, which race this is."""
    seen = {section: bonus for section, bonus in view["hidden"].items() if bonus is not None}
    if not seen:
        return [("class:faint", texts("hurry.where", year=p.RACE[2]))]
    form: Form = "token" if width >= 100 else "short"
    bonuses = [f"{section} {token(seen[section], form, texts)}" for section in sorted(seen, key=int)]
    told = texts("hurry.hidden", bonuses=texts("list.between").join(bonuses))
    return [("class:star", "★ "), ("class:faint", told)]


# The road ahead, and the question


def _ahead(road: Sequence[Stop], driver: int, me: int | None, here: int, width: int, texts: Texts) -> Line:
    """The next sections one by one, with their signs: cars may hide these on the road."""
    if here >= p.FINISH:
        return []
    line: Line = [("", " "), (car_style(driver, me), LETTERS[driver]), ("", f" {texts('hurry.ahead')} ")]
    for stop in road[here + 1 :]:
        piece = _stretch(stop, me)
        if columns(line) + columns(piece) > width - 2:
            return [*line, ("class:faint", " …")]
        line += piece
    return line


def _stretch(stop: Stop, me: int | None) -> Line:
    minded = [("", BENDS[stop.cell.turn]), *sign(stop, 4)]
    others = cars(stop.cars, me, 3)
    if stop.cell.section == p.FINISH:
        minded = [("class:name", "F"), *sign(stop)]
    elif not columns(minded) and not others:
        minded = [("class:faint", "─")]
    return touchable(
        "section", stop.cell.section, [("class:faint", f" {stop.cell.section}:"), *minded, *others]
    )


def _turn(view: View, names: Sequence[str], width: int, texts: Texts) -> Line:
    if not view["to_act"]:
        return [("class:turn", f" {texts('hurry.over')} ")]
    asked = _question(view, texts)
    told = _names([names[seat] for seat in view["to_act"]], width - columns([("", asked)]) - 6, texts)
    return [("class:turn", f" ▶ {texts('board.asked', who=told, what=asked)} ")]


def _question(view: View, texts: Texts) -> str:
    if view["phase"] == "grab" and view["options"].get("grab") == "sealed":
        return texts("hurry.asked.rank")
    if view["phase"] == "drive":
        return _speed(view, view["to_act"][0], texts)
    return texts.or_else(f"hurry.asked.{view['phase']}", view["phase"])


def _speed(view: View, seat: int, texts: Texts) -> str:
    """The fuel, and the speed that is compared with the signs."""
    key = "hurry.speed_helmet" if view["helmet"] else "hurry.speed"
    return texts(key, fuel=view["fuel"][seat], speed=view["speeds"][seat])


def _names(names: Iterable[str], room: int, texts: Texts) -> str:
    """All of them; in a scramble each gets its share of the room."""
    every = list(names)
    share = max(3, (room - 5 - 2 * len(every)) // len(every))
    return clipped(texts.listed([clipped(name, share) for name in every]), room)
