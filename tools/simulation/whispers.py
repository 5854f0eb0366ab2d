"""Whispers, a game of the simulation alone: short, with scrambles, and with secrets that are easy to find.

Each seat is dealt two secret words, and more lie in the deck. In turn each player tells one of them; whoever
told a word may be dealt another. Then all snatch at once at the prizes on the table, and whoever was quickest
has the best one. A hidden word that stands in somebody's frame is a leak: words are unique, and long enough.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import attrs

from parlour.engine.chance import Chance
from parlour.engine.choices import Choices, OneOf, Pattern, nothing
from parlour.engine.errors import BadPosition, IllegalAction
from parlour.engine.game import Deadline, Game, Outcome, Step
from parlour.engine.lean import lean
from parlour.engine.maps import from_map
from parlour.engine.options import Options, whole
from parlour.engine.secret import NOBODY, Pile, Seat, Secret, only
from parlour.engine.view_fields import ViewFields

WORDS = tuple(f"whispered-{one}{other}" for one in "bdfgkl" for other in "aeio")
HAND = 2


@attrs.frozen
class WhispersOptions(Options):
    rounds: int = whole(2, 1, 4)


@lean
class Tell:
    word: str


@lean
class Snatch:
    prize: int


@lean
class WordDrawn:
    seat: Seat
    word: Secret[str] | str | None


@lean
class WordTold:
    seat: Seat
    word: str


@lean
class PrizeSnatched:
    seat: Seat
    prize: int


@attrs.frozen
class View:
    """The state as well: what is hidden in it is wrapped."""

    hands: tuple[Pile[str] | Any, ...]
    deck: Pile[str] | Any
    told: tuple[str, ...]
    prizes: tuple[int, ...]
    taken: tuple[int | None, ...]
    to_act: tuple[Seat, ...]
    turn: int = 0
    phase: str = "tell"
    options: WhispersOptions = attrs.field(factory=WhispersOptions)


class Whispers(Game[View, Any, View]):
    name = "whispers"
    seats = (2, 3)
    options = WhispersOptions
    actions = (Tell, Snatch)
    news = (WordDrawn, WordTold, PrizeSnatched)
    views = ViewFields.of(View)

    def setup(self, seats: int, options: WhispersOptions, chance: Chance) -> Step[View]:
        order = chance.shuffle("deck", WORDS)
        hands: tuple[Pile[str], ...] = tuple(
            Pile(tuple(order[HAND * seat : HAND * seat + HAND]), only(seat)) for seat in range(seats)
        )
        deck: Pile[str] = Pile(tuple(order[HAND * seats :]), NOBODY)
        first = Seat(chance.roll("first", seats) - 1)
        return Step(View(hands, deck, (), (), (None,) * seats, (first,), options=options), ())

    def awaited(self, state: View) -> frozenset[Seat]:
        return frozenset(state.to_act)

    def _legal(self, state: View, seat: Seat) -> Choices[Any]:
        if seat not in state.to_act:
            return nothing()
        if state.phase == "tell":
            return Choices([Pattern.of(Tell, OneOf(state.hands[seat].words))])
        return Choices([Pattern.of(Snatch, OneOf(state.prizes))])

    def apply(self, state: View, seat: Seat, action: Any, chance: Chance) -> Step[View]:  # noqa: ARG002
        seats = len(state.hands)
        if isinstance(action, Snatch):
            taken = tuple(action.prize if each == seat else had for each, had in enumerate(state.taken))
            left = tuple(each for each in state.to_act if each != seat)
            prizes = tuple(prize for prize in state.prizes if prize != action.prize)
            after = attrs.evolve(state, taken=taken, to_act=left, prizes=prizes)
            return Step(after, (PrizeSnatched(seat, action.prize),))
        drawn, rest = state.deck.cards[0], state.deck.cards[1:]
        kept = tuple(word for word in state.hands[seat].words if word != action.word)
        hands = tuple(
            Pile((*kept, drawn), only(seat)) if each == seat else hand
            for each, hand in enumerate(state.hands)
        )
        turn = state.turn + 1
        after = attrs.evolve(
            state,
            hands=hands,
            deck=Pile(rest, NOBODY),
            told=(*state.told, action.word),
            turn=turn,
            to_act=(Seat((seat + 1) % seats),),
        )
        if turn >= seats * state.options.rounds:
            everybody = tuple(Seat(each) for each in range(seats))
            after = attrs.evolve(after, phase="snatch", to_act=everybody, prizes=tuple(range(1, seats + 1)))
        return Step(after, (WordTold(seat, action.word), WordDrawn(seat, Secret(drawn, only(seat)))))

    def outcome(self, state: View) -> Outcome | None:
        if state.to_act:
            return None
        places = tuple(len(state.taken) + 1 - (prize or 0) for prize in state.taken)
        return Outcome.of("snatched", places)

    def deadline(self, state: View) -> Deadline | None:
        if not state.to_act:
            return None
        scramble = state.phase == "snatch"
        return Deadline("snatch" if scramble else f"tell {state.turn}", state.phase, scramble)

    def default(self, state: View, seat: Seat, chance: Chance) -> Any:  # noqa: ARG002
        return Tell(state.hands[seat].words[0]) if state.phase == "tell" else Snatch(state.prizes[0])

    def objection(self, state: View, seat: Seat, action: Any) -> IllegalAction:  # noqa: ARG002
        if isinstance(action, Snatch) and state.phase == "snatch" and action.prize in state.taken:
            return IllegalAction("taken", prize=action.prize)
        return IllegalAction("wrong_phase", phase=state.phase)

    def imagine(self, view: View, viewer: Seat | None, chance: Chance) -> View:
        raise NotImplementedError("nobody thinks in a simulation")

    def from_position(self, plain: Mapping[str, Any], seats: int, options: WhispersOptions) -> View:  # noqa: ARG002
        return from_map(View, {**plain, "options": options.plain()}, BadPosition)

    def material(self, state: View) -> Counter[str]:
        return Counter(
            word=len(state.told) + len(state.deck.cards) + sum(len(hand.cards) for hand in state.hands)
        )
