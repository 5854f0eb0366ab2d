"""Programs of others: each runs in a session and a process group of its own, which is ended whole.

Ctrl-C is for whoever started such a program, not for the program. Its group ends with `kill_group`, and at
the latest with this process, as far as a process can see its own end coming: when SIGKILL ends it, the
program notices only that its stdin has ended and that nobody reads what it writes. A child of a program that
makes a session of its own has left the group, and nobody can find it.
"""

import asyncio
import atexit
import contextlib
import os
import signal
from typing import Any

_running: set[int] = set()


async def start_group(*command: str, **settings: Any) -> asyncio.subprocess.Process:
    """Starts a program; settings as for `asyncio.create_subprocess_exec`. Raises OSError."""
    process = await asyncio.create_subprocess_exec(*command, start_new_session=True, **settings)
    _running.add(process.pid)
    return process


def kill_group(process: asyncio.subprocess.Process) -> None:
    """Kills a program and all that it has started, also if it has ended itself."""
    _running.discard(process.pid)
    if hasattr(os, "killpg"):
        _kill(process.pid)
    elif process.returncode is None:  # Windows has no groups, and ends the program alone
        # Not elsewhere: it also looks how the program ended, and then nobody else learns it.
        with contextlib.suppress(ProcessLookupError):
            process.kill()


def _kill(group: int) -> None:
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


@atexit.register
def _kill_all() -> None:
    while _running:
        _kill(_running.pop())
