"""One node that is kept alive: what its parent tells of its ends."""

import asyncio
import logging
import sys
from pathlib import Path

import attrs
import pytest

from parlour.server.config import Config
from parlour.server.processes import node
from parlour.server.processes.plan import NodePlan

PROGRAM = """
import pathlib, sys
seen = pathlib.Path(sys.argv[1])
if seen.exists():
    sys.exit("parlour: port: cannot listen")
seen.touch()
print("ws://127.0.0.1:1", flush=True)
"""


@attrs.frozen
class ServesOnce(NodePlan):
    """A program that listens when it is started first, and never again."""

    seen: Path

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-c", PROGRAM, str(self.seen)]


async def test_what_keeps_a_node_from_starting_again_is_told_with_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    monkeypatch.setattr(
        node.log,
        "warning",
        lambda words, *facts: told.put_nowait(
            logging.LogRecord("", 0, "", 0, words, facts, None).getMessage()
        ),
    )
    kept = node.Node(ServesOnce(Config(node="club-1"), tmp_path / "seen"))
    life = asyncio.create_task(kept.live())
    assert await told.get() == "node=club-1 has ended status=0, is started in 0.2 s"
    assert await told.get() == "node=club-1 has ended status=1, is started in 0.4 s: port: cannot listen"
    kept.stop()
    await life
