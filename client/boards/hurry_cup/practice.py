"""A first race of Hurry' Cup: what happens now, what the choices mean, what has befallen the reader."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.hurry_cup.news import words
from parlour.client.language import Texts

View = Mapping[str, Any]
_TOKENS = {"car_stayed": "second_chance", "lantern_given": "lantern", "tank_emptied": "tank_due"}
"""By kind of news: the token that the driver has now, for better or worse."""
TAKES_A_DIE = ("look", "grab", "rank")


def lesson(view: View, me: int | None, texts: Texts) -> str:
    """By phase, and by what is so now: an empty tank, and what tokens may still do."""
    sealed = view["phase"] == "grab" and view["options"].get("grab") == "sealed"
    phase = "rank" if sealed else view["phase"]
    if me is None or me not in view["to_act"]:
        return texts.or_else(f"hurry.practice_wait.{phase}", "")
    if view["tank_due"] == me and phase in TAKES_A_DIE:
        return texts("hurry.does.tank_due", fuel=view["options"]["empty_tank"])
    told = [texts.or_else(f"hurry.practice.{phase}", "")]
    if phase == "drive" and view["token_used"][me]:
        told.append(texts("hurry.practice_token.used"))
    elif phase == "drive" and "helmet" in view["trumps"][me]:
        told.append(texts("hurry.practice_token.helmet"))
    return texts.in_a_row(told)


def befallen(news: View, view: View, me: int, names: Sequence[str], texts: Texts) -> list[str]:
    """What a piece of news means to the reader, each to be read by itself; nothing if it is about others."""
    first = view["round"] == 1 and view["race"] == 1
    match news["type"]:
        case "race_begun" if first:
            return [texts("hurry.practice_first.aim"), texts("hurry.practice_first.tokens")]
        case "accelerator_rolled" if first:
            return [texts("hurry.practice_first.speed", value=news["value"])]
        case "pawns_swapped" if news["with"] == me:
            return [words(news, names, texts, me)]
        case "bonus_taken" | "car_stayed" | "lantern_given" | "tank_emptied" if news["seat"] == me:
            token = news.get("token") or _TOKENS[news["type"]]
            does = [texts(f"hurry.does.{token}", fuel=view["options"].get("empty_tank", 1))]
            if news["type"] == "car_stayed":
                why = texts("hurry.practice_first.stayed")
                does = [why, *does] if news["second_chance"] else [why]
            return [texts.in_a_row([words(news, names, texts, me), *does])]
    return []
