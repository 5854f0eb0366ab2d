"""Why a server is not reached or says no, and why the rules refuse a move, in words for people."""

import math
from collections.abc import Mapping
from typing import Any

from parlour.client.boards.catalogue import BOARDS, board_of
from parlour.client.connection import Gone, Refused
from parlour.client.language import ENGLISH, Texts

OWN = (
    *("unreachable", "bad_url", "certificate", "turned_away", "no_parlour_there"),
    *("replaced", "too_large", "refused", "errors", "closed"),
)
"""Reasons that are no error codes."""
Facts = Mapping[str, Any]
_ABOUT_DATA = (
    "bad_frame",
    "bad_message",
    "bad_options",
    "bad_rules",
    "no_such_bot",
    "no_such_game",
    "version",
)
"""Codes whose facts are told as they came: they are about something that a program or a file said."""
_COUNTED = ("most", "needed", "pawns")
"""Facts of objections by which words change their form; each has at most one."""


def refusal_text(wrong: Gone | Refused, texts: Texts = ENGLISH, game: str | None = None) -> str:
    """One sentence, with the facts that came along, as the board of the game shows them."""
    facts = wrong.facts
    if texts.has(f"refused.name.{facts.get('rule')}"):
        return texts(f"refused.name.{facts['rule']}", most=facts.get("most", "?"))
    if "like" in facts:
        same = facts["like"] == facts.get("name")
        return texts("refused.name_taken" if same else "refused.name_like", like=facts["like"])
    if isinstance(wrong, Gone):
        return _sentence(wrong.reason, wrong.told, texts)
    if wrong.code == "against_rules" and texts.has(f"tournament.why.{facts.get('why')}"):
        return texts(f"tournament.why.{facts['why']}", **_of_tournaments(facts, texts))
    if wrong.code == "not_organiser" and "organiser" in facts:
        return texts("tournament.why.not_organiser", organiser=facts["organiser"])
    if texts.has(f"why.{facts.get('why')}"):
        return objection(str(facts["why"]), facts, texts, game)
    if wrong.code == "no_seat" and "watching" in facts:
        return texts("refused.full")
    if wrong.code == "busy" and wrong.retry_after is not None:
        return texts("refused.busy_for", seconds=math.ceil(wrong.retry_after))
    if wrong.code == "bad_options" and texts.has(f"refused.options.{facts.get('where')}"):
        return texts(f"refused.options.{facts['where']}")
    if wrong.code == "bad_options" and (option := _option(str(facts.get("where")), texts)):
        return texts("refused.bad_option", option=option)
    if wrong.code not in _ABOUT_DATA:
        return _sentence(wrong.code, "", texts)
    told = texts("list.between").join(f"{key} {value}" for key, value in facts.items())
    return _sentence(wrong.code, told, texts)


def objection(why: str, facts: Facts, texts: Texts = ENGLISH, game: str | None = None) -> str:
    """What the rules have against a move."""
    if not texts.has(f"why.{why}"):
        return texts("refused.illegal")
    # Two games refuse a token that was used; one says which.
    key = "why.token_spent" if why == "token_used" and "token" in facts else f"why.{why}"
    count = next((facts[name] for name in _COUNTED if name in facts), 0)
    fact = board_of(game).fact
    return texts(key, **{name: fact(name, value, texts) for name, value in facts.items()}, count=count)


def _option(name: str, texts: Texts) -> str:
    """What an option is called in the game that has it; nothing if none has."""
    keys = [f"options.{game}.{name}.name" for game in BOARDS]
    return next((texts(key) for key in keys if texts.has(key)), "")


def _of_tournaments(facts: Facts, texts: Texts) -> Facts:
    """The facts with words of the server translated."""
    phase = texts.or_else(f"tournament.phase.{facts.get('phase')}", str(facts.get("phase")))
    return {**facts, "phase": phase}


def _sentence(code: str, facts: str, texts: Texts) -> str:
    text = texts.or_else(f"refused.{code}", code)
    return texts("refused.with_facts", sentence=text, facts=facts) if facts else text
