"""The arena's games on a Dask cluster: one task for each block, on whichever machine has room."""

import contextlib
import functools
import hashlib
import logging
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import distributed

import parlour.client.bots
import parlour.engine
from parlour.client.bots.arena import Block, ClusterFailed, Matchup, play_block
from parlour.protocol.version import build

PATIENCE = 10.0
"""Seconds to wait for a scheduler, and then for a first worker."""
LOOK_EVERY = 5.0
"""Seconds between two looks whether a worker is there."""


class OtherBuild(Exception):
    """A worker has another build of Parlour, whose games may be others."""


@functools.cache
def sources() -> str:
    """The build, and a short digest of the rules and the bots: what decides how games go."""
    digest = hashlib.sha256()
    for room in (parlour.engine, parlour.client.bots):
        folder = Path(room.__path__[0])
        for path in sorted(folder.rglob("*.py"), key=lambda path: path.relative_to(folder).as_posix()):
            text = path.read_text(encoding="utf-8")
            digest.update(f"{room.__name__}/{path.relative_to(folder).as_posix()}\0{text}\0".encode())
    return f"{build()} ({digest.hexdigest()[:8]})"


def play_block_of(ours: str, matchup: Matchup, number: int) -> Block:
    """What a worker does; workers may join at any time, so each looks for itself whether it fits."""
    if sources() != ours:
        raise OtherBuild(
            f"a worker runs {sources()}, and this is {ours}: install the same build of Parlour there"
        )
    return play_block(matchup, number)


@contextlib.contextmanager
def watched(cluster: distributed.Client, on_idle: Callable[[], None]) -> Iterator[None]:
    """Has `on_idle` called, once, when no worker is there any more."""
    ended = threading.Event()

    def watch() -> None:
        with contextlib.suppress(OSError):  # the scheduler is gone, as whoever waits is told
            while not ended.wait(LOOK_EVERY):
                if not cluster.scheduler_info()["workers"]:
                    on_idle()
                    return

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()


def _connected(address: str) -> distributed.Client:
    try:
        return distributed.Client(address, timeout=PATIENCE)
    except OSError:  # its words are about streams and timeouts
        raise ClusterFailed(f"no Dask scheduler answers at {address}") from None


def play_blocks_on(
    address: str, matchup: Matchup, blocks: int, on_idle: Callable[[], None] = lambda: None
) -> Generator[Block, None, None]:
    """All blocks as they are done, in no order; raises ClusterFailed.

    The scheduler deals a block that its worker took down with it to another worker, three times at most.
    """
    # What goes wrong is told below, in a line and without its traceback.
    for part in ("client", "core", "comm"):
        logging.getLogger(f"distributed.{part}").setLevel(logging.CRITICAL)
    try:
        with _connected(address) as cluster, watched(cluster, on_idle):
            cluster.wait_for_workers(1, timeout=PATIENCE)
            ours, numbers = sources(), range(blocks)
            orders = cluster.map(play_block_of, [ours] * blocks, [matchup] * blocks, numbers, pure=False)
            try:
                for order in distributed.as_completed(orders):
                    yield order.result()
            finally:
                cluster.cancel(orders)
    except TimeoutError:
        raise ClusterFailed(
            f"no worker has joined {address}: start one with `dask worker {address}`"
        ) from None
    except distributed.KilledWorker as killed:
        raise ClusterFailed(f"a deal ended every worker that played it: {killed}") from None
    except CancelledError:
        raise ClusterFailed(f"the scheduler at {address} is gone: start it, and play again") from None
    except OtherBuild as other:
        raise ClusterFailed(str(other)) from None
    except OSError as wrong:
        raise ClusterFailed(str(wrong)) from None
