"""From the roll to the last pawn: horns, private looks, the grab, and sealed rankings in its place.

Many drivers are asked at once; what they do counts in the order in which it comes in.
"""

from parlour.engine.choices import Choices, OneOf, Order, Pattern
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import news
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.ready import Ready
from parlour.engine.hurry_cup.state import (
    AUDIENCE,
    MOST_SEATS,
    SEATS_IN,
    free_pawns,
)
from parlour.engine.hurry_cup.table import Table, put
from parlour.engine.hurry_cup.track import FINISH
from parlour.engine.secret import Seat, Secret

PAWN_NUMBER: dict[p.Pawn, int] = {pawn: number for number, pawn in enumerate(p.PAWNS)}

_QUIET: Pattern[p.Action] = Pattern.of(p.Quiet)
TO_HONK: dict[k.Via, Choices[p.Action]] = {
    "trump": Ready((Pattern.of(p.Honk, "horn"), _QUIET)),
    "assist": Ready((Pattern.of(p.Honk, "assist"), _QUIET)),
}
_FREE = tuple(tuple(p.PAWNS[pawn] for pawn in SEATS_IN[mask]) for mask in range(1 << MOST_SEATS))
TO_GRAB: tuple[Choices[p.Action], ...] = tuple(Ready((Pattern.of(p.Grab, OneOf(free)),)) for free in _FREE)
"""By the set of free pawns."""
TO_RANK: tuple[Choices[p.Action], ...] = tuple(Choices((Pattern.of(p.Rank, Order(free)),)) for free in _FREE)


def racing(cars: tuple[int, ...]) -> int:
    """The cars still on the road, as bits."""
    found = 0
    for seat, car in enumerate(cars):
        if car < FINISH:
            found |= 1 << seat
    return found


def can_honk(table: Table, seat: int) -> bool:
    if table.used >> seat & 1:
        return False
    return k.via(table.kits[seat], k.HORN, table.fresh) is not None


def roll(table: Table) -> None:
    """The accelerator in front of all, then the fuel dice under the cup; then horns."""
    stream = f"dice/{table.season.race}/{table.round}"
    dice = table.chance.roll
    table.accelerator = dice(stream, 6)
    on_the_road = racing(table.cars)
    table.cup = Secret(tuple([dice(stream, 6) for _ in SEATS_IN[on_the_road]]))
    table.news.append(news.AcceleratorRolled(table.accelerator))
    table.phase = "horn"
    for seat in SEATS_IN[on_the_road]:
        if can_honk(table, seat):
            table.waiting |= 1 << seat


def honk(table: Table, seat: int, action: p.Honk) -> None:
    table.use_trump(seat, k.HORN)
    table.honks = (*table.honks, seat)
    table.waiting ^= 1 << seat
    table.news.append(news.Honked(Seat(seat), action.via))


def keep_quiet(table: Table, seat: int, _: p.Quiet) -> None:
    table.waiting ^= 1 << seat
    table.news.append(news.QuietKept(Seat(seat)))


def look(table: Table) -> None:
    """The next honker looks under the cup; after the last one it is lifted for all."""
    table.phase = "look"
    cup = table.cup
    if cup is None:
        raise LookupError("there is no cup to look under")
    while table.looks < len(table.honks):
        seat = table.honks[table.looks]
        table.looks += 1
        table.cup = cup = Secret(cup.value, AUDIENCE[1 << seat] | cup.seen_by)
        table.news.append(news.CupLifted(Seat(seat), Secret(cup.value, AUDIENCE[1 << seat])))
        free = free_pawns(table.pawns, len(cup.value))
        if free & free - 1:
            table.waiting = 1 << seat
            return
        _take(table, seat, free.bit_length() - 1)
    table.phase = "grab"
    table.cup, table.dice = None, cup.value
    table.news.append(news.DiceOpened(cup.value))
    for seat in SEATS_IN[racing(table.cars)]:
        if table.pawns[seat] is None:
            table.waiting |= 1 << seat
    _leave_last(table)


def _take(table: Table, seat: int, pawn: int) -> None:
    table.pawns = put(table.pawns, seat, pawn)
    table.news.append(news.PawnTaken(Seat(seat), p.PAWNS[pawn]))


def _leave_last(table: Table) -> None:
    """The last driver without a pawn has no choice."""
    waiting = table.waiting
    if waiting and not waiting & waiting - 1:
        table.waiting = 0
        free = free_pawns(table.pawns, len(table.dice))
        _take(table, waiting.bit_length() - 1, free.bit_length() - 1)


def grab(table: Table, seat: int, action: p.Grab) -> None:
    """After a look, or in the scramble."""
    table.waiting ^= 1 << seat
    _take(table, seat, PAWN_NUMBER[action.pawn])
    if table.phase == "grab":
        _leave_last(table)


def rank(table: Table, seat: int, action: p.Rank) -> None:
    table.waiting ^= 1 << seat
    ranking = tuple([PAWN_NUMBER[pawn] for pawn in action.pawns])
    audience = AUDIENCE[1 << seat]
    table.ranks = put(table.ranks, seat, Secret(ranking, audience))
    table.news.append(news.RankingSealed(Seat(seat), Secret(action.pawns, audience)))


def serve(table: Table) -> None:
    """Opens sealed rankings, if there are any: in a shuffled order each gets the best pawn left."""
    sealed = [(seat, ranking.value) for seat, ranking in enumerate(table.ranks) if ranking is not None]
    if not sealed:
        return
    stream = f"sealed/{table.season.race}/{table.round}"
    order = table.chance.shuffle(stream, [seat for seat, _ in sealed])
    table.news.append(news.RankingsOpened(tuple([Seat(seat) for seat in order])))
    rankings = dict(sealed)
    free = free_pawns(table.pawns, len(table.dice))
    for seat in order:
        best = next(pawn for pawn in rankings[seat] if free >> pawn & 1)
        free ^= 1 << best
        _take(table, seat, best)
    table.ranks = (None,) * len(table.cars)
