"""Tournaments in words: formats, phases, and what the rules of one say."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from parlour.client.language import Texts
from parlour.client.language.safe import one_line

Plain = Mapping[str, Any]
FAILURES = ("late", "crashed", "absent", "illegal")


def decimal(value: float, digits: int) -> str:
    """A number with at most so many digits behind the point, and no zeros at its end for a whole half."""
    told = f"{value + 0.0:.{digits}f}"
    return told.rstrip("0").rstrip(".") if digits == 1 else told


def format_name(word: str, texts: Texts) -> str:
    return texts.or_else(f"tournament.format.{word}", word.replace("_", " "))


def phase_name(word: str, texts: Texts) -> str:
    return texts.or_else(f"tournament.phase.{word}", word.replace("_", " "))


def tie_break_name(word: str, texts: Texts) -> str:
    return texts.or_else(f"tournament.tie_break.{word}", word.replace("_", " "))


def seconds(value: float, texts: Texts) -> str:
    return texts.number(f"{value:g}")


def rules_lines(rules: Plain, texts: Texts) -> list[str]:
    """What whoever enters should know, a sentence each."""
    game = texts.or_else(f"game.{rules['game']}", rules["game"])
    entry = rules["entry"]
    lines = [
        texts("tournament.rule.tables", game=game, seats=rules["seats"], count=rules["games"]),
        _rounds(rules, texts),
        *_clocks(rules["clocks"], texts),
        texts(f"tournament.who.{entry['who']}", names=one_line(texts("list.between").join(entry["names"]))),
        *([texts("tournament.rule.invitation")] if entry.get("invitation") else []),
        *([texts("tournament.rule.one_per_address")] if entry.get("one_per_address") else []),
        texts("tournament.rule.field", least=max(entry["least"], rules["seats"]), most=entry["most"]),
        texts("tournament.rule.late", round=entry["late"])
        if entry["late"]
        else texts("tournament.rule.no_late"),
        *([texts("tournament.rule.starts", time=clock(rules["starts"]))] if rules["starts"] else []),
        texts("tournament.rule.no_hints"),
        *_failures(rules, texts),
        texts(f"tournament.bye.{rules['bye']}"),
    ]
    breaks = rules["tie_breaks"] or (
        ["buchholz", "sonneborn_berger", "head_to_head"] if rules["seats"] == 2 else ["mean_place"]
    )
    if rules["format"] != "knockout":
        named = texts("list.between").join(tie_break_name(each, texts) for each in breaks)
        lines.append(texts("tournament.rule.tie_breaks", breaks=named))
    lines.append(texts("tournament.rule.seed", seed=one_line(rules["seed"])))
    return lines


def clock(when: int) -> str:
    """Seconds since 1970 as this machine tells the time."""
    try:
        return datetime.fromtimestamp(when).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "?"


def _rounds(rules: Plain, texts: Texts) -> str:
    if rules["rounds"] is None:
        return texts("tournament.rule.rounds_follow")
    return texts("tournament.rule.rounds", count=rules["rounds"])


def _clocks(clocks: Plain, texts: Texts) -> list[str]:
    if clocks.get("decision") is None:
        return [texts("tournament.rule.no_clock")]
    return [texts("tournament.rule.clock", seconds=seconds(clocks["decision"], texts))]


def _failures(rules: Plain, texts: Texts) -> list[str]:
    clocks, failures = rules["clocks"], rules["failures"]
    told = [
        texts(f"tournament.rule.failing.{kind}", remedy=texts(f"tournament.remedy.{failures[kind]}"))
        for kind in FAILURES
    ]
    if any(failures[kind] == "default" for kind in FAILURES):
        told.append(texts("tournament.rule.default"))
    if clocks.get("decision") is not None:
        told.append(texts(f"tournament.rule.thrice.{clocks.get('late', 'stand_in')}"))
    if any(failures[kind] == "strike" for kind in FAILURES):
        told.append(texts("tournament.rule.strikes", count=failures["strikes"]))
    return told
