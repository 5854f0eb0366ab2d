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

from parlour.machine.program_pipes import ProgramPipes

_running: set[int] = set()


class GroupLeader:
    """A program that was started here, with its pipes."""

    def __init__(self, transport: asyncio.SubprocessTransport, pipes: ProgramPipes) -> None:
        self.pid = transport.get_pid()
        self.stdin, self.stdout, self.stderr = pipes.stdin, pipes.stdout, pipes.stderr
        self._transport, self._exited = transport, pipes.exited

    @property
    def returncode(self) -> int | None:
        """How it ended, or None while it runs."""
        return self._transport.get_returncode()

    async def wait(self) -> None:
        """Waits until it has ended, whoever else holds its pipes."""
        await self._exited.wait()

    def terminate(self) -> None:
        """Asks it to end; raises ProcessLookupError if it has."""
        self._transport.terminate()

    def kill_group(self) -> None:
        """Kills the program and all that it has started, also if it has ended itself."""
        _running.discard(self.pid)
        if hasattr(os, "killpg"):
            _kill(self.pid)
        elif self.returncode is None:  # Windows has no groups, and ends the program alone
            # Not elsewhere: it also looks how the program ended, and then nobody else learns it.
            with contextlib.suppress(ProcessLookupError):
                self._transport.kill()

    async def let_go(self) -> None:
        """Closes the pipes of a program whose group was killed.

        A child that has left the group may hold their other ends, and the end of the event loop would find
        them open and print a traceback.
        """
        # Before that, closing would take the exit status away from whoever waits for it.
        await self._exited.wait()
        self._transport.close()


async def start_group(*command: str, limit: int = 65536, **settings: Any) -> GroupLeader:
    """Starts a program; settings as for `loop.subprocess_exec`, and `limit` for a line. Raises OSError.

    `asyncio.create_subprocess_exec` would hide how its pipes are closed.
    """
    transport, pipes = await asyncio.get_running_loop().subprocess_exec(
        lambda: ProgramPipes(limit),
        *command,
        start_new_session=True,
        **settings,
    )
    leader = GroupLeader(transport, pipes)
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
