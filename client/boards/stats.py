"""`parlour stats` as people read it: who won how often, game by game, and who came out before whom."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from prompt_toolkit.utils import get_cwidth

from parlour.client.boards.text import WIDTH, clipped
from parlour.client.language import ENGLISH, Texts
from parlour.client.language.safe import one_line

NAME = 18
"""Columns for a name; longer ones are cut."""
Plain = Mapping[str, Any]


def moment(milliseconds: int) -> str:
    """A time of the wall clock, in this machine's zone."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "?"


def table(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Columns side by side: the first so many start at the left, the others, numbers, end at the right."""
    widths = [max(get_cwidth(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        blanks = [" " * (width - get_cwidth(cell)) for cell, width in zip(row, widths, strict=True)]
        pairs = enumerate(zip(row, blanks, strict=True))
        cells = [cell + blank if column < left else blank + cell for column, (cell, blank) in pairs]
        lines.append("  ".join(cells).rstrip())
    return lines


def called(player: Plain, texts: Texts) -> str:
    """A name as it may go to a terminal, with a mark for a bot."""
    mark = texts("records.named_bot", name="") if player.get("bot") else ""
    return clipped(one_line(player["name"]), NAME - get_cwidth(mark)) + mark


def game_name(game: str, texts: Texts) -> str:
    """As people call it; one that has no name here by its word for commands."""
    return texts.or_else(f"game.{game}", game)


def lines(stats: Plain, texts: Texts = ENGLISH) -> list[str]:
    """All of it, ready to print."""
    if not stats["players"]:
        return [texts("records.none")]
    players = stats["players"]
    span = {"since": moment(stats["since"]), "until": moment(stats["until"])}
    heads = [
        texts("stats.player"),
        texts("stats.games"),
        texts("stats.won"),
        "",
        texts("stats.drawn"),
        texts("stats.in_a_row"),
        texts("stats.best"),
    ]
    return [
        texts("stats.span", count=stats["games"], **span),
        "",
        *table([heads, *[_row(player, texts) for player in players]]),
        "",
        texts("stats.by_game"),
        *table(_by_game(players, texts)),
        *_head_to_head(players, texts),
    ]


def _row(player: Plain, texts: Texts) -> tuple[str, ...]:
    share = f"{100 * player['wins'] // player['games']}%"
    counts = [str(player[name]) for name in ("drawn", "streak", "best_streak")]
    return called(player, texts), str(player["games"]), str(player["wins"]), share, *counts


def _by_game(players: Sequence[Plain], texts: Texts) -> list[tuple[str, ...]]:
    games = sorted({tally["game"] for player in players for tally in player["by_game"]})
    rows = [(texts("stats.player"), *[game_name(game, texts) for game in games])]
    for player in players:
        tallies = {tally["game"]: f"{tally['wins']} / {tally['games']}" for tally in player["by_game"]}
        rows.append((called(player, texts), *[tallies.get(game, "") for game in games]))
    return rows


def _head_to_head(players: Sequence[Plain], texts: Texts) -> list[str]:
    """Those who play most, as many as fit: each row's player came out before the column's so often."""
    most = sorted(players, key=lambda player: -player["games"])
    while len(most) > 1:
        grid = table(_grid(most, texts))
        if max(map(get_cwidth, grid)) <= WIDTH:
            some = len(most) < len(players)
            return ["", texts("stats.head_some", count=len(most)) if some else texts("stats.head"), *grid]
        most.pop()
    return []


def _grid(players: Sequence[Plain], texts: Texts) -> list[tuple[str, ...]]:
    rows = [("", *[called(player, texts) for player in players])]
    for player in players:
        met = {rival["name"]: f"{rival['ahead']} : {rival['behind']}" for rival in player["against"]}
        rows.append((called(player, texts), *[met.get(other["name"], "") for other in players]))
    return rows
