"""Rules cases as data: a position, steps, and what must hold after them.

    {"game": NAME, "title": TEXT, "players": N, "options": {...},
     "position": {...}, "chance": [...], "steps": [...]}

Without a position the game is set up as usual. `chance` holds what rolls and draws give, in order; shuffles
leave the order as it is. The steps, each a map:

    {"seat": S, "do": ACTION}           the action is legal and is applied
    {"seat": S, "refuse": ACTION}       the action is refused and the position stays as it was
    {"timeout": S}                      the default action of that seat is applied
    {"expect": {PATH: VALUE}}           the position has these values
    {"result": null | {"winners": [S], "reason": R}}
    {"legal": S, "has": [...], "lacks": [...], "count": N}    its legal actions; left-out keys match all
    {"view": S | "spectator", "shows": {PATH: VALUE}, "hides": [WORD]}
    {"refused": FIELD}                  as the only step: position or options are refused, naming that field
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Scripted, WrongLuck
from parlour.engine.errors import BadOptions, BadPosition, IllegalAction, Malformed
from parlour.engine.game import Game
from parlour.engine.maps import tagged, to_map
from parlour.engine.plain import cut, short_repr
from parlour.engine.secret import Seat, project

AnyGame = Game[Any, Any, Any]
DEEPEST = 32


class BadScenario(Exception):
    """A file that is not a scenario: says where and what."""


class Failed(Exception):
    """A step that does not hold."""


@attrs.frozen
class Scenario:
    """One case, read and checked."""

    game: AnyGame
    title: str
    players: int
    options: Any
    position: Mapping[str, Any] | None
    chance: list[Any]
    steps: list[Mapping[str, Any]]

    @classmethod
    def read(cls, plain: Any) -> "Scenario":
        """Checks the frame; the position is judged when it runs."""
        _need(isinstance(plain, dict), "a scenario is a map")
        _need(not _deep(plain), "is nested too deeply")
        known = {"game", "title", "players", "options", "position", "chance", "steps"}
        for key in plain:
            _need(key in known, f"{key}: is not a field of a scenario")
        _need(plain.get("game") in list(GAMES), f"game: must be one of {', '.join(GAMES)}")
        game = GAMES[plain["game"]]
        players = plain.get("players")
        _need(type(players) is int and players in game.seats, f"players: must be one of {game.seats}")
        position = plain.get("position")
        _need(position is None or isinstance(position, dict), "position: must be a map")
        steps = plain.get("steps")
        _need(
            isinstance(steps, list) and all(isinstance(step, dict) for step in steps),
            "steps: must be a list of maps",
        )
        chance = plain.get("chance", [])
        _need(isinstance(chance, list), "chance: must be a list")
        title = plain.get("title", "")
        _need(isinstance(title, str), "title: must be text")
        return cls(game, title, players, plain.get("options", {}), position, chance, steps)

    @classmethod
    def load(cls, path: Path) -> "Scenario":
        """Reads a file; raises BadScenario."""
        try:
            return cls.read(json.loads(path.read_text(encoding="utf-8")))
        except OSError as wrong:
            raise BadScenario(wrong.strerror or "cannot be read") from None
        except UnicodeDecodeError:
            raise BadScenario("is not UTF-8 text") from None
        except json.JSONDecodeError as wrong:
            raise BadScenario(f"line {wrong.lineno}, column {wrong.colno}: {wrong.msg}") from None
        except RecursionError:
            raise BadScenario("is nested too deeply") from None
        except ValueError:  # what json raises beyond its own error
            raise BadScenario("has a number of too many digits") from None

    def run(self) -> None:
        """Raises Failed with the number of the step (from 1) and the difference."""
        if len(self.steps) == 1 and "refused" in self.steps[0]:
            self._must_be_refused(self.steps[0])
            return
        chance = Scripted(self.chance)
        try:
            table = _Table(self.game, self._first_state(chance), chance)
        except (Malformed, WrongLuck) as wrong:
            raise Failed(f"set-up: {wrong}") from None
        for number, step in enumerate(self.steps, 1):
            try:
                table.take(step)
            except (Failed, WrongLuck, Malformed) as wrong:
                raise Failed(f"step {number}: {wrong}") from None
        try:
            chance.finish()
        except WrongLuck as wrong:
            raise Failed(f"end: {wrong}") from None

    def _first_state(self, chance: Scripted) -> Any:
        options = self.game.read_options(self.options, self.players)
        if self.position is None:
            return self.game.setup(self.players, options, chance).state
        return self.game.from_position(self.position, self.players, options)

    def _must_be_refused(self, step: Mapping[str, Any]) -> None:
        field = step["refused"]
        if len(step) > 1 or not isinstance(field, str):
            raise Failed(f"step 1: refused stands alone and names a field, not {short_repr(dict(step))}")
        try:
            self._first_state(Scripted(self.chance))
        except (BadPosition, BadOptions) as wrong:
            if field not in str(wrong).replace(":", " ").replace(".", " ").split():
                raise Failed(f"step 1: refused, but for another field: {wrong}") from None
            return
        except WrongLuck:  # the options were good enough to deal
            pass
        raise Failed(f"step 1: accepted, though {field} is wrong")


def _need(holds: bool, problem: str) -> None:
    if not holds:
        raise BadScenario(problem)


@attrs.define
class _Table:
    """A state on the way through the steps."""

    game: AnyGame
    state: Any
    chance: Scripted

    def take(self, step: Mapping[str, Any]) -> None:
        for key, run in _STEPS.items():
            if key in step:
                extra = set(step) - _KEYS[key]
                if extra:
                    raise Failed(f"{min(extra)} has no meaning beside {key}")
                for name, value in step.items():
                    _check_shape(name, value)
                run(self, step)
                return
        raise Failed(f"no known step in {short_repr(dict(step))}")

    def do(self, step: Mapping[str, Any]) -> None:
        action = self.game.read_action(step["do"])
        try:
            self.state = self.game.act(self.state, _seat(step), action, self.chance).state
        except IllegalAction as wrong:
            raise Failed(f"refused: {wrong}") from None

    def refuse(self, step: Mapping[str, Any]) -> None:
        before = self.game.position(self.state)
        try:
            self.game.act(self.state, _seat(step), self.game.read_action(step["refuse"]), self.chance)
        except (IllegalAction, Malformed):
            if self.game.position(self.state) != before:
                raise Failed("refused, but the position has changed") from None
        else:
            raise Failed("accepted")

    def timeout(self, step: Mapping[str, Any]) -> None:
        try:
            self.state = self.game.time_up(self.state, Seat(step["timeout"]), self.chance).state
        except IllegalAction as wrong:
            raise Failed(f"refused: {wrong}") from None

    def expect(self, step: Mapping[str, Any]) -> None:
        self._compare(self.game.position(self.state), step["expect"])

    def result(self, step: Mapping[str, Any]) -> None:
        outcome = self.game.outcome(self.state)
        found = outcome and {"winners": list(outcome.winners), "reason": outcome.reason}
        if found != step["result"]:
            raise Failed(f"the result is {found}, not {step['result']}")

    def legal(self, step: Mapping[str, Any]) -> None:
        actions = [tagged(action) for action in self.game.legal(self.state, Seat(step["legal"]))]
        for wanted in step.get("has", ()):
            if not any(self._matches(action, wanted) for action in actions):
                raise Failed(f"not legal: {wanted}")
        for unwanted in step.get("lacks", ()):
            if any(self._matches(action, unwanted) for action in actions):
                raise Failed(f"legal: {unwanted}")
        if "count" in step and step["count"] != len(actions):
            raise Failed(f"{len(actions)} legal actions, not {step['count']}")

    def view(self, step: Mapping[str, Any]) -> None:
        viewer = None if step["view"] == "spectator" else Seat(step["view"])
        seen = to_map(project(self.game.view(self.state), viewer))
        del seen["options"]
        self._compare(seen, step.get("shows", {}))
        hidden = set(step.get("hides", ()))
        for leaf in _leaves(seen):
            if leaf in hidden:
                raise Failed(f"the view of {step['view']} has {leaf!r}")

    def _compare(self, position: Any, wanted: Mapping[str, Any]) -> None:
        for path, value in wanted.items():
            found, names = self._walk(position, path)
            if not self._same(found, value, names):
                raise Failed(f"{cut(path, 80)} is {_short_json(found)}, not {_short_json(value)}")

    def _walk(self, thing: Any, path: str) -> tuple[Any, tuple[str, ...]]:
        """The value at a path, and the names on the way."""
        names = tuple(path.split("."))
        for place, name in enumerate(names):
            if isinstance(thing, Mapping):
                missing = 0 if any(part in self.game.counted for part in names[:place]) else None
                thing = thing.get(name, missing)
            elif isinstance(thing, list | tuple) and name in map(str, range(len(thing))):
                thing = thing[int(name)]
            elif thing is None:
                return None, names
            else:
                raise Failed(f"there is no {cut(path, 80)}")
        return thing, names

    def _same(self, found: Any, wanted: Any, names: tuple[str, ...]) -> bool:
        return bool(self._plain(found, names) == self._plain(wanted, names))

    def _plain(self, value: Any, names: tuple[str, ...]) -> Any:
        """A value in which what means the same is equal."""
        game = self.game
        if isinstance(value, Mapping):
            pairs = {str(key): self._plain(part, (*names, str(key))) for key, part in value.items()}
            if any(name in game.counted for name in names):
                pairs = {key: part for key, part in pairs.items() if part != 0}
            if names and names[-1] in game.sparse:
                pairs = {key: part for key, part in pairs.items() if part is not None}
            return pairs
        if isinstance(value, list | tuple):
            parts = [self._plain(part, names) for part in value]
            named = next((name for name in reversed(names) if not name.isdigit()), None)
            if named in game.unordered and not any(isinstance(part, list) for part in parts):
                parts.sort(key=lambda part: json.dumps(part, sort_keys=True))
            return parts
        return (type(value) is bool, value)

    def _matches(self, action: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
        for key, value in wanted.items():
            if key not in action:
                return False
            if key in self.game.unordered:
                if self._plain(action[key], (key,)) != self._plain(value, (key,)):
                    return False
            elif self._plain(action[key], ()) != self._plain(value, ()):
                return False
        return True


def _check_shape(name: str, value: Any) -> None:
    if name not in _SHAPES:
        return
    shape, called, part = _SHAPES[name]
    if not isinstance(value, shape) or isinstance(value, bool):
        raise Failed(f"{name} must be {called}, not {short_repr(value)}")
    if isinstance(value, list) and not all(isinstance(each, part) for each in value):
        raise Failed(f"{name} must be {called}")
    if isinstance(value, str) and value != "spectator":
        raise Failed(f"{name} must be {called}, not {short_repr(value)}")


def _seat(step: Mapping[str, Any]) -> Seat:
    seat = step.get("seat")
    if type(seat) is not int:
        raise Failed("seat is missing")
    return Seat(seat)


def _short_json(value: Any) -> str:
    return cut(json.dumps(value, default=list), 400)


def _deep(thing: Any) -> bool:
    """Whether something is nested deeper than any scenario, by levels and not by calls."""
    level = [thing]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for part in level:
            if isinstance(part, Mapping):
                below.extend(part.values())
            elif isinstance(part, list | tuple):
                below.extend(part)
        if not below:
            return False
        level = below
    return True


def _leaves(thing: Any) -> Iterator[Any]:
    if isinstance(thing, Mapping):
        for key, part in thing.items():
            yield key
            yield from _leaves(part)
    elif isinstance(thing, list | tuple):
        for part in thing:
            yield from _leaves(part)
    elif isinstance(thing, str):
        yield thing


_STEPS: dict[str, Callable[[_Table, Mapping[str, Any]], None]] = {
    "do": _Table.do,
    "refuse": _Table.refuse,
    "timeout": _Table.timeout,
    "expect": _Table.expect,
    "result": _Table.result,
    "legal": _Table.legal,
    "view": _Table.view,
}
_KEYS: dict[str, set[str]] = {
    "do": {"seat", "do"},
    "refuse": {"seat", "refuse"},
    "timeout": {"timeout"},
    "expect": {"expect"},
    "result": {"result"},
    "legal": {"legal", "has", "lacks", "count"},
    "view": {"view", "shows", "hides"},
}
_SHAPES: dict[str, tuple[Any, str, type]] = {
    "seat": (int, "a seat", object),
    "timeout": (int, "a seat", object),
    "expect": (dict, "a map of paths", object),
    "result": (dict | None, "null or a map", object),
    "legal": (int, "a seat", object),
    "has": (list, "a list of actions", dict),
    "lacks": (list, "a list of actions", dict),
    "count": (int, "a number", object),
    "view": (int | str, "a seat or spectator", object),
    "shows": (dict, "a map of paths", object),
    "hides": (list, "a list of words", str),
}
