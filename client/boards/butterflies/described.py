"""Butterflies in sentences, for those who do not see the drawing."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.butterflies.news import called, named
from parlour.client.language import Texts

View = Mapping[str, Any]


def describe(view: View, me: int | None, names: Sequence[str], texts: Texts) -> list[str]:  # noqa: ARG001
    grid = sorted(view["grid"], key=lambda each: (each["at"][1], each["at"][0]))
    told = [_cell(each, texts) for each in grid] or [texts("board.no_cards")]
    hand = view["hands"][me] if me is not None else 0
    goals = view["goals"][me] if me is not None else {}
    known = [named(goals[kind], texts) for kind in ("colour", "species") if goals.get(kind)]
    return [
        texts("line.cells", cards=texts("list.apart").join(told)),
        *([texts("line.turned", card=called(view["turned"], texts))] if view["turned"] else []),
        *([texts("line.goals", goals=texts.listed(known))] if known else []),
        *([] if isinstance(hand, int) or not hand else [texts("line.hand", cards=_cards(hand, texts))]),
    ]


def _cards(cards: Sequence[str], texts: Texts) -> str:
    return texts.listed([called(card, texts) for card in cards])


def _cell(each: View, texts: Texts) -> str:
    place = texts("line.cell", card=called(each["card"], texts), at=f"{each['at'][0]},{each['at'][1]}")
    token = each.get("token")
    return texts("line.with_token", cell=place, token=texts(f"butterflies.token.{token}")) if token else place
