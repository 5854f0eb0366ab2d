"""A race round by round: what comes when nobody is asked any more, and how rounds and races end."""

from collections.abc import Callable

from parlour.engine.chance import Chance
from parlour.engine.choices import Choices, OneOf, Pattern
from parlour.engine.hurry_cup import drive, news, scramble
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.championship import first_starter, points
from parlour.engine.hurry_cup.draft import Draft, put
from parlour.engine.hurry_cup.ready import Ready
from parlour.engine.hurry_cup.road import Road, option_road, pave
from parlour.engine.hurry_cup.state import DRIVING_ORDER, SEATS_IN, Hidden, Season, State
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


def begin_round(draft: Draft) -> None:
    """Clears the table, empties a tank that is due, and asks whoever has the lantern."""
    draft.used = draft.driven = draft.looks = 0
    draft.accelerator = draft.cup = draft.fresh = draft.tank_due = None
    draft.dice = draft.honks = ()
    draft.pawns = (None,) * len(draft.cars)
    draft.news.append(news.RoundBegun(draft.round, Seat(draft.starter)))
    for seat, kit in enumerate(draft.kits):
        if kit & k.BONUS_BIT[k.EMPTY_TANK]:
            draft.use_bonus(seat, k.EMPTY_TANK)
            draft.tank_due = seat
            draft.news.append(news.TankEmptied(Seat(seat)))
    draft.phase = "lantern"
    if draft.lantern is not None:
        draft.waiting = 1 << draft.lantern


# Lantern and boost


def advance(draft: Draft, seat: int, _: p.Advance) -> None:
    draft.waiting = 0
    section = draft.cars[seat] + 1
    draft.news.append(news.LanternUsed(Seat(seat), section))
    draft.drive_to(seat, section)
    draft.fresh = draft.take_bonus(seat)
    if draft.decided:
        draft.end()


def stay(draft: Draft, seat: int, _: p.Stay) -> None:
    draft.waiting = 0
    draft.news.append(news.LanternUnused(Seat(seat)))


def boost_target(cars: tuple[int, ...], seat: int) -> int | None:
    """The section just behind the nearest racing car ahead, unless the car stands there or leads."""
    car = cars[seat]
    target = min([other for other in cars if car < other < FINISH], default=car + 1) - 1
    return None if target == car else target


def ask_boost(draft: Draft) -> None:
    draft.phase = "boost"
    for seat in DRIVING_ORDER[len(draft.cars)][draft.starter]:
        if draft.may_use(seat, k.BOOST) and boost_target(draft.cars, seat) is not None:
            draft.waiting = 1 << seat
            return


def boost(draft: Draft, seat: int, _: p.Boost) -> None:
    draft.waiting = 0
    target = boost_target(draft.cars, seat)
    if target is None:
        raise LookupError(f"seat {seat} has nobody to close up to")
    draft.use_bonus(seat, k.BOOST)
    draft.cars = put(draft.cars, seat, target)
    draft.news.append(news.Boosted(Seat(seat), target))


def skip(draft: Draft, seat: int, _: p.Skip) -> None:
    draft.waiting = 0
    token: p.Bonus = "boost" if draft.phase == "boost" else "swap"
    draft.news.append(news.TokenSkipped(Seat(seat), token))


# Swap


def to_swap(state: State, seat: int) -> Choices[p.Action]:
    others = SEATS_IN[scramble.racing(state.cars) & ~(1 << seat)]
    return Choices((Pattern.of(p.Swap, OneOf(others)), _SKIP))


def ask_swap(draft: Draft) -> None:
    """Asks who may swap pawns, once the last pawn is taken."""
    scramble.serve(draft)
    draft.phase = "swap"
    for seat in SEATS_IN[scramble.racing(draft.cars)]:
        if draft.may_use(seat, k.SWAP):
            draft.waiting = 1 << seat


def swap(draft: Draft, seat: int, action: p.Swap) -> None:
    draft.waiting = 0
    other = action.with_
    pawns = draft.pawns
    draft.use_bonus(seat, k.SWAP)
    draft.pawns = put(put(pawns, seat, pawns[other]), other, pawns[seat])
    draft.news.append(news.PawnsSwapped(Seat(seat), other))


# The end of a round and of a race


def take_turns(draft: Draft) -> None:
    if not drive.take_turns(draft):
        _end_round(draft)


def _end_round(draft: Draft) -> None:
    if draft.plays_first and draft.finished:
        _end_race(draft)
        return
    draft.lantern = only_last(draft.cars)
    draft.news.append(news.LanternGiven(None if draft.lantern is None else Seat(draft.lantern)))
    draft.starter = (draft.starter + 1) % len(draft.cars)
    draft.round += 1
    begin_round(draft)


def only_last(cars: tuple[int, ...]) -> int | None:
    """The seat of the last car on the road, if no other is beside it."""
    last = min(cars)
    return cars.index(last) if last < FINISH and cars.count(last) == 1 else None


def _end_race(draft: Draft) -> None:
    season = draft.season
    if draft.options.races > 1:
        gained = points(draft.cars)
        total = tuple([before + more for before, more in zip(season.points, gained, strict=True)])
        winner = draft.finished[0]
        draft.season = Season(season.race, total, put(season.wins, winner, season.wins[winner] + 1))
        draft.news.append(news.RaceScored(season.race, gained))
    if season.race == draft.options.races:
        draft.end()
    else:
        _next_race(draft)


def _next_race(draft: Draft) -> None:
    season = draft.season
    race = season.race + 1
    seats = len(draft.cars)
    starter = (first_starter(draft.starter, season.race, draft.round, seats) + race - 1) % seats
    fresh = grid(draft.options, seats, starter, Season(race, season.points, season.wins), draft.chance)
    draft.load(fresh)
    begin_race(draft)


def begin_race(draft: Draft) -> None:
    draft.news.append(news.RaceBegun(draft.season.race, Seat(draft.starter)))
    begin_round(draft)


_NEXT: dict[p.Phase, Callable[[Draft], None]] = {
    "lantern": ask_boost,
    "boost": scramble.roll,
    "horn": scramble.look,
    "look": scramble.look,
    "grab": ask_swap,
    "swap": take_turns,
    "drive": take_turns,
    "after": take_turns,
}


def go_on(draft: Draft) -> None:
    """Plays on by itself until somebody is to decide, or the game is over."""
    while not draft.waiting and not draft.over:
        _NEXT[draft.phase](draft)
