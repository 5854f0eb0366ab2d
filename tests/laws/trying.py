"""What the laws try at a table: actions that are legal, and others that must be refused."""

from typing import Any

import attrs
from laws.playing import AnyGame, Dice
from laws.writing import alike, as_json, parts_of, written

from parlour.engine.chance import Seeded
from parlour.engine.choices import Choices
from parlour.engine.errors import IllegalAction
from parlour.engine.maps import tagged
from parlour.engine.patterns import choices_from_map, choices_to_map
from parlour.engine.secret import Seat

LISTED = 300
"""Choices up to this size are checked one by one, larger ones by sample."""
ACCEPTED, AGAIN, WARPED = 12, 6, 12
"""How many are tried by a seat in a state: legal ones, ones tried before, and ones that are put together."""


class Tried:
    """The actions of a game so far, whoever tried them."""

    def __init__(self) -> None:
        self.actions: list[Any] = []
        self._by_kind: dict[type, list[Any]] = {}

    def add(self, action: Any) -> None:
        self.actions.append(action)
        self._by_kind.setdefault(type(action), []).append(action)

    def others(self, dice: Dice) -> list[Any]:
        """Well-formed actions, most of them not legal."""
        again = [dice.pick(self.actions) for _ in range(AGAIN)]
        return again + [self._warped(dice.pick(self.actions), dice) for _ in range(WARPED)]

    def _warped(self, action: Any, dice: Dice) -> Any:
        """An action with one field taken from another one of its kind."""
        kind = type(action)
        values = list(fields(action))
        if not values:
            return action
        place = dice.below(len(values))
        values[place] = fields(dice.pick(self._by_kind[kind]))[place]
        return kind(*values)


def fields(action: Any) -> tuple[Any, ...]:
    parts = parts_of(type(action))
    assert parts is not None, f"{action} is no action"
    return parts(action)


def sample(choices: Choices[Any], dice: Dice, size: int) -> list[Any]:
    if choices.count <= size:
        return list(choices)
    return [choices[dice.below(choices.count)] for _ in range(size)]


def normal(action: Any) -> Any:
    """An action as it is whatever the order of the sets in it."""
    values = [
        tuple(sorted(value, key=repr)) if isinstance(value, tuple) else value for value in fields(action)
    ]
    return (type(action), *values)


@attrs.frozen
class Asked:
    """A seat in a state, with its legal actions."""

    game: AnyGame
    state: Any
    seat: Seat
    choices: Choices[Any]
    listed: list[Any] | None
    """Every legal action, unless there are too many."""

    @classmethod
    def of(cls, game: AnyGame, state: Any, seat: Seat) -> "Asked":
        choices = game.legal(state, seat)
        return cls(game, state, seat, choices, list(choices) if choices.count <= LISTED else None)

    def act(self, action: Any) -> Any:
        return self.game.act(self.state, self.seat, action, Seeded(bytes(32)))


def check_legal(asked: Asked, tried: Tried, dice: Dice) -> None:
    """Every legal action is accepted, and no other."""
    game, choices = asked.game, asked.choices
    assert bool(choices) == (asked.seat in game.awaited(asked.state)), f"{asked.seat} has {choices}"
    known = frozenset(game.news)
    for action in sample(choices, dice, ACCEPTED):
        news = asked.act(action).news
        assert known.issuperset(map(type, news)), f"the game does not list all of this news: {news}"
        tried.add(action)
    listed = None if asked.listed is None else set(asked.listed)
    for action in tried.others(dice):
        if action in choices:
            assert listed is None or action in listed or normal(action) in set(map(normal, listed)), (
                f"{action} is among the choices, and not when they are listed"
            )
            continue
        assert listed is None or action not in listed, f"{action} is only there when choices are listed"
        try:
            asked.act(action)
        except IllegalAction:
            continue
        raise AssertionError(f"{action} is not legal for {asked.seat}, and was accepted")


def check_choices(asked: Asked, action: Any) -> None:
    """Choices count, list and travel without loss."""
    game, choices, listed = asked.game, asked.choices, asked.listed
    again = choices_from_map(game.action_words, as_json(choices_to_map(choices)))
    assert again == choices, "choices changed on the way"
    assert again.count == choices.count
    assert game.read_action(as_json(tagged(action))) == action, f"{action} changed on the way"
    if listed is not None:
        travelled = list(again)
        assert alike(listed, travelled), "choices are listed in another way after they travelled"
        assert len(listed) == choices.count
        assert len({written(tagged(choice)) for choice in listed}) == choices.count, "two patterns overlap"
        assert all(choice in choices for choice in travelled), "a choice that is listed is not recognised"
