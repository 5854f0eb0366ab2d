"""A first race: every step is explained, in few words, in each language."""

import pytest
from laws.playing import Dice, TableKind, play

from parlour.client.boards.hurry_cup.practice import lesson
from parlour.client.boards.text import wrapped
from parlour.client.language import LANGUAGES, choose
from parlour.engine.catalogue import GAMES
from parlour.engine.maps import to_map
from parlour.engine.secret import Seat, project

ROOM = 78
"""Columns of a line in the smallest window."""
RACES = 6


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("grab", ["race", "sealed"])
def test_every_step_of_a_race_is_explained_in_two_lines_at_most(language: str, grab: str) -> None:
    texts, game, told = choose(language), GAMES["hurry-cup"], set()
    for number in range(RACES):
        race = TableKind(game, 4, {"grab": grab}).start(number)
        for state, asked, _ in play(race, Dice(number)):
            for seat in (asked, Seat((asked + 1) % 4)):
                view = to_map(project(game.view(state), seat))
                sentence = lesson(view, seat, texts)
                assert sentence
                assert len(wrapped(sentence, ROOM)) <= 2, sentence
                told.add(sentence)
    assert len(told) >= 14
