"""Plays one seed: a world with one server after the other, or one with three nodes of a house."""

import gc
import logging

from parlour.engine.catalogue import GAMES
from tools.simulation.house.world import HouseWorld
from tools.simulation.server import COLLECT
from tools.simulation.whispers import Whispers
from tools.simulation.world import World

WHISPERS = Whispers()
HOUSE_EVERY, HOUSE_AT = 12, 9
"""Of so many seeds the one with this rest has three nodes."""


def is_house(seed: int) -> bool:
    return seed % HOUSE_EVERY == HOUSE_AT


def houses(seeds: range) -> range:
    """Those of these seeds, in a row, that have three nodes."""
    return range(seeds.start + (HOUSE_AT - seeds.start) % HOUSE_EVERY, seeds.stop, HOUSE_EVERY)


def run_seed(seed: int, trace: bool = False) -> None:
    """Plays one world; raises what went wrong in it."""
    logger = logging.getLogger("parlour")
    logger.addHandler(COLLECT)
    logger.propagate = False
    GAMES[Whispers.name] = WHISPERS
    collects = gc.isenabled()
    gc.disable()  # nearly all that a world has made lives as long as it: looking at it once is enough
    try:
        (HouseWorld if is_house(seed) else World)(seed, trace).run()
    finally:
        del GAMES[Whispers.name]
        COLLECT.take = None
        if collects:
            gc.enable()
            gc.collect(0)
