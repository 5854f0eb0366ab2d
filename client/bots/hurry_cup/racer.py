"""Careful driving in Hurry' Cup: one move ahead, with tokens priced by what they will save on this road."""

from collections.abc import Callable
from typing import Any

from parlour.client.bots.hurry_cup.evaluation import DICE
from parlour.client.bots.hurry_cup.prospect import ALL_DICE, FAR, TWO_DICE, Prospect, prospect_of
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.drive import fuel
from parlour.engine.hurry_cup.road import closed, detours, entered, reach
from parlour.engine.hurry_cup.rounds import boost_target
from parlour.engine.hurry_cup.scramble import PAWN_NUMBER
from parlour.engine.hurry_cup.state import State
from parlour.engine.hurry_cup.track import FINISH

STAR = 0.15
"""Rounds that a bonus is worth, not knowing which."""
OIL_REACH = 8
"""A car so many sections behind the oil will meet it soon."""
OIL_HARM = 0.3


class Racer:
    """One seat's look at the road: for every action, the rounds that are left after it."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.prospect: Prospect = prospect_of(state.road, state.oil)
        self.car, self.kit = state.cars[seat], state.kits[seat]
        self.free = not state.used >> seat & 1
        self.left = self.prospect.of(self.kit)
        self.stars = frozenset([section for section, _ in state.hidden]) if state.hidden else frozenset()

    def rounds(self, action: p.Action) -> float:
        return _ROUNDS[type(action)](self, action)

    def best(self, choices: Any) -> p.Action:
        rounds: Callable[[p.Action], float] = self.rounds
        found: p.Action = min(choices, key=rounds)
        return found

    def at(self, section: int, left: list[float]) -> float:
        """What it is worth to end a move there."""
        rounds = left[section]
        return rounds - STAR * min(1.0, max(0.0, rounds - 1) / FAR) if section in self.stars else rounds

    def stopping(self, tank: int, speed: int, left: list[float]) -> float | None:
        """The best end of a drive without tokens; None if there is none."""
        most = reach(closed(self.state.road, speed, self.state.oil), self.car, tank)
        if not most:
            return None
        return min([self.at(section, left) for section in range(self.car + 1, self.car + most + 1)])

    def staying(self, kit: int) -> float:
        return self.prospect.of(kit | k.SECOND_CHANCE)[self.car]

    def plain(self, tank: int, speed: int, kit: int) -> float:
        found = self.stopping(tank, speed, self.prospect.of(kit))
        return self.staying(kit) if found is None else found

    def driving(self, tank: int, kit: int, free: bool) -> float:
        """What a tank is worth, with the token that helps most."""
        speed = tank + (self.state.accelerator or 0)
        best = self.plain(tank, speed, kit)
        if not free:
            return best
        fresh = self.state.fresh
        if k.via(kit, k.HELMET, fresh):
            helmet = self.stopping(tank, tank, self.prospect.of(k.spent(kit, k.HELMET)))
            best = best if helmet is None else min(best, helmet)
        far = self.car + tank
        open_ = far < FINISH and reach(closed(self.state.road, speed, self.state.oil), self.car, tank) == tank
        if open_ and k.via(kit, k.NITRO, fresh):
            best = min(best, self.at(far + 1, self.prospect.of(k.spent(kit, k.NITRO))))
        if kit & k.BONUS_BIT[k.DETOUR] and fresh != k.DETOUR:
            best = min(best, self.around(tank, speed, kit))
        if kit & k.SECOND_CHANCE:
            best = min(best, self.again(kit))
        return best

    def around(self, tank: int, speed: int, kit: int) -> float:
        """The best drive that leaves the road."""
        road, left = self.state.road, self.prospect.of(kit ^ k.BONUS_BIT[k.DETOUR])
        shut = closed(road, speed, self.state.oil)
        ends = [
            self.at(entered(road, self.car, steps, leaves)[-1], left)
            for leaves, least, most in detours(road, shut, self.car, tank)
            for steps in range(least, most + 1)
        ]
        return min(ends, default=left[self.car])

    def again(self, kit: int) -> float:
        """Another die, whatever it shows."""
        accelerator, rest = self.state.accelerator or 0, kit ^ k.SECOND_CHANCE
        return sum([self.plain(tank, tank + accelerator, rest) for tank in DICE]) / len(DICE)

    # Before the roll

    def advance(self, _: p.Advance) -> float:
        return self.at(self.car + 1, self.left)

    def stay(self, _: p.Stay) -> float:
        return self.left[self.car]

    def boost(self, _: p.Boost) -> float:
        target = boost_target(self.state.cars, self.seat)
        rest = self.prospect.of(self.kit ^ k.BONUS_BIT[k.BOOST])
        return rest[self.car if target is None else target]

    def skip(self, _: p.Skip) -> float:
        return self.left[self.car] if self.state.phase == "boost" else self.own_tank()

    # The scramble

    def honk(self, _: p.Honk) -> float:
        """The best of all dice."""
        values = sorted(self.tanks(k.spent(self.kit, k.HORN), False))
        return sum([share * value for share, value in zip(ALL_DICE, values, strict=True)])

    def quiet(self, _: p.Quiet) -> float:
        values = sorted(self.tanks(self.kit, self.free))
        return sum([share * value for share, value in zip(TWO_DICE, values, strict=True)])

    def tanks(self, kit: int, free: bool) -> list[float]:
        """What each number on a die would be worth now."""
        if self.seat == self.state.tank_due:
            return [self.driving(self.state.options.empty_tank, kit, False)] * len(DICE)
        return [self.driving(tank, kit, free) for tank in DICE]

    def grab(self, action: p.Grab) -> float:
        return self.with_pawn(action.pawn)

    def with_pawn(self, pawn: p.Pawn) -> float:
        return self.with_die(PAWN_NUMBER[pawn], self.kit, self.free)

    def with_die(self, number: int, kit: int, free: bool) -> float:
        state = self.state
        dice = state.cup.value if state.cup is not None else state.dice
        tank = dice[number] if self.seat != state.tank_due else state.options.empty_tank
        return self.driving(tank, kit, free)

    def swap(self, action: p.Swap) -> float:
        return self.with_die(self.state.pawns[action.with_] or 0, self.kit ^ k.BONUS_BIT[k.SWAP], False)

    def own_tank(self) -> float:
        return self.with_die(self.state.pawns[self.seat] or 0, self.kit, self.free)

    # Driving

    def move(self, action: p.Move) -> float:
        if not action.steps:
            return self.staying(self.kit)
        end = entered(self.state.road, self.car, action.steps, action.detour)[-1]
        kit = self.kit if action.detour is None else self.kit ^ k.BONUS_BIT[k.DETOUR]
        value = self.at(end, self.prospect.of(kit))
        if action.detour is not None or not self.free or end == FINISH:
            return value
        if action.steps == fuel(self.state, self.seat) and k.via(kit, k.NITRO, self.state.fresh):
            value = min(value, self.at(end + 1, self.prospect.of(k.spent(kit, k.NITRO))))
        return value

    def helmet(self, _: p.Helmet) -> float:
        tank = fuel(self.state, self.seat)
        return self.plain(tank, tank, k.spent(self.kit, k.HELMET))

    def reroll(self, _: p.Reroll) -> float:
        return self.again(self.kit)

    def nitro(self, _: p.Nitro) -> float:
        return self.at(self.car + 1, self.prospect.of(k.spent(self.kit, k.NITRO)))

    def spill(self, action: p.Oil) -> float:
        """Oil is free for those who are past it: the nearer the others behind it, the better."""
        others = [car for seat, car in enumerate(self.state.cars) if seat != self.seat]
        behind = [action.section - car for car in others if 0 < action.section - car <= OIL_REACH]
        return self.at(self.car, self.left) - OIL_HARM * sum([1.0 / distance for distance in behind])

    def done(self, _: p.Done) -> float:
        return self.at(self.car, self.left)


_ROUNDS: dict[type, Callable[[Racer, Any], float]] = {
    p.Advance: Racer.advance,
    p.Stay: Racer.stay,
    p.Boost: Racer.boost,
    p.Skip: Racer.skip,
    p.Honk: Racer.honk,
    p.Quiet: Racer.quiet,
    p.Grab: Racer.grab,
    p.Swap: Racer.swap,
    p.Helmet: Racer.helmet,
    p.Reroll: Racer.reroll,
    p.Move: Racer.move,
    p.Nitro: Racer.nitro,
    p.Oil: Racer.spill,
    p.Done: Racer.done,
}
