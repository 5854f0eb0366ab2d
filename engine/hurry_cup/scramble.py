"""From the roll to the last pawn: horns, private looks, the grab, and sealed rankings in its place.

Many drivers are asked at once; what they do counts in the order in which it comes in.
"""

from parlour.engine.choices import Choices, OneOf, Order, Pattern
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import news
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.draft import Draft, put
from parlour.engine.hurry_cup.ready import Ready
from parlour.engine.hurry_cup.state import (
    AUDIENCE,
    MOST_SEATS,
    SEATS_IN,
    free_pawns,
)
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


def can_honk(draft: Draft, seat: int) -> bool:
    if draft.used >> seat & 1:
        return False
    return k.via(draft.kits[seat], k.HORN, draft.fresh) is not None


def roll(draft: Draft) -> None:
    """The accelerator in front of all, then the fuel dice under the cup; then horns."""
    stream = f"dice/{draft.season.race}/{draft.round}"
    dice = draft.chance.roll
    draft.accelerator = dice(stream, 6)
    on_the_road = racing(draft.cars)
    draft.cup = Secret(tuple([dice(stream, 6) for _ in SEATS_IN[on_the_road]]))
    draft.news.append(news.AcceleratorRolled(draft.accelerator))
    draft.phase = "horn"
    for seat in SEATS_IN[on_the_road]:
        if can_honk(draft, seat):
            draft.waiting |= 1 << seat


def honk(draft: Draft, seat: int, action: p.Honk) -> None:
    draft.use_trump(seat, k.HORN)
    draft.honks = (*draft.honks, seat)
    draft.waiting ^= 1 << seat
    draft.news.append(news.Honked(Seat(seat), action.via))


def keep_quiet(draft: Draft, seat: int, _: p.Quiet) -> None:
    draft.waiting ^= 1 << seat
    draft.news.append(news.QuietKept(Seat(seat)))


def look(draft: Draft) -> None:
    """The next honker looks under the cup; after the last one it is lifted for all."""
    draft.phase = "look"
    cup = draft.cup
    if cup is None:
        raise LookupError("there is no cup to look under")
    while draft.looks < len(draft.honks):
        seat = draft.honks[draft.looks]
        draft.looks += 1
        draft.cup = cup = Secret(cup.value, AUDIENCE[1 << seat] | cup.seen_by)
        draft.news.append(news.CupLifted(Seat(seat), Secret(cup.value, AUDIENCE[1 << seat])))
        free = free_pawns(draft.pawns, len(cup.value))
        if free & free - 1:
            draft.waiting = 1 << seat
            return
        _take(draft, seat, free.bit_length() - 1)
    draft.phase = "grab"
    draft.cup, draft.dice = None, cup.value
    draft.news.append(news.DiceOpened(cup.value))
    for seat in SEATS_IN[racing(draft.cars)]:
        if draft.pawns[seat] is None:
            draft.waiting |= 1 << seat
    _leave_last(draft)


def _take(draft: Draft, seat: int, pawn: int) -> None:
    draft.pawns = put(draft.pawns, seat, pawn)
    draft.news.append(news.PawnTaken(Seat(seat), p.PAWNS[pawn]))


def _leave_last(draft: Draft) -> None:
    """The last driver without a pawn has no choice."""
    waiting = draft.waiting
    if waiting and not waiting & waiting - 1:
        draft.waiting = 0
        free = free_pawns(draft.pawns, len(draft.dice))
        _take(draft, waiting.bit_length() - 1, free.bit_length() - 1)


def grab(draft: Draft, seat: int, action: p.Grab) -> None:
    """After a look, or in the scramble."""
    draft.waiting ^= 1 << seat
    _take(draft, seat, PAWN_NUMBER[action.pawn])
    if draft.phase == "grab":
        _leave_last(draft)


def rank(draft: Draft, seat: int, action: p.Rank) -> None:
    draft.waiting ^= 1 << seat
    ranking = tuple([PAWN_NUMBER[pawn] for pawn in action.pawns])
    audience = AUDIENCE[1 << seat]
    draft.ranks = put(draft.ranks, seat, Secret(ranking, audience))
    draft.news.append(news.RankingSealed(Seat(seat), Secret(action.pawns, audience)))


def serve(draft: Draft) -> None:
    """Opens sealed rankings, if there are any: in a shuffled order each gets the best pawn left."""
    sealed = [(seat, ranking.value) for seat, ranking in enumerate(draft.ranks) if ranking is not None]
    if not sealed:
        return
    stream = f"sealed/{draft.season.race}/{draft.round}"
    order = draft.chance.shuffle(stream, [seat for seat, _ in sealed])
    draft.news.append(news.RankingsOpened(tuple([Seat(seat) for seat in order])))
    rankings = dict(sealed)
    free = free_pawns(draft.pawns, len(draft.dice))
    for seat in order:
        best = next(pawn for pawn in rankings[seat] if free >> pawn & 1)
        free ^= 1 << best
        _take(draft, seat, best)
    draft.ranks = (None,) * len(draft.cars)
