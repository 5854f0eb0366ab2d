"""A tournament as lines of text: the list, standings, the crosstable, who plays whom, who takes part."""

from collections.abc import Mapping, Sequence

from prompt_toolkit.utils import get_cwidth

from parlour.client.boards.stats import table
from parlour.client.boards.text import WIDTH, clipped
from parlour.client.following import Followed
from parlour.client.language import Texts
from parlour.client.language.safe import safe
from parlour.client.tournaments.texts import clock, decimal, format_name, phase_name
from parlour.protocol import messages as m

NAME = 18
"""Columns for a name; longer ones are cut."""
PHASE = 44
"""Columns for a phase in the list, where an organiser's reason may be long."""


def name_of(name: str, width: int = NAME) -> str:
    return clipped(safe(name), width)


def game_of(info: m.TournamentInfo, texts: Texts) -> str:
    return texts.or_else(f"game.{info.game}", safe(info.game))


def list_lines(infos: Sequence[m.TournamentInfo], texts: Texts) -> list[str]:
    """A line for each tournament, the newest first."""
    if not infos:
        return [texts("tournaments.none")]
    heads = (
        "id",
        *[texts(f"tournaments.column.{each}") for each in ("name", "game", "format", "phase", "entrants")],
    )
    rows = [
        (
            safe(info.tournament),
            name_of(info.name, 30),
            game_of(info, texts),
            format_name(info.format, texts),
            clipped(phase_line(info, texts), PHASE),
            str(info.entrants),
        )
        for info in infos
    ]
    return table([heads, *rows], left=5)


def phase_line(info: m.TournamentInfo, texts: Texts) -> str:
    """The phase, with what one wants to know in it, and why it came to that."""
    told, why = _in_phase(info, texts), reason(info, texts)
    return texts("tournaments.because", phase=told, why=why) if why else told


def reason(info: m.TournamentInfo, texts: Texts) -> str:
    """Why it is in its phase, by its organiser or by the server; empty if nobody said so."""
    return texts(f"tournaments.cause.{info.cause}") if info.cause else safe(info.why)


def _in_phase(info: m.TournamentInfo, texts: Texts) -> str:
    phase = phase_name(info.phase, texts)
    if info.phase in ("running", "paused") and info.round:
        key = "tournaments.in_round" if info.rounds is None else "tournaments.in_round_of"
        return texts(key, phase=phase, round=info.round, rounds=info.rounds)
    if info.phase == "check_in":
        return texts("tournaments.in_check_in", phase=phase, there=info.checked_in, entrants=info.entrants)
    if info.phase in ("announced", "registration") and info.starts is not None:
        return texts("tournaments.starts", phase=phase, time=clock(info.starts))
    return phase


def head_lines(followed: Followed, texts: Texts) -> list[str]:
    """What it is and how it stands, in two lines."""
    info = followed.info
    kind = texts(
        "tournaments.kind",
        game=game_of(info, texts),
        format=format_name(info.format, texts),
        count=info.entrants,
        organiser=safe(info.organiser),
    )
    return [kind, phase_line(info, texts)]


# Standings


def standings_lines(followed: Followed, texts: Texts, most: int | None = None) -> list[str]:
    """From the first place down, with the errors of all means."""
    if not followed.standings:
        return [texts("tournaments.no_standings")]
    columns = ("points", "games", "share", "adjusted", "rating")
    heads = (
        texts("report.rank"),
        texts("tournaments.column.name"),
        *[texts(f"tournaments.column.{each}") for each in columns],
    )
    rows = [heads]
    for row in followed.standings[:most]:
        rating = followed.ratings.get(row.name)
        rows.append(
            (
                f"{row.rank}.",
                _marked(row, texts),
                texts.number(decimal(row.points, 1)),
                str(row.games),
                texts.number(_with_error(row.share.mean, row.share.low, row.share.high, 2)),
                texts.number(
                    _with_error(row.adjusted.mean, row.adjusted.low, row.adjusted.high, 2, signed=True)
                ),
                "" if rating is None else texts.number(_with_error(rating.mean, rating.low, rating.high, 1)),
            )
        )
    return table(rows, left=2)


def _marked(row: m.Standing, texts: Texts) -> str:
    mark = f" {texts('report.gone')}" if row.gone else ""
    return name_of(row.name, NAME - get_cwidth(mark)) + mark


