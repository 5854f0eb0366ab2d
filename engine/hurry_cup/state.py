"""The state of a game of Hurry' Cup: small numbers and sets of bits inside, words only in the view."""

from typing import Final

from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup.public import BONUSES, PAWNS, Bonus, HurryOptions, Pawn, Phase, View
from parlour.engine.hurry_cup.road import Road
from parlour.engine.lean import lean
from parlour.engine.secret import Seat, Secret

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


def view(state: State) -> View:
    seats = range(len(state.cars))
    kits = state.kits
    return View(
        options=state.options,
        track=state.road.sections,
        cars=state.cars,
        finished=_seats(state.finished),
        round=state.round,
        starter=Seat(state.starter),
        lantern=_seat(state.lantern),
        trumps=tuple([k.trumps(kit) for kit in kits]),
        spent=tuple([k.trumps_spent(kit) for kit in kits]),
        second_chance=tuple([kit & k.SECOND_CHANCE != 0 for kit in kits]),
        bonuses=tuple([k.bonuses(kit) for kit in kits]),
        oil=state.oil,
        hidden={str(section): bonus.apply(_bonus) for section, bonus in state.hidden},
        tank_due=_seat(state.tank_due),
        accelerator=state.accelerator,
        dice=_dice(state),
        pawns=tuple([None if pawn is None else PAWNS[pawn] for pawn in state.pawns]),
        honks=_seats(state.honks),
        looked=_seats(state.honks[: state.looks]),
        token_used=tuple([state.used >> seat & 1 == 1 for seat in seats]),
        driven=tuple([state.driven >> seat & 1 == 1 for seat in seats]),
        entered=state.entered,
        helmet=state.helmet,
        gone=tuple([BONUSES[bonus] for bonus in state.gone]),
        fresh=None if state.fresh is None else BONUSES[state.fresh],
        ranks=tuple([None if rank is None else rank.apply(pawn_words) for rank in state.ranks]),
        race=state.season.race,
        points=state.season.points,
        wins=state.season.wins,
        phase=state.phase,
        to_act=SEATS_IN[state.waiting],
    )


def pawn_words(pawns: tuple[int, ...]) -> tuple[Pawn, ...]:
    return tuple([PAWNS[pawn] for pawn in pawns])


def _bonus(number: int) -> Bonus:
    return BONUSES[number]


def _seat(seat: int | None) -> Seat | None:
    return None if seat is None else Seat(seat)


def _seats(seats: tuple[int, ...]) -> tuple[Seat, ...]:
    return tuple([Seat(seat) for seat in seats])


def _dice(state: State) -> dict[Pawn, Secret[int] | int | None]:
    if state.cup is None:
        return {pawn: state.dice[place] for place, pawn in enumerate(PAWNS[: len(state.dice)])}
    seen_by = state.cup.seen_by
    return {pawn: Secret(value, seen_by) for pawn, value in zip(PAWNS, state.cup.value, strict=False)}
