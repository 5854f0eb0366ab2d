"""A command that was refused because it could not be stored is never answered `ok` after a restart."""

import asyncio
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support.server.sockets import Caller, open_server

from parlour.server.app import ListeningServer
from parlour.server.storage.change import TABLE, Row
from parlour.server.storage.errors import NotStored
from parlour.server.storage.store import ArchiveStore


class RefusesTables:
    """Rows (backend.RowStore) that wait until `go` is set, and are refused if a table is among them."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self.reached, self.go = threading.Event(), threading.Event()

    def store(self, rows: Sequence[Row]) -> None:
        self.reached.set()
        self.go.wait()
        if any(kind == TABLE for kind, *_ in rows):
            raise NotStored(self._rows.place, "SQLITE_FULL")
        self._rows.store(rows)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rows, name)


def refuse_tables(server: ListeningServer) -> RefusesTables:
    """From now on the server's archive waits, and then refuses to store tables."""
    store = server.lobby.tables.store
    assert isinstance(store, ArchiveStore)
    writer = store._archive._require_writer()
    rows = RefusesTables(writer._rows)
    writer._rows = rows  # type: ignore[assignment]
    return rows


async def test_a_refused_command_is_not_answered_ok_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_server(archive=str(path)) as server:
        ann = await Caller(server.url, "Ann").connect()
        table = (await ann.do("create_table", game="hurry-cup", seats=4))["table"]
        rows = refuse_tables(server)
        id = await ann.send("sit", table=table, seat=1)
        await asyncio.to_thread(rows.reached.wait)
        again = Caller(server.url, "Ann")
        again.token = ann.token
        greeting = asyncio.create_task(again.connect())  # stores what is known of Ann, while her seat is not
        while (await ann.event())["type"] != "goodbye":
            pass
        rows.go.set()
        await asyncio.wait([greeting])
        greeting.exception()  # it may have been turned away, like the command
        for file in tmp_path.glob("games.db*"):
            if not file.name.endswith("lock"):
                shutil.copy(file, tmp_path / file.name.replace("games", "killed"))
    async with open_server(archive=str(tmp_path / "killed.db")) as server:
        back = Caller(server.url, "Ann")
        back.token = ann.token
        await back.connect()
        await back.write({"type": "sit", "id": id, "table": table, "seat": 1})
        answer = await back.answer(id)
        await back.do("resume", table=table)
        assert (answer["type"] == "ok") == (back.known(table)["seat"] == 1), answer
