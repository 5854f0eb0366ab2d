"""A PostgreSQL of its own for tests and the bench: in a temporary folder, and gone in the end."""

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

USER = "postgres"
"""PostgreSQL refuses to run as root: there it runs as the user of Debian's package."""
SETTINGS = {
    "listen_addresses": "''",
    "max_connections": "40",
    "shared_buffers": "16MB",
    "min_wal_size": "2MB",
    "max_wal_size": "32MB",
    "autovacuum": "off",
    "dynamic_shared_memory_type": "mmap",  # in its folder, and so gone with it
    "lc_messages": "C",
}
_WATCH = """
cat
pid=$(head -n 1 "$1/data/postmaster.pid")
while [ "$(readlink "/proc/$pid/cwd")" = "$1/data" ]; do
    kill -QUIT "$pid"
    sleep 0.1
done
rm -rf "$1"
"""
"""Waits for the end of its input, ends the PostgreSQL that is still there in a folder, and removes both."""
_numbers = itertools.count()


def programs() -> Path | None:
    """The folder with PostgreSQL's programs, the newest there is; None if there is none that can be run."""
    if os.getuid() == 0 and USER not in {user.pw_name for user in pwd.getpwall()}:
        return None
    known = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    found = shutil.which("postgres")
    return Path(found).parent if found else known[-1] if known else None


def _run(*command: str | Path) -> None:
    made = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, user=_user(), cwd="/"
    )
    assert made.returncode == 0, made.stdout + made.stderr


def _user() -> str | None:
    return USER if os.getuid() == 0 else None


class Cluster:
    """A PostgreSQL with all its databases."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self._programs = folder, programs
        self._data = folder / "data"
        if os.getuid() == 0:
            os.chown(folder, pwd.getpwnam(USER).pw_uid, -1)
        _run(
            *(programs / "initdb", "--pgdata", self._data, "--username", USER, "--auth", "trust"),
            *("--encoding", "UTF8", "--locale", "C", "--no-sync", "--wal-segsize", "1"),
        )
        self.settings: dict[str, str] = {}
        """What is set otherwise at the next start."""

    def start(self) -> None:
        settings = {**SETTINGS, "unix_socket_directories": f"'{self.folder}'", **self.settings}
        written = "".join(f"{name} = {value}\n" for name, value in settings.items())
        (self._data / "postgresql.auto.conf").write_text(written, encoding="utf-8")
        with (self.folder / "log").open("ab") as log:
            command = [str(self._programs / "postgres"), "-D", str(self._data)]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, user=_user(), cwd="/")
        while not self._is_ready():
            assert self._process.poll() is None, (self.folder / "log").read_text(encoding="utf-8")
            time.sleep(0.01)

    def _is_ready(self) -> bool:
        try:
            psycopg.connect(self.address()).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self) -> None:
        """Ends all connections, writes everything down and ends: the fast shutdown of its manual."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait()

    def end(self) -> None:
        """Ends without writing anything down, and leaves nothing of it in the system."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()

    def kill(self) -> None:
        """Kills every process of it, as a machine that loses its power does."""
        pids = [self._process.pid, *_children(self._process.pid)]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        # Who is left of it keeps the next one from starting.
        while any(map(_is_running, pids)):
            time.sleep(0.001)

    def cpu(self) -> float:
        """CPU seconds of all its processes, also of those that have ended."""
        ticks = sum(sum(_times(pid)[:2]) for pid in _children(self._process.pid))
        return (ticks + sum(_times(self._process.pid))) / os.sysconf("SC_CLK_TCK")

    def address(self, database: str = USER) -> str:
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def create_database(self) -> str:
        """A new database; its name."""
        name = f"d{next(_numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return name

    def execute(self, statement: str, database: str = USER) -> None:
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            connection.execute(statement)


def _children(pid: int) -> list[int]:
    told = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in told.split()]


def _times(pid: int) -> list[int]:
    """Ticks in the program and in the system, and those of its children that have ended."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]]
    except OSError:
        return [0] * 4


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@contextlib.contextmanager
def cluster(programs: Path, parent: Path | None = None) -> Iterator[Cluster]:
    """Runs one in a new folder; both are gone afterwards, also if this process is killed."""
    folder = Path(tempfile.mkdtemp(prefix="parlour-pg-", dir=parent))
    with _watch(folder):
        try:
            made = Cluster(folder, programs)
            made.start()
            try:
                yield made
            finally:
                made.end()
        finally:
            shutil.rmtree(folder)


def _watch(folder: Path) -> "subprocess.Popen[bytes]":
    """Starts what clears the folder away when this process has ended; a terminal's signals do not end it."""
    return subprocess.Popen(
        ["sh", "-c", _WATCH, "sh", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
