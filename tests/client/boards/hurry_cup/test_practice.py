"""A first race: every step is explained, in few words, in each language."""

from typing import Any

import pytest
from laws.playing import Dice, TableKind, play

from parlour.client.boards.hurry_cup.practice import befallen, lesson
from parlour.client.boards.text import wrapped
from parlour.client.language import ENGLISH, LANGUAGES, choose
from parlour.engine.catalogue import GAMES
from parlour.engine.hurry_cup import public as p
from parlour.engine.maps import tagged, to_map
from parlour.engine.secret import ALL, Seat, project
from tools.kept_boards import NAMES, driving, looks, placed

ROOM = 78
"""Columns of a line in the smallest window."""
RACES = 6
A, B = Seat(0), Seat(1)


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


# What is true for whoever drives


def view_of(**position: Any) -> dict[str, Any]:
    return looks(GAMES["hurry-cup"].view(placed("hurry-cup", 3, {**driving([4, 9, 9]), **position})), ALL)


@pytest.mark.parametrize(
    ("position", "last"),
    [
        ({}, "With the helmet on, the accelerator does not count."),
        ({"token_used": [True, False, False]}, "You have used a token: no other one this round."),
        ({"trumps": [[], [], []]}, "into none whose sign is below your speed."),
    ],
)
def test_the_last_sentence_is_true_for_what_one_holds(position: dict[str, Any], last: str) -> None:
    assert lesson(view_of(**position), 0, ENGLISH).endswith(last)


# What befalls the learner

STAYED = p.CarStayed(A, 4, True)
MINE = [STAYED, p.LanternGiven(A), p.TankEmptied(A), p.PawnsSwapped(B, A)]
MINE += [p.BonusTaken(A, 7, bonus) for bonus in p.BONUSES]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("news", [*MINE, p.RaceBegun(1, B), p.AcceleratorRolled(3)], ids=str)
def test_what_befalls_the_learner_can_be_read_in_the_smallest_window(news: Any, language: str) -> None:
    told = befallen(tagged(news), view_of(round=1), 0, NAMES[:3], choose(language))
    assert told
    assert all(len(wrapped(each, ROOM)) <= 3 for each in told)


def test_it_says_what_happened_why_and_what_it_is_good_for() -> None:
    assert befallen(tagged(STAYED), view_of(), 0, NAMES[:3], ENGLISH) == [
        "You did not move from section 4 and got a second chance. The next sign was below your speed. "
        "Second chance: before you drive, roll your fuel die again. The new number stands."
    ]


@pytest.mark.parametrize("news", MINE, ids=str)
def test_what_befalls_others_is_no_lesson(news: Any) -> None:
    assert befallen(tagged(news), view_of(), 2, NAMES[:3], ENGLISH) == []


def test_the_beginning_is_explained_once() -> None:
    assert befallen(tagged(p.AcceleratorRolled(3)), view_of(round=2), 0, NAMES[:3], ENGLISH) == []
