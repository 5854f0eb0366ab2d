"""Greedy play of Hurry' Cup: whatever leaves the fewest rounds to the finish, with a price on tokens."""

from collections.abc import Callable
from random import Random
from typing import Any

from parlour.client.bots.hurry_cup.evaluation import DICE, rest_of
from parlour.client.bots.position import Position
from parlour.client.bots.ranked import Ranked
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.drive import fuel
from parlour.engine.hurry_cup.road import entered
from parlour.engine.hurry_cup.rounds import boost_target
from parlour.engine.hurry_cup.scramble import PAWN_NUMBER, racing
from parlour.engine.hurry_cup.state import SEATS_IN, State
from parlour.engine.hurry_cup.track import FINISH

HELMET, NITRO, HORN, CHANCE, DETOUR, BOOST, SWAP = 0.55, 0.45, 0.45, 0.35, 0.35, 0.6, 0.35
"""Rounds that a token should save to be worth its use, far from the finish."""
STAR = 0.12
"""Rounds that a bonus is worth, not knowing which."""
FAR = 7.0
"""Rounds to go at which tokens have their full price: at the finish they are worth nothing."""
OIL_REACH = 8
"""A car so many sections behind the oil will meet it soon."""


def rank(position: Position, luck: Random) -> list[Ranked]:
    """Ranks by what this seat sees: of the imagined world it reads only dice that the seat has seen."""
    state: State = position.world(luck)
    driver = Driver(state, position.seat)
    # Drivers in the same place think alike: luck says who would be first, lest they all honk at once.
    driver.first = luck.random() * (1 + len(driver.rivals())) < 1
    if state.phase == "grab" and state.options.grab == "sealed":
        wishes = sorted(position.choices[0].pawns, key=driver.with_pawn)
        return [Ranked(p.Rank(tuple(wishes)), "rounds", driver.with_pawn(wishes[0]))]
    scored = [(driver.rounds(action), luck.random(), action) for action in position.choices]
    scored.sort(key=lambda entry: entry[:2])
    return [Ranked(action, "rounds", rounds) for rounds, _, action in scored]


