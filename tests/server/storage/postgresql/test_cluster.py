"""The PostgreSQL of the tests goes with them, also if they are killed."""

import subprocess
import sys
import time
from pathlib import Path

from support.paths import ROOT
from support.server.postgresql import programs

CHILD = """
import sys
from pathlib import Path
from tools.postgresql import cluster

with cluster(Path(sys.argv[1])) as made:
    print(made.folder, flush=True)
    sys.stdin.read()
"""


def test_a_cluster_ends_with_the_process_that_started_it_however_that_ends() -> None:
    command = [sys.executable, "-c", CHILD, str(programs())]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        folder = Path(child.stdout.readline().strip())
        pid = int((folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        child.kill()
    while folder.exists():
        time.sleep(0.01)
    assert not Path(f"/proc/{pid}/cwd").is_dir()
