"""A driver's turn: tokens before moving, the move, tokens after it, the bonus at its end."""

from collections.abc import Sequence

from parlour.engine.choices import Choices, OneOf, Pattern
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import news
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.road import closed, detours, entered, reach
from parlour.engine.hurry_cup.state import DRIVING_ORDER, State
from parlour.engine.hurry_cup.table import Table, put
from parlour.engine.hurry_cup.track import FINISH
from parlour.engine.lean import lean
from parlour.engine.secret import Seat

Detours = Sequence[tuple[int, int, int]]
NO_DETOURS: Detours = ()
_STEPS = tuple(OneOf(tuple(range(1, most + 1))) for most in range(7))
_MOVES: tuple[Pattern[p.Action], ...] = (
    Pattern.of(p.Move, 0, None),
    *(Pattern.of(p.Move, _STEPS[most], None) for most in range(1, 7)),
)
"""By the most steps that are possible."""
_HELMET: dict[k.Via, Pattern[p.Action]] = {
    "trump": Pattern.of(p.Helmet, "helmet"),
    "assist": Pattern.of(p.Helmet, "assist"),
}
_REROLL: Pattern[p.Action] = Pattern.of(p.Reroll)
_NITRO: dict[k.Via, Pattern[p.Action]] = {
    "trump": Pattern.of(p.Nitro, "nitro"),
    "assist": Pattern.of(p.Nitro, "assist"),
}
_DONE: Pattern[p.Action] = Pattern.of(p.Done)
_USUAL: dict[tuple[int, k.Via | None, bool], Choices[p.Action]] = {
    (most, helmet, reroll): Choices(
        [
            *([_HELMET[helmet]] if helmet else ()),
            *([_REROLL] if reroll else ()),
            _MOVES[most],
        ]
    )
    for most in range(7)
    for helmet in (None, *_HELMET)
    for reroll in (False, True)
}
"""The choices of a driver without a detour to take."""


def fuel(table: State | Table, seat: int) -> int:
    """The die of the driver's pawn, or what an empty tank leaves."""
    if seat == table.tank_due:
        return table.options.empty_tank
    pawn = table.pawns[seat]
    if pawn is None:
        raise LookupError(f"seat {seat} has no fuel")
    return table.dice[pawn]


def speed(table: State | Table, seat: int) -> int:
    """In tens."""
    if table.helmet:
        return fuel(table, seat)
    return fuel(table, seat) + (table.accelerator or 0)


@lean
class Ways:
    """What a driver can do before and while moving."""

    most: int
    """Steps on the road, without a token."""
    helmet: k.Via | None
    reroll: bool
    detours: Detours

    @property
    def stuck(self) -> bool:
        """Whether he stays for lack of anything else to do."""
        return not (self.most or self.helmet or self.reroll or self.detours)


def ways(table: State | Table, seat: int) -> Ways:
    car, tank = table.cars[seat], fuel(table, seat)
    shut = closed(table.road, speed(table, seat), table.oil)
    most = reach(shut, car, tank)
    if table.used >> seat & 1:
        return Ways(most, None, False, NO_DETOURS)
    kit, fresh = table.kits[seat], table.fresh
    off_road = NO_DETOURS
    if kit & k.BONUS_BIT[k.DETOUR] and fresh != k.DETOUR:
        off_road = detours(table.road, shut, car, tank)
    return Ways(most, k.via(kit, k.HELMET, fresh), kit & k.SECOND_CHANCE != 0, off_road)


def to_drive(state: State, seat: int) -> Choices[p.Action]:
    """A car that cannot move without a token may also stay."""
    can = ways(state, seat)
    usual = _USUAL[can.most, can.helmet, can.reroll]
    if not can.detours:
        return usual
    off_road = [
        Pattern.of(p.Move, OneOf(tuple(range(least, most + 1))), leaves)
        for leaves, least, most in can.detours
    ]
    return Choices([*usual.patterns, *off_road])


