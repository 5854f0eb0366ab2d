"""What stands beside the road of Hurry' Cup, or below it: the standings, what each driver has, the dice."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from prompt_toolkit.utils import get_cwidth

from parlour.client.boards.hurry_cup.stops import LETTERS, car_style
from parlour.client.boards.press import touchable
from parlour.client.boards.text import Line, clipped, columns, joined, padded, spread
from parlour.client.language import Texts
from parlour.engine.hurry_cup import public as p

View = Mapping[str, Any]
Form = Literal["token", "short"]
"""A token in words, and in two columns where the words of a driver do not fit."""
PAWN_LETTERS: Mapping[str, str] = {
    "red": "R",
    "yellow": "Y",
    "green": "G",
    "blue": "B",
    "white": "W",
    "black": "K",
}
DICE = 26
"""Columns of the dice below the road."""


def token(word: str, form: Form, texts: Texts) -> str:
    return texts.or_else(f"hurry.{form}.{word}", word if form == "token" else word[:2])


def standings(view: View) -> list[int]:
    """All seats: the cars that are home in their order, then by section."""
    racing = [seat for seat in range(len(view["cars"])) if seat not in view["finished"]]
    return [*view["finished"], *sorted(racing, key=lambda seat: -view["cars"][seat])]


def place(view: View, seat: int) -> int:
    """Counted from 1; cars on one section share it."""
    if seat in view["finished"]:
        return list(view["finished"]).index(seat) + 1
    cars = view["cars"]
    ahead = [other for other in range(len(cars)) if other in view["finished"] or cars[other] > cars[seat]]
    return len(ahead) + 1


def _driver_line(view: View, seat: int, me: int | None, name: str, width: int, texts: Texts) -> Line:
    asked = "▸" if seat in view["to_act"] else " "
    home = seat in view["finished"]
    where: Line = [("", f"{view['cars'][seat]:>4}")]
    if home:
        where = [("class:home", spread(texts("hurry.home"), 4))]
    number: Line = [("class:faint", f"{place(view, seat)} "), ("class:turn" if asked == "▸" else "", asked)]
    car: Line = [(car_style(seat, me), LETTERS[seat]), ("", " ")]
    driver: Line = [("class:name", clipped(name, width - 10))]
    crew = texts(f"hurry.crew.{seat + 1}")
    if columns(driver) + get_cwidth(crew) <= width - 13 and not on_the_grid(view):
        driver += [("class:faint", f"  {crew}")]
    line = [*padded([*number, *car, *driver], width - 5), *where, ("", " ")]
    return touchable("driver", seat, line)


def _tokens(view: View, seat: int, width: int, texts: Texts) -> Line:
    """What a driver has, in words if there is room for them; on the start grid, where the crew is from."""
    if on_the_grid(view):
        crew, origin = texts(f"hurry.crew.{seat + 1}"), texts(f"hurry.from.{seat + 1}")
        whole = texts("hurry.crew_from", crew=crew, origin=origin)
        return [("class:faint", whole if get_cwidth(whole) <= width else crew)]
    kits = [_kit(view, seat, "token", texts), _kit(view, seat, "short", texts)]
    return next((kit for kit in kits if columns(kit) <= width), _kit(view, seat, "short", texts, False))


def on_the_grid(view: View) -> bool:
    """Whether the race has just begun: everybody is at the start and has the same tokens."""
    return view["round"] == 1 and not any(view["cars"]) and not any(view["pawns"])


def shortened(view: View, width: int, texts: Texts) -> bool:
    """Whether tokens of some driver have their short names in so many columns."""
    seats = range(len(view["cars"]))
    return not on_the_grid(view) and any(columns(_kit(view, seat, "token", texts)) > width for seat in seats)


def _kit(view: View, seat: int, form: Form, texts: Texts, with_speed: bool = True) -> Line:
    parts = [_fuel(view, seat)]
    speed = view["speeds"][seat]
    if speed and with_speed:
        parts.append([("class:speed", str(speed))])
    for trump in p.TRUMPS:
        name = token(trump, form, texts)
        there = trump in view["trumps"][seat]
        parts.append([("", name) if there else ("class:faint", "·" * get_cwidth(name))])
    if view["second_chance"][seat]:
        parts.append([("", token("second_chance", form, texts))])
    parts += [[("class:star", token(bonus, form, texts))] for bonus in view["bonuses"][seat]]
    if view["tank_due"] == seat:
        parts.append([("class:sign.slow", token("tank_due", form, texts))])
    if view["lantern"] == seat:
        parts.append([("class:star", token("lantern", form, texts))])
    if view["options"].get("races", 1) > 1:
        points = view["points"][seat]
        key = "hurry.points" if form == "token" else "hurry.points_short"
        parts.append([("", texts(key, points=points, count=points))])
    return joined(parts)


def _fuel(view: View, seat: int) -> Line:
    """The pawn and its die; or the ranking handed in."""
    pawn, rank = view["pawns"][seat], _get(view["ranks"], seat)
    if pawn is not None:
        value = view["dice"].get(pawn)
        return [(f"class:pawn.{pawn}", f"{PAWN_LETTERS[pawn]}{value or '?'}")]
    if rank:
        return [("", "".join(PAWN_LETTERS[each] for each in rank))]
    return [("class:faint", "--")]


def _get(values: Sequence[Any], seat: int) -> Any:
    return values[seat] if seat < len(values) else None


def lines_beside(names: Sequence[str]) -> int:
    """Lines that the standings need beside the road: two for each driver, and the dice."""
    return 2 * len(names) + 4


def beside(view: View, me: int | None, names: Sequence[str], width: int, texts: Texts) -> list[Line]:
    lines: list[Line] = []
    for seat in standings(view):
        lines.append(_driver_line(view, seat, me, names[seat], width, texts))
        lines.append([("", "    "), *_tokens(view, seat, width - 4, texts)])
    return [*lines, [], *_dice(view, texts)]


def name_below(width: int) -> int:
    return 16 if width < 80 else 26 if width < 100 else 34 if width < 150 else 44


def below(view: View, me: int | None, names: Sequence[str], width: int, texts: Texts) -> list[Line]:
    left, name = width - DICE, name_below(width)
    dice = _dice(view, texts)
    dice += [[] for _ in range(len(names) - len(dice))]
    return [
        [
            *padded(
                [
                    *_driver_line(view, seat, me, names[seat], name, texts),
                    *_tokens(view, seat, left - name - 1, texts),
                ],
                left,
            ),
            *beside,
        ]
        for seat, beside in zip(standings(view), dice, strict=True)
    ]


# The dice


def _dice(view: View, texts: Texts) -> list[Line]:
    """The accelerator, the fuel dice by pawn, and whose pawn it is; three lines."""
    accelerator = view["accelerator"]
    above: Line = [
        ("", f"{texts('hurry.accelerator')} "),
        ("class:name", str(accelerator) if accelerator else "-"),
    ]
    if view["honks"]:
        honks = "".join(LETTERS[seat] for seat in view["honks"])
        above += [("", f"  {texts('hurry.honks')} "), ("class:name", honks)]
    if not view["dice"]:
        return [above, [("class:faint", texts("hurry.no_dice"))], []]
    holders = {pawn: seat for seat, pawn in enumerate(view["pawns"]) if pawn is not None}
    rolled = [
        touchable("pawn", pawn, [(f"class:pawn.{pawn}", f"{PAWN_LETTERS[pawn]}{value or '?'}")])
        for pawn, value in _rolled(view)
    ]
    taken: list[Line] = [
        [("", f"{LETTERS[holders[pawn]]} ") if pawn in holders else ("class:faint", "· ")]
        for pawn, _ in _rolled(view)
    ]
    dice, pawns = texts("hurry.dice"), texts("hurry.pawns")
    label = max(get_cwidth(dice), get_cwidth(pawns)) + 2
    return [above, [("", spread(dice, label)), *joined(rolled)], [("", spread(pawns, label)), *joined(taken)]]


def _rolled(view: View) -> list[tuple[str, int | None]]:
    return [(pawn, view["dice"][pawn]) for pawn in p.PAWNS if pawn in view["dice"]]
