"""The server of an earlier commit, run beside ours: what became quicker, and what slower, since then."""

import io
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from bench.child import Child

COMMIT = "56c3fa0"
MODULE = "bench.house"
"""What bench.our_server was called then."""
ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".bench" / COMMIT


def there_is() -> bool:
    """Checks the earlier commit out, once; says so and returns False where there is no history."""
    if FOLDER.exists():
        return True
    found = subprocess.run(["git", "archive", COMMIT], cwd=ROOT, capture_output=True, check=False)
    if found.returncode:
        print(f"beside {COMMIT}: left out, this is no clone with its history", file=sys.stderr)
        return False
    half = FOLDER.with_suffix(".half")
    shutil.rmtree(half, ignore_errors=True)  # of a run that was interrupted
    with tarfile.open(fileobj=io.BytesIO(found.stdout)) as tree:
        tree.extractall(half / "tree", filter="data")
    # Our packages lie at the root and are called parlour.*: in front of the installed ones comes this name.
    (half / "path").mkdir()
    (half / "path" / "parlour").symlink_to(Path("..") / "tree", target_is_directory=True)
    half.rename(FOLDER)
    return True


def start(*arguments: str) -> Child:
    return Child(MODULE, *arguments, folder=FOLDER / "tree", path=FOLDER / "path")
