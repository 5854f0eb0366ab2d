"""A tournament's report: one page of HTML that needs no network and no script, in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from parlour.client.language import Texts
from parlour.client.tournaments.charts import STYLE as CHARTS
from parlour.client.tournaments.charts import (
    Range,
    bars,
    curve,
    escaped,
    fixed,
    limits,
    named,
    range_text,
    ranges,
)
from parlour.client.tournaments.texts import decimal, format_name, rules_lines, tie_break_name
from parlour.protocol.version import build

Plain = Mapping[str, Any]
SHARE, ADJUSTED = (0.0, 1.0), (-1.0, 1.0)
"""Between what a mean can be; intervals are cut to that already."""
HASTY = 0.01
"""Seconds for a move of which three digits would say next to nothing."""
KINDS = ("late", "crashed", "illegal", "absent")
STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fdfcf8; --faint: #656b75; --line: #d9d6cc;
  --one: #0b6e99; --wash: #f1efe7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6df; --paper: #16191f; --faint: #9aa0ab;
  --line: #343a45; --one: #66b8dd; --wash: #1f242c; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 72rem; padding: 1rem; }
h1 { line-height: 1.2; overflow-wrap: anywhere; } h2 { margin-top: 2.5rem; }
p, li { max-width: 48rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums;
  font-size: .94rem; }
th, td { padding: .25rem .5rem; text-align: right; border-bottom: 1px solid var(--line); }
th { font-weight: 600; line-height: 1.2; vertical-align: bottom; word-break: keep-all; }
td { white-space: nowrap; }
.name { text-align: left; position: sticky; left: 0; background: var(--paper); }
td.name { white-space: normal; overflow-wrap: anywhere; min-width: 8rem; line-height: 1.3; }
tr:nth-child(even) td { background: var(--wash); }
small, .faint { color: var(--faint); } .range { display: block; line-height: 1.1; }
@media (max-width: 40rem) { body { font-size: 15px; } th, td { padding: .25rem .4rem; } }
@media print { .wide { overflow: visible; } }
code { overflow-wrap: anywhere; font-size: .85em; }
td code { white-space: normal; }
"""
SAFE = "default-src 'none'; style-src 'unsafe-inline'"


class Facts(Protocol):
    """What the files of a tournament's folder say: see server/tournament/export/files.py."""

    @property
    def tournament(self) -> Plain: ...
    @property
    def standings(self) -> Sequence[Plain]: ...
    @property
    def crosstable(self) -> Plain: ...


def report(facts: Facts, texts: Texts) -> str:
    """The whole page."""
    rules = facts.tournament["rules"]
    title = escaped(rules["name"])
    parts = [
        part(facts, texts)
        for part in (_about, _standings, _means, _cross, _ratings, _time, _failed, _shared, _luck)
    ]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{texts.language}">',
            '<head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{SAFE}">',
            f'<meta name="generator" content="{escaped(build())}">',
            f"<title>{title}</title>",
            f"<style>{STYLE}{CHARTS}</style></head>",
            f"<body><h1>{title}</h1>",
            *[part for part in parts if part],
            "</body></html>",
            "",
        ]
    )


def _section(title: str, *parts: str, note: str = "") -> str:
    told = [f"<p>{escaped(note)}</p>"] if note else []
    return "\n".join([f"<section><h2>{escaped(title)}</h2>", *told, *parts, "</section>"])


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], name: int = 0) -> str:
    """Cells are HTML already; the column with names stays when one scrolls."""

    def row(cells: Sequence[str], tag: str) -> str:
        classes = [' class="name"' if at == name else "" for at in range(len(cells))]
        told = [f"<{tag}{kind}>{cell}</{tag}>" for kind, cell in zip(classes, cells, strict=True)]
        return f"<tr>{''.join(told)}</tr>"

    body = "\n".join(row(cells, "td") for cells in rows)
    head = f"<thead>{row(heads, 'th')}</thead>"
    return f'<div class="wide"><table>\n{head}\n<tbody>\n{body}\n</tbody></table></div>'


