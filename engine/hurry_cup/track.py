"""Tracks as everybody sees them: sections, how they lie on a square grid, and the tracks that ship.

Pure and public: clients draw with it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs

from parlour.engine.errors import Malformed
from parlour.engine.maps import from_map

Turn = Literal["straight", "left", "right"]
Heading = Literal["east", "south", "west", "north"]
HEADINGS: tuple[Heading, ...] = ("east", "south", "west", "north")
"""Clockwise, so that a right turn is one further."""
LENGTH = 36
"""Sections between start and finish."""
START = 0
FINISH = LENGTH + 1
LEAST_LIMIT = 20

_TURNED: Mapping[Turn, int] = {"straight": 0, "right": 1, "left": 3}
_AHEAD: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))


@attrs.frozen
class Section:
    """One section of the road; a limit is the highest speed at which it may be entered."""

    turn: Turn = "straight"
    limit: int | None = None
    star: bool = False


Sections = tuple[Section, ...]
"""A whole track: 36 of them; the first is number 1."""
PLAIN = Section()


@attrs.frozen
class Cell:
    """A section on the grid: x grows to the east, y to the south; start is section 0, finish 37."""

    section: int
    x: int
    y: int
    enters: Heading
    """Which way a car heads when it comes in, and when it goes out."""
    leaves: Heading
    turn: Turn
    limit: int | None
    star: bool


def drawn(track: Sequence[Section]) -> tuple[Cell, ...]:
    """The road on a grid, from start to finish; it begins eastward, and the least x and y are 0."""
    x = y = heading = 0
    laid: list[tuple[int, int, int, int, Section]] = []
    for section in (PLAIN, *track, PLAIN):
        leaving = (heading + _TURNED[section.turn]) % 4
        laid.append((x, y, heading, leaving, section))
        heading = leaving
        east, south = _AHEAD[heading]
        x, y = x + east, y + south
    west, north = min(cell[0] for cell in laid), min(cell[1] for cell in laid)
    return tuple(
        Cell(
            number,
            x - west,
            y - north,
            HEADINGS[entering],
            HEADINGS[leaving],
            section.turn,
            section.limit,
            section.star,
        )
        for number, (x, y, entering, leaving, section) in enumerate(laid)
    )


def touching(track: Sequence[Section]) -> tuple[int, int] | None:
    """The first two sections that share a cell or a side without following each other, if any do."""
    lying: dict[tuple[int, int], int] = {}
    for cell in drawn(track):
        beside = [(cell.x, cell.y), *((cell.x + east, cell.y + south) for east, south in _AHEAD)]
        for place in beside:
            other = lying.get(place)
            if other is not None and other != cell.section - 1:
                return other, cell.section
        lying[cell.x, cell.y] = cell.section
    return None


@attrs.frozen
class _Given:
    track: Sections


def given(plain: Any, error: type[Malformed]) -> Sections:
    """A track from 36 maps, checked; what is wrong is named by its path and the section's number."""
    if isinstance(plain, list | tuple) and len(plain) != LENGTH:
        raise error("track", f"must have {LENGTH} sections, not {len(plain)}")  # before all of them are read
    try:
        track = from_map(_Given, {"track": plain}, error).track
    except Malformed as wrong:
        place = wrong.where.split(".")[1:2]
        if not place:
            raise
        raise error(wrong.where, f"section {int(place[0]) + 1} {wrong.problem}") from None
    _check(track, error)
    return track


def _check(track: Sections, error: type[Malformed]) -> None:
    """What the types of a track cannot say."""
    for place, section in enumerate(track):
        if section.limit is not None and section.limit < LEAST_LIMIT:
            told = f"section {place + 1} must have a limit of {LEAST_LIMIT} or more, or none"
            raise error(f"track.{place}.limit", f"{told}, not {section.limit}")


def read_track(text: str) -> Sections:
    """A track in shorthand: `=` straight, `*` star, `L` or `R` a turn, each with its limit behind it."""
    kinds: dict[str, tuple[Turn, bool]] = {
        "=": ("straight", False),
        "*": ("straight", True),
        "L": ("left", False),
        "R": ("right", False),
    }
    found = []
    for word in text.split():
        turn, star = kinds[word[0]]
        found.append(Section(turn, int(word[1:]) if word[1:] else None, star))
    return tuple(found)


SHIPPED: Mapping[str, Sections] = {
    "croisette": read_track(
        "= = = = R90 = R80 = = * = L90 = * = = L90 = L90 = = R80 * = R90 * L80 R90 L80 = * = L90 R90 = *"
    ),
    "esterel": read_track(
        "= = * L90 = = L90 R60 * R80 * R90 L70 R70 = = = L80 * = = * L80 R80 L70 R80 = R90 = L80 =90 * =90 "
        "L70 = L70"
    ),
    "corniche": read_track(
        "= = L60 = R70 = L70 R80 * R80 L60 =90 L70 * = L70 R90 * L70 = L90 R80 = R60 L70 * R80 L80 R80 L60 "
        "=90 * L70 * = R70"
    ),
}
"""From easy to hard. The second is laid from the tile set; the first has 12 turns, none below 80, in the
place of 16, and the third 20, with four of 60 and eight of 70."""
