"""Strategies for Hurry' Cup.

evaluation  what a place on the road is worth: how many more rounds a car needs
greedy      whatever leaves the fewest rounds to the finish
search      actions are tried out, and all drive carefully for some rounds after
racer       careful driving, one move ahead, with tokens priced
prospect    the rounds that are still needed with these tokens
race        which actions are a race against other hands
by_road     what is worked out for a road, once
"""
