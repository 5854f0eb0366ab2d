"""A driver's turn: tokens before moving, the move, tokens after it, the bonus at its end."""

from parlour.engine.choices import Choices, OneOf, Pattern
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import news
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.draft import Draft, put
from parlour.engine.hurry_cup.ready import Ready
from parlour.engine.hurry_cup.road import closed, detours, entered, reach, speed
from parlour.engine.hurry_cup.state import DRIVING_ORDER, State, fuel_of
from parlour.engine.hurry_cup.track import FINISH
from parlour.engine.secret import Seat

_STEPS = tuple(OneOf(tuple(range(1, most + 1))) for most in range(7))
_MOVES: tuple[Pattern[p.Action], ...] = tuple(
    Pattern.of(p.Move, _STEPS[most] if most else 0, None) for most in range(7)
)
"""By the most steps that are possible."""
_REROLL: Pattern[p.Action] = Pattern.of(p.Reroll)
_DONE: Pattern[p.Action] = Pattern.of(p.Done)
_HELMET: dict[k.Via | None, list[Pattern[p.Action]]] = {
    None: [],
    "trump": [Pattern.of(p.Helmet, "helmet")],
    "assist": [Pattern.of(p.Helmet, "assist")],
}
_NITRO: dict[k.Via | None, list[Pattern[p.Action]]] = {
    None: [],
    "trump": [Pattern.of(p.Nitro, "nitro")],
    "assist": [Pattern.of(p.Nitro, "assist")],
}
_MOVE_ONLY = tuple(Ready((move,)) for move in _MOVES)
"""For a driver who has used a token."""
_ON_THE_ROAD: dict[tuple[int, k.Via | None, int], Choices[p.Action]] = {
    (most, helmet, chance): Ready([*_HELMET[helmet], *([_REROLL] if chance else []), _MOVES[most]])
    for most in range(7)
    for helmet in _HELMET
    for chance in (0, k.SECOND_CHANCE)
}
"""For a driver without a detour to take. A car that cannot move without a token may also stay."""
_FINISH_WITH: dict[k.Via | None, Choices[p.Action]] = {
    nitro: Ready([*patterns, _DONE]) for nitro, patterns in _NITRO.items()
}


def fuel(state: State | Draft, seat: int) -> int:
    """Of a driver who has some."""
    tank = fuel_of(seat, state.tank_due, state.options, state.pawns, state.dice)
    if tank is None:
        raise LookupError(f"seat {seat} has no fuel")
    return tank


def shut(state: State | Draft, fuel_: int) -> int:
    """The sections that a driver with so much fuel cannot enter at his speed."""
    return closed(state.road, speed(fuel_, state.accelerator, state.helmet), state.oil)


def most_steps(state: State | Draft, seat: int) -> int:
    """How far a driver gets without a token."""
    tank = fuel(state, seat)
    return reach(shut(state, tank), state.cars[seat], tank)


def to_drive(state: State | Draft, seat: int) -> Choices[p.Action]:
    tank = fuel(state, seat)
    closed_to_him = shut(state, tank)
    most = reach(closed_to_him, state.cars[seat], tank)
    if state.used >> seat & 1:
        return _MOVE_ONLY[most]
    kit, fresh = state.kits[seat], state.fresh
    on_the_road = _ON_THE_ROAD[most, k.via(kit, k.HELMET, fresh), kit & k.SECOND_CHANCE]
    if not kit & k.BONUS_BIT[k.DETOUR] or fresh == k.DETOUR:
        return on_the_road
    off_the_road: list[Pattern[p.Action]] = [
        Pattern.of(p.Move, OneOf(tuple(range(least, furthest + 1))), leaves)
        for leaves, least, furthest in detours(state.road, closed_to_him, state.cars[seat], tank)
    ]
    return Choices([*on_the_road.patterns, *off_the_road])


