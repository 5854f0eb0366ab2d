"""The no-leak laws bite: games with one leak planted in each are caught, every one of them."""

import attrs
import pytest
from laws.leaks import Leak, check_seed, check_worlds
from laws.playing import TableKind

from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.cards import EVERY_CARD, named, words
from parlour.engine.balloon_cup.flight import Five
from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.engine.balloon_cup.state import State, counted
from parlour.engine.chance import Chance
from parlour.engine.choices import Choices
from parlour.engine.errors import IllegalAction
from parlour.engine.game import Deadline, Step
from parlour.engine.secret import Pile, Seat, Secret
from parlour.engine.view_fields import From


def check(game: BalloonCup) -> None:
    """The laws, on a few games."""
    kind = TableKind(game, 2, {})
    for seed in range(4):
        check_worlds(kind, ("planted", seed), about=12)
        check_seed(kind, ("planted", seed))


class LeakInTheView(BalloonCup):
    """Everybody sees the opponent's hand."""

    views = BalloonCup.views.replaced(
        hands=From("hands", make=lambda hands: tuple([words(hand.value) for hand in hands]))
    )


class TooMuchHidden(BalloonCup):
    """Players do not see their own hands: no leak, and as wrong."""

    views = BalloonCup.views.replaced(
        hands=From("hands", make=lambda hands: tuple([hand.value.bit_count() for hand in hands]))
    )


class LeakInTheNews(BalloonCup):
    """Everybody hears which card was drawn."""

    def apply(self, state: State, seat: Seat, action: p.Action, chance: Chance) -> Step[State]:
        step = super().apply(state, seat, action, chance)
        news = [p.CardDrawn(n.seat, n.card.value) if isinstance(n, p.CardDrawn) else n for n in step.news]
        return Step(step.state, tuple(news))


class LeakInTheLegalActions(BalloonCup):
    """A card cannot be played while the opponent holds its neighbour."""

    def _legal(self, state: State, seat: Seat) -> Choices[p.Action]:
        choices = super()._legal(state, seat)
        near = set(words(state.hands[1 - seat].value << 1 & EVERY_CARD))
        kept = [
            pattern
            for pattern in choices.patterns
            if pattern.kind is not p.Play or not near & set(pattern.fields[0].values)
        ]
        return Choices(kept or choices.patterns)


class LeakInAnErrorText(BalloonCup):
    """A refusal hints at what the opponent holds."""

    def objection(self, state: State, seat: Seat, action: p.Action) -> IllegalAction:
        refused = super().objection(state, seat, action)
        return IllegalAction(refused.code, hint=state.hands[1 - seat].value % 7)


class LeakInACount(BalloonCup):
    """The number of idle turns is really something else."""

    views = BalloonCup.views.replaced(
        idle=From("deck", make=lambda deck: deck.value[0] % 3 if deck.value else 0)
    )


class LeakInAnOrder(BalloonCup):
    """The bag's colours are listed in the order of the deck."""

    @staticmethod
    def bag(bag: Five, deck: Secret[tuple[int, ...]]) -> dict[p.Colour, int]:
        turned = sum(deck.value[:2]) % 5
        items = list(counted(bag).items())
        return dict(items[turned:] + items[:turned])

    views = BalloonCup.views.replaced(bag=From("prizes.bag", "deck", make=bag))


class LeakInAnId(BalloonCup):
    """What is asked has a name that the deck was hashed into."""

    def deadline(self, state: State) -> Deadline | None:
        deadline = super().deadline(state)
        return deadline and attrs.evolve(deadline, phase=f"{deadline.phase}-{hash(state.deck.value) % 1000}")


class LeakInASize(BalloonCup):
    """The deck seems thicker when a red card is on top."""

    @staticmethod
    def deck(deck: Secret[tuple[int, ...]]) -> Pile[p.Card]:
        red = bool(deck.value) and deck.value[0] < 13
        return Pile((*deck.value, *deck.value[:1]) if red else deck.value, deck.seen_by, named)

    views = BalloonCup.views.replaced(deck=From("deck", make=deck))


class LeakInTheSeed(BalloonCup):
    """The table's number is made of the secret that shuffles the cards."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def setup(self, seats: int, options: p.BalloonOptions, chance: Chance) -> Step[State]:
        source = getattr(chance, "_source", chance)
        self.number = int.from_bytes(getattr(source, "secret", b"")[:2], "big")
        return super().setup(seats, options, chance)

    def deadline(self, state: State) -> Deadline | None:
        deadline = super().deadline(state)
        return deadline and attrs.evolve(deadline, phase=f"{deadline.phase}-{self.number}")


class LeakInTheTurn(BalloonCup):
    """Somebody is asked, or not, by what the other one holds: seen in the legal actions of a bystander."""

    def _legal(self, state: State, seat: Seat) -> Choices[p.Action]:
        if state.turn is not None and seat != state.turn and state.hands[state.turn].value & 1:
            return super()._legal(state, state.turn)
        return super()._legal(state, seat)


PLANTED = [
    LeakInTheView,
    TooMuchHidden,
    LeakInTheNews,
    LeakInTheLegalActions,
    LeakInAnErrorText,
    LeakInACount,
    LeakInAnOrder,
    LeakInAnId,
    LeakInASize,
    LeakInTheSeed,
    LeakInTheTurn,
]


def test_the_game_without_a_leak_passes() -> None:
    check(BalloonCup())


@pytest.mark.parametrize("game", PLANTED)
def test_a_planted_leak_is_caught(game: type[BalloonCup]) -> None:
    with pytest.raises(Leak):
        check(game())
