"""Strategies for Butterflies: greedy, and search by lookahead in worlds that belief makes likely."""
