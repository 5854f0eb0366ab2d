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


class _Pipes(asyncio.subprocess.SubprocessStreamProtocol):
    """Notes that a program has ended, whoever else holds its pipes."""

    def __init__(self, limit: int, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(limit, loop)
        self.exited = asyncio.Event()

    def process_exited(self) -> None:
        self.exited.set()
        super().process_exited()


class GroupLeader(asyncio.subprocess.Process):
    """A program that was started here, with its pipes."""

    def __init__(
        self, transport: asyncio.SubprocessTransport, pipes: _Pipes, loop: asyncio.AbstractEventLoop
    ) -> None:
        super().__init__(transport, pipes, loop)
        self._close, self._exited = transport.close, pipes.exited

    def kill_group(self) -> None:
        """Kills the program and all that it has started, also if it has ended itself."""
        _running.discard(self.pid)
        if hasattr(os, "killpg"):
            _kill(self.pid)
        elif self.returncode is None:  # Windows has no groups, and ends the program alone
            # Not elsewhere: it also looks how the program ended, and then nobody else learns it.
            with contextlib.suppress(ProcessLookupError):
                self.kill()

    async def let_go(self) -> None:
        """Closes the pipes of a program whose group was killed.

        A child that has left the group may hold their other ends, and the end of the event loop would find
        them open and print a traceback.
        """
        # Before that, closing would take the exit status away from whoever waits for it.
        await self._exited.wait()
        self._close()


async def start_group(*command: str, limit: int = 65536, **settings: Any) -> GroupLeader:
    """Starts a program; settings as for `asyncio.create_subprocess_exec`, which hides its pipes.

    Raises OSError.
    """
    loop = asyncio.get_running_loop()
    transport, pipes = await loop.subprocess_exec(
        lambda: _Pipes(limit, loop),
        *command,
        start_new_session=True,
        **settings,
    )
    leader = GroupLeader(transport, pipes, loop)
    _running.add(leader.pid)
    return leader


def _kill(group: int) -> None:
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


@atexit.register
def _kill_all() -> None:
    while _running:
        _kill(_running.pop())
