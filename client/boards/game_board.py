"""What a game brings to the client: how it is drawn and put into words. All of it can be left out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import attrs

from parlour.client.boards import plain
from parlour.client.boards.moves import Moves
from parlour.client.boards.options import Chosen, settled
from parlour.client.boards.reader import Reader
from parlour.client.boards.room import LEAST, Room
from parlour.client.boards.rules import TOPIC
from parlour.client.boards.text import Line
from parlour.client.language import ENGLISH, Texts
from parlour.protocol import messages as m


class Draw(Protocol):
    """Views, news and actions are maps, as they travel.

    `me` is the viewer's seat, None for a spectator. Whatever the patterns of `legal` lead to is marked, and
    so is what `chosen`, an action or a part of one, names.
    """

    def __call__(
        self,
        view: Mapping[str, Any],
        me: int | None,
        names: Sequence[str],
        room: Room = LEAST,
        legal: Sequence[Mapping[str, Any]] = (),
        chosen: Mapping[str, Any] | None = None,
        texts: Texts = ENGLISH,
    ) -> list[Line]: ...


class Words(Protocol):
    """A piece of news as a sentence to whoever sits at seat `me`; with None it names every player."""

    def __call__(
        self, news: Mapping[str, Any], names: Sequence[str], texts: Texts = ENGLISH, me: int | None = None
    ) -> str: ...


PLAIN_MOVES = Moves()


def _as_it_came(_name: str, value: Any, _texts: Texts) -> Any:
    return value


def _no_ending(_view: Mapping[str, Any], _result: m.Result, _reader: Reader) -> str:
    return ""


def _as_it_is(
    view: Mapping[str, Any],
    _news: Sequence[Mapping[str, Any]],
    _recent: Sequence[tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]],
) -> Mapping[str, Any]:
    return view


def _nothing_to_learn(
    _news: Mapping[str, Any], _view: Mapping[str, Any], _me: int, _names: Sequence[str], _texts: Texts
) -> list[str]:
    return []


def _goes_on(
    _news: Mapping[str, Any], _view: Mapping[str, Any], _names: Sequence[str], _texts: Texts
) -> list[str]:
    return []


def _alone(_options: Mapping[str, Any], _seat: int, _texts: Texts) -> str:
    return ""


def _no_rules(_options: Chosen, _texts: Texts) -> list[str]:
    return []


def _no_sentences(
    _view: Mapping[str, Any], _me: int | None, _names: Sequence[str], _texts: Texts
) -> list[str]:
    return []


@attrs.frozen
class GameBoard:
    """A game's half of the client. Without its own, a game has the plain board and the words of the wire."""

    draw: Draw = plain.draw
    words: Words = plain.words
    moves: Moves = PLAIN_MOVES
    fact: Callable[[str, Any, Texts], Any] = _as_it_came
    """A fact of an objection, by its name, as the board shows it."""
    paragraphs: Callable[[Chosen, Texts], list[str]] = _no_rules
    """The rules with all of these options, in the order in which a player needs them."""
    options: type[Any] | None = None
    """The options of the game, with what is usual and what editions set."""
    seats: int = 2
    """How many play when somebody plays here against bots."""

    describe: Callable[[Mapping[str, Any], int | None, Sequence[str], Texts], list[str]] = _no_sentences
    """The position in sentences, for those who do not see the drawing."""
    lesson: Callable[[Mapping[str, Any], int | None, Texts], str] | None = None
    """What happens now and what the choices mean, in a line, at a table for practice; None: no such table."""

    befallen: Callable[[Mapping[str, Any], Mapping[str, Any], int, Sequence[str], Texts], list[str]] = (
        _nothing_to_learn
    )
    """There: what a piece of news, with the view after it, means to the learner, one by one."""

    lately: Callable[
        [
            Mapping[str, Any],
            Sequence[Mapping[str, Any]],
            Sequence[tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]],
        ],
        Mapping[str, Any],
    ] = _as_it_is
    """The view with what has just happened put in for `draw`.

    It gets all news of the game, and updates of a moment ago: the view before each, and its news.
    """
    interval: Callable[[Mapping[str, Any], Mapping[str, Any], Sequence[str], Texts], list[str]] = _goes_on
    """Where a piece of news, with the view after it, ends a part of the game: a title and how all stand."""
    team: Callable[[Mapping[str, Any], int, Texts], str] = _alone
    """What the team of a seat is called, with these options; empty if everybody plays alone."""
    won: Callable[[Mapping[str, Any], m.Result, Reader], str] = _no_ending
    """Who won and by what, from the last view; empty where the result alone tells enough."""

    @property
    def lingers(self) -> bool:
        """Whether something that has just happened stays in view for a moment."""
        return self.lately is not _as_it_is

    def rules(self, options: Chosen, texts: Texts = ENGLISH) -> list[str]:
        """The paragraphs of the rules in a language; none for a game that has no text here."""
        return self.paragraphs(settled(self.options, options), Texts(texts.language, TOPIC))
