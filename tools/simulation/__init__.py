"""A deterministic simulation of the whole server: one seed is one story, and no guarantee may break in it.

The real server runs, from its websockets to its archive, on a machine that is simulated: an event loop whose
time is virtual, lines that break, a disk that is slow or full, and servers that are killed. `python -m
tools.simulate --seed N --trace` tells one seed.

world        one seed from its first connection to its last check
server       one server of a world, until it stops or is killed
loop         time and order: an event loop that is moved by an agenda
line         lines between peers and the server
disk         the archive over SQLite in memory, its thread replaced by steps
database     the same behind a connection that is lost: a commit in doubt
seeds        which world a seed is
house        worlds with three nodes of a house over one database
peer         a client as the protocol's page describes it
known        what it has sent, heard and knows
habits       what peers do, sensible and odd
guarantees   G1 to G18 as functions, held against every frame
faults       faults that are planted into the server, and found
whispers     the game that they play
story        what happens, in words
"""
