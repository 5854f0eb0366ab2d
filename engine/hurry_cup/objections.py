"""Why an action is refused: a code and facts that depend only on what everybody at the table can see."""

from parlour.engine.errors import IllegalAction
from parlour.engine.hurry_cup import drive
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.state import State, free_pawns

_PHASES: dict[type, tuple[p.Phase, ...]] = {
    p.Advance: ("lantern",),
    p.Stay: ("lantern",),
    p.Boost: ("boost",),
    p.Skip: ("boost", "swap"),
    p.Honk: ("horn",),
    p.Quiet: ("horn",),
    p.Grab: ("look", "grab"),
    p.Rank: ("grab",),
    p.Swap: ("swap",),
    p.Helmet: ("drive",),
    p.Reroll: ("drive",),
    p.Move: ("drive",),
    p.Nitro: ("after",),
    p.Oil: ("after",),
    p.Done: ("after",),
}
"""When each action has its place."""


def objection(state: State, seat: int, action: p.Action) -> IllegalAction:
    if state.phase not in _PHASES[type(action)]:
        return IllegalAction("wrong_phase", phase=state.phase)
    used = bool(state.used >> seat & 1)
    match action:
        case p.Grab(pawn):
            return _not_to_grab(state, pawn)
        case p.Rank():
            return _not_to_rank(state)
        case p.Swap(with_):
            return IllegalAction("no_such_driver", seat=with_)
        case p.Move():
            return _not_to_move(state, seat, action)
        case p.Oil(section) if not used and state.kits[seat] & k.BONUS_BIT[k.OIL]:
            return IllegalAction("not_entered", section=section)
        case p.Nitro() if len(state.entered) != drive.fuel(state, seat):
            return IllegalAction("fuel_left")
        case _:
            return IllegalAction("token_used" if used else "no_token")


def _not_to_grab(state: State, pawn: p.Pawn) -> IllegalAction:
    if state.phase == "grab" and state.options.grab == "sealed":
        return IllegalAction("wrong_option", option="grab")
    if p.PAWNS.index(pawn) in state.pawns:
        return IllegalAction("taken", pawn=pawn)
    return IllegalAction("no_such_pawn", pawn=pawn)


def _not_to_rank(state: State) -> IllegalAction:
    if state.options.grab != "sealed":
        return IllegalAction("wrong_option", option="grab")
    free = free_pawns(state.pawns, len(state.dice))
    return IllegalAction("wrong_ranking", pawns=free.bit_count())


def _not_to_move(state: State, seat: int, action: p.Move) -> IllegalAction:
    if action.detour is None:
        return IllegalAction("out_of_reach", most=drive.most_steps(state, seat))
    usable = not state.used >> seat & 1 and state.fresh != k.DETOUR
    has = usable and state.kits[seat] & k.BONUS_BIT[k.DETOUR]
    return IllegalAction("no_such_detour" if has else "no_detour", section=action.detour)
