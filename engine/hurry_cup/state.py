"""The state of a game of Hurry' Cup: small numbers and sets of bits inside, words only in the view."""

from typing import Any, Final

from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup.public import BONUSES, PAWNS, Bonus, HurryOptions, Pawn, Phase, View
from parlour.engine.hurry_cup.road import Road, speed
from parlour.engine.lean import lean
from parlour.engine.secret import Seat, Secret
from parlour.engine.view_fields import From, ViewFields

MOST_SEATS: Final = 6
SEATS_IN: tuple[tuple[Seat, ...], ...] = tuple(
    tuple(Seat(seat) for seat in range(MOST_SEATS) if mask >> seat & 1) for mask in range(1 << MOST_SEATS)
)
"""The seats of a set of bits, rising."""
AUDIENCE: tuple[frozenset[Seat], ...] = tuple(frozenset(seats) for seats in SEATS_IN)
EVERYBODY: tuple[int, ...] = tuple((1 << seats) - 1 for seats in range(MOST_SEATS + 1))
DRIVING_ORDER: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple((starter - turn) % seats for turn in range(seats)) for starter in range(seats))
    for seats in range(MOST_SEATS + 1)
)
"""By number of seats and starter: counter-clockwise."""

COVERED: frozenset[Phase] = frozenset({"horn", "look"})
"""The phases in which the dice are under the cup."""

Hidden = tuple[tuple[int, Secret[int]], ...]
Ranking = tuple[int, ...]


@lean
class Season:
    """The race of a championship, counted from 1, and what the earlier ones brought."""

    race: int
    points: tuple[int, ...]
    wins: tuple[int, ...]


@lean
class State:
    """Pawns and bonuses by number, drivers' tokens as kits (kit.py), sets of seats as bits."""

    options: HurryOptions
    season: Season
    road: Road
    hidden: Hidden
    """By section, rising: the bonus that nobody has seen."""
    oil: int | None
    gone: tuple[int, ...]
    cars: tuple[int, ...]
    finished: tuple[int, ...]
    round: int
    starter: int
    lantern: int | None
    tank_due: int | None
    fresh: int | None
    kits: tuple[int, ...]
    used: int
    """Who has used a token in this round."""
    driven: int
    accelerator: int | None
    cup: Secret[tuple[int, ...]] | None
    """The fuel dice while they are hidden, by colour; whoever looked is the audience."""
    dice: tuple[int, ...]
    """The fuel dice once they are open."""
    pawns: tuple[int | None, ...]
    honks: tuple[int, ...]
    looks: int
    """How many of the honkers have looked."""
    ranks: tuple[Secret[Ranking] | None, ...]
    entered: tuple[int, ...]
    helmet: bool
    phase: Phase
    waiting: int
    """Who is asked."""


def free_pawns(pawns: tuple[int | None, ...], dice: int) -> int:
    """The pawns that nobody has, as bits, when there are so many dice."""
    free = EVERYBODY[dice]
    for pawn in pawns:
        if pawn is not None:
            free &= ~(1 << pawn)
    return free


def pawn_words(pawns: tuple[int, ...]) -> tuple[Pawn, ...]:
    return tuple([PAWNS[pawn] for pawn in pawns])


def _bonus(number: int) -> Bonus:
    return BONUSES[number]


def _bits(bits: int, cars: tuple[int, ...]) -> tuple[bool, ...]:
    """By seat, of which there are as many as cars."""
    return tuple([bits >> seat & 1 == 1 for seat in range(len(cars))])


def _hidden(hidden: Hidden) -> dict[str, Secret[Bonus]]:
    return {str(section): bonus.apply(_bonus) for section, bonus in hidden}


def _dice(cup: Secret[tuple[int, ...]] | None, dice: tuple[int, ...]) -> dict[Pawn, Secret[int] | int | None]:
    if cup is None:
        return {pawn: dice[place] for place, pawn in enumerate(PAWNS[: len(dice)])}
    return {pawn: Secret(value, cup.seen_by) for pawn, value in zip(PAWNS, cup.value, strict=False)}


def _pawn(pawn: int | None) -> Pawn | None:
    return None if pawn is None else PAWNS[pawn]


def _rank(rank: Secret[Ranking] | None) -> Secret[tuple[Pawn, ...]] | None:
    return None if rank is None else rank.apply(pawn_words)


def fuel_of(
    seat: int,
    tank_due: int | None,
    options: HurryOptions,
    pawns: tuple[int | None, ...],
    dice: tuple[int, ...],
) -> int | None:
    """The die of the driver's pawn once it is open, or what an empty tank leaves."""
    if seat == tank_due:
        return options.empty_tank
    pawn = pawns[seat]
    return None if pawn is None or not dice else dice[pawn]


def _fuel(
    tank_due: int | None, options: HurryOptions, pawns: tuple[int | None, ...], dice: tuple[int, ...]
) -> tuple[int | None, ...]:
    return tuple([fuel_of(seat, tank_due, options, pawns, dice) for seat in range(len(pawns))])


def _speeds(accelerator: int | None, helmet: bool, waiting: int, *of_fuel: Any) -> tuple[int | None, ...]:
    """What is compared with the signs, once the accelerator is rolled."""
    if accelerator is None:
        return (None,) * len(of_fuel[2])
    return tuple(
        [
            None if fuel is None else 10 * speed(fuel, accelerator, helmet and waiting >> seat & 1 == 1)
            for seat, fuel in enumerate(_fuel(*of_fuel))
        ]
    )


_OF_FUEL = ("tank_due", "options", "pawns", "dice")
VIEWS: ViewFields[State, View] = ViewFields(
    View,
    {
        "options": From("options", seldom=True),
        "track": From("road.sections", seldom=True),
        "detours": From("road.detours", seldom=True),
        "cars": From("cars"),
        "finished": From("finished", seldom=True),
        "round": From("round"),
        "starter": From("starter"),
        "lantern": From("lantern", seldom=True),
        "trumps": From("kits", each=k.trumps),
        "spent": From("kits", each=k.trumps_spent),
        "second_chance": From("kits", each=lambda kit: kit & k.SECOND_CHANCE != 0),
        "bonuses": From("kits", each=k.bonuses),
        "oil": From("oil", seldom=True),
        "hidden": From("hidden", make=_hidden, seldom=True),
        "tank_due": From("tank_due"),
        "accelerator": From("accelerator"),
        "dice": From("cup", "dice", make=_dice),
        "pawns": From("pawns", each=_pawn),
        "fuel": From(*_OF_FUEL, make=_fuel),
        "speeds": From("accelerator", "helmet", "waiting", *_OF_FUEL, make=_speeds),
        "honks": From("honks"),
        "looked": From("honks", "looks", make=lambda honks, looks: honks[:looks]),
        "token_used": From("used", "cars", make=_bits),
        "driven": From("driven", "cars", make=_bits),
        "entered": From("entered"),
        "helmet": From("helmet"),
        "gone": From("gone", each=BONUSES.__getitem__, seldom=True),
        "fresh": From("fresh", make=lambda fresh: None if fresh is None else _bonus(fresh), seldom=True),
        "ranks": From("ranks", each=_rank, seldom=True),
        "race": From("season.race", seldom=True),
        "points": From("season.points", seldom=True),
        "wins": From("season.wins", seldom=True),
        "phase": From("phase"),
        "to_act": From("waiting", make=SEATS_IN.__getitem__),
    },
)
