"""The words of the commands about games that were played: lists and verdicts."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.refusals import objection
from parlour.client.boards.stats import game_name, moment, table
from parlour.client.language import ENGLISH, Texts
from parlour.client.language.safe import one_line

Plain = Mapping[str, Any]
SHORT = 60
"""Letters of a value that a verdict quotes."""


# Games


def game_lines(rows: Sequence[Plain], texts: Texts = ENGLISH) -> list[str]:
    """`parlour games`: the latest last, where a terminal ends."""
    if not rows:
        return [texts("records.none")]
    told = [("id", texts("records.ended"), texts("records.game"), texts("records.players"))]
    for row in rows:
        told.append((row["id"], moment(row["ended"]), game_name(row["game"], texts), players(row, texts)))
    return table(told, left=4)


def players(row: Plain, texts: Texts = ENGLISH) -> str:
    """By place, with what each of them is: `1. Anna  2. Ben (bot)`."""
    seats = sorted(range(len(row["names"])), key=lambda seat: row["places"][seat])
    bot = texts("records.named_bot", name="")
    told = "  ".join(
        f"{row['places'][seat]}. {one_line(row['names'][seat])}{bot if row['bots'][seat] else ''}"
        for seat in seats
    )
    return told if row["winners"] else texts("records.drawn", players=told)


def result(names: Sequence[str], winners: Sequence[int], reason: str, texts: Texts = ENGLISH) -> str:
    """`Anna won (trophies).`"""
    why = texts.or_else(f"reason.{reason}", reason.replace("_", " "))
    if not winners:
        return texts("records.nobody_won", why=why)
    who = texts.listed([names[seat] for seat in winners])
    return texts("records.won", who=who, why=why, count=len(winners))


# Verdicts


def verdict_lines(
    faults: Sequence[Plain], head: str, authenticated: bool, entries: int, texts: Texts = ENGLISH
) -> list[str]:
    """`parlour verify`: the verdict in the first line, what it means below."""
    if faults:
        first, *others = [fault_words(fault, texts) for fault in faults]
        return [
            texts("verdict.not_sound", fault=first),
            *[texts("verdict.also", fault=other) for other in others],
        ]
    luck = texts("verdict.luck", count=entries)
    if authenticated:
        return [texts("verdict.authentic"), luck, texts("verdict.nothing_changed")]
    return [texts("verdict.consistent"), luck, texts("verdict.head", head=head), texts("verdict.compare")]


def fault_words(fault: Plain, texts: Texts = ENGLISH) -> str:
    """Where, and what is wrong there."""
    part = fault["part"] if fault["part"] in ("header", "end") else "entry"
    problem = one_line(_problem(fault["code"], fault["facts"], texts))
    return texts(f"fault.in_{part}", entry=fault["entry"], problem=problem)


def _problem(code: str, facts: Plain, texts: Texts) -> str:
    match code:
        case "differs" | "result":
            return _differs(facts, texts)
        case "illegal":
            return _illegal(facts, texts)
        case "game":
            return texts("fault.game", game=_quoted(facts["game"]), known=texts.listed(facts["known"]))
        case "seats" if "seat" in facts:
            return texts("fault.seat", seat=facts["seat"], seats=facts["seats"])
        case "missing":
            return texts("fault.missing", cause=texts(f"fault.cause.{facts['cause']}"))
        case _:
            return texts(f"fault.{code}", **facts)


def _quoted(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"


def _differs(facts: Plain, texts: Texts) -> str:
    told, right = facts["told"], facts["right"]
    if facts["field"] != "luck":
        return texts("fault.differs", field=facts["field"], told=_quoted(told), right=_quoted(right))
    pairs = zip(told, right, strict=False)
    place = next((place for place, pair in enumerate(pairs) if pair[0] != pair[1]), None)
    if place is None:
        return texts("fault.luck_counted", told=len(told), right=len(right))
    found, wanted = (_quoted([each[place][part] for part in _LUCK]) for each in (told, right))
    return texts("fault.luck", told=found, right=wanted)


_LUCK = ("stream", "how", "outcome")


def _illegal(facts: Plain, texts: Texts) -> str:
    told = [f"{name} {_quoted(value)}" for name, value in facts["facts"].items()]
    why = objection(facts["why"], facts["facts"], texts)
    if told:
        why = texts("refused.with_facts", sentence=why, facts=texts("list.between").join(told))
    return texts("fault.illegal", why=why)
