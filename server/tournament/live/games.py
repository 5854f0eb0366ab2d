"""The games of a tournament: the table for each, dealt from the round's secret, and its result."""

from collections.abc import Collection, Iterable, Mapping

from parlour.engine.catalogue import GAMES
from parlour.protocol.messages import REACTION
from parlour.server.people.session import Session
from parlour.server.tables.seats import SeatedPlayer, Settings, Terms
from parlour.server.tables.table import Table
from parlour.server.tournament import deals
from parlour.server.tournament.events import GameBegun
from parlour.server.tournament.history import Failure, Name, PairedTable, Pairing, Result
from parlour.server.tournament.state import Tournament

Spot = tuple[int, int]
"""A table of the round and a game at it."""
SPARES = 2
"""How often a game that broke off is dealt again before it is void."""


def round_of(state: Tournament) -> Pairing:
    if state.round is None:
        raise RuntimeError("no round is being played")
    return state.round


def paired(state: Tournament, number: int) -> PairedTable:
    return next(table for table in round_of(state).tables if table.number == number)


def next_games(state: Tournament) -> list[Spot]:
    """The first game of each table that is not finished: they are played one after the other."""
    first: dict[int, int] = {}
    for table, game in state.open_games():
        first.setdefault(table, game)
    return sorted(first.items(), key=lambda spot: (spot[1], spot[0]))


def begun(state: Tournament, tournament_id: str, spot: Spot) -> GameBegun:
    """Begins the next game at a table: on the deal of its number or, if it broke off, on an unknown one."""
    round_, (table, game) = round_of(state).round, spot
    tries = len(state.begun.get(spot, ()))
    anew = sum(len(each) - 1 for each in state.begun.values())
    at = f"{tournament_id}-{round_}-{table}-{game + 1}"
    if not tries:
        return GameBegun(round_, table, game, at)
    return GameBegun(round_, table, game, f"{at}-{tries + 1}", spare=state.rules.games + anew)


def open_table(
    state: Tournament, tournament_id: str, game: GameBegun, sessions: Mapping[str, Session]
) -> Table:
    """Makes a table with all players seated and ready; nobody may watch, and nobody is its host."""
    rules = state.rules
    kind = GAMES[rules.game]
    settings = Settings(
        game=kind,
        seats=rules.seats,
        options=kind.read_options(rules.options, rules.seats),
        public=False,
        bots=True,
        watching="nobody",
        clocks=rules.clocks,
        reaction=REACTION,
        hints=False,
        terms=Terms(tournament_id, rules.failures),
    )
    players: list[SeatedPlayer | None] = []
    for name in paired(state, game.table).seating(game.game):
        session = sessions.get(name)
        here = session is not None and session.peer is not None
        trip = session.round_trip if session is not None else 0.0
        bot = state.entrants[name].bot
        players.append(SeatedPlayer(name, bot, here, ready=True, round_trip=trip))
    return Table(game.at, None, settings, key(state, game), None, players)


def key(state: Tournament, game: GameBegun) -> bytes:
    """The secret of a table: the same for all tables of the round with that deal."""
    round_ = round_of(state)
    if state.secret is None:
        raise RuntimeError("no secret was drawn")
    secret = deals.round_secret(state.secret, round_.round)
    number = game.game if game.spare is None else game.spare
    return deals.deal(secret, state.deal_nonces(round_), round_.round, number).key


# Results


def played(game: GameBegun, table: Table, durable: bool) -> Result:
    """The result of a game that was played to its end."""
    outcome = table.live_game.match.outcome if table.live_game is not None else None
    if outcome is None:
        raise RuntimeError("the game is not over")
    players = [player for player in table.players if player is not None]
    return Result(
        round=game.round,
        table=game.table,
        game=game.game,
        players=tuple(Name(player.name) for player in players),
        places=outcome.places,
        failures=tuple(
            Failure(Name(player.name), kind, times)  # type: ignore[arg-type]
            for player in players
            for kind, times in sorted(player.faults.items())
        ),
        forfeits=tuple(Name(player.name) for player in players if player.left),
        spare=game.spare,
        replay=f"{table.id}-{table.number}" if durable else None,
        moves=tuple(player.moves for player in players),
        thinking=tuple(round(player.thought, 3) for player in players),
    )


def not_played(state: Tournament, spot: Spot, gone: Collection[Name], absent: Iterable[Name] = ()) -> Result:
    """The result of a game that was not dealt: players who are gone or did not come have lost it."""
    round_, (table, game) = round_of(state).round, spot
    players = paired(state, table).seating(game)
    there = sum(name not in gone for name in players)
    places = tuple(there + 1 if name in gone else 1 for name in players)
    failures = tuple(Failure(name, "absent") for name in sorted(absent))
    forfeits = tuple(name for name in players if name in gone)
    return Result(round_, table, game, players, places, failures, forfeits)


def void(state: Tournament, spot: Spot) -> Result:
    """The result of a game that broke off too often."""
    round_, (table, game) = round_of(state).round, spot
    players = paired(state, table).seating(game)
    last = state.begun[spot][-1]
    places = (1,) * len(players)
    return Result(round_, table, game, players, places, void=True, spare=last.spare)