class Driver:
    """One seat's look at the road: for every action, the rounds that are left after it."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.road = state.road
        self.rest = rest_of(state.road, state.oil)
        self.left = self.rest.left
        self.car = state.cars[seat]
        self.stars = frozenset([section for section, _ in state.hidden])
        self.price = min(1.0, max(0.0, self.left[self.car] - 1) / FAR)
        self.first = True
        """Whether it would honk before the others who can."""

    def rounds(self, action: p.Action) -> float:
        return _ROUNDS[type(action)](self, action)

    def at(self, section: int) -> float:
        """What it is worth to end a move there."""
        return self.left[section] - (STAR * self.price if section in self.stars else 0.0)

    def driving(self, tank: int, accelerator: int) -> float:
        """What a tank is worth, with the token that helps most."""
        car, rest = self.car, self.rest
        speed = tank + accelerator
        best = rest.after_drive(car, tank, speed)
        if self.state.used >> self.seat & 1:
            return best
        kit, fresh = self.state.kits[self.seat], self.state.fresh
        if k.via(kit, k.HELMET, fresh):
            best = min(best, rest.after_drive(car, tank, tank) + HELMET * self.price)
        if kit & k.BONUS_BIT[k.DETOUR] and fresh != k.DETOUR:
            detour = rest.after_detour(car, tank, speed)
            best = best if detour is None else min(best, detour + DETOUR * self.price)
        return best

    # Before the roll

    def advance(self, _: p.Advance) -> float:
        return self.at(self.car + 1)

    def stay(self, _: p.Stay) -> float:
        return self.left[self.car]

    def boost(self, _: p.Boost) -> float:
        target = boost_target(self.state.cars, self.seat)
        return self.left[self.car if target is None else target] + BOOST * self.price

    def skip(self, _: p.Skip) -> float:
        return self.left[self.car] if self.state.phase == "boost" else self.own_tank()

    # The scramble

    def rivals(self) -> list[int]:
        """The others who can honk in this round."""
        state = self.state
        others = SEATS_IN[racing(state.cars) & ~state.used & ~(1 << self.seat)]
        return [seat for seat in others if k.via(state.kits[seat], k.HORN, state.fresh)]

    def honk(self, _: p.Honk) -> float:
        """What the best die would be worth, to the first who looks; after others it is any die."""
        values = sorted(self.tanks())
        if not self.first:
            return sum(values) / len(values) + HORN * self.price
        dice = len(SEATS_IN[racing(self.state.cars)])
        best = sum(value * ((6 - place) ** dice - (5 - place) ** dice) for place, value in enumerate(values))
        return float(best / 6**dice) + HORN * self.price

    def quiet(self, _: p.Quiet) -> float:
        values = self.tanks()
        return sum(values) / len(values)

    def tanks(self) -> list[float]:
        """What each number on a die would be worth now."""
        accelerator = self.state.accelerator or 0
        if self.seat == self.state.tank_due:
            return [self.driving(self.state.options.empty_tank, accelerator)] * len(DICE)
        return [self.driving(tank, accelerator) for tank in DICE]

    def grab(self, action: p.Grab) -> float:
        return self.with_pawn(action.pawn)

    def with_pawn(self, pawn: p.Pawn) -> float:
        state = self.state
        dice = state.cup.value if state.cup is not None else state.dice
        return self.tanks()[dice[PAWN_NUMBER[pawn]] - 1]

    def swap(self, action: p.Swap) -> float:
        pawn = self.state.pawns[action.with_]
        return self.with_pawn(p.PAWNS[pawn or 0]) + SWAP * self.price

    def own_tank(self) -> float:
        pawn = self.state.pawns[self.seat]
        return self.with_pawn(p.PAWNS[pawn or 0])

    # Driving

    def move(self, action: p.Move) -> float:
        if not action.steps:
            return self.left[self.car] - CHANCE * self.price
        end = entered(self.road, self.car, action.steps, action.detour)[-1]
        cost = 0.0 if action.detour is None else DETOUR * self.price
        return self.at(end) + cost + self._nitro_next(action, end)

    def _nitro_next(self, action: p.Move, end: int) -> float:
        """A move of all the fuel may go on by nitro: what that would save."""
        state = self.state
        if end == FINISH or action.detour is not None or state.used >> self.seat & 1:
            return 0.0
        if action.steps < fuel(state, self.seat) or not k.via(state.kits[self.seat], k.NITRO, state.fresh):
            return 0.0
        return min(0.0, self.at(end + 1) + NITRO * self.price - self.at(end))

    def helmet(self, _: p.Helmet) -> float:
        tank = fuel(self.state, self.seat)
        return self.rest.after_drive(self.car, tank, tank) + HELMET * self.price

    def reroll(self, _: p.Reroll) -> float:
        accelerator = self.state.accelerator or 0
        after = [self.rest.after_drive(self.car, tank, tank + accelerator) for tank in DICE]
        return sum(after) / len(after) + CHANCE * self.price

    def nitro(self, _: p.Nitro) -> float:
        return self.at(self.car + 1) + NITRO * self.price

    def spill(self, action: p.Oil) -> float:
        """Oil is free for those who are past it: the nearer the others behind it, the better."""
        others = [car for seat, car in enumerate(self.state.cars) if seat != self.seat]
        behind = [action.section - car for car in others if 0 < action.section - car <= OIL_REACH]
        return self.at(self.car) - sum([1.0 / distance for distance in behind])

    def done(self, _: p.Done) -> float:
        return self.at(self.car)


_ROUNDS: dict[type, Callable[[Driver, Any], float]] = {
    p.Advance: Driver.advance,
    p.Stay: Driver.stay,
    p.Boost: Driver.boost,
    p.Skip: Driver.skip,
    p.Honk: Driver.honk,
    p.Quiet: Driver.quiet,
    p.Grab: Driver.grab,
    p.Swap: Driver.swap,
    p.Helmet: Driver.helmet,
    p.Reroll: Driver.reroll,
    p.Move: Driver.move,
    p.Nitro: Driver.nitro,
    p.Oil: Driver.spill,
    p.Done: Driver.done,
}
