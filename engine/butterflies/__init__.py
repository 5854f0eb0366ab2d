"""Butterflies: two to four players, an open grid, two secret goals each.

public      the words that cross the wire: cards, options, actions, news and the view
state       what is remembered: small numbers inside, words only in the view
rules       the rules in order
draft       an open copy of a state while an action is worked out
cards       butterflies and goals as small numbers
cells       cells of the open grid as numbers
grid        which card lies where, and what lies beside what
bridges     cards whose lifting splits the others
moves       where the cards on the grid can be moved
rows        four cards or more of one colour or one species in a line
near_rows   which rows are there, and whether the next card may meet a goal, from what everybody sees
goals       whose a player may declare and when, and who wins with them
choices     what a player may do
objections  why an action is refused
positions   positions read, and worlds imagined from a view
checks      what cannot be in a position
"""
