"""Playing here: the player's own server as a child process, which ends with its owner."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import attrs

from parlour.machine.programs import PARLOUR, command_line

WITHIN = 15.0
"""Seconds in which a server on this machine says where it listens."""
GONE_WITHIN = 5.0
LOOKED_EVERY = 0.1
_URL = re.compile(r"wss?://[^\s/]+:\d+")
_HERE = re.compile(r"wss?://(?:127\.0\.0\.1|\[::1\]|localhost):\d+")


class NotHosted(Exception):
    """No server could be started; `told` is the last line of its stderr."""

    def __init__(self, told: str) -> None:
        super().__init__(told)
        self.told = told


@attrs.frozen
class Hosted:
    """A server that runs: where it listens, and how to wait for its end."""

    url: str
    network: tuple[str, ...]
    """Where other machines reach it."""
    ended: Callable[[], Awaitable[object]]


def commands(to_all: bool, archive: Path) -> list[list[str]]:
    """From the best one on: the usual port may be taken, and the archive may be another server's just now.

    To all is on every address; otherwise it is for this machine alone.
    """
    ports = [[], ["--port", "0"]] if to_all else [["--host", "127.0.0.1", "--port", "0"]]
    serve = command_line(PARLOUR, "serve", "--while-stdin")
    return [
        [*serve, *port, *kept] for kept in (["--archive", str(archive)], ["--no-archive"]) for port in ports
    ]


@contextlib.asynccontextmanager
async def hosted(to_all: bool, archive: Path) -> AsyncIterator[Hosted]:
    """Runs a server as long as the context is open; raises NotHosted."""
    with contextlib.suppress(OSError):
        archive.parent.mkdir(parents=True, exist_ok=True)
    async with contextlib.AsyncExitStack() as stack:
        *others, last = commands(to_all, archive)
        for command in others:
            try:
                server = await stack.enter_async_context(_running(command))
                break
            except NotHosted:
                continue
        else:
            server = await stack.enter_async_context(_running(last))
        yield server


@contextlib.asynccontextmanager
async def _running(command: list[str]) -> AsyncIterator[Hosted]:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        # Ctrl-C is for the client; its server ends with its stdin.
        start_new_session=True,
    )
    reading: list[asyncio.Task[None]] = []
    try:
        here, *network = await _addresses(process)
        # A pipe that nobody reads would stop the server when it is full.
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                reading.append(asyncio.create_task(_drain(stream)))
        yield Hosted(here, tuple(network), lambda: _exit_of(process))
    finally:
        await _end(process)
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)


async def _addresses(process: asyncio.subprocess.Process) -> list[str]:
    """Reads the URLs that the server prints first; the one for this machine comes first."""
    if process.stdout is None or process.stderr is None:
        raise NotHosted("")
    found: list[str] = []
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(WITHIN):
            while line := (await process.stdout.readline()).decode(errors="replace"):
                found += _URL.findall(line)
                here = [url for url in found if _HERE.fullmatch(url)]
                if here and not line.strip():
                    return [here[0], *[url for url in found if not _HERE.fullmatch(url)]]
            last = (await process.stderr.read()).decode(errors="replace").strip()
            raise NotHosted(last.rpartition("\n")[2])
    raise NotHosted("")


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.read(65536):
        pass


async def _exit_of(process: asyncio.subprocess.Process) -> None:
    """Waits for the exit. `wait` would also wait for its pipes, which bots that it started may hold."""
    while process.returncode is None:
        await asyncio.sleep(LOOKED_EVERY)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(GONE_WITHIN):
            await _exit_of(process)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await _exit_of(process)
