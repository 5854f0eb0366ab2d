"""Whole numbers that stand in text."""

MOST_DIGITS = 9
"""More than any number in an id has. Python raises ValueError for a number of more than 4,300 digits."""


def number_in(text: str) -> int | None:
    """The number that the text is; None if it is none, or has more digits than any that we write."""
    return int(text) if len(text) <= MOST_DIGITS and text.isascii() and text.isdecimal() else None
