"""Trophies: what a player can claim, what it costs, and what can be traded."""

from collections.abc import Iterator
from typing import cast

from parlour.engine.balloon_cup.bag import PRICE, plus
from parlour.engine.balloon_cup.cards import COLOUR_NUMBER
from parlour.engine.balloon_cup.flight import Five
from parlour.engine.balloon_cup.public import COLOURS, CUBES_IN_A_TRADE, Claim, Colour, Trade
from parlour.engine.maps import Counts

Holders = tuple[int | None, int | None, int | None, int | None, int | None]
"""For every colour the seat that has its trophy."""
NOBODY: Holders = (None, None, None, None, None)
EVERY_COLOUR = range(len(COLOURS))


def taken(holders: Holders, colour: int, seat: int) -> Holders:
    found = list(holders)
    found[colour] = seat
    red, yellow, green, blue, grey = found
    return red, yellow, green, blue, grey


def held(holders: Holders, seat: int) -> int:
    return holders.count(seat)


def forced(cubes: Five, holders: Holders) -> int | None:
    """The first free trophy whose full price is there in its own colour."""
    for colour, count in enumerate(cubes):
        if count >= PRICE[colour] and holders[colour] is None:
            return colour
    return None


def _triples(cubes: Five, holders: Holders) -> tuple[int, ...]:
    """By colour: how many trades it can pay for."""
    return tuple(
        [
            0 if holder is None else count // CUBES_IN_A_TRADE
            for count, holder in zip(cubes, holders, strict=True)
        ]
    )


def can_claim(cubes: Five, holders: Holders, with_trades: bool) -> bool:
    """Whether there is any claim, without listing them."""
    if with_trades and holders != NOBODY:
        most = sum(_triples(cubes, holders))
        for count, price, holder in zip(cubes, PRICE, holders, strict=True):
            if holder is None and count + most >= price:
                return True
        return False
    return forced(cubes, holders) is not None


def claims(cubes: Five, holders: Holders, with_trades: bool) -> list[Claim]:
    """Every way to pay for a free trophy now."""
    triples = _triples(cubes, holders) if with_trades else (0, 0, 0, 0, 0)
    found = []
    for colour in EVERY_COLOUR:
        if holders[colour] is None and cubes[colour] + sum(triples) >= PRICE[colour]:
            for trades in _ways(triples, PRICE[colour]):
                if cubes[colour] + sum(trades) >= PRICE[colour]:
                    named = sorted((COLOURS[give], count) for give, count in enumerate(trades) if count)
                    found.append(Claim(COLOURS[colour], Counts(tuple(named))))
    return found


def _ways(triples: tuple[int, ...], most: int) -> Iterator[tuple[int, ...]]:
    """All ways to take at most so many of each kind, and `most` in all."""
    if not triples:
        yield ()
        return
    for count in range(min(triples[0], most) + 1):
        for rest in _ways(triples[1:], most - count):
            yield (count, *rest)


def payment(claim: Claim) -> Five:
    """The cubes that leave the player's hands for a claim."""
    colour = COLOUR_NUMBER[claim.trophy]
    cost = plus((0, 0, 0, 0, 0), colour, PRICE[colour] - sum(count for _, count in claim.trades))
    for give, count in claim.trades:
        cost = plus(cost, COLOURS.index(cast(Colour, give)), CUBES_IN_A_TRADE * count)
    return cost


def trades(cubes: Five, holders: Holders, bag: Five) -> list[Trade]:
    """Every swap of three cubes of a taken colour for one of another colour in the bag."""
    return [
        Trade(COLOURS[give], COLOURS[take])
        for give in EVERY_COLOUR
        if holders[give] is not None and cubes[give] >= CUBES_IN_A_TRADE
        for take in EVERY_COLOUR
        if take != give and bag[take]
    ]
