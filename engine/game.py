"""What a game is: the contract between the rules and everything that plays, watches or stores them."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Generic, NoReturn, TypeVar

from parlour.engine.chance import Chance
from parlour.engine.choices import Choices, nothing
from parlour.engine.errors import IllegalAction
from parlour.engine.lean import lean
from parlour.engine.maps import by_word, from_tagged, to_map
from parlour.engine.options import Options
from parlour.engine.secret import ALL, Seat, project
from parlour.engine.view_fields import ViewFields

S = TypeVar("S")
A = TypeVar("A")
V = TypeVar("V")


@lean
class Step(Generic[S]):
    """A new state, and the news on the way to it, oldest first. News may hold secrets: project it."""

    state: S
    news: tuple[Any, ...]


@lean
class Outcome:
    """How a game ended. `places` has one entry per seat, 1 for the best; equal places are shared."""

    winners: tuple[Seat, ...]
    reason: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, reason: str, places: tuple[int, ...], *, drawn: bool = False) -> "Outcome":
        """Whoever is first has won, unless it is a draw."""
        winners = () if drawn else tuple(Seat(seat) for seat, place in enumerate(places) if place == 1)
        return cls(winners, reason, places)


@lean
class Deadline:
    """What a clock measures. Same key: it keeps running; a new key restarts it."""

    key: str
    phase: str
    scramble: bool = False
    """Many are asked at once and order counts: timed even at a table that is otherwise untimed."""


class Game(ABC, Generic[S, A, V]):
    """The rules of one game, as pure functions of frozen states."""

    name: ClassVar[str]
    seats: ClassVar[tuple[int, ...]]
    """The numbers of seats it can be played with."""
    options: ClassVar[type[Options]]
    actions: ClassVar[tuple[type, ...]]
    news: ClassVar[tuple[type, ...]]
    views: ClassVar[ViewFields[Any, Any]]
    """How all that can be seen of a state by anybody is made of it, secrets still wrapped.

    Options, actions, news and views, and what they are made of, are the words that may cross the wire.
    """
    unordered: ClassVar[frozenset[str]] = frozenset()
    """Fields of the position that are sets: the order of their lists means nothing."""
    counted: ClassVar[frozenset[str]] = frozenset()
    """Fields of the position that are maps of counts: what is missing is 0."""
    sparse: ClassVar[frozenset[str]] = frozenset()
    """Fields of the position that are maps in which what is missing is null."""
    leaving: ClassVar[frozenset[str]] = frozenset()
    """Kinds of material that may leave the game; all others are conserved."""
    fleeting: ClassVar[tuple[type, ...]] = ()
    """News that shows for a moment what no view keeps: the only news that may tell more than the views."""

    def __init__(self) -> None:
        self._last: tuple[S | None, Seat | None, Choices[A]] = (None, None, nothing())

    @abstractmethod
    def setup(self, seats: int, options: Any, chance: Chance) -> Step[S]:
        """Deals a new game."""

    @abstractmethod
    def awaited(self, state: S) -> frozenset[Seat]:
        """One on a turn, many in a scramble, none at the end."""

    @abstractmethod
    def _legal(self, state: S, seat: Seat) -> Choices[A]:
        """Works out `legal`."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: A, chance: Chance) -> Step[S]:
        """What a legal action leads to. Call `act`, which checks."""

    @property
    def view_class(self) -> type[V]:
        return self.views.kind

    def view(self, state: S) -> V:
        """All that can be seen of a state by anybody, secrets still wrapped."""
        view: V = self.views(state)
        return view

    def hidden(self, state: S) -> Mapping[str, frozenset[Seat]]:  # noqa: ARG002
        """What is hidden now, as paths in the view (`hands.1`, `deck`), each with the seats that may see it.

        It says again, in the words of the rules page, what the secrets in the state do: laws compare the two,
        both ways, so that neither can be wrong alone. Every path that is not named is public.
        """
        return {}

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """None while the game goes on."""

    @abstractmethod
    def deadline(self, state: S) -> Deadline | None:
        """What the table's clock measures now; None at the end."""

    @abstractmethod
    def default(self, state: S, seat: Seat, chance: Chance) -> A:
        """What is played for an awaited seat whose time is up."""

    @abstractmethod
    def imagine(self, view: V, viewer: Seat | None, chance: Chance) -> S:
        """A full state that this viewer cannot tell from the real one, from a view projected for it."""

    def position(self, state: S) -> dict[str, Any]:
        """The whole state as plain maps, secrets included: the view of somebody who sees everything."""
        plain: dict[str, Any] = to_map(project(self.view(state), ALL))
        del plain["options"]
        return plain

    @abstractmethod
    def from_position(self, plain: Mapping[str, Any], seats: int, options: Any) -> S:
        """The state that a position describes; raises BadPosition."""

    @abstractmethod
    def material(self, state: S) -> Counter[str]:
        """How many pieces of each kind there are: laws check that none appears or is lost."""

    def objection(self, state: S, seat: Seat, action: A) -> IllegalAction:  # noqa: ARG002
        """Why an action that is not legal is refused, by what this seat may know."""
        return IllegalAction("illegal")

    def sides(self, seats: int, options: Any) -> tuple[tuple[Seat, ...], ...]:  # noqa: ARG002
        """Who plays together: everybody for himself, unless the game says otherwise."""
        return tuple((Seat(seat),) for seat in range(seats))

    def legal(self, state: S, seat: Seat) -> Choices[A]:
        """The one source of legality: for validation, bots and completion. Empty for a seat not awaited.

        The last answer is kept: whoever looks at the choices and then acts pays for them once.
        """
        asked, of, choices = self._last
        if asked is state and of == seat:
            return choices
        choices = self._legal(state, seat)
        self._last = (state, seat, choices)
        return choices

    def act(self, state: S, seat: Seat, action: A, chance: Chance) -> Step[S]:
        """What an action leads to; raises IllegalAction, and then nothing has changed."""
        if action not in self.legal(state, seat):
            self._refuse(state, seat, action)
        return self.apply(state, seat, action, chance)

    def time_up(self, state: S, seat: Seat, chance: Chance) -> Step[S]:
        """Plays the default action for a seat that is awaited."""
        if seat not in self.awaited(state):
            raise IllegalAction("over" if not self.awaited(state) else "not_asked")
        return self.act(state, seat, self.default(state, seat, chance), chance)

    def _refuse(self, state: S, seat: Seat, action: A) -> NoReturn:
        awaited = self.awaited(state)
        if not awaited:
            raise IllegalAction("over")
        if seat not in awaited:
            raise IllegalAction("not_asked")
        raise self.objection(state, seat, action)

    @cached_property
    def action_words(self) -> dict[str, type[A]]:
        return by_word(self.actions)

    def read_action(self, plain: Any) -> A:
        """An action from its map form; raises Malformed."""
        return from_tagged(self.action_words, plain)

    def read_options(self, plain: Any, seats: int) -> Any:
        """The game's options from a map; raises BadOptions."""
        return self.options.read(plain, seats)
