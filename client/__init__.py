"""Thin clients: they draw and choose, and hold no rules. Bots are made with what is named here.

connection      opens the lines of a client, and opens them again when they break
session         what a client knows: who it is, its lines, its tables
table           what a client knows of one table
following       what a client knows of a tournament that it follows
decision        what a bot is asked
legal           legal actions as they travel, for clients without rules
bot             plays games for a bot
tournament_bot  enters a tournament and plays all its games
table_search    finds a table for a bot
external_bot    bots that are programs of their own
launch          `run`, for programs without an event loop
hint            asks a strategy what it would play and why
levels          how strong a built-in bot is, in words that players use
credentials     the newest token of a name
settings        what a player's machine remembers
addresses       where servers are, as people type it
discovery       servers on this network
local_server    the player's own server, as a child process

Rooms: cli (the `parlour` command), terminal (what people play with), boards (a game drawn and put into
words), tournaments (tournaments put into words), lines (connections to one server each), language (texts),
bots (strategies), web (the page for browsers).
"""

from typing import TYPE_CHECKING, Any

__all__ = ["Bot", "Decision", "Gone", "Played", "Refused", "run"]

if TYPE_CHECKING:
    from parlour.client.bot import Bot, Played
    from parlour.client.connection import Gone, Refused
    from parlour.client.decision import Decision
    from parlour.client.launch import run
else:

    def __getattr__(name: str) -> Any:
        """Looked up when it is asked for: every module here passes this one, and few need sockets."""
        if name not in __all__:
            raise AttributeError(f"module 'parlour.client' has no attribute {name!r}")
        from parlour.client import bot, launch

        return getattr(launch if name == "run" else bot, name)
