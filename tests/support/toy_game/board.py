"""Stones drawn and put into words."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.game_board import GameBoard
from parlour.client.boards.moves import Moves, number
from parlour.client.boards.options import Chosen
from parlour.client.boards.reader import Reader
from parlour.client.boards.room import LEAST, Room
from parlour.client.boards.text import Line
from parlour.client.language import ENGLISH, Texts


def draw(
    view: Mapping[str, Any],
    me: int | None,  # noqa: ARG001
    names: Sequence[str],  # noqa: ARG001
    room: Room = LEAST,  # noqa: ARG001
    legal: Sequence[Mapping[str, Any]] = (),  # noqa: ARG001
    chosen: Mapping[str, Any] | None = None,  # noqa: ARG001
    texts: Texts = ENGLISH,
) -> list[Line]:
    return [[("", f" {texts('stones.heap')} {'o' * view['stones']}")]]


def words(
    news: Mapping[str, Any], names: Sequence[str], texts: Texts = ENGLISH, me: int | None = None
) -> str:
    return Reader(names, texts, me).told(f"stones.news.{news['type']}", news["seat"], count=news["count"])


def paragraphs(_options: Chosen, texts: Texts) -> list[str]:
    return [texts("stones.goal")]


STONES = GameBoard(draw, words, Moves(meant=lambda word: number(word, "count")), paragraphs=paragraphs)
