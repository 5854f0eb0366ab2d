"""The words of Hurry' Cup that cross the wire: tokens, options, actions, news and the view."""

from collections.abc import Mapping
from typing import Any, Literal

import attrs

from parlour.engine.errors import BadOptions
from parlour.engine.hurry_cup.news import (
    NEWS,
    AcceleratorRolled,
    BonusTaken,
    Boosted,
    CarFinished,
    CarMoved,
    CarStayed,
    CupLifted,
    DiceOpened,
    DieRerolled,
    HelmetPutOn,
    Honked,
    LanternGiven,
    LanternUnused,
    LanternUsed,
    NitroUsed,
    OilSpilled,
    PawnsSwapped,
    PawnTaken,
    QuietKept,
    RaceBegun,
    RaceOver,
    RaceScored,
    RankingSealed,
    RankingsOpened,
    RoundBegun,
    TankEmptied,
    TokenSkipped,
)
from parlour.engine.hurry_cup.track import (
    FINISH,
    LENGTH,
    SHIPPED,
    START,
    Cell,
    Heading,
    Section,
    Sections,
    Turn,
    drawn,
    given,
)
from parlour.engine.hurry_cup.words import (
    BONUSES,
    CREWS,
    OIL_LIMIT,
    PAWNS,
    POINTS_FOR_FINISHING,
    RACE,
    TRUMPS,
    Bonus,
    Crew,
    Pawn,
    Phase,
    Trump,
)
from parlour.engine.lean import lean
from parlour.engine.options import Options, choice, whole
from parlour.engine.plain import short_repr
from parlour.engine.secret import Seat, Secret

__all__ = [
    "BONUSES",
    "CREWS",
    "FINISH",
    "LENGTH",
    "NEWS",
    "OIL_LIMIT",
    "PAWNS",
    "POINTS_FOR_FINISHING",
    "RACE",
    "SHIPPED",
    "START",
    "TRUMPS",
    "AcceleratorRolled",
    "Bonus",
    "BonusTaken",
    "Boosted",
    "CarFinished",
    "CarMoved",
    "CarStayed",
    "Cell",
    "Crew",
    "CupLifted",
    "DiceOpened",
    "DieRerolled",
    "Heading",
    "HelmetPutOn",
    "Honked",
    "LanternGiven",
    "LanternUnused",
    "LanternUsed",
    "NitroUsed",
    "OilSpilled",
    "Pawn",
    "PawnTaken",
    "PawnsSwapped",
    "Phase",
    "QuietKept",
    "RaceBegun",
    "RaceOver",
    "RaceScored",
    "RankingSealed",
    "RankingsOpened",
    "RoundBegun",
    "Section",
    "Sections",
    "TankEmptied",
    "TokenSkipped",
    "Trump",
    "Turn",
    "drawn",
]
"""Besides what follows: what words, track and news have, from here for everybody outside."""

TRACK_NAMES: tuple[str, ...] = ("random", *SHIPPED)


def _check_track(_: object, attribute: "attrs.Attribute[Any]", value: object) -> None:
    if not isinstance(value, tuple) and value not in TRACK_NAMES:
        told = ", ".join(TRACK_NAMES)
        raise BadOptions(attribute.name, f"must be one of {told}, or 36 sections, not {short_repr(value)}")


@attrs.frozen
class HurryOptions(Options):
    """How Hurry' Cup is played at this table."""

    track: str | Sections = attrs.field(
        default="random", validator=_check_track, metadata={"values": TRACK_NAMES, "open": True}
    )
    grab: str = choice("race", "sealed")
    finish: str = choice("all", "first")
    races: int = whole(1, 1, 9)
    empty_tank: int = whole(1, 1, 3)
    first: int | str = choice("random", 0, 1, 2, 3, 4, 5)

    @classmethod
    def prepare(cls, given_: dict[str, Any]) -> dict[str, Any]:
        track = given_.get("track")
        if isinstance(track, list | tuple):
            return {**given_, "track": given(track, BadOptions)}
        return given_


