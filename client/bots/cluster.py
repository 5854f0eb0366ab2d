"""The arena's games on a Dask cluster: one task for each block, on whichever machine has room."""

import logging
from collections.abc import Generator
from concurrent.futures import CancelledError

import distributed

from parlour.client.bots.arena import Block, ClusterFailed, Matchup, play_block
from parlour.protocol.version import build

PATIENCE = 10.0
"""Seconds to wait for a scheduler, and then for a first worker."""


class OtherBuild(Exception):
    """A worker has another build of Parlour, whose games may be others."""


def play_block_of(ours: str, matchup: Matchup, number: int) -> Block:
    """What a worker does; workers may join at any time, so each looks for itself whether it fits."""
    if build() != ours:
        raise OtherBuild(
            f"a worker runs build {build()} of Parlour, and this is {ours}: install the same one"
        )
    return play_block(matchup, number)


def play_blocks_on(address: str, matchup: Matchup, blocks: int) -> Generator[Block, None, None]:
    """All blocks as they are done, in no order; raises ClusterFailed.

    The scheduler deals a block that its worker took down with it to another worker, three times at most.
    """
    # What goes wrong is told below, in a line and without its traceback.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        with distributed.Client(address, timeout=PATIENCE) as cluster:
            cluster.wait_for_workers(1, timeout=PATIENCE)
            ours, numbers = build(), range(blocks)
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
