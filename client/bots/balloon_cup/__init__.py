"""Strategies for Balloon Cup: greedy and search, on one evaluation of positions."""
