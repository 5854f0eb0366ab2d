"""Legal actions as they travel, for whoever has no rules: how many there are, any of them, all of them.

A decision's `legal` is a list of patterns. A pattern is an action in which a field may be left open:
`{"one_of": [...]}`, `{"subset": [...], "min": 1, "max": 2}` or `{"order": [...]}`, any permutation. No action
fits two patterns, so that to take one of all actions with equal chances is to take a number.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

Action = dict[str, Any]
Pattern = Mapping[str, Any]


def count(legal: Sequence[Pattern]) -> int:
    """How many actions there are."""
    return sum(_size(pattern) for pattern in legal)


def pick(legal: Sequence[Pattern], luck: Random) -> Action:
    """Any action, each as likely as the others."""
    return nth(legal, luck.randrange(count(legal)))


def every(legal: Sequence[Pattern]) -> Iterator[Action]:
    """All of them: look at `count` first, there may be thousands."""
    for pattern in legal:
        for index in range(_size(pattern)):
            yield _filled(pattern, index)


def nth(legal: Sequence[Pattern], index: int) -> Action:
    """The action of this number, from 0 to `count` - 1."""
    for pattern in legal:
        size = _size(pattern)
        if 0 <= index < size:
            return _filled(pattern, index)
        index -= size
    raise IndexError(index)


def _size(pattern: Pattern) -> int:
    return math.prod([_ways(value) for value in pattern.values()])


def _ways(value: Any) -> int:
    """How many values a field may have."""
    match value:
        case {"one_of": values}:
            return len(values)
        case {"subset": values, "min": least, "max": most}:
            return sum(math.comb(len(values), size) for size in range(least, most + 1))
        case {"order": values}:
            return math.factorial(len(values))
        case _:
            return 1


def _filled(pattern: Pattern, index: int) -> Action:
    """The numbers run as those of a clock do: the last field changes first."""
    action = dict(pattern)
    for name in reversed(action):
        value = action[name]
        index, place = divmod(index, _ways(value))
        match value:
            case {"one_of": values}:
                action[name] = values[place]
            case {"subset": values, "min": least, "max": most}:
                action[name] = _subset(values, least, most, place)
            case {"order": values}:
                action[name] = _order(values, place)
    return action


def _subset(values: Sequence[Any], least: int, most: int, index: int) -> list[Any]:
    size = least
    while size < most and index >= math.comb(len(values), size):
        index -= math.comb(len(values), size)
        size += 1
    chosen: list[Any] = []
    for place, value in enumerate(values):
        with_it = math.comb(len(values) - place - 1, size - len(chosen) - 1) if size > len(chosen) else 0
        if index < with_it:
            chosen.append(value)
        else:
            index -= with_it
    return chosen


def _order(values: Sequence[Any], index: int) -> list[Any]:
    left = list(values)
    return [left.pop(place) for place in _places(len(left), index)]


def _places(size: int, index: int) -> Iterator[int]:
    for left in range(size, 0, -1):
        place, index = divmod(index, math.factorial(left - 1))
        yield place
