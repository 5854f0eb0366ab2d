"""The facts of objections in Butterflies, as its board shows them."""

from typing import Any

from parlour.client.boards.butterflies.grid import short
from parlour.client.language import Texts
from parlour.engine.butterflies.public import CARDS


def fact(name: str, value: Any, _texts: Texts) -> Any:
    match name, value:
        case "card", str(card) if card in CARDS:
            return short(card)
        case "at", [x, y]:
            return f"{x},{y}"
        case _:
            return value
