"""Other processes at an archive, for tests that kill them or take something away from them.

Run as a script: what to do, and the archive's place.
"""

import asyncio
import ctypes
import errno
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Added, Begun, Change
from parlour.server.storage.errors import ArchiveError

GAMES = tuple(f"g{number}" for number in range(8))


def start(role: str, place: Path | str) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, role, str(place)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


async def put(archive: Archive, *changes: Change) -> list[ArchiveError | None]:
    """Puts them all in one round of the loop, and waits for their answers."""
    loop = asyncio.get_running_loop()
    answers: list[asyncio.Future[ArchiveError | None]] = [loop.create_future() for _ in changes]
    for change, answer in zip(changes, answers, strict=True):
        archive.put(change, answer.set_result)
    return await asyncio.gather(*answers)


async def play(place: str) -> None:
    """Goes on with eight games without end, and says which line of which game was stored."""
    archive = Archive.open(place)
    for game in GAMES:
        if game not in archive.tables():
            begin = Change(begin=[Begun(game, game, {})], save_tables={game: {"lines": 0}})
            assert await put(archive, begin) == [None]
    done = asyncio.Event()

    def go_on(game: str, number: int) -> None:
        def told(wrong: ArchiveError | None) -> None:
            assert wrong is None
            os.write(1, f"{game} {number}\n".encode())
            go_on(game, number + 1)

        line = Added(game, number, {"number": number, "filling": "x" * (number * 37 % 300)})
        archive.put(Change(lines=[line], save_tables={game: {"lines": number + 1}}), told)

    for game in GAMES:
        go_on(game, len(archive.lines(game)))
    await done.wait()


async def play_on(place: str) -> None:
    """Goes on with eight games until its input ends, and tries again what was refused.

    Says which line was stored, and before that which was sent for the first time.
    """
    archive = Archive.open(place)
    begin = [Change(begin=[Begun(game, game, {})], save_tables={game: {"lines": 0}}) for game in GAMES]
    assert await put(archive, *begin) == [None] * len(GAMES)
    asked_to_end = asyncio.ensure_future(asyncio.to_thread(sys.stdin.read))

    async def at(game: str) -> None:
        number = 0
        while not asked_to_end.done():
            line = Added(game, number, {"number": number})
            (wrong,) = await put(archive, Change(lines=[line], save_tables={game: {"lines": number + 1}}))
            if wrong is None:
                os.write(1, f"{game} {number}\n".encode())
                number += 1
            else:
                os.write(1, f"{game} refused {getattr(wrong, 'reason', wrong)}\n".encode())
                await asyncio.sleep(0.05)

    await asyncio.gather(*[at(game) for game in GAMES])
    assert await archive.close()


async def hold(place: str) -> None:
    """Holds the archive until it is killed or its input ends."""
    with Archive.open(place):
        print(os.getpid(), flush=True)
        sys.stdin.read()


def play_in_turn(place: str) -> None:
    """Plays in a new process for each line of input: first comes its number, and a full stop after its end.

    All of them share the code that this one has read.
    """
    # Whoever has nobody left to tell ends, also when the test has failed.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            os.write(1, f"{os.getpid()}\n".encode())
            asyncio.run(play(place))
        os.waitpid(pid, 0)
        os.write(1, b".\n")


async def lose_the_flush(place: str) -> None:
    """Has a change refused because the disk does not flush, and is killed at once."""
    archive = Archive.open(place)
    archive.add_record("before", "t", {}, [], {})
    # Before the first put: the thread that writes is under the same law as the one that starts it.
    _let_flushes_fail()
    answers = await put(archive, Change(save_people={"Ann": {}}), Change(save_people={"Bob": {}}))
    print(*[getattr(answer, "reason", None) for answer in answers], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def _let_flushes_fail() -> None:
    """From now on fsync fails in this thread and those it starts: a seccomp filter (Linux)."""
    flushes = {"x86_64": (74, 75), "aarch64": (82, 83)}[platform.machine()]
    load, jump_if, give = 0x20, 0x15, 0x06
    steps = [
        (load, 0, 0, 0),
        (jump_if, 1, 0, flushes[0]),
        (jump_if, 0, 1, flushes[1]),
        (give, 0, 0, 0x0005_0000 | errno.EIO),
        (give, 0, 0, 0x7FFF_0000),
    ]

    class Step(ctypes.Structure):
        _fields_ = (
            ("code", ctypes.c_uint16),
            ("yes", ctypes.c_uint8),
            ("no", ctypes.c_uint8),
            ("k", ctypes.c_uint32),
        )

    class Filter(ctypes.Structure):
        _fields_ = (("length", ctypes.c_uint16), ("steps", ctypes.POINTER(Step)))

    program = (Step * len(steps))(*[Step(*step) for step in steps])
    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, set_seccomp, by_filter = 38, 22, 2
    assert libc.prctl(no_new_privileges, 1, 0, 0, 0) == 0
    assert libc.prctl(set_seccomp, by_filter, ctypes.byref(Filter(len(steps), program)), 0, 0) == 0


ROLES: dict[str, Callable[[str], Coroutine[Any, Any, None] | None]] = {
    role.__name__: role for role in (play, play_on, play_in_turn, hold, lose_the_flush)
}

if __name__ == "__main__":
    doing = ROLES[sys.argv[1]](sys.argv[2])
    if doing is not None:
        asyncio.run(doing)