def to_finish(state: State | Table, seat: int) -> Choices[p.Action]:
    """What may follow the move: nitro after exactly as many sections as fuel, oil on one of them."""
    found: list[Pattern[p.Action]] = []
    if not state.used >> seat & 1:
        kit, fresh = state.kits[seat], state.fresh
        if state.cars[seat] < FINISH and len(state.entered) == fuel(state, seat):
            nitro = k.via(kit, k.NITRO, fresh)
            if nitro:
                found.append(_NITRO[nitro])
        if kit & k.BONUS_BIT[k.OIL] and fresh != k.OIL:
            places = tuple([section for section in state.entered if section < FINISH])
            if places:
                found.append(Pattern.of(p.Oil, OneOf(places)))
    return Choices([*found, _DONE])


def next_driver(table: State | Table) -> int | None:
    for seat in DRIVING_ORDER[len(table.cars)][table.starter]:
        if table.cars[seat] < FINISH and not table.driven >> seat & 1:
            return seat
    return None


def take_turns(table: Table) -> bool:
    """Goes on to the next driver who has something to decide; False when all have driven."""
    table.phase = "drive"
    while (seat := next_driver(table)) is not None:
        can = ways(table, seat)
        if can.helmet or can.reroll or can.detours or can.most > 1:
            table.waiting = 1 << seat
            return True
        move(table, seat, p.Move(can.most, None))
        if table.waiting or table.phase == "over":
            return True
    return False


def put_on_helmet(table: Table, seat: int, action: p.Helmet) -> None:
    table.waiting = 0
    table.use_trump(seat, k.HELMET)
    table.helmet = True
    table.news.append(news.HelmetPutOn(Seat(seat), action.via))


def reroll(table: Table, seat: int, _: p.Reroll) -> None:
    table.waiting = 0
    pawn = table.pawns[seat]
    if pawn is None:
        raise LookupError(f"seat {seat} has no die")
    value = table.chance.roll(f"reroll/{table.season.race}/{table.round}/{seat}", 6)
    table.dice = put(table.dice, pawn, value)
    table.kits = put(table.kits, seat, table.kits[seat] ^ k.SECOND_CHANCE)
    table.used |= 1 << seat
    table.news.append(news.DieRerolled(Seat(seat), p.PAWNS[pawn], value))


def move(table: Table, seat: int, action: p.Move) -> None:
    table.waiting = 0
    car = table.cars[seat]
    if not action.steps:
        kit = table.kits[seat]
        table.kits = put(table.kits, seat, kit | k.SECOND_CHANCE)
        table.news.append(news.CarStayed(Seat(seat), car, not kit & k.SECOND_CHANCE))
        _end_turn(table, seat)
        return
    if action.detour is not None:
        table.use_bonus(seat, k.DETOUR)
    table.entered = entered(table.road, car, action.steps, action.detour)
    table.news.append(news.CarMoved(Seat(seat), car, table.entered, action.detour))
    table.drive_to(seat, table.entered[-1])
    if not table.decided and to_finish(table, seat).count > 1:
        table.phase = "after"
        table.waiting = 1 << seat
    else:
        _end_turn(table, seat)


def use_nitro(table: Table, seat: int, action: p.Nitro) -> None:
    table.waiting = 0
    table.use_trump(seat, k.NITRO)
    section = table.cars[seat] + 1
    table.entered = (*table.entered, section)
    table.news.append(news.NitroUsed(Seat(seat), action.via, section))
    table.drive_to(seat, section)
    _end_turn(table, seat)


def spill_oil(table: Table, seat: int, action: p.Oil) -> None:
    table.waiting = 0
    table.use_bonus(seat, k.OIL)
    table.oil = action.section
    table.news.append(news.OilSpilled(Seat(seat), action.section))
    _end_turn(table, seat)


def be_done(table: Table, seat: int, _: p.Done) -> None:
    table.waiting = 0
    _end_turn(table, seat)


def _end_turn(table: Table, seat: int) -> None:
    if table.entered:
        table.take_bonus(seat)
    table.phase = "drive"
    table.driven |= 1 << seat
    table.entered = ()
    table.helmet = False
    if table.decided:
        table.end()
