"""`--test`: a server on this machine for whoever writes a client.

Deals are the same with every start, limits are high, and nobody is waited for long.
"""

import hashlib
from collections.abc import Callable

import attrs

from parlour.machine.addresses import is_loopback
from parlour.server.config import BadConfig, Config
from parlour.server.limits import NO_PACE

HERE = "127.0.0.1"
GRACE = 2.0
"""Seconds for which a clock waits for somebody who is disconnected, at most."""
HIGH = attrs.evolve(
    NO_PACE,
    tables_each=100,
    connections_each=2_000,
    built_in_bots_each=400,
    tournaments_each=16,
    grace=GRACE,
)


def for_authors(config: Config) -> Config:
    """The settings of such a server: not announced, and for this machine alone; raises BadConfig."""
    if config.host and not is_loopback(config.host):
        raise BadConfig(f"test: is for this machine alone: leave host out, or make it {HERE}")
    return attrs.evolve(config, host=config.host or HERE, hidden=True)


def fixed_bytes() -> Callable[[int], bytes]:
    """Stands in for randomness: ids, codes and secrets are the same with every start, one after the other."""
    drawn = 0

    def draw(count: int) -> bytes:
        nonlocal drawn
        drawn += 1
        return hashlib.shake_256(f"parlour test {drawn}".encode()).digest(count)

    return draw
