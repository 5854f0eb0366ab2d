"""Hurry' Cup: three to six drivers snatch fuel in real time and race from Cannes to Monaco.

words         pawns, trumps, bonuses, phases and crews by name
public        the words that cross the wire: tokens, options, actions and the view
news          what happens, as it is told
state         what is remembered: small numbers and sets of bits, words only in the view
rules         the rules in order
rounds        a race round by round, and how rounds and races end
scramble      from the roll to the last pawn: horns, looks, the grab, sealed rankings
drive         a driver's turn: tokens, the move, the bonus at its end
championship  places, points and standings
draft         an open copy of a state while an action is worked out
kit           a driver's tokens as a set of bits
road          how far a car can go
track         sections as everybody sees them, and the tracks that ship
tiles         the tile set, and a random track laid from it
ready         choices that come again and again
objections    why an action is refused
positions     positions read, and worlds imagined from a view
checks        what cannot be in a position
"""
