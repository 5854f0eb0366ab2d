"""The real application, as a person uses it: from the lobby to the result, in every language."""

import re
from pathlib import Path
from random import Random

import pytest
from support.client.terminals import Shared, Terminal, Wire, terminal

from parlour.client.boards.text import columns
from parlour.client.language import Texts, choose

GAMES = {"balloon-cup": ("1", 1), "hurry-cup": ("2", 2), "butterflies": ("3", 1)}
"""Which key chooses the game, and how many bots are needed."""
OFFER = re.compile(r"[^ …]+(?: [^ …]+)*")
FOOT = 6
"""Lines at the foot of the window that may have what can be chosen."""


def table(shown: Terminal, texts: Texts, game: str) -> None:
    """From the lobby to the first board."""
    key, bots = GAMES[game]
    shown.follow((texts("lobby.title"), "n"), (texts("start.which_game"), key), (texts("new.open"), "o"))
    shown.see(texts("table.not_ready"))
    for number in range(bots):
        # Bots that do not think: the game is about the client.
        shown.see(texts("table.add_bot", level=texts("bots.easy")))
        shown.press("e")
        shown.until(lambda text, n=number: text.count(texts("table.bot") + ",") > n, "a bot")  # type: ignore[misc]
    shown.press("y")
    shown.see(texts("table.start"))
    shown.press("s")
    shown.until(lambda text: texts("play.your_turn") in text or texts("play.waiting") in text, "a game")


class RandomPlayer:
    """Points somewhere and chooses, whenever it is its turn."""

    def __init__(self, shown: Terminal, texts: Texts, luck: Random) -> None:
        self.shown, self.texts, self.luck = shown, texts, luck
        self.sure = texts("play.sure_declare")[:20]
        self.waits = texts("play.keys_wait").split("|")[2]

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
        return self.mine(text) and not self.pointing(text) and "Enter" not in keys and self.waits not in keys

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


def leave(shown: Terminal, texts: Texts) -> None:
    """From the table to the lobby, to the first page, and out."""
    shown.press("q")
    shown.follow((texts("lobby.title"), "q"), (texts("start.title"), "q"))


@pytest.mark.parametrize(
    ("game", "language"),
    [("balloon-cup", "en"), ("hurry-cup", "ru"), ("butterflies", "it"), ("balloon-cup", "zh")],
)
def test_a_game_from_the_lobby_to_its_result(
    game: str, language: str, shared: Shared, tmp_path: Path
) -> None:
    texts = choose(language)
    wire = Wire((shared.host, shared.port))
    words = ("play", f"127.0.0.1:{wire.port}", "--lang", language, "--name", shared.name("Anna"))
    with terminal(tmp_path, *words) as shown:
        player = RandomPlayer(shown, texts, Random(f"{game} {language}"))
        table(shown, texts, game)
        player.play(3)
        wire.cut()
        lost = texts("connection.lost", seconds="|").partition("|")[0]
        shown.see(lost)
        wire.mend()
        shown.until(lambda text: lost not in text and texts("play.stale") not in text, "a live board")
        player.play(2)
        shown.resize(60, 20)
        shown.see("80")
        shown.resize(120, 40)
        shown.until(lambda text: max(map(len, text.splitlines())) > 100, "a wide board")
        player.play()
        leave(shown, texts)
        assert shown.ended() == 0
        assert b"\x1b[?1049l" in shown.raw
    wire.cut()
