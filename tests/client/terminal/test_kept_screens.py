"""Whole windows compared with the text that is kept of them; tools/kept_screens.py says how it is written."""

import pytest

from parlour.client.boards.text import columns
from parlour.client.language import LANGUAGES, catalogue
from parlour.client.terminal.game.page import keys_line
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_cut_off_in_a_window_of_80_columns(language: str) -> None:
    lines = {key: str(text) for key, text in catalogue(language).items() if "|" in str(text)}
    assert len(lines) >= 7
    assert [key for key, words in lines.items() if columns(keys_line(words)) > 80] == []
