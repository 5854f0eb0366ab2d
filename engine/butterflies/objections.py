"""Why an action is refused, by what the player who tried it may know."""

from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import NET, NUMBER, UNMARKED, WEB
from parlour.engine.butterflies.cells import STEPS, cell_at
from parlour.engine.butterflies.draft import barred, moves_open
from parlour.engine.butterflies.goals import declarations
from parlour.engine.butterflies.grid import connected
from parlour.engine.butterflies.state import State
from parlour.engine.errors import IllegalAction


def objection(state: State, seat: int, action: p.Action) -> IllegalAction:
    """The first rule that an action which is not legal breaks."""
    if (state.phase == "place") != isinstance(action, p.Place):
        return IllegalAction("wrong_phase", phase=state.phase)
    found: IllegalAction | None = None
    match action:
        case p.Play(card, at, declared):
            if NUMBER.get(card) not in state.hands[seat].value:
                return IllegalAction("not_in_hand", card=card)
            found = _to_lay(state, at) or _to_declare(state, seat, declared)
        case p.Place(at, declared):
            found = _to_lay(state, at) or _to_declare(state, seat, declared)
        case p.Turn():
            return IllegalAction("deck_empty")
        case p.Move(from_, to, declared):
            found = _to_move(state, from_, to) or _to_declare(state, seat, declared)
        case p.Net():
            return _to_put(state, seat, "net", NET)
        case p.Web():
            return _to_put(state, seat, "web", WEB)
        case p.Declare(goal, owner):
            found = _to_declare(state, seat, p.Declaration(goal, owner))
            return found or IllegalAction("no_row", goal=goal, seat=owner)
    return found or IllegalAction("illegal")


def _to_declare(state: State, seat: int, declared: p.Declaration | None) -> IllegalAction | None:
    if declared is None:
        return None
    if state.options.declare == "auto":
        return IllegalAction("option_off", option="declare")
    if declared not in declarations(seat, state.options.declare, state.options.teams):
        return IllegalAction("not_your_goal", goal=declared.goal, seat=declared.seat)
    return None


def _to_lay(state: State, at: p.At) -> IllegalAction | None:
    cell = cell_at(at)
    if cell in state.grid.cards:
        return IllegalAction("occupied", at=at)
    if cell not in state.grid.frontier:
        return IllegalAction("not_adjacent" if state.grid.cards else "not_the_middle", at=at)
    return None


def _too_early(state: State) -> IllegalAction | None:
    if moves_open(state.played):
        return None
    return IllegalAction("too_early", needed=p.PLAYED_BEFORE_MOVES, played=min(state.played))


def _to_move(state: State, from_: p.At, to: p.At) -> IllegalAction | None:
    early = _too_early(state)
    if early is not None:
        return early
    cards = state.grid.cards
    lifted, cell = cell_at(from_), cell_at(to)
    if lifted is None or lifted not in cards:
        return IllegalAction("no_card", at=from_)
    if lifted == barred(state.last):
        return IllegalAction("just_laid", at=from_)
    if cards[lifted] >= UNMARKED:
        return IllegalAction("has_token", at=from_)
    if cell in cards:
        return IllegalAction("occupied", at=to)
    if cell is None or not any(cell + step in cards for step in STEPS if cell + step != lifted):
        return IllegalAction("not_adjacent", at=to)
    if not connected(state.grid.moved(lifted, cell).cards):
        return IllegalAction("would_split", at=from_)
    return None


def _to_put(state: State, seat: int, token: p.Token, bit: int) -> IllegalAction:
    early = _too_early(state)
    if early is not None:
        return early
    if not state.tokens[seat] & bit:
        return IllegalAction("token_used", token=token)
    if state.last is None:
        return IllegalAction("nothing_laid")
    return IllegalAction("has_token", at=state.last.at)
