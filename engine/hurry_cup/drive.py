"""A driver's turn: tokens before moving, the move, tokens after it, the bonus at its end."""

from parlour.engine.choices import Choices, OneOf, Pattern
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import news
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.ready import Ready
from parlour.engine.hurry_cup.road import closed, detours, entered, reach
from parlour.engine.hurry_cup.state import DRIVING_ORDER, State
from parlour.engine.hurry_cup.table import Table, put
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


def fuel(table: State | Table, seat: int) -> int:
    """The die of the driver's pawn, or what an empty tank leaves."""
    if seat == table.tank_due:
        return table.options.empty_tank
    pawn = table.pawns[seat]
    if pawn is None:
        raise LookupError(f"seat {seat} has no fuel")
    return table.dice[pawn]


def shut(table: State | Table, fuel_: int) -> int:
    """The sections that a driver with so much fuel cannot enter at his speed."""
    return closed(table.road, fuel_ if table.helmet else fuel_ + (table.accelerator or 0), table.oil)


def most_steps(table: State | Table, seat: int) -> int:
    """How far a driver gets without a token."""
    tank = fuel(table, seat)
    return reach(shut(table, tank), table.cars[seat], tank)


def to_drive(table: State | Table, seat: int) -> Choices[p.Action]:
    tank = fuel(table, seat)
    closed_to_him = shut(table, tank)
    most = reach(closed_to_him, table.cars[seat], tank)
    if table.used >> seat & 1:
        return _MOVE_ONLY[most]
    kit, fresh = table.kits[seat], table.fresh
    on_the_road = _ON_THE_ROAD[most, k.via(kit, k.HELMET, fresh), kit & k.SECOND_CHANCE]
    if not kit & k.BONUS_BIT[k.DETOUR] or fresh == k.DETOUR:
        return on_the_road
    off_the_road: list[Pattern[p.Action]] = [
        Pattern.of(p.Move, OneOf(tuple(range(least, furthest + 1))), leaves)
        for leaves, least, furthest in detours(table.road, closed_to_him, table.cars[seat], tank)
    ]
    return Choices([*on_the_road.patterns, *off_the_road])


def to_finish(table: State | Table, seat: int) -> Choices[p.Action]:
    """What may follow the move: nitro after exactly as many sections as fuel, oil on one of them."""
    if table.used >> seat & 1:
        return _FINISH_WITH[None]
    kit, fresh, entered_ = table.kits[seat], table.fresh, table.entered
    nitro = None
    if len(entered_) == fuel(table, seat) and table.cars[seat] < FINISH:
        nitro = k.via(kit, k.NITRO, fresh)
    if kit & k.BONUS_BIT[k.OIL] and fresh != k.OIL:
        places = tuple([section for section in entered_ if section < FINISH])
        if places:
            return Choices([*_NITRO[nitro], Pattern.of(p.Oil, OneOf(places)), _DONE])
    return _FINISH_WITH[nitro]


def next_driver(table: State | Table) -> int | None:
    for seat in DRIVING_ORDER[len(table.cars)][table.starter]:
        if table.cars[seat] < FINISH and not table.driven >> seat & 1:
            return seat
    return None


def take_turns(table: Table) -> bool:
    """Goes on to the next driver who has something to decide; False when all have driven."""
    table.phase = "drive"
    while (seat := next_driver(table)) is not None:
        choices = to_drive(table, seat)
        only = choices[0]
        if choices.count > 1 or not isinstance(only, p.Move):
            table.waiting = 1 << seat
            return True
        move(table, seat, only)
        if table.waiting or table.over:
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