def _with_error(
    mean: float | None, low: float | None, high: float | None, digits: int, *, signed: bool = False
) -> str:
    """`0.61 ±0.08`: the half of the interval that holds the truth 95 times in 100."""
    if mean is None:
        return ""
    told = f"{mean:+.{digits}f}" if signed else f"{mean:.{digits}f}"
    half = 0.0 if low is None or high is None else (high - low) / 2
    # Ratings go far; means are within 1 of each other, and after few games an interval may be wider.
    half = half if digits == 1 else min(half, 1.0)
    return f"{told} ±{half:.{digits}f}" if half else told


# The crosstable


def cross_lines(followed: Followed, texts: Texts, width: int = WIDTH) -> list[str]:
    """Everybody against everybody, in the order of the standings; as many columns side by side as fit."""
    names = [row.name for row in followed.standings]
    if not followed.crosstable:
        return [texts("tournaments.no_games")]
    cells = {(one, other): _cell(followed, one, other) for one in names for other in names}
    wide = max(map(get_cwidth, cells.values())) + 2
    first = min(NAME, max(map(get_cwidth, map(safe, names)))) + len(f"{len(names)}. ")
    room = max(1, (width - first) // wide)
    lines: list[str] = []
    for start in range(0, len(names), room):
        across = names[start : start + room]
        heads = ("", *[str(start + at) for at in range(1, len(across) + 1)])
        rows = [
            (f"{at}. {name_of(one)}", *[cells[one, other] for other in across])
            for at, one in enumerate(names, 1)
        ]
        lines += [*([""] if lines else []), *_padded([heads, *rows], wide - 2)]
    return lines


def _cell(followed: Followed, one: str, other: str) -> str:
    if one == other:
        return "·"
    cross = followed.crosstable.get((one, other))
    return "" if cross is None else f"{decimal(cross.points, 1)}/{cross.games}"


def _padded(rows: Sequence[Sequence[str]], least: int) -> list[str]:
    """All blocks of a crosstable have columns of one width."""
    return table([(row[0], *[cell.rjust(least) for cell in row[1:]]) for row in rows])


# Who plays whom


def pairing_lines(followed: Followed, texts: Texts) -> list[str]:
    """The tables of the round that was paired last, with what is known of their games."""
    round_ = followed.round
    if round_ is None:
        return [texts("tournaments.not_paired")]
    lines = [texts("tournaments.round", round=round_.round)]
    rows = []
    for paired in round_.tables:
        stake = f" {texts(f'tournaments.stake.{paired.stake}')}" if paired.stake else ""
        names = " – ".join(name_of(name) for name in paired.players)
        rows.append((f"{paired.number}.", f"{names}{stake}", _games(followed, round_.round, paired)))
    lines += table(rows, left=3) if rows else []
    if round_.byes:
        lines.append(texts("tournaments.byes", names=texts.listed([name_of(name) for name in round_.byes])))
    return lines


def _games(followed: Followed, round_: int, paired: m.PairedTable) -> str:
    """What each finished game brought, in the order of the names: `1-0 0-1 …`."""
    told = []
    for game in range(int(followed.rules["games"])):
        result = followed.results.get((round_, paired.number, game))
        if result is None:
            told.append("…")
        else:
            places = dict(zip(result.players, result.places, strict=True))
            told.append("-".join(decimal(_points(places, name), 1) for name in paired.players))
    return "  ".join(told)


def _points(places: Mapping[str, int], name: str) -> float:
    """One for each opponent beaten, a half for each with the same place."""
    worse = sum(place > places[name] for place in places.values())
    return worse + (sum(place == places[name] for place in places.values()) - 1) / 2


def entrant_lines(followed: Followed, texts: Texts) -> list[str]:
    """Everybody, in the order in which they came."""
    if not followed.entrants:
        return [texts("tournaments.nobody")]
    rows = []
    for entrant in followed.entrants.values():
        marks = [
            texts("records.bot") if entrant.bot else "",
            texts("tournaments.is_gone")
            if entrant.gone
            else texts("tournaments.is_there")
            if entrant.checked_in
            else "",
        ]
        rows.append((name_of(entrant.name, 24), " ".join(mark for mark in marks if mark)))
    return table(rows, left=2)


def result_line(result: m.GameResult, texts: Texts) -> str:
    """One game that is over, by its places."""
    order = sorted(zip(result.places, result.players, strict=True))
    names = "  ".join(f"{place}. {name_of(name)}" for place, name in order)
    facts = {"round": result.round, "table": result.table, "game": result.game + 1, "names": names}
    return texts("tournaments.void" if result.void else "tournaments.result", **facts)
