"""A race round by round: what comes when nobody is asked any more, and how rounds and races end."""

from collections.abc import Callable

from parlour.engine.chance import Chance
from parlour.engine.choices import Choices, OneOf, Pattern
from parlour.engine.hurry_cup import drive, news, scramble
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.championship import first_starter, points
from parlour.engine.hurry_cup.ready import Ready
from parlour.engine.hurry_cup.road import Road, option_road, pave
from parlour.engine.hurry_cup.state import DRIVING_ORDER, SEATS_IN, Hidden, Season, State
from parlour.engine.hurry_cup.table import Table, put
from parlour.engine.hurry_cup.tiles import random_track
from parlour.engine.hurry_cup.track import FINISH
from parlour.engine.secret import Seat, Secret

TO_ADVANCE: Choices[p.Action] = Ready((Pattern.of(p.Advance), Pattern.of(p.Stay)))
TO_BOOST: Choices[p.Action] = Ready((Pattern.of(p.Boost), Pattern.of(p.Skip)))
_SKIP: Pattern[p.Action] = Pattern.of(p.Skip)


# The start of a race and of a round


def lay_road(options: p.HurryOptions, race: int, chance: Chance) -> Road:
    return option_road(options.track) or pave(random_track(race, chance))


def hide_bonuses(road: Road, race: int, chance: Chance) -> Hidden:
    """One face down on each star, in rising order; what is left over stays out."""
    bonuses = chance.shuffle(f"bonuses/{race}", range(len(p.BONUSES)))
    return tuple([(star, Secret(bonus)) for star, bonus in zip(road.stars, bonuses, strict=False)])


def grid(options: p.HurryOptions, seats: int, starter: int, season: Season, chance: Chance) -> State:
    """All cars at the start of a race, before its first round."""
    road = lay_road(options, season.race, chance)
    nothing: tuple[None, ...] = (None,) * seats
    return State(
        options=options,
        season=season,
        road=road,
        hidden=hide_bonuses(road, season.race, chance),
        oil=None,
        gone=(),
        cars=(0,) * seats,
        finished=(),
        round=1,
        starter=starter,
        lantern=None,
        tank_due=None,
        fresh=None,
        kits=(k.EVERY_TRUMP,) * seats,
        used=0,
        driven=0,
        accelerator=None,
        cup=None,
        dice=(),
        pawns=nothing,
        honks=(),
        looks=0,
        ranks=nothing,
        entered=(),
        helmet=False,
        phase="boost",
        waiting=0,
    )


def begin_round(table: Table) -> None:
    """Clears the table, empties a tank that is due, and asks whoever has the lantern."""
    table.used = table.driven = table.looks = 0
    table.accelerator = table.cup = table.fresh = table.tank_due = None
    table.dice = table.honks = ()
    table.pawns = (None,) * len(table.cars)
    table.news.append(news.RoundBegun(table.round, Seat(table.starter)))
    for seat, kit in enumerate(table.kits):
        if kit & k.BONUS_BIT[k.EMPTY_TANK]:
            table.use_bonus(seat, k.EMPTY_TANK)
            table.tank_due = seat
            table.news.append(news.TankEmptied(Seat(seat)))
    table.phase = "lantern"
    if table.lantern is not None:
        table.waiting = 1 << table.lantern


# Lantern and boost


def advance(table: Table, seat: int, _: p.Advance) -> None:
    table.waiting = 0
    section = table.cars[seat] + 1
    table.news.append(news.LanternUsed(Seat(seat), section))
    table.drive_to(seat, section)
    table.fresh = table.take_bonus(seat)
    if table.decided:
        table.end()


def stay(table: Table, seat: int, _: p.Stay) -> None:
    table.waiting = 0
    table.news.append(news.LanternUnused(Seat(seat)))


def boost_target(cars: tuple[int, ...], seat: int) -> int | None:
    """The section just behind the nearest racing car ahead, unless the car stands there or leads."""
    car = cars[seat]
    target = min([other for other in cars if car < other < FINISH], default=car + 1) - 1
    return None if target == car else target


