"""What a driver can choose, in words: how far it goes and where it ends, by the road and by a detour."""

from typing import Any

import pytest

from parlour.client.boards.hurry_cup.moves import MOVES
from parlour.client.boards.moves import MoveContext
from parlour.client.boards.text import plain
from parlour.client.hint import Hint
from parlour.client.language import LANGUAGES, Texts
from parlour.client.terminal.game.hint_texts import sentences
from parlour.client.terminal.game.move_texts import choice_line
from parlour.client.terminal.game.selection import choices
from parlour.engine.catalogue import GAMES
from parlour.engine.secret import ALL
from tools.kept_boards import NAMES, driving, looks, placed

HELMET = {"type": "helmet", "via": "helmet"}
STAY = {"type": "move", "steps": 0, "detour": None}
ONE = {"type": "move", "steps": 1, "detour": None}
BY_DETOUR = {"type": "move", "steps": 1, "detour": 35}
"""On the track `esterel` the turn at 36 is the last section before the finish."""


def context(car: int, spoken: bool = False, language: str = "en", **position: Any) -> MoveContext:
    state = placed("hurry-cup", 3, {**driving([car, 9, 9]), **position}, track="esterel")
    view = looks(GAMES["hurry-cup"].view(state), ALL)
    return MoveContext("hurry-cup", 0, NAMES[:3], view, Texts(language), spoken)


def offered(legal: list[Any], told: MoveContext) -> list[str]:
    return [plain(choice_line(choice, told)) for choice in choices(legal)]


@pytest.mark.parametrize(
    ("second_chance", "words"),
    [(False, "stay here and get a second chance"), (True, "stay here and keep your second chance")],
)
@pytest.mark.parametrize("spoken", [False, True])
def test_whoever_cannot_move_stays(second_chance: bool, words: str, spoken: bool) -> None:
    told = context(34, spoken, second_chance=[second_chance, False, False])
    assert offered([HELMET, STAY], told) == ["put the helmet on", words]


@pytest.mark.parametrize(
    ("spoken", "words"), [(False, "drive 1 section"), (True, "drive 1 section, to section 35")]
)
def test_the_only_drive_says_how_far_it_goes(spoken: bool, words: str) -> None:
    assert offered([HELMET, ONE], context(34, spoken)) == ["put the helmet on", words]


DETOUR = {"bonuses": [["detour"], [], []]}


@pytest.mark.parametrize("spoken", [False, True])
def test_with_a_detour_each_way_says_where_it_ends(spoken: bool) -> None:
    assert offered([HELMET, ONE, BY_DETOUR], context(35, spoken, **DETOUR)) == [
        "put the helmet on",
        "drive 1 section, to section 36",
        "drive 1 section with a detour at section 35, to the finish",
    ]


def test_a_hint_for_a_detour_says_where_it_ends() -> None:
    told = context(35, **DETOUR)
    road, detour = sentences([Hint(ONE, "rounds", 1.0, 0), Hint(BY_DETOUR, "rounds", 0.0, 0)], told)
    assert road.startswith("drive 1 section, to section 36: drives to section 36, place 1 of 3")
    assert detour.startswith(
        "drive 1 section with a detour at section 35, to the finish: drives to the finish, place 1 of 3"
    )


def test_a_touch_of_where_a_detour_ends_takes_it() -> None:
    assert {"steps": 1, "detour": 35} in MOVES.things["section"]("37", context(35, **DETOUR))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_ways_are_told_alike(language: str) -> None:
    told = offered([HELMET, ONE, BY_DETOUR], context(35, language=language, **DETOUR))
    assert len({*told}) == len(told)