def _about(facts: Facts, texts: Texts) -> str:
    told = facts.tournament
    lines = rules_lines(told["rules"], texts)
    games = sum(event["type"] == "game_finished" for event in told["events"])
    played = texts(
        "report.played",
        entrants=texts("report.entrants", count=len(told["entrants"])),
        rounds=texts("report.rounds", count=len(told["ratings"]) - 1),
        games=texts("report.games_played", count=games),
    )
    made = texts("report.made", build=told["build"], tournament=told["tournament"])
    items = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    kind = escaped(format_name(told["rules"]["format"], texts))
    return f'<p>{kind} · {escaped(played)}</p><ul>{items}</ul><p class="faint">{escaped(made)}</p>'


def _standings(facts: Facts, texts: Texts) -> str:
    breaks = _breaks(facts)
    heads = [
        texts("report.rank"),
        texts("report.name"),
        texts("report.points"),
        *[tie_break_name(each, texts) for each in breaks],
        texts("report.games"),
        texts("report.wins"),
        texts("report.byes"),
        texts("report.share"),
        texts("report.adjusted"),
        texts("report.rating"),
    ]
    rows = [
        [
            str(row["rank"]),
            _called(row, texts),
            decimal(row["points"], 1),
            *[decimal(row["tie_breaks"][each], 2) for each in breaks],
            *[str(row[each]) for each in ("games", "wins", "byes")],
            _ranged(row["share"], 3),
            _ranged(row["adjusted"], 3),
            _ranged(row["rating"], 1),
        ]
        for row in facts.standings
    ]
    table = _table([escaped(head) for head in heads], rows, name=1)
    return _section(texts("report.standings"), table, note=texts("report.intervals"))


def _breaks(facts: Facts) -> list[str]:
    """Those that told somebody apart: a knockout goes by how far one came."""
    if not facts.standings or facts.tournament["rules"]["format"] == "knockout":
        return []
    return list(facts.standings[0]["tie_breaks"])


def _called(row: Plain, texts: Texts) -> str:
    marks = [texts("records.bot")] * bool(row["bot"]) + [texts("report.gone")] * bool(row["gone"])
    return named(row["name"]) + "".join(f" <small>{escaped(mark)}</small>" for mark in marks)


def _ranged(mean: Plain, digits: int) -> str:
    """`0.612`, and below it its interval in small letters."""
    if mean["mean"] is None:
        return "–"
    told = fixed(mean["mean"], digits)
    if mean["low"] is None:
        return told
    low, high = fixed(mean["low"], digits), fixed(mean["high"], digits)
    return f'{told} <small class="range">{low} … {high}</small>'


def _means(facts: Facts, texts: Texts) -> str:
    def chart(field: str, title: str, within: tuple[float, float], note: str = "") -> list[str]:
        rows = [(row["name"], _range(row[field])) for row in facts.standings]
        if not any(each for _, each in rows):
            return []
        told = [f"<p>{escaped(note)}</p>"] if note else []
        return [f"<h3>{escaped(title)}</h3>", *told, ranges(rows, *within)]

    charts = [
        *chart("share", texts("report.share"), SHARE),
        *chart("adjusted", texts("report.adjusted"), ADJUSTED, texts("report.adjusted_note")),
    ]
    return _section(texts("report.means"), *charts, note=texts("report.means_note")) if charts else ""


def _range(mean: Plain) -> Range | None:
    return None if mean["mean"] is None else Range(mean["mean"], mean["low"], mean["high"])


