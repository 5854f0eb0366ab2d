"""Real nodes that are killed, frozen and cut off for whole evenings: part of `make soak` alone."""

from support import soak

collect_ignore_glob = [] if soak.GAMES else ["test_*.py"]
