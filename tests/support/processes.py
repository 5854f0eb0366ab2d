"""Whether a process that this one did not start, or no longer waits for, has ended."""

import asyncio
import contextlib
from pathlib import Path


def runs(pid: int) -> bool:
    """Whether it has not ended; the system may keep its number for whoever asks how it ended."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


async def until_ended(*pids: int) -> None:
    while any(map(runs, pids)):
        await asyncio.sleep(0.01)


async def numbers_in(path: Path, count: int) -> list[int]:
    """Waits until a file has so many lines, each a number."""
    while not path.exists() or len(words := path.read_text().split("\n")) <= count:
        await asyncio.sleep(0.01)
    return [int(word) for word in words[:count]]


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
