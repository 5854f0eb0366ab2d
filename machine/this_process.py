"""Which process this is, so that another one on the same machine can tell later whether it is still there."""

import os
import socket
import time
from pathlib import Path
from typing import NamedTuple


class ProcessMark(NamedTuple):
    """A process, told apart from all others that had or will have its number."""

    host: str
    machine: str
    """Its start and its space of process numbers; empty where the system does not tell."""
    pid: int
    started: str
    """When the process was started, in the system's own count."""

    @classmethod
    def own(cls) -> "ProcessMark":
        pid = os.getpid()
        return cls(socket.gethostname(), _machine(), pid, _started(pid))

    def has_ended(self) -> bool:
        """Whether that is certain: it was a process of this machine, as long as this was on."""
        mine = self.machine == _machine() and self.host == socket.gethostname()
        return mine and bool(self.machine) and _started(self.pid) != self.started

    def is_running(self) -> bool:
        """Whether that is certain."""
        mine = self.machine == _machine() and self.host == socket.gethostname()
        return mine and bool(self.machine) and _started(self.pid) == self.started


def _machine() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        # Two containers have one boot, and each a process of the same number.
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


def _started(pid: int) -> str:
    """Empty if there is no such process, or only what is left of it until somebody asks how it ended."""
    try:
        state, *rest = (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        )
    except OSError:
        return ""
    return "" if state in "ZX" else rest[18]


def running_time() -> float:
    """Seconds on a clock that nobody sets, and that goes on while the machine sleeps."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
