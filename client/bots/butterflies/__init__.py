"""Strategies for Butterflies.

evaluation  what a grid is worth: windows of four cells that may become a row
greedy      a row if there is one, else what helps own windows and hinders others
search      the best dozen actions, followed in worlds with goals as they may be
repeats     grids that were there before, to which nobody moves a card back
belief      what the goals of opponents may be
lookahead   how a game may go on from an action
"""
