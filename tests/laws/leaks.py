"""The no-leak laws: what a viewer gets may depend only on what that viewer may know.

Take a state, project its view for a viewer, and let the game imagine another world from that view. The two
worlds differ only in what is hidden from the viewer, so everything that reaches the viewer must be
byte-identical in both: the view, the legal actions, the answers to what it tries, and, as long as the views
stay alike, the news of what happens next. And nothing may depend on the seed, but through its outcomes.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from laws.playing import AnyGame, AnyMatch, Dice, TableKind, moments, secret
from laws.writing import Kept, written

from parlour.engine.chance import Chance, Luck, Recording, Seeded
from parlour.engine.choices import Choices
from parlour.engine.errors import IllegalAction
from parlour.engine.maps import tagged, to_map
from parlour.engine.match import replay
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import ALL, Seat, project

T = TypeVar("T")
Eyes = Seat | None
WORLDS = 4


class Leak(AssertionError):
    """Something told a viewer what it may not know."""


class Echo(Chance):
    """Gives a world the luck that the real one had, as far as it fits: they differ in secrets alone."""

    def __init__(self, heard: Sequence[Luck], otherwise: Chance) -> None:
        self._heard = list(heard)
        self._otherwise = otherwise

    def _next(self, stream: str, how: str) -> Luck | None:
        if self._heard and (self._heard[0].stream, self._heard[0].how) == (stream, how):
            return self._heard.pop(0)
        return None

    def roll(self, stream: str, sides: int) -> int:
        luck = self._next(stream, "roll")
        return luck.outcome if luck else self._otherwise.roll(stream, sides)

    def draw(self, stream: str, pool: Sequence[T]) -> T:
        luck = self._next(stream, "draw")
        return luck.outcome if luck and luck.outcome in pool else self._otherwise.draw(stream, pool)

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        luck = self._next(stream, "shuffle")
        if luck and len(luck.outcome) == len(items):
            return tuple(items[index] for index in luck.outcome)
        return self._otherwise.shuffle(stream, items)


def viewers(seats: int) -> list[Eyes]:
    return [*(Seat(seat) for seat in range(seats)), None]


Sight = dict[str, Any]
"""By name: each part of what a viewer gets, before it is written."""
WRITE: dict[str, Callable[[Any], Any]] = {
    "view": to_map,
    "awaited": to_map,
    "outcome": to_map,
    "deadline": to_map,
    "legal": lambda patterns: choices_to_map(Choices(patterns)),
    "errors": to_map,
    "news": lambda news: [tagged(item) for item in news],
}


def public(game: AnyGame, state: Any) -> Sight:
    """What everybody gets out of a state in the same words."""
    deadline = game.deadline(state)
    return {
        "awaited": sorted(game.awaited(state)),
        "outcome": game.outcome(state),
        "deadline": deadline and (deadline.phase, deadline.scramble),
    }


def private(game: AnyGame, state: Any, viewer: Eyes, probes: Sequence[Any] = ()) -> Sight:
    """What one viewer gets out of a state besides the view: what it may do, and answers to what it tries."""
    if viewer is None:
        return {}
    return {
        "legal": game.legal(state, viewer).patterns,
        "errors": [_answer(game, state, viewer, probe) for probe in probes],
    }


def _answer(game: AnyGame, state: Any, seat: Seat, probe: Any) -> Any:
    if probe in game.legal(state, seat):
        return "legal"
    try:
        game.act(state, seat, probe, Seeded(bytes(32)))
    except IllegalAction as refused:
        return (refused.code, str(refused), dict(refused.facts))
    raise Leak("an action that is not legal was accepted")


def told(news: Sequence[Any], viewer: Eyes) -> list[Any]:
    return [project(item, viewer) for item in news]


def keep(real: Sight) -> dict[str, Kept]:
    return {name: Kept(part, WRITE[name]) for name, part in real.items()}


def compare(real: Mapping[str, Kept], other: Sight) -> None:
    for name, kept in real.items():
        if not kept.matches(other[name]):
            raise Leak(
                f"{name} differs between worlds that should look the same:\n"
                f"{kept.bytes!r}\n{kept.written(other[name])!r}"
            )


def at(thing: Any, path: str) -> Any:
    for step in path.split("."):
        thing = thing[int(step)] if isinstance(thing, list | tuple) else thing[step]
    return thing


def put(thing: Any, steps: Sequence[str], value: Any) -> Any:
    """A map with another value at this path; the one that it was made from stays as it is."""
    if not steps:
        return value
    step, *rest = steps
    if isinstance(thing, dict):
        return {**thing, step: put(thing[step], rest, value)}
    place = int(step)
    return [*thing[:place], put(thing[place], rest, value), *thing[place + 1 :]]


def check_audience(hides: Mapping[str, frozenset[Seat]], whole: Any, seen: Any, viewer: Eyes) -> None:
    """A view shows exactly what the game says is not hidden from this viewer: no more, and no less."""
    hidden = [path for path, audience in hides.items() if viewer not in audience]
    expected = whole
    try:
        for path in hidden:
            value, stands_for_it = at(whole, path), at(seen, path)
            if stands_for_it not in ((None, len(value)) if isinstance(value, list | tuple) else (None,)):
                raise Leak(f"{path} is not hidden from {viewer}: {stands_for_it}")
            expected = put(expected, path.split("."), stands_for_it)
    except (LookupError, TypeError) as missing:
        raise Leak(f"{hidden} are not all in the view of {viewer}: {seen}") from missing
    if written(seen) != written(expected):
        raise Leak(f"more, or less, than {hidden} is hidden from {viewer}:\n{seen}\n{whole}")


def fleeting(game: AnyGame, news: Sequence[Any]) -> list[Any]:
    """What everybody was shown for a moment: worlds in which it differs can rightly be told apart."""
    return [item for item in news if isinstance(item, game.fleeting)]


def check_worlds(kind: TableKind, seed: object, about: int = 6) -> dict[str, int]:
    """Swaps the hidden world at some moments of a random game; counts what was compared."""
    game, dice = kind.game, Dice(seed)
    match = kind.start(seed)
    tried: list[Any] = []
    count = {"worlds": 0, "differing": 0, "news": 0}
    for state, seat, action in moments(match, dice, about):
        tried.append(action)
        probes = [dice.pick(tried) for _ in range(3)]
        real_luck = Recording(Seeded(secret((seed, len(tried)))))
        real_step = game.act(state, seat, action, real_luck)
        view, view_after = game.view(state), game.view(real_step.state)
        everything = project(view, ALL)
        whole, hides = to_map(everything), game.hidden(state)
        open_before, open_after = keep(public(game, state)), keep(public(game, real_step.state))
        shown_to_all = fleeting(game, real_step.news)
        for viewer in viewers(kind.seats):
            seen = project(view, viewer)
            check_audience(hides, whole, to_map(seen), viewer)
            before = keep({"view": seen, **private(game, state, viewer, probes)})
            after = keep(private(game, real_step.state, viewer))
            after["news"] = Kept(told(real_step.news, viewer), WRITE["news"])
            seen_after = Kept(project(view_after, viewer), to_map)
            for number in range(WORLDS):
                luck = Seeded(secret((seed, len(tried), viewer, number)))
                world = game.imagine(seen, viewer, luck)
                shown = game.view(world)
                compare(before, {"view": project(shown, viewer), **private(game, world, viewer, probes)})
                compare(open_before, public(game, world))
                count["worlds"] += 1
                count["differing"] += project(shown, ALL) != everything
                if action not in game.legal(world, seat):
                    continue
                step = game.act(world, seat, action, Echo(real_luck.heard, luck))
                if seen_after.matches(project(game.view(step.state), viewer)) and (
                    fleeting(game, step.news) == shown_to_all
                ):
                    compare(open_after, public(game, step.state))
                    compare(after, {**private(game, step.state, viewer), "news": told(step.news, viewer)})
                    count["news"] += 1
            check_unchanged(seen_after, *before.values(), *after.values())
        check_unchanged(*open_before.values(), *open_after.values())
    return count


def check_unchanged(*frames: Kept) -> None:
    for kept in frames:
        if not kept.is_as_it_was():
            raise Leak(f"what was told has changed since: {kept.thing}")


def frames(match: AnyMatch) -> list[bytes]:
    """What everybody gets of the state that a match is in."""
    game, state = match.game, match.state
    view = game.view(state)
    parts = [keep(public(game, state))]
    for viewer in viewers(match.seats):
        parts.append(keep({"view": project(view, viewer), **private(game, state, viewer)}))
    return [kept.bytes for part in parts for kept in part.values()]


def check_seed(kind: TableKind, seed: object) -> None:
    """Plays a game with a seeded source and again with nothing but its outcomes: no viewer may tell which."""
    match = kind.start(seed)
    seen = [(len(match.journal), frames(match)) for _ in moments(match, Dice(seed))]
    key = secret(seed)
    for length, got in seen:
        if any(key.hex().encode() in part or key in part for part in got):
            raise Leak("the seed itself is in a frame")
        if got != frames(replay(kind.game, kind.seats, kind.options, match.journal[:length])):
            raise Leak("a game told from its outcomes alone looks different: something of the seed shows")
