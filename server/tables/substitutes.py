"""Who loses the connection and comes back, and the built-in bots that play for players in between."""

from collections.abc import Mapping

from parlour.engine.secret import Seat
from parlour.protocol.errors import ProtocolError
from parlour.server.people.session import Session
from parlour.server.tables.table import Table


def note_presence(table: Table, name: str, here: bool, now: float) -> None:
    """Notes that somebody has lost the connection or is back: a player, or one who plays for a player."""
    seat = table.seat_played_by(name)
    if seat is None:
        return
    player, game = table.player_at(seat), table.live_game
    if player.name == name:
        if player.here == here and not (here and table.is_played_for(player)):
            return
        player.here, player.away_since = here, None if here else now
        if here:
            table.release_substitute(player)
    if game is not None:
        if here:
            game.clock.back(seat, now)
            game.give_seat_back(seat, now)
        elif player.substitute in (None, name):
            game.clock.away(seat, now)
    table.changed(now)


def show(table: Table, sessions: Mapping[str, Session], now: float) -> None:
    """Shows a table to all who play there and are connected, asked or not: it was dealt, or has come here."""
    table.changed(now)
    there = []
    for seat, player in enumerate(table.players):
        session = sessions.get(player.substitute or player.name) if player and not player.gone else None
        if session is not None and session.peer is not None:
            there.append(Seat(seat))
            # Not before: until its snapshot goes out, a player is told nothing of the table.
            session.following.add(table.id)
            note_presence(table, session.name, True, now)
    for seat in there:
        table.event_log.send_snapshot(seat, table.snapshot(seat, now))


def check_substitute(table: Table, seat: int) -> None:
    """Raises ProtocolError if nobody may be played for there: the player is there, or it is no time."""
    if table.settings.terms is not None:
        raise ProtocolError("not_allowed", setting="tournament")
    if not table.settings.bots:
        raise ProtocolError("not_allowed", setting="bots")
    table.must_be("playing")
    player = table.players[seat] if 0 <= seat < len(table.players) else None
    if player is None or player.gone or player.left or player.built_in:
        raise ProtocolError("no_seat", seat=seat)
    if player.here:
        raise ProtocolError("not_now", problem="here")


def put_substitute(table: Table, seat: Seat, name: str | None, strategy: str | None, now: float) -> None:
    """Has a built-in bot play a seat until its player is back; None: nobody."""
    check_substitute(table, seat)
    player = table.player_at(seat)
    if player.substitute is not None and table.live_game is not None:
        table.live_game.clock.away(seat, now)
    table.release_substitute(player)
    player.substitute, player.substitute_strategy = name, strategy
    table.changed(now)
