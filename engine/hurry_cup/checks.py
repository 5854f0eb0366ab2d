"""Whether a position can be: each check names the field at fault. Lists are complete when it comes here."""

from collections.abc import Iterable

from parlour.engine.errors import BadPosition
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.rounds import boost_target, only_last
from parlour.engine.hurry_cup.state import DRIVING_ORDER
from parlour.engine.hurry_cup.track import FINISH, LENGTH
from parlour.engine.secret import Seat

_UNROLLED = frozenset({"lantern", "boost"})
_SERVED = frozenset({"drive", "after", "over"})
"""The phases in which a car may have come home with a pawn."""
SECTIONS = frozenset(str(place + 1) for place in range(LENGTH))
"""Their numbers, as the keys of a map have them."""


def check(view: p.View) -> None:
    """Raises BadPosition."""
    _check_seats(view)
    _check_cars(view)
    _check_trumps(view)
    _check_bonuses(view)
    _check_season(view)
    _check_dice(view)
    _check_pawns(view)
    _check_scramble(view)
    _check_turn(view)
    _check_asked(view)


def _need(holds: bool, where: str, problem: str) -> None:
    if not holds:
        raise BadPosition(where, problem)


def _racing(view: p.View) -> list[Seat]:
    return [Seat(seat) for seat, car in enumerate(view.cars) if car < FINISH]


def _check_seats(view: p.View) -> None:
    seats = len(view.cars)
    named: dict[str, Iterable[Seat]] = {
        "finished": view.finished,
        "honks": view.honks,
        "looked": view.looked,
        "to_act": view.to_act,
        "starter": (view.starter,),
        "lantern": () if view.lantern is None else (view.lantern,),
        "tank_due": () if view.tank_due is None else (view.tank_due,),
    }
    for where, found in named.items():
        listed = list(found)
        _need(all(seat < seats for seat in listed), where, f"must name seats below {seats}")
        _need(len(set(listed)) == len(listed), where, "names a seat twice")
    _need(list(view.to_act) == sorted(view.to_act), "to_act", "must be in rising order")


def _check_cars(view: p.View) -> None:
    for seat, car in enumerate(view.cars):
        _need(0 <= car <= FINISH, f"cars.{seat}", f"must be from 0 to {FINISH}, not {car}")
    home = {seat for seat, car in enumerate(view.cars) if car == FINISH}
    _need(set(view.finished) == home, "finished", f"must name the cars at {FINISH}, and no others")
    _need(view.round >= 1, "round", "counts from 1")


def _check_trumps(view: p.View) -> None:
    for seat, trumps in enumerate(view.trumps or ()):
        for where, held in (("trumps", trumps), ("spent", view.spent[seat])):
            _need(len(set(held)) == len(held), f"{where}.{seat}", "has a trump twice")
        both = set(trumps) & set(view.spent[seat])
        _need(not both, f"spent.{seat}", f"{min(both, default='')} is among the trumps too")


def _check_bonuses(view: p.View) -> None:
    places: list[tuple[str, Iterable[p.Bonus]]] = [
        (f"bonuses.{seat}", held) for seat, held in enumerate(view.bonuses)
    ]
    places.append(("gone", view.gone))
    if view.oil is not None:
        _need(1 <= view.oil <= LENGTH, "oil", f"must be on a section from 1 to {LENGTH}")
        places.append(("oil", ("oil",)))
    for section, bonus in view.hidden.items():
        where = f"hidden.{section}"
        _need(section in SECTIONS, where, "is not a section")
        _need(view.track[int(section) - 1].star, where, "has no star")
        if not isinstance(bonus, str):
            raise BadPosition(where, "must be a bonus")
        places.append((where, (bonus,)))
    found: dict[p.Bonus, str] = {}
    for where, bonuses in places:
        for bonus in bonuses:
            _need(bonus not in found, where, f"{bonus} is already in {found.get(bonus)}")
            found[bonus] = where
    if view.tank_due is not None:
        _need(
            found.get("empty_tank", "gone") == "gone", "tank_due", "cannot be: nobody has used the empty tank"
        )
    if view.fresh is not None:
        holder = found.get(view.fresh, "")
        _need(
            view.lantern is not None and holder == f"bonuses.{view.lantern}",
            "fresh",
            "must be a bonus of whoever has the lantern",
        )


def _check_season(view: p.View) -> None:
    races = view.options.races
    _need(1 <= view.race <= races, "race", f"must be from 1 to {races}")
    for where, numbers in (("points", view.points), ("wins", view.wins)):
        _need(min(numbers) >= 0, where, "cannot be negative")
        _need(races > 1 or not any(numbers), where, "stay 0 in a single race")
    over = view.phase == "over"
    raced = view.race - (not over)
    _need(sum(view.wins) <= raced, "wins", "are more than the races that are over")
    most = raced * (FINISH + p.POINTS_FOR_FINISHING)
    _need(max(view.points) <= most, "points", f"cannot be more than {most} by now")
    racing = len(_racing(view))
    if races > 1 or view.options.finish == "first":
        _need(not over or bool(view.finished), "phase", "cannot be over: no car has finished")
        _need(not over or view.race == races, "race", "is not the last one")
        _need(over or racing > 0, "finished", "names every car, so the race would be over")
    else:
        _need(not over or racing <= 1, "phase", "cannot be over: cars are still racing")
        _need(over or racing > 1, "finished", "leaves one car, so the race would be over")


