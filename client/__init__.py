"""Thin clients: they draw and choose, and hold no rules. Bots are made with what is named here."""

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
