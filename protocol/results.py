"""What `ok.result` is, by command: for the schema, and for readers in other languages."""

from collections.abc import Mapping

import attrs

from parlour.protocol import messages as m
from parlour.protocol.message import Plain

# Each class is the map that the command's `ok` brings.


@attrs.frozen
class PingResult:
    """The server is there."""

    now: float


@attrs.frozen
class GamesResult:
    """What can be played here."""

    games: tuple[m.GameInfo, ...]


@attrs.frozen
class TablesResult:
    """The public tables."""

    tables: tuple[m.TableInfo, ...]


@attrs.frozen
class CreateTableResult:
    """Your table: its code if it is private, and your seat."""

    table: str
    code: str | None
    seat: int


@attrs.frozen
class JoinResult:
    """Where you sit now."""

    table: str
    seat: int


@attrs.frozen
class WatchResult:
    """What you watch."""

    table: str


@attrs.frozen
class SitResult:
    """Your new seat."""

    seat: int


@attrs.frozen
class AddBotResult:
    """Where the bot sits, and what it is called."""

    seat: int
    name: str


@attrs.frozen
class ResumeResult:
    """Whether a snapshot came in the place of single events."""

    snapshot: bool


@attrs.frozen
class PlayedGame:
    """A game that was played to its end. Lists go by seat; times are milliseconds since 1970."""

    id: str
    game: str
    names: tuple[str, ...]
    bots: tuple[bool, ...]
    places: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    started: int
    ended: int


@attrs.frozen
class PlayedResult:
    """Your games, the newest first."""

    games: tuple[PlayedGame, ...]


@attrs.frozen
class ReplayFile:
    """A replay file: PROTOCOL.md, appendix E."""

    header: Plain
    journal: tuple[Plain, ...]
    end: Plain


@attrs.frozen
class ReplayResult:
    """One game from the deal to the end."""

    replay: ReplayFile


@attrs.frozen
class ReplayEntry:
    """An entry of a game as it is shown: who acted, the view after it, and its news."""

    seat: int | None
    view: Plain
    news: tuple[Plain, ...]


@attrs.frozen
class ReplayOutcome:
    """How a game ended that is shown."""

    winners: tuple[int, ...]
    places: tuple[int, ...]
    reason: str


@attrs.frozen
class ReplayViewResult:
    """A part of a game as a seat saw it; `total` counts all its entries."""

    game: str
    names: tuple[str, ...]
    total: int
    entries: tuple[ReplayEntry, ...]
    result: ReplayOutcome


@attrs.frozen
class RankedAction:
    """An action, and what a strategy thinks of it by its measure, after so many games that it tried out."""

    action: Plain
    measure: str
    evaluation: float
    games: int


@attrs.frozen
class HintResult:
    """What a strategy would play in answer to the question of this turn, the best first."""

    turn: int
    ranked: tuple[RankedAction, ...]


@attrs.frozen
class SubstituteResult:
    """The bot that plays the seat; null if it was taken out."""

    name: str | None


@attrs.frozen
class TournamentsResult:
    """Which tournaments there are."""

    tournaments: tuple[m.TournamentInfo, ...]


@attrs.frozen
class CreateTournamentResult:
    """Your tournament, and the code that entering takes if its rules ask for one."""

    tournament: str
    code: str | None


@attrs.frozen
class LogLine:
    """A line of a log: its number, when it was written (milliseconds since 1970), and its JSON."""

    number: int
    at: int
    line: str


@attrs.frozen
class TournamentLogResult:
    """A page of a log, and what to ask for `after` next; null: there are no more lines."""

    lines: tuple[LogLine, ...]
    next: int | None


RESULTS: Mapping[type[m.Command], type | None] = {
    m.Ping: PingResult,
    m.Games: GamesResult,
    m.ListTables: TablesResult,
    m.WatchLobby: TablesResult,
    m.CreateTable: CreateTableResult,
    m.Join: JoinResult,
    m.Watch: WatchResult,
    m.Sit: SitResult,
    m.AddBot: AddBotResult,
    m.Substitute: SubstituteResult,
    m.Hint: HintResult,
    m.Resume: ResumeResult,
    m.Played: PlayedResult,
    m.Replay: ReplayResult,
    m.ReplayView: ReplayViewResult,
    m.Tournaments: TournamentsResult,
    m.CreateTournament: CreateTournamentResult,
    m.WatchTournament: m.Picture,
    m.TournamentLog: TournamentLogResult,
}
"""Commands that are not here bring null."""
OR_NULL: tuple[type[m.Command], ...] = (m.WatchLobby, m.WatchTournament)
"""Those that bring null when `on` is false."""
