"""A driver's kit as a set of bits: trumps, trumps spent, the second chance, and bonuses."""

from typing import Final, Literal

from parlour.engine.hurry_cup.public import BONUSES, TRUMPS, Bonus, Trump

HELMET: Final = 1
NITRO: Final = 2
HORN: Final = 4
EVERY_TRUMP: Final = 7
SPENT: Final = 3
"""How far a trump's bit moves when it is spent."""
SECOND_CHANCE: Final = 64
FIRST_BONUS: Final = 7
DETOUR, BOOST, ASSIST, OIL, SWAP, EMPTY_TANK = range(len(BONUSES))
"""Bonuses go by their number; the bit of one is FIRST_BONUS + number."""
BONUS_BIT: Final = tuple(1 << FIRST_BONUS + bonus for bonus in range(len(BONUSES)))
NUMBER: dict[Bonus, int] = {bonus: number for number, bonus in enumerate(BONUSES)}
TRUMP_BIT: dict[Trump, int] = {"helmet": HELMET, "nitro": NITRO, "horn": HORN}

Via = Literal["trump", "assist"]


def via(kit: int, trump: int, fresh: int | None) -> Via | None:
    """By which token a driver who has used none in this round could play a trump: itself, or the assist."""
    if kit & trump:
        return "trump"
    if kit & trump << SPENT and kit & BONUS_BIT[ASSIST] and fresh != ASSIST:
        return "assist"
    return None


def spent(kit: int, trump: int) -> int:
    """The kit after a trump was played; one that was spent before takes the assist with it."""
    if kit & trump:
        return kit ^ trump ^ (trump << SPENT)
    return kit ^ BONUS_BIT[ASSIST]


def trumps(kit: int) -> tuple[Trump, ...]:
    return tuple([trump for place, trump in enumerate(TRUMPS) if kit >> place & 1])


def trumps_spent(kit: int) -> tuple[Trump, ...]:
    return trumps(kit >> SPENT)


def bonuses(kit: int) -> tuple[Bonus, ...]:
    return tuple([bonus for place, bonus in enumerate(BONUSES, FIRST_BONUS) if kit >> place & 1])