def to_finish(state: State | Draft, seat: int) -> Choices[p.Action]:
    """What may follow the move: nitro after exactly as many sections as fuel, oil on one of them."""
    if state.used >> seat & 1:
        return _FINISH_WITH[None]
    kit, fresh, entered_ = state.kits[seat], state.fresh, state.entered
    nitro = None
    if len(entered_) == fuel(state, seat) and state.cars[seat] < FINISH:
        nitro = k.via(kit, k.NITRO, fresh)
    if kit & k.BONUS_BIT[k.OIL] and fresh != k.OIL:
        places = tuple([section for section in entered_ if section < FINISH])
        if places:
            return Choices([*_NITRO[nitro], Pattern.of(p.Oil, OneOf(places)), _DONE])
    return _FINISH_WITH[nitro]


def next_driver(state: State | Draft) -> int | None:
    for seat in DRIVING_ORDER[len(state.cars)][state.starter]:
        if state.cars[seat] < FINISH and not state.driven >> seat & 1:
            return seat
    return None


def take_turns(draft: Draft) -> bool:
    """Goes on to the next driver who has something to decide; False when all have driven."""
    draft.phase = "drive"
    while (seat := next_driver(draft)) is not None:
        choices = to_drive(draft, seat)
        only = choices[0]
        if choices.count > 1 or not isinstance(only, p.Move):
            draft.waiting = 1 << seat
            return True
        move(draft, seat, only)
        if draft.waiting or draft.over:
            return True
    return False


def put_on_helmet(draft: Draft, seat: int, action: p.Helmet) -> None:
    draft.waiting = 0
    draft.use_trump(seat, k.HELMET)
    draft.helmet = True
    draft.news.append(news.HelmetPutOn(Seat(seat), action.via))


def reroll(draft: Draft, seat: int, _: p.Reroll) -> None:
    draft.waiting = 0
    pawn = draft.pawns[seat]
    if pawn is None:
        raise LookupError(f"seat {seat} has no die")
    value = draft.chance.roll(f"reroll/{draft.season.race}/{draft.round}/{seat}", 6)
    draft.dice = put(draft.dice, pawn, value)
    draft.kits = put(draft.kits, seat, draft.kits[seat] ^ k.SECOND_CHANCE)
    draft.used |= 1 << seat
    draft.news.append(news.DieRerolled(Seat(seat), p.PAWNS[pawn], value))


def move(draft: Draft, seat: int, action: p.Move) -> None:
    draft.waiting = 0
    car = draft.cars[seat]
    if not action.steps:
        kit = draft.kits[seat]
        draft.kits = put(draft.kits, seat, kit | k.SECOND_CHANCE)
        draft.news.append(news.CarStayed(Seat(seat), car, not kit & k.SECOND_CHANCE))
        _end_turn(draft, seat)
        return
    if action.detour is not None:
        draft.use_bonus(seat, k.DETOUR)
    draft.entered = entered(draft.road, car, action.steps, action.detour)
    draft.news.append(news.CarMoved(Seat(seat), car, draft.entered, action.detour))
    draft.drive_to(seat, draft.entered[-1])
    if not draft.decided and to_finish(draft, seat).count > 1:
        draft.phase = "after"
        draft.waiting = 1 << seat
    else:
        _end_turn(draft, seat)


def use_nitro(draft: Draft, seat: int, action: p.Nitro) -> None:
    draft.waiting = 0
    draft.use_trump(seat, k.NITRO)
    section = draft.cars[seat] + 1
    draft.entered = (*draft.entered, section)
    draft.news.append(news.NitroUsed(Seat(seat), action.via, section))
    draft.drive_to(seat, section)
    _end_turn(draft, seat)


def spill_oil(draft: Draft, seat: int, action: p.Oil) -> None:
    draft.waiting = 0
    draft.use_bonus(seat, k.OIL)
    draft.oil = action.section
    draft.news.append(news.OilSpilled(Seat(seat), action.section))
    _end_turn(draft, seat)


def be_done(draft: Draft, seat: int, _: p.Done) -> None:
    draft.waiting = 0
    _end_turn(draft, seat)


def _end_turn(draft: Draft, seat: int) -> None:
    if draft.entered:
        draft.take_bonus(seat)
    draft.phase = "drive"
    draft.driven |= 1 << seat
    draft.entered = ()
    draft.helmet = False
    if draft.decided:
        draft.end()
