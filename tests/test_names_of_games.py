"""A game is one folder in each room and one line in each catalogue: nothing else may name it."""

import re
from pathlib import Path

import pytest
from support.paths import ROOT

from parlour.client.boards.catalogue import BOARDS, board_of
from parlour.client.bots.catalogue import GAME_BOTS
from parlour.engine.catalogue import GAMES

FOLDERS = {name.replace("-", "_") for name in GAMES}
CATALOGUES = {"client/boards/catalogue.py", "client/bots/catalogue.py"}
NAMED = re.compile(rf"\b({'|'.join(sorted({*GAMES, *FOLDERS}))})\b")


def general(path: Path) -> bool:
    """Whether a module serves every game alike."""
    return not FOLDERS & {*path.parts} and path.as_posix() not in CATALOGUES


MODULES = [
    path.relative_to(ROOT)
    for package in ("client", "protocol", "server")
    for path in sorted((ROOT / package).rglob("*.py"))
    if general(path.relative_to(ROOT))
]


def test_no_module_outside_the_folders_of_games_names_a_game() -> None:
    found = [
        f"{path}:{number} names {named[0]}"
        for path in MODULES
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1)
        if (named := NAMED.search(line))
    ]
    assert found == [], "a new game would have to be added there too: put it into the game's folder"


def test_modules_of_all_three_packages_are_read() -> None:
    assert {path.parts[0] for path in MODULES} == {"client", "protocol", "server"}
    assert Path("client/terminal/game/move_entry.py") in MODULES


@pytest.mark.parametrize("line", ['if game == "balloon-cup":', "from parlour.engine.hurry_cup import public"])
def test_a_name_of_a_game_is_found(line: str) -> None:
    assert NAMED.search(line) is not None


def test_catalogues_list_games_of_the_engine_alone() -> None:
    assert {*BOARDS} <= {*GAMES} and {*GAME_BOTS} <= {*GAMES}


def test_a_game_without_a_line_has_the_plain_board_and_the_words_of_the_wire() -> None:
    board = board_of("a game of a later server")
    assert board.words({"type": "stones_taken", "count": 2}, ()) == "Stones taken: count 2."
    assert board.rules({}) == [] and board.moves.meant("2") == ()
