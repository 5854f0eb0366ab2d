"""The no-leak laws: what a viewer gets may depend only on what that viewer may know.

Take a state, project its view for a viewer, and let the game imagine another world from that view. The two
worlds differ only in what is hidden from the viewer, so everything that reaches the viewer must be
byte-identical in both: the view, the legal actions, the answers to what it tries, and, as long as the views
stay alike, the news of what happens next. And nothing may depend on the seed, but through its outcomes.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from laws.playing import GAMES_EACH, AnyGame, AnyMatch, Dice, TableKind, moments, secret
from laws.viewer_parts import Eyes, Leak, Told, compare, heard_by, private, public, viewers
from laws.writing import Kept, written

from parlour.engine.chance import Chance, Luck, Recorded, Recording, Seeded
from parlour.engine.maps import to_map
from parlour.engine.match import Entry, Match, propose_again
from parlour.engine.secret import ALL, Seat, project

T = TypeVar("T")
WORLDS = 2 if GAMES_EACH <= 10 else 4
"""Other worlds that are put in at each moment, for each viewer; more when there is time."""


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


def check_audience(hides: Mapping[str, frozenset[Seat]], whole: Any, view: Kept, viewer: Eyes) -> None:
    """A view shows exactly what the game says is not hidden from this viewer: no more, and no less."""
    hidden = [path for path, audience in hides.items() if viewer not in audience]
    seen, expected = view.plain, whole
    try:
        for path in hidden:
            value, stands_for_it = at(whole, path), at(seen, path)
            if stands_for_it not in ((None, len(value)) if isinstance(value, list | tuple) else (None,)):
                raise Leak(f"{path} is not hidden from {viewer}: {stands_for_it}")
            expected = put(expected, path.split("."), stands_for_it)
    except (LookupError, TypeError) as missing:
        raise Leak(f"{hidden} are not all in the view of {viewer}: {seen}") from missing
    if view.bytes != written(expected):
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
        told, told_after = Told(), Told()
        open_before = told.keep(public(game, state))
        open_after = told_after.keep(public(game, real_step.state))
        shown_to_all = fleeting(game, real_step.news)
        for viewer in viewers(kind.seats):
            seen = project(view, viewer)
            before = told.keep({"view": seen, **private(game, state, viewer, probes)})
            check_audience(hides, whole, before["view"], viewer)
            heard = heard_by(viewer, real_step.news)
            after = told_after.keep({**private(game, real_step.state, viewer), "news": heard})
            seen_after = told_after.keep({"view": project(view_after, viewer)})["view"]
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
                    compare(after, {**private(game, step.state, viewer), "news": heard_by(viewer, step.news)})
                    count["news"] += 1
        told.check_unchanged()
        told_after.check_unchanged()
    return count


def frames(match: AnyMatch) -> list[bytes]:
    """What everybody gets of the state that a match is in."""
    game, state = match.game, match.state
    view, told = game.view(state), Told()
    parts = [told.keep(public(game, state))]
    for viewer in viewers(match.seats):
        parts.append(told.keep({"view": project(view, viewer), **private(game, state, viewer)}))
    return [kept.bytes for part in parts for kept in part.values()]


def retold(kind: TableKind, journal: Sequence[Entry[Any]]) -> Iterator[AnyMatch]:
    """The match that a journal tells, after each of its entries, with no luck but what it holds."""
    luck = Recorded([luck for entry in journal for luck in entry.luck])
    match: AnyMatch = Match(kind.game, kind.seats, kind.options, luck)
    for entry in journal:
        match.adopt(propose_again(match, entry))
        yield match


def check_seed(kind: TableKind, seed: object) -> None:
    """Plays a game with a seeded source and again with nothing but its outcomes: no viewer may tell which."""
    match = kind.start(seed)
    seen = {len(match.journal): frames(match) for _ in moments(match, Dice(seed))}
    key = secret(seed)
    for retelling in retold(kind, match.journal):
        got = seen.pop(len(retelling.journal), None)
        if got is None:
            continue
        if any(key.hex().encode() in part or key in part for part in got):
            raise Leak("the seed itself is in a frame")
        if got != frames(retelling):
            raise Leak("a game told from its outcomes alone looks different: something of the seed shows")
    assert not seen, "the retelling left something out"
