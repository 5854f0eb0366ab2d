"""Pawns, trumps, bonuses, phases and crews by name: the first of the public words."""

from typing import Literal

import attrs

Pawn = Literal["red", "yellow", "green", "blue", "white", "black"]
Trump = Literal["helmet", "nitro", "horn"]
Bonus = Literal["detour", "boost", "assist", "oil", "swap", "empty_tank"]
Phase = Literal["lantern", "boost", "horn", "look", "grab", "swap", "drive", "after", "over"]

PAWNS: tuple[Pawn, ...] = ("red", "yellow", "green", "blue", "white", "black")
TRUMPS: tuple[Trump, ...] = ("helmet", "nitro", "horn")
BONUSES: tuple[Bonus, ...] = ("detour", "boost", "assist", "oil", "swap", "empty_tank")
OIL_LIMIT = 50
POINTS_FOR_FINISHING = 3


@attrs.frozen
class Crew:
    """Who sits in the car of a seat."""

    names: tuple[str, ...]
    country: str


CREWS: tuple[Crew, ...] = (
    Crew(("Claudia",), "Italy"),
    Crew(("Tony", "Anna-Maria"), "France"),
    Crew(("Fritz", "Birgitt"), "Germany"),
    Crew(("Sir Stefan",), "England"),
    Crew(("El Gato",), "Cuba"),
    Crew(("Oliver", "Dorota"), "Switzerland"),
)
"""By seat. Sir Stefan is driven by his butler; El Gato rides a motorcycle."""
RACE = ("Cannes", "Monaco", 1925)