def ask_boost(table: Table) -> None:
    table.phase = "boost"
    for seat in DRIVING_ORDER[len(table.cars)][table.starter]:
        if table.may_use(seat, k.BOOST) and boost_target(table.cars, seat) is not None:
            table.waiting = 1 << seat
            return


def boost(table: Table, seat: int, _: p.Boost) -> None:
    table.waiting = 0
    target = boost_target(table.cars, seat)
    if target is None:
        raise LookupError(f"seat {seat} has nobody to close up to")
    table.use_bonus(seat, k.BOOST)
    table.cars = put(table.cars, seat, target)
    table.news.append(news.Boosted(Seat(seat), target))


def skip(table: Table, seat: int, _: p.Skip) -> None:
    table.waiting = 0
    token: p.Bonus = "boost" if table.phase == "boost" else "swap"
    table.news.append(news.TokenSkipped(Seat(seat), token))


# Swap


def to_swap(state: State, seat: int) -> Choices[p.Action]:
    others = SEATS_IN[scramble.racing(state.cars) & ~(1 << seat)]
    return Choices((Pattern.of(p.Swap, OneOf(others)), _SKIP))


def ask_swap(table: Table) -> None:
    """Asks who may swap pawns, once the last pawn is taken."""
    scramble.serve(table)
    table.phase = "swap"
    for seat in SEATS_IN[scramble.racing(table.cars)]:
        if table.may_use(seat, k.SWAP):
            table.waiting = 1 << seat


def swap(table: Table, seat: int, action: p.Swap) -> None:
    table.waiting = 0
    other = action.with_
    pawns = table.pawns
    table.use_bonus(seat, k.SWAP)
    table.pawns = put(put(pawns, seat, pawns[other]), other, pawns[seat])
    table.news.append(news.PawnsSwapped(Seat(seat), other))


# The end of a round and of a race


def take_turns(table: Table) -> None:
    if not drive.take_turns(table):
        _end_round(table)


def _end_round(table: Table) -> None:
    if table.plays_first and table.finished:
        _end_race(table)
        return
    table.lantern = only_last(table.cars)
    table.news.append(news.LanternGiven(None if table.lantern is None else Seat(table.lantern)))
    table.starter = (table.starter + 1) % len(table.cars)
    table.round += 1
    begin_round(table)


def only_last(cars: tuple[int, ...]) -> int | None:
    """The seat of the last car on the road, if no other is beside it."""
    last = min(cars)
    return cars.index(last) if last < FINISH and cars.count(last) == 1 else None


def _end_race(table: Table) -> None:
    season = table.season
    if table.options.races > 1:
        gained = points(table.cars)
        total = tuple([before + more for before, more in zip(season.points, gained, strict=True)])
        winner = table.finished[0]
        table.season = Season(season.race, total, put(season.wins, winner, season.wins[winner] + 1))
        table.news.append(news.RaceScored(season.race, gained))
    if season.race == table.options.races:
        table.end()
    else:
        _next_race(table)


def _next_race(table: Table) -> None:
    season = table.season
    race = season.race + 1
    seats = len(table.cars)
    starter = (first_starter(table.starter, season.race, table.round, seats) + race - 1) % seats
    fresh = grid(table.options, seats, starter, Season(race, season.points, season.wins), table.chance)
    table.load(fresh)
    begin_race(table)


def begin_race(table: Table) -> None:
    table.news.append(news.RaceBegun(table.season.race, Seat(table.starter)))
    begin_round(table)


_NEXT: dict[p.Phase, Callable[[Table], None]] = {
    "lantern": ask_boost,
    "boost": scramble.roll,
    "horn": scramble.look,
    "look": scramble.look,
    "grab": ask_swap,
    "swap": take_turns,
    "drive": take_turns,
    "after": take_turns,
}


def go_on(table: Table) -> None:
    """Plays on by itself until somebody is to decide, or the game is over."""
    while not table.waiting and not table.over:
        _NEXT[table.phase](table)
