"""A spectator that tells a game as it goes on: python watch_game.py [URL [TABLE]]

Without a table it waits for the first public game that may be watched.
"""

import asyncio
import sys

from parlour.client.boards.catalogue import board_of
from parlour.client.connection import Connection
from parlour.client.session import Session
from parlour.protocol import messages as m


async def watch(url: str, table_id: str | None) -> None:
    async with Connection(url, Session(name="Spectator")) as connection:
        if table_id is None:
            await connection.ask(m.WatchLobby, on=True)
            while (table_id := open_game(connection.session)) is None:
                await connection.changed()
        await connection.ask(m.Watch, table=table_id)
        told = 0
        while True:
            table = connection.session.tables.get(table_id)
            if table is not None:
                names = [chair.name if chair is not None else "?" for chair in table.info.chairs]
                for news in table.news[told:]:
                    print(board_of(table.info.game).words(news, names), flush=True)
                told = len(table.news)
                if table.result is not None:
                    won = [names[seat] for seat in table.result.winners]
                    print(f"won: {', '.join(won) or 'nobody'} ({table.result.reason})")
                    return
            await connection.changed()


def open_game(session: Session) -> str | None:
    """A game that is going on, by the lobby's list."""
    going = [info for info in (session.lobby or {}).values() if info.stage == "playing"]
    return next((info.table for info in going if info.watching != "nobody"), None)


if __name__ == "__main__":
    url = sys.argv[1] if len(sys.argv) > 1 else "ws://localhost:21925"
    asyncio.run(watch(url, sys.argv[2] if len(sys.argv) > 2 else None))
