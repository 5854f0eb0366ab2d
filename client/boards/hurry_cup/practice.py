"""A first race of Hurry' Cup: what happens now and what the choices mean, in a line."""

from collections.abc import Mapping
from typing import Any

from parlour.client.language import Texts


def lesson(view: Mapping[str, Any], me: int | None, texts: Texts) -> str:
    """By phase alone, so that the page for browsers can tell it from the same texts."""
    sealed = view["phase"] == "grab" and view["options"].get("grab") == "sealed"
    phase = "rank" if sealed else view["phase"]
    key = f"hurry.practice.{phase}" if me in view["to_act"] else f"hurry.practice_wait.{phase}"
    return texts.or_else(key, "")
