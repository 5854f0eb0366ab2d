"""The pictures in the README are what players see."""

from xml.etree import ElementTree

import pytest

from tools import readme_pictures as framed


@pytest.mark.parametrize("game", framed.GAMES)
def test_a_picture_is_the_screen_of_today(game: str) -> None:
    kept = (framed.FOLDER / f"{game}.svg").read_text(encoding="utf-8")
    assert kept == framed.frame(game), "made anew by: PYTHONPATH=tests python -m tools.readme_pictures"
    ElementTree.fromstring(kept)


@pytest.mark.parametrize("game", framed.GAMES)
def test_the_readme_shows_it(game: str) -> None:
    readme = (framed.FOLDER.parent / "README.md").read_text(encoding="utf-8")
    assert f"(pictures/{game}.svg)" in readme
