"""The game of Hurry' Cup: puts the rules in order."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from parlour.engine.chance import Chance
from parlour.engine.choices import Choices, nothing
from parlour.engine.errors import IllegalAction
from parlour.engine.game import Deadline, Game, Outcome, Step
from parlour.engine.hurry_cup import drive, positions, rounds, scramble
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.championship import race_places, standings
from parlour.engine.hurry_cup.draft import Draft
from parlour.engine.hurry_cup.news import NEWS, DiceOpened, PawnTaken
from parlour.engine.hurry_cup.objections import objection
from parlour.engine.hurry_cup.state import AUDIENCE, COVERED, SEATS_IN, VIEWS, Season, State, free_pawns
from parlour.engine.secret import NOBODY, Seat


def _to_honk(state: State, seat: int) -> Choices[p.Action]:
    horn = k.via(state.kits[seat], k.HORN, state.fresh)
    return scramble.TO_HONK[horn] if horn else nothing()


def _to_look(state: State, _: int) -> Choices[p.Action]:
    return scramble.TO_GRAB[_free(state)]


def _to_grab(state: State, _: int) -> Choices[p.Action]:
    return (scramble.TO_RANK if state.options.grab == "sealed" else scramble.TO_GRAB)[_free(state)]


def _free(state: State) -> int:
    return free_pawns(state.pawns, len(state.cup.value if state.cup else state.dice))


_LEGAL: dict[p.Phase, Callable[[State, int], Choices[p.Action]]] = {
    "lantern": lambda _state, _seat: rounds.TO_ADVANCE,
    "boost": lambda _state, _seat: rounds.TO_BOOST,
    "horn": _to_honk,
    "look": _to_look,
    "grab": _to_grab,
    "swap": rounds.to_swap,
    "drive": drive.to_drive,
    "after": drive.to_finish,
}
_DO: dict[type, Callable[[Draft, int, Any], None]] = {
    p.Advance: rounds.advance,
    p.Stay: rounds.stay,
    p.Boost: rounds.boost,
    p.Skip: rounds.skip,
    p.Honk: scramble.honk,
    p.Quiet: scramble.keep_quiet,
    p.Grab: scramble.grab,
    p.Rank: scramble.rank,
    p.Swap: rounds.swap,
    p.Helmet: drive.put_on_helmet,
    p.Reroll: drive.reroll,
    p.Move: drive.move,
    p.Nitro: drive.use_nitro,
    p.Oil: drive.spill_oil,
    p.Done: drive.be_done,
}
_SCRAMBLES = frozenset({"horn", "look", "grab"})
_TOGETHER = frozenset({"horn", "grab"})
"""Phases in which all are asked one and the same thing."""


class HurryCup(Game[State, p.Action, p.View]):
    """Three to six drivers; the first one home wins, or the best of a championship."""

    name = "hurry-cup"
    seats = (3, 4, 5, 6)
    options = p.HurryOptions
    actions = p.ACTIONS
    news = NEWS
    views = VIEWS
    unordered = frozenset({"trumps", "spent", "bonuses"})
    # The last pawn opens the dice and all sealed rankings; if no car can drive then, the next round begins at
    # once, and no view keeps them.
    fleeting = (DiceOpened, PawnTaken)

    def setup(self, seats: int, options: p.HurryOptions, chance: Chance) -> Step[State]:
        first = options.first
        starter = chance.draw("first", range(seats)) if isinstance(first, str) else first
        none = (0,) * seats
        draft = Draft(rounds.grid(options, seats, starter, Season(1, none, none), chance), chance)
        rounds.begin_race(draft)
        rounds.go_on(draft)
        return draft.finish()

    def awaited(self, state: State) -> frozenset[Seat]:
        return AUDIENCE[state.waiting]

    def _legal(self, state: State, seat: Seat) -> Choices[p.Action]:
        if seat < 0 or not state.waiting >> seat & 1:
            return nothing()
        return _LEGAL[state.phase](state, seat)

    def apply(self, state: State, seat: Seat, action: p.Action, chance: Chance) -> Step[State]:
        draft = Draft(state, chance)
        _DO[type(action)](draft, seat, action)
        if not draft.waiting:
            rounds.go_on(draft)
        return draft.finish()

    def hidden(self, state: State) -> Mapping[str, frozenset[Seat]]:
        found = {f"hidden.{section}": NOBODY for section, _ in state.hidden}
        if state.phase in COVERED:
            lookers = frozenset([Seat(seat) for seat in state.honks[: state.looks]])
            racing = len(state.cars) - len(state.finished)
            found.update({f"dice.{pawn}": lookers for pawn in p.PAWNS[:racing]})
        for seat, ranking in enumerate(state.ranks):
            if ranking is not None:
                found[f"ranks.{seat}"] = AUDIENCE[1 << seat]
        return found

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != "over":
            return None
        if state.options.races > 1:
            return Outcome.of("points", standings(state.season.points, state.season.wins))
        return Outcome.of("race", race_places(state.cars, state.finished))

    def deadline(self, state: State) -> Deadline | None:
        """A driver is asked again in one turn only after a token, so that tells his decisions apart."""
        phase = state.phase
        if phase == "over":
            return None
        key = f"{phase}/{state.season.race}/{state.round}"
        if phase not in _TOGETHER:
            seat = SEATS_IN[state.waiting][0]
            key += f"/{seat}/{state.used >> seat & 1}"
        return Deadline(key, phase, scramble=phase in _SCRAMBLES)

    def default(self, state: State, seat: Seat, chance: Chance) -> p.Action:
        match state.phase:
            case "lantern":
                return p.Stay()
            case "boost" | "swap":
                return p.Skip()
            case "horn":
                return p.Quiet()
            case "grab" if state.options.grab == "sealed":
                return p.Rank(_colours(state))
            case "look" | "grab":
                return p.Grab(chance.draw(f"late/{state.season.race}/{state.round}", _colours(state)))
            case "drive":
                return p.Move(drive.most_steps(state, seat), None)
            case "after" | "over":
                return p.Done()

    def imagine(self, view: p.View, viewer: Seat | None, chance: Chance) -> State:  # noqa: ARG002
        return positions.imagined(view, chance)

    def from_position(self, plain: Mapping[str, Any], seats: int, options: p.HurryOptions) -> State:
        return positions.read(plain, seats, options)

    def material(self, state: State) -> Counter[str]:
        """Bonuses under stars, held, on the road or used up; trumps held or spent; pawns, none twice."""
        counted: Counter[str] = Counter()
        counted["bonus"] = len(state.hidden) + len(state.gone) + (state.oil is not None)
        for kit in state.kits:
            counted["bonus"] += len(k.bonuses(kit))
            counted.update([f"{trump} trump" for trump in (*k.trumps(kit), *k.trumps_spent(kit))])
        counted["car"] = len(state.cars)
        for pawn in range(len(state.cars)):
            counted[f"{p.PAWNS[pawn]} pawn"] = max(1, state.pawns.count(pawn))
        return counted

    def objection(self, state: State, seat: Seat, action: p.Action) -> IllegalAction:
        return objection(state, seat, action)


def _colours(state: State) -> tuple[p.Pawn, ...]:
    """The free pawns, in colour order."""
    return tuple([p.PAWNS[pawn] for pawn in SEATS_IN[_free(state)]])
