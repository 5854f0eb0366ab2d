"""Who sits down at a table, gets up, is sent away by the host, and is ready to play."""

from parlour.engine.secret import Seat
from parlour.protocol.errors import ProtocolError
from parlour.server.tables.live_game import Command
from parlour.server.tables.seats import SeatedPlayer
from parlour.server.tables.table import Table

KICKED = 32
"""Names that a table remembers of those whom its host has sent away, the last ones."""


def sit(
    table: Table, name: str, bot: bool, seat: int | None, now: float, strategy: str | None = None
) -> Seat:
    """Seats a player, who may change seats, and sends a snapshot; raises ProtocolError.

    Bots that the server starts itself have a strategy.
    """
    check_kicked(table, name)
    players, log = table.players, table.event_log
    free = [number for number, player in enumerate(players) if player is None]
    old = table.seat_of(name)
    if not free and old is None:
        raise ProtocolError("no_seat", watching=table.settings.watching)
    table.must_be("gathering")
    if bot and not table.settings.bots:
        raise ProtocolError("not_allowed", setting="bots")
    chosen = seat if seat is not None else next(iter(free), None)
    if chosen not in free or chosen is None:
        raise ProtocolError("no_seat", seat=seat)
    player = players[old] if old is not None else None
    after = log.seq(old) if old is not None else None
    if old is not None:
        players[old] = None
        log.begin(old)
    built_in = strategy is not None
    players[chosen] = player or SeatedPlayer(
        name,
        bot,
        not built_in,
        ready=bot,
        built_in=built_in,
        strategy=strategy,
        away_since=now if built_in else None,
    )
    log.begin(Seat(chosen), after)
    table.changed(now)
    log.send_snapshot(Seat(chosen), table.snapshot(Seat(chosen), now))
    return Seat(chosen)


def get_up(table: Table, seat: Seat, now: float, by: Command | None = None) -> None:
    """Frees a seat; in a game that is resigning, and the name stays on the seat."""
    if table.stage == "playing" and not table.player_at(seat).left:
        table.resign(seat, now, by, then="vacate")
    else:
        table.vacate(seat, now)


def kick(table: Table, seat: Seat, now: float, by: Command | None = None) -> None:
    """Clears a seat for the host; its player comes back only if the host lets them.

    One who was away for too long in a game may come back: that is no quarrel. Nor is a built-in bot kept
    out, whose name is free again at once.
    """
    player = table.player_at(seat)
    if table.stage != "playing" and not player.built_in:
        table.kicked = (*table.kicked, player.name)[-KICKED:]
    get_up(table, seat, now, by)


def let_back(table: Table, name: str, now: float) -> None:
    """Lets somebody sit or watch here again who was sent away."""
    if name in table.kicked:
        table.kicked = tuple(each for each in table.kicked if each != name)
        table.changed(now)


def check_kicked(table: Table, name: str) -> None:
    """Raises `kicked` for somebody whom the host has sent away."""
    if name in table.kicked:
        raise ProtocolError("kicked")


def ready(table: Table, seat: Seat, on: bool, nonce: str | None, now: float) -> None:
    table.must_be("gathering")
    player = table.player_at(seat)
    player.ready = on
    if nonce is not None:
        player.nonce = nonce
    table.changed(now)


def rematch(table: Table, secret: bytes, now: float) -> None:
    """Gathers again for the next game: players move on by one seat, and those who got up are gone."""
    if table.settings.terms is not None:
        raise ProtocolError("not_allowed", setting="tournament")
    table.must_be("finished")
    log = table.event_log
    stayed = [player if player and not player.gone else None for player in table.players]
    last = [log.seq(Seat(seat)) for seat in range(len(stayed))]
    table.players = [stayed[-1], *stayed[:-1]]
    table.live_game, table.secret = None, secret
    table.stage = "gathering"
    table.number += 1
    for seat, player in enumerate(table.players):
        log.begin(Seat(seat), last[seat - 1])
        if player is not None:
            player.reset()
    table.changed(now)
    for viewer in table.viewers():
        if viewer is not None:
            log.send_snapshot(viewer, table.snapshot(viewer, now))
