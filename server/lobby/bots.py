"""Built-in bots: how many there may be, when they are started, and when they go home.

`bot_workers` starts them, and they connect like any client, but for the way by which they come in.
"""

from collections.abc import Callable
from typing import Protocol

import attrs

from parlour.protocol.errors import ProtocolError
from parlour.server.limits import Limits
from parlour.server.people.session import Session
from parlour.server.tables.registry import Tables
from parlour.server.tables.table import Table

BOT_NAMES = ("Ada", "Bea", "Cyd", "Dot", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kit", "Lou", "Max", "Nan")
COMES_WITHIN = 10.0
"""Seconds after which a bot that was started and has not connected is started again."""
AT_ONCE = 3
"""So often a bot that is lost is started again at once; then after pauses, each twice as long as the last."""
LONGEST_PAUSE = 60.0
"""Seconds. Who was there for longer than that is started at once again."""
TRY_AGAIN = 5.0
"""Seconds until there may be room for a bot that is to come back."""
BOTS_STAY = 60.0
"""Seconds that they stay connected after the end of a game, or when nobody else is connected."""


class Bots(Protocol):
    """Starts bots: processes that say hello with the token they are given and play at one table."""

    strategies: tuple[str, ...]

    def start(self, token: str, table: str, strategy: str) -> None:
        """Raises ProtocolError `busy` if too many are waiting to be started."""


def bot_name(taken: Callable[[str], bool], node: str = "") -> str:
    """Makes a name that nobody has here; a person called Ada meets no Bot Ada.

    Bots of a house have the name of the node that has made them: so two nodes never make the same.
    """
    number = 1
    while True:
        for first in BOT_NAMES:
            name = f"{first} {node}" if node else first
            full = f"Bot {name}" if number == 1 else f"Bot {name} {number}"
            if not taken(full) and (number > 1 or not taken(name)):
                return full
        number += 1


@attrs.define
class Service:
    """A bot that is connected, or is to connect."""

    network: str
    """From which somebody asked for it."""
    starts: int = 0
    """How often it was started since it was last there for long."""
    started: float = 0.0
    again_at: float = 0.0
    """When to start it again, if it is not connected then."""


@attrs.define(repr=False)
class BuiltInBots:
    """Has the bots of each table started, and sends them home. Decides."""

    tables: Tables
    starter: Bots
    limits: Limits
    _serving: dict[str, Service] = attrs.field(factory=dict)
    """By name."""

    def __attrs_post_init__(self) -> None:
        self.tables.on_bots = self.look_after

    def engage(self, network: str) -> Session:
        """Makes a session for a new bot, which `look_after` starts once it has a seat; raises `busy`."""
        self._check_room(network)
        identity, _ = self.tables.register.add(
            bot_name(self.tables.register.taken, self.tables.node), bot=True
        )
        bot = self.tables.sessions[identity.name] = Session(identity, built_in=True, asked_from=network)
        self._serving[bot.name] = Service(network)
        return bot

    def _check_room(self, network: str) -> None:
        """Raises `busy` if all bots that there may be, or as many as one network may have, are at work."""
        sessions = self.tables.sessions
        self._serving = {name: service for name, service in self._serving.items() if name in sessions}
        same = [service for service in self._serving.values() if network and service.network == network]
        if len(self._serving) >= self.limits.built_in_bots or len(same) >= self.limits.built_in_bots_each:
            raise ProtocolError("busy", retry_after=TRY_AGAIN)

    def lost(self, bot: Session, now: float) -> None:
        """Notes that a bot has lost its connection: it is started again, if its table still wants it."""
        service = self._serving.get(bot.name)
        if service is not None:
            if now - service.started > LONGEST_PAUSE:
                service.starts = 0
            service.again_at = now + _pause(service.starts)

    def look_after(self, table: Table, now: float) -> float | None:
        """Starts and sends home the bots of a table; returns when to look again."""
        released, table.released = table.released, ()
        for name in released:
            if table.live_game is not None:
                table.live_game.forget_choice(name)
            substitute = self.tables.sessions.get(name)
            if substitute is not None:
                substitute.get_up(table.id)
                self.tables.dismiss(substitute)
        until = _stay_until(table)
        looks = []
        for name, strategy in _bots_at(table):
            bot = self.tables.sessions.get(name)
            if bot is None:
                continue
            if until is not None and now >= until:
                self._send_home(bot)
            else:
                looks += [
                    time for time in (until, self._bring(bot, table, strategy, now)) if time is not None
                ]
        return min(looks, default=None)

    def _send_home(self, bot: Session) -> None:
        self._serving.pop(bot.name, None)
        if bot.peer is not None:
            bot.peer.hang_up(1000, "done")

    def _bring(self, bot: Session, table: Table, strategy: str, now: float) -> float | None:
        """Starts a bot that is not there, if it is time; returns when to look again."""
        if bot.peer is not None:
            return None
        service = self._serving.get(bot.name)
        try:
            if service is None:
                self._check_room(bot.asked_from)
                service = self._serving[bot.name] = Service(bot.asked_from)
            if now >= service.again_at:
                self.starter.start(self.tables.register.reissue(bot.identity), table.id, strategy)
                service.starts, service.started = service.starts + 1, now
                service.again_at = now + max(COMES_WITHIN, _pause(service.starts))
        except ProtocolError as busy:
            return now + (busy.retry_after or TRY_AGAIN)
        return service.again_at


def _pause(starts: int) -> float:
    """How long a bot that was started so often waits until it is started again."""
    return 0.0 if starts <= AT_ONCE else min(LONGEST_PAUSE, 2.0 ** (starts - AT_ONCE))


def _bots_at(table: Table) -> list[tuple[str, str]]:
    """The server's own bots that sit at a table or play for somebody, and how each of them plays."""
    players = [player for player in table.players if player is not None]
    bots = [(player.name, player.strategy) for player in players if not player.gone]
    bots += [(player.substitute, player.substitute_strategy) for player in players if player.substitute]
    return [(name, strategy) for name, strategy in bots if strategy is not None]


def _stay_until(table: Table) -> float | None:
    """Until when these stay connected; None: until something changes."""
    if table.stage == "playing":
        return None
    if table.stage == "finished":
        return table.over_since + BOTS_STAY if table.over_since is not None else 0.0
    return table.absences.all_since + BOTS_STAY if table.absences.all_since is not None else None