def _check_dice(view: p.View) -> None:
    if view.phase in _UNROLLED:
        _need(view.accelerator is None, "accelerator", f"is not rolled yet in phase {view.phase}")
        _need(not view.dice, "dice", f"are not rolled yet in phase {view.phase}")
        return
    if view.phase == "over" and not view.dice:
        return
    accelerator = view.accelerator
    _need(accelerator is not None and 1 <= accelerator <= 6, "accelerator", "must be from 1 to 6")
    drivers = len(_racing(view)) + sum(view.pawns[seat] is not None for seat in view.finished)
    colours = p.PAWNS[:drivers]
    _need(set(view.dice) == set(colours), "dice", f"must be {', '.join(colours)}, and no others")
    for pawn, die in view.dice.items():
        _need(isinstance(die, int) and 1 <= die <= 6, f"dice.{pawn}", "must be from 1 to 6")


def _check_pawns(view: p.View) -> None:
    taken = [pawn for pawn in view.pawns if pawn is not None]
    for seat, pawn in enumerate(view.pawns):
        if pawn is not None:
            where = f"pawns.{seat}"
            _need(pawn in view.dice, where, f"{pawn} is not in play")
            _need(taken.count(pawn) == 1, where, f"two drivers have {pawn}")
            there = view.cars[seat] < FINISH or view.phase in _SERVED
            _need(there, where, "belongs to nobody who is racing")
    holders = {seat for seat in _racing(view) if view.pawns[seat] is not None}
    match view.phase:
        case "swap" | "drive" | "after":
            _need(len(holders) == len(_racing(view)), "pawns", "must be with every driver who is racing")
        case "look":
            _need(holders == set(view.looked[:-1]), "pawns", "must be with whoever looked before")
        case "horn":
            _need(not holders, "pawns", "are not taken before the horns")
        case "grab":
            _need(holders.issuperset(view.honks), "pawns", "must be with everybody who has honked")


def _check_scramble(view: p.View) -> None:
    rolled = view.phase not in _UNROLLED
    _need(rolled or not view.honks, "honks", f"cannot be in phase {view.phase}")
    for seat in view.honks:
        there = view.cars[seat] < FINISH or view.pawns[seat] is not None
        _need(there, "honks", f"seat {seat} is not in this round")
    match view.phase:
        case "horn":
            _need(not view.looked, "looked", "must be empty: nobody looks before all have answered")
        case "look":
            looked = len(view.looked)
            _need(looked > 0 and view.looked == view.honks[:looked], "looked", "must be the first honkers")
        case _:
            _need(view.looked == view.honks, "looked", "must be all who honked, in their order")
    sealed = view.phase == "grab" and view.options.grab == "sealed"
    free = sorted(pawn for pawn in view.dice if pawn not in view.pawns)
    for place, ranking in enumerate(view.ranks):
        where = f"ranks.{place}"
        if ranking is None:
            continue
        _need(sealed, where, "is only there while rankings are sealed")
        _need(view.pawns[place] is None and view.cars[place] < FINISH, where, "is of no use to that driver")
        _need(isinstance(ranking, tuple) and sorted(ranking) == free, where, "must rank all the free pawns")


def _check_turn(view: p.View) -> None:
    _need(not view.helmet or view.phase == "drive", "helmet", "can only be on in phase drive")
    if view.phase not in ("drive", "after", "over"):
        _need(not any(view.driven), "driven", f"must be false for all in phase {view.phase}")
    if view.phase != "after":
        _need(not view.entered, "entered", "is only there in phase after")
        return
    rising = all(1 <= low < high for low, high in zip(view.entered, view.entered[1:], strict=False))
    _need(bool(view.entered) and rising, "entered", "must be the sections of a move, rising")
    for seat in view.to_act:
        _need(view.entered[-1] == view.cars[seat], "entered", "must end where the car stands")


def _check_asked(view: p.View) -> None:
    asked = list(view.to_act)
    match view.phase:
        case "lantern":
            holder = only_last(view.cars)
            there = holder is not None and view.lantern == holder
            _need(there, "lantern", "must be with the only last car")
            _need(asked == [view.lantern], "to_act", "must be whoever has the lantern")
        case "boost":
            able = [seat for seat in _able(view, "boost") if boost_target(view.cars, seat) is not None]
            _need(asked == able[:1] and bool(able), "to_act", "must be a driver who can boost")
        case "swap":
            _need(asked == _able(view, "swap")[:1] and bool(asked), "to_act", "must be a driver who can swap")
        case "horn":
            able = [seat for seat in _racing(view) if _can_honk(view, seat)]
            _need(bool(asked) and set(asked) <= set(able), "to_act", "must be drivers who can honk")
        case "look":
            _need(asked == [view.looked[-1]], "to_act", "must be the last of those who looked")
        case "grab":
            _need(asked == _without_pawn(view) and bool(asked), "to_act", "must be all who can take a pawn")
        case "drive" | "after":
            _need(asked == _next_driver(view), "to_act", "must be the next one in driving order")
        case "over":
            _need(not asked, "to_act", "must be empty: the game is over")


def _able(view: p.View, bonus: p.Bonus) -> list[Seat]:
    return [
        seat
        for seat in _racing(view)
        if bonus in view.bonuses[seat] and view.fresh != bonus and not view.token_used[seat]
    ]


def _can_honk(view: p.View, seat: Seat) -> bool:
    trumps = view.trumps or ()
    again = "horn" in view.spent[seat] and seat in _able(view, "assist")
    return not view.token_used[seat] and ("horn" in trumps[seat] or again)


def _without_pawn(view: p.View) -> list[Seat]:
    return [seat for seat in _racing(view) if view.pawns[seat] is None and view.ranks[seat] is None]


def _next_driver(view: p.View) -> list[Seat]:
    """In phase after, a car that has just come home still has its turn."""
    for seat in DRIVING_ORDER[len(view.cars)][view.starter]:
        turn_on = view.phase == "after" and seat in view.to_act
        if not view.driven[seat] and (view.cars[seat] < FINISH or turn_on):
            return [Seat(seat)]
    return []
