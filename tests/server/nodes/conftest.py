"""Real nodes that are killed, frozen and cut off for whole evenings.

The tournament is part of `make soak` alone: in one run of eight, with eight kills, a player was not told of a
game that was dealt again after both its node and that of the tournament had died.
"""

from support import soak

collect_ignore_glob = [] if soak.GAMES else ["test_tournament.py"]
