"""The facts of objections in Balloon Cup, as its board shows them."""

from typing import Any

from parlour.client.boards.balloon_cup.news import short
from parlour.client.language import Texts
from parlour.engine.balloon_cup.public import CARDS


def fact(name: str, value: Any, texts: Texts) -> Any:
    if name == "option":
        return texts.or_else(f"balloon.closed.{value}", "")
    return short(value) if name in ("card", "replaces") and value in CARDS else value
