"""What a viewer gets out of a state, part by part, and how the same part is compared in two worlds."""

from collections.abc import Mapping, Sequence
from typing import Any

from laws.playing import AnyGame
from laws.writing import Kept, Write, WrittenParts

from parlour.engine.chance import Seeded
from parlour.engine.choices import Choices
from parlour.engine.errors import IllegalAction
from parlour.engine.maps import tagged, to_map
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import Seat, project

Eyes = Seat | None
Parts = dict[str, Any]
"""By name: each part of what a viewer gets, before it is written."""
WRITE: dict[str, Write] = {
    "view": to_map,
    "awaited": to_map,
    "outcome": to_map,
    "deadline": to_map,
    "legal": lambda parts: choices_to_map(Choices(parts)) if isinstance(parts, tuple) else parts,
    "errors": to_map,
    "news": lambda news: [tagged(item) for item in news],
}


class Leak(AssertionError):
    """Something told a viewer what it may not know."""


def viewers(seats: int) -> list[Eyes]:
    return [*(Seat(seat) for seat in range(seats)), None]


def public(game: AnyGame, state: Any) -> Parts:
    """What everybody gets out of a state in the same words."""
    deadline = game.deadline(state)
    return {
        "awaited": sorted(game.awaited(state)),
        "outcome": game.outcome(state),
        "deadline": deadline and (deadline.phase, deadline.scramble),
    }


def private(game: AnyGame, state: Any, viewer: Eyes, probes: Sequence[Any] = ()) -> Parts:
    """What one viewer gets out of a state besides the view: what it may do, and answers to what it tries."""
    if viewer is None:
        return {}
    return {
        "legal": _legal(game, state, viewer),
        "errors": [_answer(game, state, viewer, probe) for probe in probes],
    }


def _legal(game: AnyGame, state: Any, seat: Seat) -> Any:
    """What is written of legal actions: their patterns, or the rows to which a game has a shorter way."""
    choices = game.legal(state, seat)
    return choices.patterns if choices.open_field is None else choices_to_map(choices)


def _answer(game: AnyGame, state: Any, seat: Seat, probe: Any) -> Any:
    if probe in game.legal(state, seat):
        return "legal"
    try:
        game.act(state, seat, probe, Seeded(bytes(32)))
    except IllegalAction as refused:
        return (refused.code, str(refused), dict(refused.facts))
    raise Leak("an action that is not legal was accepted")


def heard_by(viewer: Eyes, news: Sequence[Any]) -> list[Any]:
    return [project(item, viewer) for item in news]


class Told:
    """All that was told of one state, to anybody."""

    def __init__(self) -> None:
        self._parts = {name: WrittenParts(write) for name, write in WRITE.items()}

    def keep(self, real: Parts) -> dict[str, Kept]:
        return {name: self._parts[name].keep(part) for name, part in real.items()}

    def check_unchanged(self) -> None:
        for name, parts in self._parts.items():
            for kept in parts.kept:
                if not kept.is_as_it_was():
                    raise Leak(f"{name} has changed since it was told: {kept.thing}")


def compare(real: Mapping[str, Kept], other: Parts) -> None:
    for name, kept in real.items():
        if not kept.matches(other[name]):
            raise Leak(
                f"{name} differs between worlds that should look the same:\n"
                f"{kept.bytes!r}\n{kept.written(other[name])!r}"
            )
