"""Stones, a game that is in no catalogue: what a new game brings, in small.

engine   what would be engine/stones/: words, state and rules
board    what would be client/boards/stones/
bots     what would be client/bots/stones/
texts    what would stand in client/language/
"""
