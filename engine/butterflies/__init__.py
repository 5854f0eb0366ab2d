"""Butterflies: two to four players, an open grid, two secret goals each."""