# Actions


@lean
class Advance:
    """By the lantern: one section, whatever its sign."""


@lean
class Stay:
    """Leave the lantern unused."""


@lean
class Boost:
    """Close up to the section behind the next car."""


@lean
class Skip:
    """Do not use the boost, or the swap, in this round."""


@lean
class Honk:
    """Be among the first to take a pawn."""

    via: Literal["horn", "assist"]


@lean
class Quiet:
    """Do not honk."""


@lean
class Grab:
    """Take a pawn: its die is the fuel."""

    pawn: Pawn


@lean
class Rank:
    """All free pawns, the dearest first, handed in unseen."""

    pawns: tuple[Pawn, ...]


@lean
class Swap:
    """Change pawn and die with another driver."""

    with_: Seat


@lean
class Helmet:
    """The accelerator does not count for the speed."""

    via: Literal["helmet", "assist"]


@lean
class Reroll:
    """Use the second chance."""


@lean
class Move:
    """Enter so many sections; `detour` is the section where the car leaves the road, if it does."""

    steps: int
    detour: int | None


@lean
class Nitro:
    """One section more, whatever its sign."""

    via: Literal["nitro", "assist"]


@lean
class Oil:
    """Spill it on a section entered in this turn."""

    section: int


@lean
class Done:
    """Use nothing more in this turn."""


Action = (
    Advance
    | Stay
    | Boost
    | Skip
    | Honk
    | Quiet
    | Grab
    | Rank
    | Swap
    | Helmet
    | Reroll
    | Move
    | Nitro
    | Oil
    | Done
)
ACTIONS = (
    Advance,
    Stay,
    Boost,
    Skip,
    Honk,
    Quiet,
    Grab,
    Rank,
    Swap,
    Helmet,
    Reroll,
    Move,
    Nitro,
    Oil,
    Done,
)


# The view. Its fields have the defaults of a position in which they are left out; a list left out has an
# entry for every seat.


_FIRST_SEAT = Seat(0)


@lean(kw_only=True)
class View:
    """The table in a viewer's eyes: a hidden value is None. Seen by all, it is the position."""

    options: HurryOptions
    track: Sections = ()
    detours: Mapping[str, int] = attrs.field(factory=dict)
    """By the section where one leaves the road, as a word: the section where it comes back."""
    cars: tuple[int, ...] = ()
    finished: tuple[Seat, ...] = ()
    round: int = 1
    starter: Seat = _FIRST_SEAT
    lantern: Seat | None = None
    trumps: tuple[tuple[Trump, ...], ...] | None = None
    spent: tuple[tuple[Trump, ...], ...] = ()
    second_chance: tuple[bool, ...] = ()
    bonuses: tuple[tuple[Bonus, ...], ...] = ()
    oil: int | None = None
    hidden: Mapping[str, Secret[Bonus] | Bonus | None] = attrs.field(factory=dict)
    """By section, whose number is a word here, for maps have words as keys."""
    tank_due: Seat | None = None
    accelerator: int | None = None
    dice: Mapping[Pawn, Secret[int] | int | None] = attrs.field(factory=dict)
    pawns: tuple[Pawn | None, ...] = ()
    fuel: tuple[int | None, ...] = ()
    speeds: tuple[int | None, ...] = ()
    honks: tuple[Seat, ...] = ()
    looked: tuple[Seat, ...] = ()
    token_used: tuple[bool, ...] = ()
    driven: tuple[bool, ...] = ()
    entered: tuple[int, ...] = ()
    helmet: bool = False
    gone: tuple[Bonus, ...] = ()
    fresh: Bonus | None = None
    ranks: tuple[Secret[tuple[Pawn, ...]] | tuple[Pawn, ...] | None, ...] = ()
    race: int = 1
    points: tuple[int, ...] = ()
    wins: tuple[int, ...] = ()
    phase: Phase
    to_act: tuple[Seat, ...]
