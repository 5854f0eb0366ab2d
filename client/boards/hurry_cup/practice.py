"""A first race of Hurry' Cup: what happens now and what the choices mean, in a line."""

from collections.abc import Mapping
from typing import Any

from parlour.client.language import Texts


def lesson(view: Mapping[str, Any], me: int | None, texts: Texts) -> str:
    """By phase, and for a drive by what tokens may still do."""
    sealed = view["phase"] == "grab" and view["options"].get("grab") == "sealed"
    phase = "rank" if sealed else view["phase"]
    key = f"hurry.practice.{phase}" if me in view["to_act"] else f"hurry.practice_wait.{phase}"
    told = [texts.or_else(key, "")]
    if me is not None and me in view["to_act"] and phase == "drive":
        if view["token_used"][me]:
            told.append(texts("hurry.practice_token.used"))
        elif "helmet" in view["trumps"][me]:
            told.append(texts("hurry.practice_token.helmet"))
    return texts.in_a_row(told)
