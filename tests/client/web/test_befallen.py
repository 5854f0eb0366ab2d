"""What happens to the reader of a race without a tap is told, and stays until the next answer."""

import json
from typing import Any

from support.client import node

from parlour.client.boards.hurry_cup.news import words
from parlour.client.language import ENGLISH, LANGUAGES
from parlour.client.web.files import page_texts

NAMES = ("Anna", "Ben", "Chloe")
CATALOGUES = {language: json.loads(page_texts(language)) for language in LANGUAGES}
OPENED = {"type": "dice_opened", "dice": [4, 1, 6]}
LEFT = {"type": "pawn_taken", "seat": 0, "pawn": "yellow"}
DROVE = {"type": "car_moved", "seat": 0, "from": 4, "entered": [5], "detour": None}
THEIRS = {**DROVE, "seat": 1}
ROLLED = {"type": "die_rerolled", "seat": 0, "pawn": "red", "value": 5}
EMPTY = {"type": "tank_emptied", "seat": 0}
STAYED = {"type": "car_stayed", "seat": 0, "section": 4, "second_chance": True}


def told(*stories: dict[str, Any], language: str = "en") -> Any:
    given = {"catalogues": CATALOGUES, "me": 0, "names": NAMES, "stories": stories}
    return node.run("befallen.mjs", given)[language]


def said(news: dict[str, Any]) -> str:
    return words(news, NAMES, ENGLISH, 0)


def test_a_pawn_that_was_left_and_a_drive_without_a_choice_are_told_in_words_of_their_own() -> None:
    yellow = ENGLISH("hurry.die", colour=ENGLISH("hurry.colour.yellow"), value=1)
    left = ENGLISH("web.pawn_left", pawn=yellow)
    drove, stayed = (
        ENGLISH("list.sentences", told=ENGLISH("web.no_choice"), more=said(each)) for each in (DROVE, STAYED)
    )
    (passed, stood) = told({"news": [OPENED, LEFT, DROVE, THEIRS]}, {"news": [STAYED]})
    assert passed["befell"] == [left, drove] and stood["befell"] == [stayed]


def test_an_empty_tank_and_the_roll_of_a_second_chance_are_told_as_they_are() -> None:
    empty, rolled = told({"news": [EMPTY]}, {"news": [ROLLED], "did": {"type": "reroll"}})
    assert (empty["befell"], rolled["befell"]) == ([said(EMPTY)], [said(ROLLED)])


def test_what_i_did_myself_befell_nobody_and_what_befell_me_goes_with_my_next_answer() -> None:
    grabbed, other, drove, answered = told(
        {"news": [OPENED, LEFT], "did": {"type": "grab", "pawn": "yellow"}},
        {"news": [OPENED, LEFT], "did": {"type": "grab", "pawn": "red"}},  # somebody was quicker
        {"news": [DROVE, THEIRS], "did": {"type": "move", "steps": 1}},
        {"news": [OPENED, LEFT, THEIRS], "answered": [0, 2]},
    )
    for how in ("befell", "again"):  # as it came, and told anew in another language
        assert [len(each[how]) for each in (grabbed, other, drove, answered)] == [0, 1, 0, 0]


def test_nothing_befell_me_where_my_time_was_up_or_i_have_resigned() -> None:
    late, others, resigned, gone = told(
        {"news": [ROLLED, OPENED, LEFT, DROVE], "late": [[2, [0]]]},
        {"news": [OPENED, LEFT, THEIRS], "late": [[2, [1]]]},
        {"news": [OPENED, LEFT, DROVE], "did": {"type": "resign"}},
        {"news": [OPENED, LEFT, DROVE], "left": True},
    )
    assert [len(each["befell"]) for each in (late, others, resigned, gone)] == [1, 1, 0, 0]


def test_what_befell_me_is_written_in_every_language() -> None:
    for language in LANGUAGES:
        (story,) = told({"news": [OPENED, LEFT, DROVE]}, language=language)
        assert len(set(story["befell"])) == 2 and not any("web." in text for text in story["befell"])
