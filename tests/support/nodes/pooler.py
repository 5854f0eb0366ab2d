"""PgBouncer in front of a PostgreSQL: connections are shared between transactions."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
from support.leaving_out import leave_out

from tools.postgresql import USER, Cluster

PORT = 6432
SETTINGS = """\
[databases]
* = host={database} user={user}
[pgbouncer]
listen_port = {port}
unix_socket_dir = {folder}
auth_type = any
pool_mode = transaction
default_pool_size = 8
max_client_conn = 100
server_reset_query =
logfile = {folder}/log
"""


@contextlib.contextmanager
def pooler(cluster: Cluster) -> Iterator[Path]:
    """Runs one; the folder in which libpq finds it, at PORT. Leaves the test out if there is none."""
    program = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        leave_out("there is no PgBouncer: nodes behind a pooler were not tried")
    with tempfile.TemporaryDirectory(prefix="parlour-pooler-") as name:
        folder = Path(name)
        settings = folder / "pgbouncer.ini"
        settings.write_text(
            SETTINGS.format(database=cluster.folder, user=USER, port=PORT, folder=folder), encoding="utf-8"
        )
        as_root = os.getuid() == 0
        if as_root:  # it refuses to run as root
            os.chown(folder, pwd.getpwnam(USER).pw_uid, -1)
        folder.chmod(0o755)
        process = subprocess.Popen(
            [program, str(settings)],
            user=USER if as_root else None,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while not _answers(folder):
                assert process.poll() is None, (folder / "log").read_text(encoding="utf-8")
                time.sleep(0.01)
            yield folder
        finally:
            process.terminate()
            process.wait()


def address(folder: Path, database: str) -> str:
    return f"postgresql://{USER}@/{database}?host={folder}&port={PORT}"


def _answers(folder: Path) -> bool:
    try:
        psycopg.connect(address(folder, USER)).close()
    except psycopg.OperationalError:
        return False
    return True
