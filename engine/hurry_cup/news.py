"""What happens in Hurry' Cup, as it is told: part of the public words."""

from typing import Literal

from parlour.engine.hurry_cup.words import Bonus, Pawn
from parlour.engine.lean import lean
from parlour.engine.secret import Seat, Secret


@lean
class RaceBegun:
    """A new track, new tokens; who starts the first round."""

    race: int
    starter: Seat


@lean
class RoundBegun:
    """Who starts it; the others drive counter-clockwise after him."""

    round: int
    starter: Seat


@lean
class TankEmptied:
    """The empty tank, taken in the last round, works in this one."""

    seat: Seat


@lean
class LanternUsed:
    """The last car advanced one section."""

    seat: Seat
    section: int


@lean
class LanternUnused:
    """The last car stayed."""

    seat: Seat


@lean
class Boosted:
    """A car closed up to the next one."""

    seat: Seat
    section: int


@lean
class TokenSkipped:
    """A boost or a swap that could have been used was not."""

    seat: Seat
    token: Bonus


@lean
class AcceleratorRolled:
    """It lies open; the fuel dice are under the cup."""

    value: int


@lean
class Honked:
    """Somebody will look under the cup."""

    seat: Seat
    via: Literal["horn", "assist"]


@lean
class QuietKept:
    """Somebody will not honk in this round."""

    seat: Seat


@lean
class CupLifted:
    """A honker saw the dice, in colour order, alone."""

    seat: Seat
    dice: Secret[tuple[int, ...]] | tuple[int, ...] | None


@lean
class DiceOpened:
    """The dice, in colour order, in front of everybody."""

    dice: tuple[int, ...]


@lean
class PawnTaken:
    """Nobody else can have it now."""

    seat: Seat
    pawn: Pawn


@lean
class RankingSealed:
    """Somebody handed in a ranking."""

    seat: Seat
    pawns: Secret[tuple[Pawn, ...]] | tuple[Pawn, ...] | None


@lean
class RankingsOpened:
    """The order in which the drivers are served from their rankings."""

    order: tuple[Seat, ...]


@lean
class PawnsSwapped:
    """Two drivers changed pawns and dice."""

    seat: Seat
    with_: Seat


@lean
class HelmetPutOn:
    """The accelerator does not count for this driver."""

    seat: Seat
    via: Literal["helmet", "assist"]


@lean
class DieRerolled:
    """A second chance was used; the new value stands."""

    seat: Seat
    pawn: Pawn
    value: int


@lean
class CarMoved:
    """The sections entered, in order; `detour` is the section where the car left the road."""

    seat: Seat
    from_: int
    entered: tuple[int, ...]
    detour: int | None


@lean
class CarStayed:
    """A car could not move; `second_chance` says whether the driver got one."""

    seat: Seat
    section: int
    second_chance: bool


@lean
class NitroUsed:
    """One section more."""

    seat: Seat
    via: Literal["nitro", "assist"]
    section: int


@lean
class OilSpilled:
    """There is oil on a section for the rest of the race."""

    seat: Seat
    section: int


@lean
class BonusTaken:
    """The bonus of a section lies open before a driver."""

    seat: Seat
    section: int
    token: Bonus


@lean
class CarFinished:
    """A car is home."""

    seat: Seat
    place: int


@lean
class LanternGiven:
    """To the only last car; nobody has it if several are last."""

    seat: Seat | None


@lean
class RaceScored:
    """What each seat got for a race of a championship."""

    race: int
    points: tuple[int, ...]


@lean
class RaceOver:
    """The last race of the game is over."""

    race: int


NEWS = (
    RaceBegun,
    RoundBegun,
    TankEmptied,
    LanternUsed,
    LanternUnused,
    Boosted,
    TokenSkipped,
    AcceleratorRolled,
    Honked,
    QuietKept,
    CupLifted,
    DiceOpened,
    PawnTaken,
    RankingSealed,
    RankingsOpened,
    PawnsSwapped,
    HelmetPutOn,
    DieRerolled,
    CarMoved,
    CarStayed,
    NitroUsed,
    OilSpilled,
    BonusTaken,
    CarFinished,
    LanternGiven,
    RaceScored,
    RaceOver,
)
