"""Somebody who plays at random in a real terminal."""

import re
from random import Random

from support.client.terminals import Terminal

from parlour.client.boards.text import columns
from parlour.client.language import Texts

OFFER = re.compile(r"[^ …]+(?: [^ …]+)*")
FOOT = 6
"""Lines at the foot of the window that may have what can be chosen."""


class RandomPlayer:
    """Points somewhere and chooses, whenever it is its turn."""

    def __init__(self, shown: Terminal, texts: Texts, luck: Random) -> None:
        self.shown, self.texts, self.luck = shown, texts, luck
        self.sure = texts("menu.sure")
        self.waits = texts("play.keys_wait").partition("|")[0]

    def play(self, choices: int | None = None) -> None:
        """So many choices, with what they are asked about, or to the end."""
        done = 0
        while choices is None or done < choices or self.sure in self.shown.text:
            text = self.shown.until(self.called, "our turn, or the end")
            if self.over(text):
                return
            self.choose(text)
            done += 1

    def called(self, text: str) -> bool:
        return self.over(text) or self.sure in text or self.pointing(text) or self.lost(text)

    def over(self, text: str) -> bool:
        return self.texts("table.rematch") in text

    def pointing(self, text: str) -> bool:
        return self.mine(text) and any("◂" in line for line in text.splitlines()[-FOOT:])

    def lost(self, text: str) -> bool:
        """Something can be chosen, and nothing is pointed at; a notice may stand in the place of the keys."""
        keys = text.splitlines()[-1]
        waits = keys.strip().startswith(self.waits)
        return self.mine(text) and not self.pointing(text) and "Enter" not in keys and not waits

    def mine(self, text: str) -> bool:
        return self.texts("play.your_turn") in text

    def choose(self, text: str) -> None:
        """By keys that are sure to change something, and waits until they have."""
        if self.sure in text:
            self.shown.press("y")
            self.shown.until(lambda now: self.sure not in now, "an answer that was taken")
            return
        if self.lost(text):
            self.shown.press("right")
            keys = text.splitlines()[-1]
            self.shown.until(lambda now: now.splitlines()[-1] != keys, "the pointer")
            return
        before = self.still_lines(text)
        others = self.others(text)
        if others and self.luck.random() < 0.7:
            self.shown.click(*self.luck.choice(others))
        else:
            self.shown.press("enter")
        self.shown.until(lambda now: self.still_lines(now) != before, "what was chosen")

    def others(self, text: str) -> list[tuple[int, int]]:
        """Where the offers are that stand in one line with the one that is pointed at, to the right of it."""
        lines = text.splitlines()
        row = max(number for number, line in enumerate(lines) if "◂" in line)
        start = lines[row].index("◂") + 1
        return [
            (columns([("", lines[row][: start + found.start()])]), row)
            for found in OFFER.finditer(lines[row][start:])
        ]

    def still_lines(self, text: str) -> list[str]:
        """All but the line with clocks, which change by themselves."""
        words = (self.texts("play.your_turn"), self.texts("play.waiting"))
        return [line for line in text.splitlines() if not any(each in line for each in words)]
