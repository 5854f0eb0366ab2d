"""Games for the laws: every way to set one up, and random play from a seed."""

import hashlib
from collections.abc import Iterator
from typing import Any

import attrs
from support import soak

from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.errors import BadOptions
from parlour.engine.game import Game
from parlour.engine.match import Beat, Entry, Match, Proposal
from parlour.engine.secret import Seat

AnyGame = Game[Any, Any, Any]
AnyMatch = Match[Any, Any, Any]
GAMES_EACH = soak.count(10, soak.FULL)
"""How many seeded games each law plays at each kind of table."""


@attrs.frozen
class TableKind:
    """A game with a number of seats and options."""

    game: AnyGame
    seats: int
    given: dict[str, Any]

    @property
    def options(self) -> Any:
        return self.game.read_options(self.given, self.seats)

    def start(self, seed: object) -> AnyMatch:
        return Match.start(self.game, self.seats, self.options, Seeded(secret(seed)))

    def start_from(self, state: Any) -> AnyMatch:
        """A match in which this state was dealt."""
        match = Match(self.game, self.seats, self.options, Seeded(bytes(32)))
        match.adopt(Proposal((Beat(Entry(0, "setup", None, None, ()), state, ()),), (), {}))
        return match

    def __str__(self) -> str:
        told = [f"{name}={value}" for name, value in self.given.items()]
        return "-".join([self.game.name, str(self.seats), *told])


def secret(seed: object) -> bytes:
    return hashlib.blake2b(repr(seed).encode(), digest_size=32).digest()


def values(field: "attrs.Attribute[Any]") -> tuple[Any, ...]:
    """The values of an option that are worth a game of their own."""
    if "values" in field.metadata:
        return tuple(field.metadata["values"])
    return (field.metadata["least"], field.metadata["most"])


def every_table(game: AnyGame) -> list[TableKind]:
    """Every number of seats with the default options, and with each other value of each option."""
    found = []
    for seats in game.seats:
        usual = TableKind(game, seats, {})
        found.append(usual)
        for field in attrs.fields(game.options):
            for value in values(field):
                kind = TableKind(game, seats, {field.name: value})
                try:
                    options = kind.options
                except BadOptions:
                    continue
                if options != usual.options:
                    found.append(kind)
    return found


def some_tables(game: AnyGame) -> list[TableKind]:
    """Every number of seats with the default options, and each other value of an option at one of them."""
    found: list[TableKind] = []
    by_value: dict[str, list[TableKind]] = {}
    for kind in every_table(game):
        if kind.given:
            by_value.setdefault(str(kind.given), []).append(kind)
        else:
            found.append(kind)
    turned = {kind.seats: 0 for kind in found}
    for allowed in by_value.values():
        # The number of seats that was taken least often so far: all have their turn.
        kind = min(allowed, key=lambda kind: turned[kind.seats])
        turned[kind.seats] += 1
        found.append(kind)
    return found


ALL_KINDS = [kind for game in GAMES.values() for kind in (every_table if soak.GAMES else some_tables)(game)]


class Dice:
    """A seeded source of choices for the test itself."""

    def __init__(self, seed: object) -> None:
        self._chance = Seeded(secret(("dice", seed)))

    def below(self, most: int) -> int:
        return self._chance.roll("test", most) - 1

    def pick(self, items: Any) -> Any:
        return items[self.below(len(items))]

    def one_in(self, odds: int) -> bool:
        return self.below(odds) == 0


def some_action(match: AnyMatch, dice: Dice) -> tuple[Seat, Any]:
    """A seat that is asked, and one of its legal actions, all equally likely."""
    seat = dice.pick(sorted(match.awaited))
    choices = match.game.legal(match.state, seat)
    return seat, choices[dice.below(choices.count)]


def play(match: AnyMatch, dice: Dice, most: int = 20_000) -> Iterator[tuple[Any, Seat, Any]]:
    """Plays to the end at random; gives state, seat and action just before each action is taken."""
    for _ in range(most):
        if match.outcome is not None:
            return
        seat, action = some_action(match, dice)
        yield match.state, seat, action
        match.act(seat, action)
    raise AssertionError(f"{match.game.name} did not end within {most} actions")


class Moments:
    """Which of the states of a game are looked at: the first, and then ever fewer, about so many in all."""

    def __init__(self, dice: Dice, about: int = 6) -> None:
        self._dice = dice
        self._about = about
        self._next = 0

    def has(self, number: int) -> bool:
        """Whether the state of this number is one of them; to be asked of each in turn."""
        if number != self._next:
            return False
        self._next += 1 + self._dice.below(2 + 4 * number // self._about)
        return True


def moments(match: AnyMatch, dice: Dice, about: int = 6) -> Iterator[tuple[Any, Seat, Any]]:
    """A few states of a random game."""
    when = Moments(dice, about)
    for number, moment in enumerate(play(match, dice)):
        if when.has(number):
            yield moment