def _cross(facts: Facts, texts: Texts) -> str:
    names, cells = facts.crosstable["names"], facts.crosstable["cells"]

    def cell(one: str, other: str) -> str:
        if one == other:
            return "·"
        met = cells.get(one, {}).get(other)
        return "" if met is None else f"{decimal(met['points'], 1)} <small>/ {met['games']}</small>"

    heads = ["", *[f'<span title="{escaped(name)}">{at}</span>' for at, name in enumerate(names, 1)]]
    rows = [
        [f"{at}. {named(one)}", *[cell(one, other) for other in names]] for at, one in enumerate(names, 1)
    ]
    return _section(texts("report.crosstable"), _table(heads, rows), note=texts("report.cross_note"))


def _ratings(facts: Facts, texts: Texts) -> str:
    points = facts.tournament["ratings"]
    drawn = {row["name"]: [_certain(at[row["name"]]) for at in points] for row in facts.standings}
    within = limits([each for line in drawn.values() for each in line])
    figures = [
        f"<figure><figcaption>{named(name)} <small>{fixed(line[-1].middle, 1)}</small></figcaption>\n"
        f"{curve(line, within, f'{name}: {range_text(line[-1], 1)}')}</figure>"
        for name, line in drawn.items()
    ]
    grid = "\n".join(['<div class="curves">', *figures, "</div>"])
    return _section(texts("report.ratings"), grid, note=texts("report.ratings_note"))


def _certain(rating: Plain) -> Range:
    return Range(rating["mean"], rating["low"], rating["high"])


def _time(facts: Facts, texts: Texts) -> str:
    known = [row for row in facts.standings if row["thinking"] is not None]
    if not known:
        return ""
    rows = [
        (row["name"], row["thinking"]["seconds"], texts("report.seconds", seconds=_each(row["thinking"])))
        for row in known
    ]
    return _section(texts("report.time"), bars(rows), note=texts("report.time_note"))


def _each(thinking: Plain) -> str:
    moves: int = thinking["moves"]
    mean = thinking["seconds"] / moves if moves else 0.0
    return decimal(mean, 3 if mean >= HASTY or not mean else 4)


def _failed(facts: Facts, texts: Texts) -> str:
    rows = [
        [
            _called(row, texts),
            *[str(row["failures"][kind]) for kind in KINDS],
            str(row["forfeits"]),
            str(row["strikes"]),
        ]
        for row in facts.standings
        if any(row["failures"].values()) or row["forfeits"] or row["strikes"]
    ]
    if not rows:
        return _section(texts("report.failures"), note=texts("report.no_failures"))
    kinds = [texts(f"tournament.failure.{kind}") for kind in KINDS]
    heads = [texts("report.name"), *kinds, texts("report.forfeits"), texts("report.strikes")]
    return _section(texts("report.failures"), _table([escaped(head) for head in heads], rows))


def _shared(facts: Facts, texts: Texts) -> str:
    """Who entered from the same address; nothing where the log has no addresses."""
    entrants = facts.tournament["entrants"]
    known: dict[str, list[str]] = {}
    for one in entrants:
        if one["address"]:
            known.setdefault(one["address"], []).append(one["name"])
    if not known:
        return ""
    groups = [", ".join(named(name) for name in names) for names in known.values() if len(names) > 1]
    if not groups:
        return _section(texts("report.shared"), note=texts("report.shared_none"))
    table = _table([escaped(texts("report.shared_names"))], [[group] for group in groups])
    return _section(texts("report.shared"), table, note=texts("report.shared_note"))


def _luck(facts: Facts, texts: Texts) -> str:
    told = facts.tournament
    secrets = [(texts("report.published"), told["published"] or "–")]
    secrets += [(texts("report.round", round=at), each) for at, each in enumerate(told["secrets"], 1)]
    rows = [[escaped(name), f"<code>{escaped(secret)}</code>"] for name, secret in secrets]
    command = "<p><code>parlour tournament verify .</code></p>"
    return _section(
        texts("report.luck"),
        command,
        f"<details><summary>{escaped(texts('report.secrets'))}</summary>{_table(['', ''], rows)}</details>",
        note=texts("report.luck_note"),
    )
