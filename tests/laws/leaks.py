"""The no-leak laws: what a viewer gets may depend only on what that viewer may know.

Take a state, project its view for a viewer, and let the game imagine another world from that view. The two
worlds differ only in what is hidden from the viewer, so everything that reaches the viewer must be
byte-identical in both: the view, the legal actions, the answers to what it tries, and, as long as the views
stay alike, the news of what happens next. And nothing may depend on the seed, but through its outcomes.
"""

import json
from collections.abc import Sequence
from typing import Any, TypeVar

from laws.playing import AnyGame, AnyMatch, Dice, TableKind, moments, secret

from parlour.engine.chance import Chance, Luck, Recording, Seeded
from parlour.engine.errors import IllegalAction
from parlour.engine.maps import tagged, to_map
from parlour.engine.match import replay
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import ALL, Seat, project

T = TypeVar("T")
Eyes = Seat | None
WORLDS = 1


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


def some_viewers(seats: int, actor: Seat, dice: Dice) -> set[Eyes]:
    """Whoever acts, a spectator, and two more: over the moments of a game everybody's turn comes."""
    everybody = viewers(seats)
    return {actor, None, dice.pick(everybody), dice.pick(everybody)}


def written(thing: Any) -> bytes:
    """Bytes in which the order of everything counts."""
    return json.dumps(thing).encode()


def sight(game: AnyGame, state: Any, viewer: Eyes, probes: Sequence[Any]) -> dict[str, bytes]:
    """All that a viewer can get out of a state."""
    deadline = game.deadline(state)
    seen = {
        "view": written(to_map(project(game.view(state), viewer))),
        "awaited": written(sorted(game.awaited(state))),
        "outcome": written(to_map(game.outcome(state))),
        "deadline": written(deadline and [deadline.phase, deadline.scramble]),
    }
    if viewer is not None:
        seen["legal"] = written(choices_to_map(game.legal(state, viewer)))
        seen["errors"] = written([_answer(game, state, viewer, probe) for probe in probes])
    return seen


def _answer(game: AnyGame, state: Any, seat: Seat, probe: Any) -> Any:
    if probe in game.legal(state, seat):
        return "legal"
    try:
        game.act(state, seat, probe, Seeded(bytes(32)))
    except IllegalAction as refused:
        return [refused.code, str(refused), to_map(dict(refused.facts))]
    raise Leak("an action that is not legal was accepted")


def compare(real: dict[str, bytes], other: dict[str, bytes]) -> None:
    for name, frame in real.items():
        if other[name] != frame:
            raise Leak(
                f"{name} differs between worlds that should look the same:\n{frame!r}\n{other[name]!r}"
            )


def told(news: Sequence[Any], viewer: Eyes) -> bytes:
    return written([tagged(project(item, viewer)) for item in news])


def at(thing: Any, path: str) -> Any:
    for step in path.split("."):
        thing = thing[int(step)] if isinstance(thing, list | tuple) else thing[step]
    return thing


def without(thing: Any, paths: Sequence[str], here: str = "") -> Any:
    """A map with the values at these paths left out, to compare the rest."""
    if here in paths:
        return "hidden"
    inner = f"{here}." if here else ""
    if isinstance(thing, dict):
        return {key: without(part, paths, f"{inner}{key}") for key, part in thing.items()}
    if isinstance(thing, list | tuple):
        return [without(part, paths, f"{inner}{place}") for place, part in enumerate(thing)]
    return thing


def check_audience(game: AnyGame, state: Any, viewer: Eyes) -> None:
    """A view shows exactly what the game says is not hidden from this viewer: no more, and no less."""
    whole = to_map(project(game.view(state), ALL))
    seen = to_map(project(game.view(state), viewer))
    hidden = [path for path, audience in game.hidden(state).items() if viewer not in audience]
    if written(without(seen, hidden)) != written(without(whole, hidden)):
        raise Leak(f"more, or less, than {hidden} is hidden from {viewer}:\n{seen}\n{whole}")
    for path in hidden:
        value = at(whole, path)
        stands_for_it = (None, len(value)) if isinstance(value, list | tuple) else (None,)
        if at(seen, path) not in stands_for_it:
            raise Leak(f"{path} is not hidden from {viewer}: {at(seen, path)}")


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
        for viewer in some_viewers(kind.seats, seat, dice):
            check_audience(game, state, viewer)
            seen = project(game.view(state), viewer)
            before = sight(game, state, viewer, probes)
            after = sight(game, real_step.state, viewer, ())
            for number in range(WORLDS):
                luck = Seeded(secret((seed, len(tried), viewer, number)))
                world = game.imagine(seen, viewer, luck)
                compare(before, sight(game, world, viewer, probes))
                count["worlds"] += 1
                count["differing"] += game.position(world) != game.position(state)
                if action not in game.legal(world, seat):
                    continue
                step = game.act(world, seat, action, Echo(real_luck.heard, luck))
                then = sight(game, step.state, viewer, ())
                if then["view"] == after["view"] and fleeting(game, real_step.news) == fleeting(
                    game, step.news
                ):
                    compare(after, then)
                    compare({"news": told(real_step.news, viewer)}, {"news": told(step.news, viewer)})
                    count["news"] += 1
    return count


def frames(match: AnyMatch) -> list[bytes]:
    """What everybody gets of the state that a match is in."""
    game, state = match.game, match.state
    everybody = viewers(match.seats)
    return [part for viewer in everybody for part in sight(game, state, viewer, ()).values()]


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
