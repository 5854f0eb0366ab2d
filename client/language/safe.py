"""Makes text that a peer wrote safe to print on a terminal. All of it passes through here."""

import unicodedata

HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""What a terminal would obey, turn around or not show: control, escape, bidi, private, unassigned."""
LONGEST = 500
STACKED = 3
"""Marks on one letter; more of them would climb over the lines above."""


def safe(text: object) -> str:
    """One line of text that can do nothing but be read."""
    shown: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", str(text)[: LONGEST * 2]):
        category = unicodedata.category(letter)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category == "Zs":
            shown.append(" ")
        elif category in HIDDEN:
            shown.append("\N{REPLACEMENT CHARACTER}")
        elif marks <= STACKED:
            shown.append(letter)
    return "".join(shown)[:LONGEST]


def one_line(text: object) -> str:
    """Anything as one printable line: files may hold what a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(str(text).split()))
