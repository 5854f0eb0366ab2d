"""The rules of one tournament as a value; `rules_reading.py` makes them of TOML and of plain maps."""

from collections.abc import Mapping
from typing import Any, Literal

import attrs

from parlour.engine.maps import to_map
from parlour.protocol.messages import Clocks

Format = Literal["round_robin", "swiss", "knockout"]
Who = Literal["people", "bots", "both", "named"]
Remedy = Literal["default", "loss", "strike"]
"""The game's default action is played; the game is lost; it is lost and counts as a strike."""
Worth = Literal["none", "half", "win"]
TieBreak = Literal["buchholz", "sonneborn_berger", "head_to_head", "mean_place"]
MOST_ENTRANTS = 200
CLOCKS = Clocks(decision=20.0)


@attrs.frozen
class Entry:
    """Who may enter, how many, and until when."""

    who: Who = "both"
    names: tuple[str, ...] = ()
    """Whom `named` lets in."""
    least: int = 2
    """How many must be there for a start; never fewer than a table has seats."""
    most: int = MOST_ENTRANTS
    late: int = 0
    """The last round before which players may still enter; 0: only before the start."""
    missed: Worth = "none"
    """What a round is worth that was played before a player entered."""
    one_per_address: bool = False
    """Whether a second entrant from the same network is refused."""
    invitation: bool = False
    """Whether entering takes the code that the server gives to the organiser."""


@attrs.frozen
class Failures:
    """What follows when a player is late, crashes, is absent or sends an illegal action."""

    late: Remedy = "default"
    crashed: Remedy = "default"
    illegal: Remedy = "loss"
    absent: Remedy = "strike"
    strikes: int = 3
    """The number of strikes with which a player is out of the tournament."""


@attrs.frozen
class Rules:
    """The rules of a tournament, settled before it starts."""

    name: str
    game: str
    format: Format
    seed: str
    """Pairings and seats follow from it; deals do not, they have secrets of their own."""
    seats: int = 2
    rounds: int | None = None
    """None: as many as the format needs for the field."""
    games: int = 2
    """At each table in each round: as many as seats, or a multiple, so that everybody sits everywhere."""
    options: Mapping[str, Any] = attrs.field(factory=dict)
    clocks: Clocks = CLOCKS
    entry: Entry = Entry()
    failures: Failures = Failures()
    starts: int | None = None
    """Seconds since 1970; None: when the organiser starts it."""
    tables: int = 16
    """How many tables play at once; the others of a round wait."""
    bye: Worth = "half"
    """Half is what a table is worth on average: a bye neither helps nor hurts."""
    replays: int = 2
    """How often a level duel of a knockout is played again before the better seed goes on."""
    tie_breaks: tuple[TieBreak, ...] = ()

    def breaks(self) -> tuple[TieBreak, ...]:
        """The tie-breaks in force."""
        if self.tie_breaks:
            return self.tie_breaks
        return ("buchholz", "sonneborn_berger", "head_to_head") if self.seats == 2 else ("mean_place",)

    def plain(self) -> dict[str, Any]:
        """As a map that `make` takes."""
        written: dict[str, Any] = to_map(self)
        return written
