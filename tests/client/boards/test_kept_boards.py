"""Boards compared with the text that is kept of them; tools/kept_boards.py says how it is written anew."""

import pytest

from parlour.client.boards.text import columns
from tools.kept_boards import FOLDER, PAINTINGS, Painting


@pytest.mark.parametrize("painting", PAINTINGS, ids=lambda each: each.path.stem)
def test_the_board_is_the_one_that_is_kept(painting: Painting) -> None:
    assert painting.text() == painting.path.read_text(encoding="utf-8")


def test_no_board_is_kept_that_nobody_draws() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {each.path.name for each in PAINTINGS}


@pytest.mark.parametrize("painting", PAINTINGS, ids=lambda each: each.path.stem)
def test_a_kept_board_fills_its_window_and_no_more(painting: Painting) -> None:
    for viewer in painting.viewers:
        for room in painting.rooms:
            lines = painting.lines(viewer, room)
            assert len(lines) == room.height
            assert max(columns([("", line)]) for line in lines) <= room.width
