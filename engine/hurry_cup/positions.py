"""States made from views: positions read from maps, and worlds imagined from what one viewer knows."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.engine.chance import Chance
from parlour.engine.errors import BadPosition
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.checks import check
from parlour.engine.hurry_cup.road import STRAIGHT_ROAD, known, option_road
from parlour.engine.hurry_cup.scramble import PAWN_NUMBER
from parlour.engine.hurry_cup.state import AUDIENCE, COVERED, VIEWS, Season, State
from parlour.engine.hurry_cup.track import FINISH, given
from parlour.engine.lean import evolved
from parlour.engine.maps import from_map
from parlour.engine.plain import short_repr
from parlour.engine.secret import Secret

_EVERY_SEAT: dict[str, Any] = {
    "cars": 0,
    "spent": (),
    "second_chance": False,
    "bonuses": (),
    "pawns": None,
    "token_used": False,
    "driven": False,
    "ranks": None,
    "points": 0,
    "wins": 0,
}
"""Lists with an entry for every seat, and what it is where the list is left out."""
_DERIVED = ("detours", "fuel", "speeds")
"""What a view tells so that nobody has to work it out."""


def read(plain: Mapping[str, Any], seats: int, options: p.HurryOptions) -> State:
    """The state that a position describes; raises BadPosition."""
    if "options" in plain:
        raise BadPosition("options", "stand beside a position, not in it")
    if "track" in plain:
        track = given(plain["track"], BadPosition)
    else:
        track = (option_road(options.track) or STRAIGHT_ROAD).sections
    rest = {key: value for key, value in plain.items() if key != "track"}
    view = from_map(p.View, {**rest, "options": options.plain()}, BadPosition)
    view = _completed(evolved(view, options=options, track=track), seats)
    check(view)
    hidden = [(int(section), bonus) for section, bonus in view.hidden.items() if isinstance(bonus, str)]
    dice = [view.dice[pawn] for pawn in p.PAWNS[: len(view.dice)]]
    state = build(view, sorted(hidden), [die for die in dice if isinstance(die, int)], view.ranks)
    _check_derived(view, VIEWS(state))
    return state


def _check_derived(given_: p.View, made: p.View) -> None:
    """What follows from the rest is left out, or is as it follows."""
    for name in _DERIVED:
        value, right = getattr(given_, name), getattr(made, name)
        if value and value != right:
            raise BadPosition(name, f"must be left out, or be what follows: {short_repr(right)}")


def _completed(view: p.View, seats: int) -> p.View:
    """The view with every list as long as there are seats, and with what follows from the rest."""
    lists: dict[str, Any] = {}
    for name, empty in _EVERY_SEAT.items():
        entries = getattr(view, name) or (empty,) * seats
        if len(entries) != seats:
            raise BadPosition(name, f"must have an entry for each of the {seats} seats, not {len(entries)}")
        lists[name] = entries
    if view.trumps is None:
        lists["trumps"] = tuple(tuple(t for t in p.TRUMPS if t not in spent) for spent in lists["spent"])
    elif len(view.trumps) != seats:
        raise BadPosition("trumps", f"must have an entry for each of the {seats} seats")
    if view.phase not in COVERED and not view.looked:
        lists["looked"] = view.honks
    users = {view.tank_due, *view.honks, *(view.to_act if view.helmet else ())}
    lists["token_used"] = tuple(used or seat in users for seat, used in enumerate(lists["token_used"]))
    return evolved(view, **lists)


def build(
    view: p.View, hidden: Sequence[tuple[int, p.Bonus]], dice: Sequence[int], ranks: Sequence[Any]
) -> State:
    """The state of a view whose hidden parts are these."""
    covered = view.phase in COVERED
    return State(
        view.options,
        Season(view.race, view.points, view.wins),
        known(view.track),
        tuple([(section, Secret(k.NUMBER[bonus])) for section, bonus in hidden]),
        view.oil,
        tuple([k.NUMBER[bonus] for bonus in view.gone]),
        view.cars,
        view.finished,
        view.round,
        view.starter,
        view.lantern,
        view.tank_due,
        None if view.fresh is None else k.NUMBER[view.fresh],
        _kits(view),
        _bits(view.token_used),
        _bits(view.driven),
        view.accelerator,
        Secret(tuple(dice), AUDIENCE[_set(view.looked)]) if covered else None,
        () if covered else tuple(dice),
        tuple([None if pawn is None else PAWN_NUMBER[pawn] for pawn in view.pawns]),
        view.honks,
        len(view.looked),
        tuple([_sealed(seat, ranking) for seat, ranking in enumerate(ranks)]),
        view.entered,
        view.helmet,
        view.phase,
        _set(view.to_act),
    )


def imagined(view: p.View, chance: Chance) -> State:
    """Lays bonuses under the stars, dice under the cup and rankings in the envelopes as they may be.

    A bonus that lies open, is on the road or was used up is under no star; all other luck is even.
    """
    hidden: list[tuple[int, p.Bonus]] = []
    if view.hidden:
        unseen = iter(chance.shuffle("imagine", _unseen(view)))
        for section, bonus in view.hidden.items():
            hidden.append((int(section), bonus if isinstance(bonus, str) else next(unseen)))
    dice = [
        die if isinstance(die := view.dice[pawn], int) else chance.roll("imagine", 6)
        for pawn in p.PAWNS[: len(view.dice)]
    ]
    ranks: list[Any] = list(view.ranks)
    if view.phase == "grab" and view.options.grab == "sealed":
        free = [pawn for pawn in view.dice if pawn not in view.pawns]
        for seat, pawn in enumerate(view.pawns):
            handed_in = pawn is None and view.cars[seat] < FINISH and seat not in view.to_act
            if handed_in and ranks[seat] is None:
                ranks[seat] = chance.shuffle("imagine", free)
    return build(view, sorted(hidden), dice, ranks)


def _unseen(view: p.View) -> list[p.Bonus]:
    """The bonuses that may lie under a star, for all that is open."""
    seen = {*view.gone}
    for held in view.bonuses:
        seen.update(held)
    if view.oil is not None:
        seen.add("oil")
    if view.tank_due is not None:
        seen.add("empty_tank")
    return [bonus for bonus in p.BONUSES if bonus not in seen]


def _kits(view: p.View) -> tuple[int, ...]:
    kits = []
    for seat, trumps in enumerate(view.trumps or ()):
        kit = k.SECOND_CHANCE if view.second_chance[seat] else 0
        for trump in trumps:
            kit |= k.TRUMP_BIT[trump]
        for trump in view.spent[seat]:
            kit |= k.TRUMP_BIT[trump] << k.SPENT
        for bonus in view.bonuses[seat]:
            kit |= k.BONUS_BIT[k.NUMBER[bonus]]
        kits.append(kit)
    return tuple(kits)


def _sealed(seat: int, ranking: tuple[p.Pawn, ...] | None) -> Secret[tuple[int, ...]] | None:
    if ranking is None:
        return None
    return Secret(tuple([PAWN_NUMBER[pawn] for pawn in ranking]), AUDIENCE[1 << seat])


def _bits(flags: Sequence[bool]) -> int:
    return sum([1 << place for place, flag in enumerate(flags) if flag])


def _set(seats: Sequence[int]) -> int:
    return sum([1 << seat for seat in seats])
