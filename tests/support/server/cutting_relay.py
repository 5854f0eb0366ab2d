"""Stands between a server and its database, and loses what it is told to lose."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

Lose = Callable[[bool, bytes], bool]
"""Whether to break the connection instead of passing this on: from the server to its database, or back."""


class CuttingRelay:
    """Listens where libpq looks for a database, and passes on what comes to the real one."""

    def __init__(self, folder: Path, database: Path) -> None:
        name = ".s.PGSQL.5432"
        self._to = str(database / name)
        self.lose: Lose = lambda _to_database, _data: False
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / name))
        self._listener.listen()
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def _start(self, work: Callable[..., None], *given: object) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.socket(socket.AF_UNIX)
                try:
                    far.connect(self._to)
                except OSError:
                    near.close()
                    far.close()
                    continue
                self._open += [near, far]
                self._start(self._pass_on, near, far, True)
                self._start(self._pass_on, far, near, False)

    def _pass_on(self, start: socket.socket, end: socket.socket, to_database: bool) -> None:
        with contextlib.suppress(OSError):
            while (data := start.recv(65536)) and not self.lose(to_database, data):
                end.sendall(data)
        for each in (start, end):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """Breaks all connections."""
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        for each in [self._listener, *self._open]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for each in [self._listener, *self._open]:
            each.close()


@contextlib.contextmanager
def cutting_relay(folder: Path, database: Path) -> Iterator[CuttingRelay]:
    relay = CuttingRelay(folder, database)
    try:
        yield relay
    finally:
        relay.close()
