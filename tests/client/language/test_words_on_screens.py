"""No word of the wire, and no word twice, in anything that a long random game says in any language."""

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Any

import attrs
import pytest
from laws.playing import ALL_KINDS, Dice, TableKind, some_action
from laws.trying import Tried
from support import soak

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.moves import MoveContext
from parlour.client.boards.options import option_line, unusual
from parlour.client.boards.refusals import objection, refusal_text
from parlour.client.boards.text import plain
from parlour.client.connection import Refused
from parlour.client.language import LANGUAGES, Texts, catalogue
from parlour.client.terminal.game.hint_texts import action_words
from parlour.client.terminal.game.move_texts import choice_line
from parlour.client.terminal.game.selection import Selection
from parlour.engine.errors import IllegalAction
from parlour.engine.maps import tagged, to_map
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import ALL, Seat, project
from parlour.protocol import messages as m
from parlour.protocol.errors import CODES

MOVES = soak.count(60, 2000)
NAMES = ("Ａ", "Ｂ", "Ｃ", "Ｄ", "Ｅ", "Ｆ")
"""No letters that a language has."""
LATIN = re.compile(r"[A-Za-z]{3,}|\w*_\w*")
"""Two letters are a card of Butterflies: Mr is a red monarch."""
OWN = {
    "ru": {"Balloon", "Hurry", "Cup", "Esc", "Enter"},
    "zh": {"Balloon", "Hurry", "Cup", "Esc", "Enter"},
}
"""Latin words that Russian and Chinese texts have: names of games, and keys."""
DOUBLED = re.compile(r"\b([^\W\d_]{2,}) \1\b", re.IGNORECASE)


ITALIAN = {"auto", "chance", "nitro"}
"""Words of the wire that are Italian as well."""
TERMS = ("balloon.colour.", "hurry.colour.", "hurry.token.", "butterflies.word.", "moves.")


@functools.cache
def words_of_the_wire() -> frozenset[str]:
    """Options with their values, and what English has for colours, tokens, species and moves."""
    options = {str(word) for kind in ALL_KINDS for pair in kind.given.items() for word in pair}
    english = {str(text) for key, text in catalogue("en").items() if key.startswith(TERMS)}
    words = {word for text in options | english for word in re.findall(r"[a-z]{3,}", text)}
    return frozenset(words - ITALIAN)


def wire_words(told: str, language: str) -> list[str]:
    if language == "en":
        return re.findall(r"\w*_\w*", told)
    if language == "it":
        return [word for word in re.findall(r"[^\W\d]+", told) if word in words_of_the_wire() or "_" in word]
    return [word for word in LATIN.findall(told) if word not in OWN[language]]


def check(told: Iterable[str], language: str) -> None:
    for each in told:
        assert wire_words(each, language) == [] and not DOUBLED.search(each), (language, each)


def told_by(kind: TableKind, texts: Texts) -> Iterator[str]:
    """News, choices, hints, what is asked and why something is refused, as a game goes on."""
    match, dice, tried = kind.start(str(kind)), Dice(str(kind)), Tried()
    game, names = kind.game.name, NAMES[: kind.seats]
    board = board_of(game)
    for _ in range(MOVES):
        if match.outcome is not None:
            break
        seat, action = some_action(match, dice)
        view = to_map(project(match.game.view(match.state), Seat(seat)))
        legal = match.game.legal(match.state, Seat(seat))
        context = MoveContext(game, seat, names, view, texts)
        yield from (plain(choice_line(each, context)) for each in Selection(choices_to_map(legal)).choices())
        yield action_words(tagged(action), context)
        yield board.moves.reason(tagged(action), context)
        yield from (
            plain(choice_line(each, attrs.evolve(context, spoken=True)))
            for each in Selection(choices_to_map(legal)).choices()
        )
        yield from board.describe(view, seat, names, texts)
        yield from board.describe(to_map(project(match.game.view(match.state), ALL)), None, names, texts)
        yield plain(board.draw(view, seat, names, texts=texts)[-1])
        tried.add(action)
        wrong = [
            match.game.objection(match.state, seat, other)
            for other in tried.others(dice)
            if other not in legal
        ]
        yield from (_why(each, game, texts) for each in wrong)
        other = (seat + 1) % kind.seats
        for beat in match.act(seat, action).beats:
            yield from (
                board.words(tagged(project(news, viewer)), names, texts, me)
                for news in beat.news
                for viewer, me in ((Seat(seat), seat), (Seat(other), other), (ALL, None))
            )


def _why(wrong: IllegalAction, game: str, texts: Texts) -> str:
    return objection(wrong.code, to_map(dict(wrong.facts)), texts, game)


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_a_game_is_told_in_words_of_its_language(kind: TableKind) -> None:
    for language in LANGUAGES:
        check(told_by(kind, Texts(language)), language)


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_the_options_of_a_table_are_told_in_words_of_its_language(kind: TableKind) -> None:
    game, whole = kind.game.name, to_map(kind.options)
    for language in LANGUAGES:
        texts = Texts(language)
        check((option_line(game, name, value, texts) for name, value in whole.items()), language)
        check(unusual(game, board_of(game).options, whole, texts), language)
        check(board_of(game).rules(kind.given, texts), language)


FACTS: dict[str, Any] = {
    "not_now": {"stage": "gathering", "problem": "held"},
    "not_allowed": {"setting": "watching"},
    "no_seat": {"seat": 1},
    "stale": {"turn": 4},
    "failed": {"table": "OAK"},
    "too_many_tables": {"most": 3},
    "bad_options": {"where": "teams", "problem": "are for four players, not 2"},
}
"""What a server tells with the refusals that a menu may cause."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted(CODES))
def test_a_refusal_is_told_in_words_of_its_language(code: str, language: str) -> None:
    wrong = Refused(m.Error(id=1, code=code, facts=FACTS.get(code, {}), retry_after=2.5))
    told = refusal_text(wrong, Texts(language))
    assert [word for word in wire_words(told, language) if word not in ("hello", "id")] == []
