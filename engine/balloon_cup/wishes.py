"""What a player may wish for when a tile has been scored: claims, and trades where the option has them."""

from typing import Protocol

from parlour.engine.balloon_cup.public import BalloonOptions, Claim, Scored, Trade
from parlour.engine.balloon_cup.state import Prizes
from parlour.engine.balloon_cup.trophies import can_claim, claims, trades


class Scoring(Protocol):
    """What counts of a state, or of the draft of one, when a tile has been scored."""

    @property
    def options(self) -> BalloonOptions: ...
    @property
    def prizes(self) -> Prizes: ...
    @property
    def scored(self) -> Scored | None: ...


def wishes(scoring: Scoring, seat: int) -> list[Claim | Trade]:
    """What a seat may do beside declining."""
    prizes = scoring.prizes
    found = claims(prizes.cubes[seat], prizes.holders, scoring.options.trade == "claim")
    if not _may_trade(scoring, seat):
        return [*found]
    return [*found, *trades(prizes.cubes[seat], prizes.holders, prizes.bag)]


def has_wish(scoring: Scoring, seat: int) -> bool:
    """Whether there is anything in `wishes`."""
    prizes, trade = scoring.prizes, scoring.options.trade
    if can_claim(prizes.cubes[seat], prizes.holders, trade == "claim"):
        return True
    if trade == "claim" or trade == "off":
        return False
    return _may_trade(scoring, seat) and bool(trades(prizes.cubes[seat], prizes.holders, prizes.bag))


def _may_trade(scoring: Scoring, seat: int) -> bool:
    match scoring.options.trade:
        case "turn":
            return seat == given(scoring.scored).by
        case "win":
            return seat == given(scoring.scored).winner
        case _:
            return False


def given(scored: Scored | None) -> Scored:
    if scored is None:
        raise LookupError("nothing was scored")
    return scored
