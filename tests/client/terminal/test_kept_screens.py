"""Whole windows compared with the text that is kept of them; tools/kept_screens.py says how it is written."""

import pytest

from parlour.client.boards.text import columns
from tools.kept_screens import GAMES, path, text, windows


@pytest.mark.parametrize("game", GAMES)
async def test_the_window_is_the_one_that_is_kept(game: str) -> None:
    assert await text(game) == path(game).read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
async def test_a_kept_window_is_full_and_not_too_wide(game: str) -> None:
    for window in windows(game):
        lines = window.lines()
        assert len(lines) == window.size[1]
        assert max(columns([("", line)]) for line in lines) <= window.size[0]
