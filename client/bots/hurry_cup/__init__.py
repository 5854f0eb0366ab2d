"""Strategies for Hurry' Cup: greedy, and search with racer, which prices tokens by prospect."""
