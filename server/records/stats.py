"""Statistics of finished games: who plays, who wins, against whom, and how often in a row."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import attrs


class PlayedGame(Protocol):
    """What is needed of a finished game. Lists have one entry for each seat."""

    @property
    def game(self) -> str: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def bots(self) -> Sequence[bool]: ...
    @property
    def places(self) -> Sequence[int]: ...
    @property
    def winners(self) -> Sequence[int]: ...
    @property
    def ended(self) -> int: ...


@attrs.define
class Tally:
    """Games of one kind that somebody has played."""

    game: str
    games: int = 0
    wins: int = 0
    drawn: int = 0
    """Games that nobody won."""


@attrs.define
class Rivalry:
    """How often a player came out ahead of another at the same table, and behind; partners are level."""

    name: str
    games: int = 0
    ahead: int = 0
    behind: int = 0
    level: int = 0


@attrs.define
class Player:
    """Everything about one name. A streak is of games won in a row: the current one, and the best."""

    name: str
    bot: bool
    games: int = 0
    wins: int = 0
    drawn: int = 0
    streak: int = 0
    best_streak: int = 0
    last: int = 0
    """When the latest game ended."""
    by_game: list[Tally] = attrs.field(factory=list)
    against: list[Rivalry] = attrs.field(factory=list)


@attrs.frozen
class Statistics:
    """Players by their wins, the most first."""

    games: int
    since: int | None
    until: int | None
    players: tuple[Player, ...]


def statistics(rows: Iterable[PlayedGame]) -> Statistics:
    """Counts games, oldest first. A name belongs to one player for good."""
    games = sorted(rows, key=lambda row: row.ended)
    players: dict[str, Player] = {}
    for row in games:
        for seat, name in enumerate(row.names):
            player = players.setdefault(name, Player(name, row.bots[seat]))
            player.bot = row.bots[seat]
            _count(player, row, seat)
        for seat, name in enumerate(row.names):
            for other, rival in enumerate(row.names):
                if rival != name:
                    _meet(players[name], rival, row.places[seat], row.places[other])
    for player in players.values():
        player.by_game.sort(key=lambda tally: (-tally.games, tally.game))
        player.against.sort(key=lambda rivalry: (-rivalry.games, rivalry.name))
    ranked = sorted(players.values(), key=lambda player: (-player.wins, player.games, player.name))
    since, until = (games[0].ended, games[-1].ended) if games else (None, None)
    return Statistics(len(games), since, until, tuple(ranked))


def _count(player: Player, row: PlayedGame, seat: int) -> None:
    won, drawn = seat in row.winners, not row.winners
    tally = next((tally for tally in player.by_game if tally.game == row.game), None)
    if tally is None:
        tally = Tally(row.game)
        player.by_game.append(tally)
    for counted in (player, tally):
        counted.games += 1
        counted.wins += won
        counted.drawn += drawn
    player.streak = player.streak + 1 if won else 0
    player.best_streak = max(player.best_streak, player.streak)
    player.last = row.ended


def _meet(player: Player, rival: str, place: int, other: int) -> None:
    """`rival` is a key until all games are counted: a player may spell the name differently next time."""
    rivalry = next((rivalry for rivalry in player.against if rivalry.name == rival), None)
    if rivalry is None:
        rivalry = Rivalry(rival)
        player.against.append(rivalry)
    rivalry.games += 1
    rivalry.ahead += place < other
    rivalry.behind += place > other
    rivalry.level += place == other
