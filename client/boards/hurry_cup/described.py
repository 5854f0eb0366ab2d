"""Hurry' Cup in sentences, for those who do not see the drawing."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.hurry_cup.news import colour, where
from parlour.client.boards.hurry_cup.panel import place, standings, token
from parlour.client.language import Texts
from parlour.engine.hurry_cup import public as p

View = Mapping[str, Any]
AHEAD = 7
"""Sections whose signs and stars are told: as far as a die and nitro go."""


def describe(view: View, me: int | None, names: Sequence[str], texts: Texts) -> list[str]:
    seat = me if me is not None else (view["to_act"] or [0])[0]
    return [
        *[_car(view, each, names[each], texts) for each in standings(view)],
        *_ahead(view, view["cars"][seat], names[seat], texts),
        *_dice(view, texts),
    ]


def _car(view: View, seat: int, name: str, texts: Texts) -> str:
    held = [*view["trumps"][seat], *(["second_chance"] if view["second_chance"][seat] else [])]
    held += [*view["bonuses"][seat], *(["lantern"] if view["lantern"] == seat else [])]
    tokens = texts.listed([token(each, "token", texts) for each in held]) or texts("line.none")
    on = where("on", view["cars"][seat], texts)
    return texts("line.car", who=name, place=place(view, seat), on=on, tokens=tokens)


def _ahead(view: View, here: int, name: str, texts: Texts) -> list[str]:
    """The signs and stars that the car comes to next."""
    road = list(enumerate(view["track"], 1))[here : here + AHEAD]
    signs = [
        texts("line.sign", limit=_limit(view, number, each), section=number)
        for number, each in road
        if _limit(view, number, each)
    ]
    stars = [str(number) for number, each in road if each["star"]]
    told = [texts("line.signs", who=name, signs=texts.listed(signs))] if signs else []
    return told + ([texts("line.stars", sections=texts.listed(stars))] if stars else [])


def _limit(view: View, number: int, section: View) -> int | None:
    """The sign, or oil if that is lower."""
    limits = [section["limit"], p.OIL_LIMIT if view["oil"] == number else None]
    return min((limit for limit in limits if limit is not None), default=None)


def _dice(view: View, texts: Texts) -> list[str]:
    if view["accelerator"] is None:
        return [texts("line.no_dice")]
    known = [
        texts("hurry.die", colour=colour(pawn, texts), value=value)
        for pawn, value in view["dice"].items()
        if value
    ]
    dice = texts.listed(known) or texts("line.hidden_dice")
    return [texts("line.dice", accelerator=view["accelerator"], dice=dice)]
