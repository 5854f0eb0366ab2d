"""The draft of the next state while an action is worked out: an open copy that is changed rule by rule.

It notes the news on the way and ends as a new state; the old one is never touched.
"""

from typing import Any, TypeVar

from parlour.engine.chance import Chance
from parlour.engine.game import Step
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import news
from parlour.engine.hurry_cup.public import BONUSES
from parlour.engine.hurry_cup.state import State
from parlour.engine.hurry_cup.track import FINISH
from parlour.engine.secret import Seat

T = TypeVar("T")


def put(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """The tuple with one item changed."""
    return (*items[:place], item, *items[place + 1 :])


class Draft:
    """A changeable copy of a State, with the same fields."""

    __slots__ = (
        "accelerator",
        "cars",
        "chance",
        "cup",
        "dice",
        "driven",
        "entered",
        "finished",
        "fresh",
        "gone",
        "helmet",
        "hidden",
        "honks",
        "kits",
        "lantern",
        "looks",
        "news",
        "oil",
        "options",
        "pawns",
        "phase",
        "ranks",
        "road",
        "round",
        "season",
        "starter",
        "tank_due",
        "used",
        "waiting",
    )

    def __init__(self, state: State, chance: Chance) -> None:
        self.load(state)
        self.chance = chance
        self.news: list[Any] = []

    def load(self, state: State) -> None:
        """Takes over everything from a state."""
        self.options = state.options
        self.season = state.season
        self.road = state.road
        self.hidden = state.hidden
        self.oil = state.oil
        self.gone = state.gone
        self.cars = state.cars
        self.finished = state.finished
        self.round = state.round
        self.starter = state.starter
        self.lantern = state.lantern
        self.tank_due = state.tank_due
        self.fresh = state.fresh
        self.kits = state.kits
        self.used = state.used
        self.driven = state.driven
        self.accelerator = state.accelerator
        self.cup = state.cup
        self.dice = state.dice
        self.pawns = state.pawns
        self.honks = state.honks
        self.looks = state.looks
        self.ranks = state.ranks
        self.entered = state.entered
        self.helmet = state.helmet
        self.phase = state.phase
        self.waiting = state.waiting

    def finish(self) -> Step[State]:
        state = State(
            self.options,
            self.season,
            self.road,
            self.hidden,
            self.oil,
            self.gone,
            self.cars,
            self.finished,
            self.round,
            self.starter,
            self.lantern,
            self.tank_due,
            self.fresh,
            self.kits,
            self.used,
            self.driven,
            self.accelerator,
            self.cup,
            self.dice,
            self.pawns,
            self.honks,
            self.looks,
            self.ranks,
            self.entered,
            self.helmet,
            self.phase,
            self.waiting,
        )
        return Step(state, tuple(self.news))

    def may_use(self, seat: int, bonus: int) -> bool:
        """Whether a driver has this bonus since an earlier round, and has used no token in this one."""
        return bool(
            self.kits[seat] & k.BONUS_BIT[bonus] and not self.used >> seat & 1 and self.fresh != bonus
        )

    def use_trump(self, seat: int, trump: int) -> None:
        kit = self.kits[seat]
        if not kit & trump:
            self.gone = (*self.gone, k.ASSIST)
        self.kits = put(self.kits, seat, k.spent(kit, trump))
        self.used |= 1 << seat

    def use_bonus(self, seat: int, bonus: int) -> None:
        """Oil that lies on the road is not gone: the caller puts it there."""
        self.kits = put(self.kits, seat, self.kits[seat] ^ k.BONUS_BIT[bonus])
        self.used |= 1 << seat
        if bonus != k.OIL:
            self.gone = (*self.gone, bonus)

    def take_bonus(self, seat: int) -> int | None:
        """The bonus under a driver's car, if there is one, comes to lie open before him."""
        section = self.cars[seat]
        for place, (star, secret) in enumerate(self.hidden):
            if star == section:
                bonus = secret.value
                self.hidden = (*self.hidden[:place], *self.hidden[place + 1 :])
                self.kits = put(self.kits, seat, self.kits[seat] | k.BONUS_BIT[bonus])
                self.news.append(news.BonusTaken(Seat(seat), section, BONUSES[bonus]))
                return bonus
        return None

    def drive_to(self, seat: int, section: int) -> None:
        """Puts a car on a section; at the finish it is home."""
        self.cars = put(self.cars, seat, section)
        if section == FINISH:
            self.finished = (*self.finished, seat)
            self.news.append(news.CarFinished(Seat(seat), len(self.finished)))

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def decided(self) -> bool:
        """Whether the race ends at once, because only one car is left on the road."""
        return not self.plays_first and len(self.finished) >= len(self.cars) - 1

    @property
    def plays_first(self) -> bool:
        """Whether the race ends with the round in which the first car comes home."""
        return self.options.finish == "first" or self.options.races > 1

    def end(self) -> None:
        """The last race is over: the table stays as it lies."""
        self.phase = "over"
        self.waiting = 0
        self.news.append(news.RaceOver(self.season.race))
