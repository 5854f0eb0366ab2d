"""Balloon Cup: two players fly over plains and mountains for coloured cubes, and buy trophies with them.

public     the words that cross the wire: cards, options, actions, news and the view
state      what is remembered: small numbers inside, words only in the view
rules      the rules in order
draft      an open copy of a state while an action is worked out
cards      cards as numbers, hands as sets of bits
flight     a tile, its cubes, the cards on both sides of it, and who wins it
bag        cubes drawn onto a tile, within the caps
plays      the cards that may be put at tiles, as one number
fitting    whether any card fits anywhere
trophies   what can be claimed, what it costs, what can be traded
wishes     what a player may ask for when a tile was scored
positions  positions read and checked, and worlds imagined from a view
"""
