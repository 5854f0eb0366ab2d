"""The words of the commands about games that were played: lists and verdicts."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour.client.pictures.text import listed
from parlour.client.stats_words import moment, table
from parlour.client.words import one_line

Plain = Mapping[str, Any]
SHORT = 60
"""Letters of a value that a verdict quotes."""


# Games


def game_lines(rows: Sequence[Plain]) -> list[str]:
    """`parlour games`: the latest last, where a terminal ends."""
    if not rows:
        return ["No game has been finished yet."]
    told = [("id", "ended", "game", "players, by their places")]
    for row in rows:
        told.append((row["id"], moment(row["ended"]), row["game"], players(row)))
    return table(told, left=4)


def players(row: Plain) -> str:
    """By place, with what each of them is: `1. Anna  2. Ben (bot)`."""
    seats = sorted(range(len(row["names"])), key=lambda seat: row["places"][seat])
    drawn = "" if row["winners"] else "drawn: "
    told = [
        f"{row['places'][seat]}. {one_line(row['names'][seat])}{' (bot)' if row['bots'][seat] else ''}"
        for seat in seats
    ]
    return drawn + "  ".join(told)


def result(names: Sequence[str], winners: Sequence[int], reason: str) -> str:
    """`Anna won (trophies).`"""
    who = listed([names[seat] for seat in winners])
    return f"{f'{who} won' if who else 'Nobody won'} ({reason.replace('_', ' ')})."


# Verdicts


def verdict_lines(faults: Sequence[Plain], head: str, authenticated: bool, entries: int) -> list[str]:
    """`parlour verify`: the verdict in the first line, what it means below."""
    if faults:
        return [
            f"NOT SOUND. {fault_words(faults[0])}",
            *[f"Also: {fault_words(fault)}" for fault in faults[1:]],
        ]
    luck = f"All {entries} entries follow the rules, and all luck and the result are what the secret gives."
    if authenticated:
        return ["authentic", luck, "The head is the one you gave: nothing at all was changed."]
    return [
        "consistent, not authenticated",
        luck,
        f"The head is {head}",
        "Compare it with the one that a player got with the result, or give that one with --head.",
    ]


def fault_words(fault: Plain) -> str:
    """Where, and what is wrong there."""
    where = {"header": "The header: ", "end": "The end: "}.get(fault["part"], f"Entry {fault['entry']}: ")
    return where + one_line(_PROBLEMS[fault["code"]](fault["facts"]))


def _quoted(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"


def _differs(facts: Plain) -> str:
    told, right = facts["told"], facts["right"]
    if facts["field"] == "luck":
        place = next(
            (place for place, pair in enumerate(zip(told, right, strict=False)) if pair[0] != pair[1]), None
        )
        if place is None:
            return f"has {len(told)} outcomes of luck where the rules ask for {len(right)}"
        told, right = told[place], right[place]
        told, right = (
            [told["stream"], told["how"], told["outcome"]],
            [right["stream"], right["how"], right["outcome"]],
        )
        return f"the luck is {_quoted(told)}, and secret and nonces give {_quoted(right)}"
    return f"{facts['field']} is {_quoted(told)}, and must be {_quoted(right)}"


def _illegal(facts: Plain) -> str:
    more = ", ".join(f"{name} {_quoted(value)}" for name, value in facts["facts"].items())
    return f"the rules do not allow it ({facts['why'].replace('_', ' ')}{': ' if more else ''}{more})"


_PROBLEMS: dict[str, Callable[[Plain], str]] = {
    "game": lambda facts: f"there is no game {_quoted(facts['game'])}; there are {listed(facts['known'])}",
    "seats": lambda facts: (
        f"there is no seat {facts['seat']} among {facts['seats']}"
        if "seat" in facts
        else f"the game is not for {facts['seats']} players"
    ),
    "options": lambda facts: f"option {facts['where']} {facts['problem']}",
    "commitment": lambda facts: f"the commitment is not the hash of the secret, {facts['right']}",
    "action": lambda facts: f"action.{facts['where']} {facts['problem']}",
    "illegal": _illegal,
    "differs": _differs,
    "missing": lambda facts: f"is missing; the rules go on with {facts['cause'].replace('_', ' ')}",
    "time": lambda facts: f"was at {facts['at']} ms, before the entry before it ({facts['before']} ms)",
    "unfinished": lambda _: "by the rules the game goes on: entries are missing",
    "result": _differs,
    "hash": lambda _: "the hash is not that of what stands there and before it: one of them was changed",
    "head": lambda facts: (
        f"the head is {facts['told']} and not the one you gave; the change may be anywhere, "
        "also where it contradicts nothing"
    ),
}
"""By the code of the fault."""
