"""A process of its own that is measured: it answers questions, one JSON line each, until its input ends."""

import asyncio
import gc
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


class Child:
    """The asking side."""

    def __init__(
        self, module: str, *arguments: str, folder: Path | None = None, path: Path | None = None
    ) -> None:
        """`folder`: where it runs; `path`: where it looks for packages first."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(path)} if path else None,
        )
        self.hello: dict[str, Any] = self._read()

    def ask(self, **question: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        print(json.dumps(question), file=self._process.stdin, flush=True)
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a measured process ended early, with {self._process.wait(5)}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def kill(self) -> None:
        self._process.kill()

    def __enter__(self) -> "Child":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


async def usage(question: dict[str, Any]) -> dict[str, Any]:
    """CPU seconds so far and, if asked for, the bytes in memory now."""
    if not question.get("memory"):
        return {"cpu": time.process_time()}
    gc.collect()
    return {"cpu": time.process_time(), "memory": memory()}


def memory() -> int:
    """Bytes of this process in memory: what it has now or, where that is not told, had at most."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def allow_many_sockets() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def answer_questions(hello: dict[str, Any], answer: Answer) -> None:
    """The answering side."""
    print(json.dumps(hello), flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while line := await reader.readline():
        print(json.dumps(await answer(json.loads(line))), flush=True)


def kill_after(seconds: float, children: Sequence[Child]) -> threading.Timer:
    """Starts the watchdog over a bench that hangs; cancel it in the end."""

    def kill() -> None:
        for child in children:
            child.kill()

    watchdog = threading.Timer(seconds, kill)
    watchdog.daemon = True
    watchdog.start()
    return watchdog
