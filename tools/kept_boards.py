"""Positions whose boards are kept as text in tests/client/boards/kept/, and how these files are written.

After a change that is meant: PYTHONPATH=tests .venv/bin/python -m tools.kept_boards
Then look at what `git diff` shows, as a player would.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
from laws.playing import Dice, TableKind, play

from parlour.client.boards.catalogue import BOARDS
from parlour.client.boards.room import SMALLEST, Room
from parlour.client.boards.text import Line, plain
from parlour.client.language import LANGUAGES, Texts
from parlour.engine.butterflies.public import Turn
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Scripted
from parlour.engine.maps import to_map
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import ALL, Seat, Viewer, project

HERE = Path(__file__).parent.parent / "tests"
FOLDER = HERE / "client" / "boards" / "kept"
SMALL, LARGE, HUGE = Room(80, 19), Room(120, 35), Room(200, 46)
"""Windows of 80x24, 120x40 and 200x60, less what is said around a board."""
NAMES = ("Anna", "Ben", "Chloe", "David", "Emma", "Felix")
LONGEST = tuple(letter * 24 for letter in "安本克大艾菲")
"""Names of 24 letters, two columns each."""
SEAT_0 = Seat(0)


def looks(view: Any, viewer: Viewer) -> dict[str, Any]:
    """A view as it travels to a viewer."""
    plain_view: dict[str, Any] = to_map(project(view, viewer))
    return plain_view


def looking(lines: Sequence[Line]) -> list[Line]:
    """Only what a board looks like: without what a click on it presses."""
    return [[(re.sub(r" ?\[press:[^]]+\]", "", style), text) for style, text in line] for line in lines]


@attrs.frozen
class Painting:
    """A state, and how it is looked at."""

    name: str
    game: str
    seats: int
    state: Any
    viewers: Sequence[Viewer] = (SEAT_0,)
    names: Sequence[str] = NAMES
    chosen: Mapping[str, Any] | None = None
    only: str | None = None
    """The type of the legal actions that are marked; None: all."""
    language: str = "en"

    @property
    def path(self) -> Path:
        language = "" if self.language == "en" else f".{self.language}"
        return FOLDER / f"{self.game}-{self.name}{language}.txt"

    @property
    def rooms(self) -> Sequence[Room]:
        return (SMALL, LARGE, SMALLEST) if self.name == "long-names" else (SMALL, LARGE, HUGE, SMALLEST)

    def legal(self, viewer: Viewer) -> list[dict[str, Any]]:
        game = GAMES[self.game]
        if not isinstance(viewer, int) or viewer not in game.awaited(self.state):
            return []
        every = choices_to_map(game.legal(self.state, Seat(viewer)))
        return [each for each in every if self.only in (None, each["type"])]

    def lines(self, viewer: Viewer, room: Room) -> list[str]:
        me = viewer if isinstance(viewer, int) else None
        view = looks(GAMES[self.game].view(self.state), viewer)
        names = self.names[: self.seats]
        drawn = BOARDS[self.game].draw(
            view, me, names, room, self.legal(viewer), self.chosen, Texts(self.language)
        )
        return [plain(line) for line in drawn]

    def text(self) -> str:
        """All viewers in a usual window, the first also in others and, in English, in ASCII."""
        ways = [(viewer, SMALL) for viewer in self.viewers]
        first = self.viewers[0]
        ways += [(first, attrs.evolve(SMALL, ascii=True))] if self.language == "en" else []
        ways += [(first, room) for room in self.rooms[1:]] if self.language == "en" else [(first, SMALLEST)]
        return "\n".join(f"{_heading(*way)}\n{_joined(self.lines(*way))}" for way in ways)


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _heading(viewer: Viewer, room: Room) -> str:
    who = "a spectator" if viewer is None else f"seat {viewer}" if isinstance(viewer, int) else "all-seeing"
    return f"==== {who}, {room.width}x{room.height}{', ASCII' if room.ascii else ''}"


def placed(game: str, seats: int, position: Mapping[str, Any], **options: Any) -> Any:
    rules = GAMES[game]
    return rules.from_position(dict(position), seats, rules.read_options(options, seats))


def from_scenario(file: str) -> Any:
    """The position with which a scenario file begins."""
    told = json.loads((HERE / "scenarios" / file).read_text(encoding="utf-8"))
    return placed(told["game"], told["players"], told["position"], **told["options"])


def played(game: str, seats: int, seed: object, moves: int, **options: Any) -> Any:
    """A random game after so many moves, or at its end."""
    match = TableKind(GAMES[game], seats, options).start(seed)
    for number, _ in enumerate(play(match, Dice(seed))):
        if number == moves:
            break
    return match.state


def driving(cars: Sequence[int], **fields: Any) -> dict[str, Any]:
    """Seat 0 is to drive with 5 of fuel; everybody has all trumps, unless the fields say otherwise."""
    pawns = ["red", "yellow", "green", "blue", "white", "black"][: len(cars)]
    usual: dict[str, Any] = {
        "cars": list(cars),
        "round": 4,
        "accelerator": 2,
        "dice": dict(zip(pawns, (5, 2, 6, 1, 3, 4), strict=False)),
        "pawns": pawns,
        "phase": "drive",
        "to_act": [0],
    }
    return {**usual, **fields}


STRAIGHT_ON = [{"turn": "straight", "limit": None, "star": False}] * 36
ROUND_AND_ROUND = [{"turn": "right" if place % 3 == 2 else "straight", "limit": 110} for place in range(36)]
"""A road of three sections to a side, which runs over itself."""
LONG_ROW = [
    {"at": [x - 10, x // 28], "card": card}
    for x, card in enumerate(
        [f"{s}-{c}" for s in ("monarch", "peacock", "morpho") for c in ("red", "blue")] * 2
    )
]


def _hurry() -> list[Painting]:
    def painting(name: str, seats: int, state: Any, *viewers: Viewer, **more: Any) -> Painting:
        return Painting(name, "hurry-cup", seats, state, viewers or (SEAT_0,), **more)

    def at(position: Mapping[str, Any], **options: Any) -> Any:
        return placed("hurry-cup", len(position["cars"]), position, **options)

    scramble = {
        "cars": [1, 2, 3, 4],
        "accelerator": 3,
        "dice": {"red": 5, "yellow": 2, "green": 6, "blue": 1},
    }
    look = {**scramble, "phase": "look", "honks": [2, 0], "looked": [2], "to_act": [2], "pawns": [None] * 4}
    return [
        painting("croisette", 3, at(driving([12, 9, 9]), track="croisette"), SEAT_0, None),
        painting("esterel", 4, at(driving([3, 7, 22, 30], oil=8), track="esterel")),
        painting("corniche", 6, at(driving([8, 8, 8, 8, 20, 31], lantern=None), track="corniche")),
        painting("start", 5, played("hurry-cup", 5, "start", 0), SEAT_0, None, ALL),
        painting("generated", 6, played("hurry-cup", 6, "generated", 150), SEAT_0, None, ALL),
        painting("another", 3, played("hurry-cup", 3, "another", 60)),
        painting("over", 4, played("hurry-cup", 4, "over", 10_000), ALL, None),
        painting("look", 4, at(look, track="croisette"), Seat(2), SEAT_0, None, ALL),
        painting(
            "championship", 3, played("hurry-cup", 3, "cup", 200, races=3, track="esterel"), SEAT_0, None
        ),
        painting("sealed", 4, played("hurry-cup", 4, "sealed", 7, grab="sealed"), Seat(2), SEAT_0, ALL),
        painting("long-names", 6, at(driving([3, 4, 5, 6, 7, 8]), track="croisette"), names=LONGEST),
        painting("straight-on", 3, at(driving([30, 9, 0]), track=STRAIGHT_ON)),
        painting("over-itself", 3, at(driving([2, 14, 0]), track=ROUND_AND_ROUND)),
        painting(
            "chosen",
            3,
            at(driving([12, 9, 9]), track="croisette"),
            chosen={"type": "move", "steps": 3, "detour": None},
        ),
    ]


def _butterflies() -> list[Painting]:
    def painting(name: str, seats: int, state: Any, *viewers: Viewer, **more: Any) -> Painting:
        return Painting(name, "butterflies", seats, state, viewers or (SEAT_0,), **more)

    tokens = from_scenario("butterflies/net-and-web.json")
    turned = GAMES["butterflies"].act(tokens, SEAT_0, Turn(), Scripted(())).state
    line = {
        "grid": LONG_ROW,
        "hands": [["swallowtail-red", "swallowtail-blue"], ["swallowtail-green"]],
        "goals": [{"colour": "red", "species": "peacock"}, {"colour": "blue", "species": "morpho"}],
        "played": [6, 6],
        "last": {"at": LONG_ROW[-1]["at"], "by": 1, "how": "laid"},
        "phase": "act",
        "to_act": [0],
    }
    return [
        painting("deal", 2, played("butterflies", 2, "deal", 0, first=0), SEAT_0, Seat(1), None, ALL),
        painting("tokens", 2, tokens, SEAT_0, None, ALL),
        painting("moves", 2, tokens, only="move", chosen={"type": "move", "from": [2, 1], "to": [3, 1]}),
        painting("turned", 2, turned, SEAT_0, None),
        painting("teams", 4, played("butterflies", 4, "teams", 12, teams="on"), SEAT_0, Seat(2), Seat(1)),
        painting("large", 4, played("butterflies", 4, 9, 60), SEAT_0, None),
        painting("long-row", 2, placed("butterflies", 2, line)),
        painting(
            "long-row-chosen",
            2,
            placed("butterflies", 2, line),
            chosen={"type": "play", "card": "swallowtail-red", "at": [-11, 0]},
        ),
        painting("won", 3, played("butterflies", 3, "won", 10_000), ALL, None),
        painting("long-names", 4, played("butterflies", 4, "names", 10), names=LONGEST),
    ]


def _balloon() -> list[Painting]:
    def painting(name: str, state: Any, *viewers: Viewer, **more: Any) -> Painting:
        return Painting(name, "balloon-cup", 2, state, viewers or (SEAT_0,), **more)

    return [
        painting("deal", played("balloon-cup", 2, "deal", 0, first=0), SEAT_0, None),
        painting("tiles", played("balloon-cup", 2, "tiles", 40), SEAT_0, Seat(1), ALL),
        painting("claim", from_scenario("balloon-cup/trades-of-several-colours.json"), SEAT_0, Seat(1)),
        painting("stuck", from_scenario("balloon-cup/stuck-after-the-exchange.json"), SEAT_0, Seat(1)),
        painting("over", played("balloon-cup", 2, "over", 10_000), ALL, None),
    ]


def _in_other_languages(paintings: Sequence[Painting]) -> list[Painting]:
    """Boards that have every label between them."""
    labelled = {
        "balloon-cup": ("deal", "tiles", "claim", "stuck", "over"),
        "hurry-cup": ("croisette", "look", "championship", "over", "generated", "long-names"),
        "butterflies": ("tokens", "turned", "teams", "won", "long-names"),
    }
    return [
        attrs.evolve(each, language=language)
        for each in paintings
        for language in LANGUAGES
        if each.name in labelled[each.game] and language != "en"
    ]


_IN_ENGLISH = [*_balloon(), *_hurry(), *_butterflies()]
PAINTINGS = [*_IN_ENGLISH, *_in_other_languages(_IN_ENGLISH)]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for each in PAINTINGS:
        each.path.write_text(each.text(), encoding="utf-8")
