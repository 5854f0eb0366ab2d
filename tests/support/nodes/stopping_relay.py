"""Stands between a node and its database, and can stop: nothing passes, and nothing is closed."""

import contextlib
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from support.server.cutting_relay import CuttingRelay, cutting_relay

from tools.postgresql import USER, Cluster


class StoppingRelay:
    """What a network does that has lost its way: both ends wait."""

    def __init__(self, relay: CuttingRelay, folder: Path) -> None:
        self.folder = folder
        self._open = threading.Event()
        self._open.set()
        relay.lose = lambda _to_database, _data: not self._open.wait()

    def stop(self) -> None:
        self._open.clear()

    def go_on(self) -> None:
        self._open.set()

    def address(self, database: str) -> str:
        return f"postgresql://{USER}@/{database}?host={self.folder}"


@contextlib.contextmanager
def stopping_relay(cluster: Cluster) -> Iterator[StoppingRelay]:
    with (
        tempfile.TemporaryDirectory(prefix="parlour-relay-") as name,
        cutting_relay(Path(name), cluster.folder) as relay,
    ):
        made = StoppingRelay(relay, Path(name))
        try:
            yield made
        finally:
            made.go_on()
