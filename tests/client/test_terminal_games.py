"""The real application, as a person uses it: from the lobby to the result, in every language."""

from pathlib import Path
from random import Random

import pytest
from terminals import Terminal, Wire, server, terminal

from parlour.client.language import Texts, choose

GAMES = {"balloon-cup": ("1", 1), "hurry-cup": ("2", 2), "butterflies": ("3", 1)}
"""Which key chooses the game, and how many bots are needed."""


def table(shown: Terminal, texts: Texts, game: str) -> None:
    """From the lobby to the first board."""
    key, bots = GAMES[game]
    shown.see(texts("lobby.no_tables")[:20])
    shown.press("n")
    shown.see(texts("start.which_game"))
    shown.press(key)
    shown.see(texts("new.open"))
    shown.press("o")
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


def over(texts: Texts, text: str) -> bool:
    return texts("table.rematch") in text


def asked(texts: Texts, text: str) -> bool:
    """Something can be chosen: the pointer stands at the foot of the window."""
    return texts("play.your_turn") in text and any("◂" in line for line in text.splitlines()[-6:])


def play(shown: Terminal, texts: Texts, luck: Random, moves: int | None = None) -> None:
    """Points somewhere and chooses, whenever it is our turn; so often, or to the end."""
    sure, unfit = texts("play.sure_declare")[:20], texts("play.nothing_fits")
    done = 0
    while not over(texts, shown.text) and (moves is None or done < moves):
        shown.until(
            lambda text: asked(texts, text) or over(texts, text) or sure in text or unfit in text, "our turn"
        )
        if sure in shown.text:
            shown.press("y")
            shown.until(lambda text: sure not in text, "an answer that was taken")
        elif unfit in shown.text:
            shown.press("backspace")
        else:
            shown.press(*["right"] * luck.randrange(4), "enter")
        done += 1
        shown.look(0.2)


def leave(shown: Terminal) -> None:
    """Back and back again, whatever the last key of the game has opened: table, lobby, start, and out."""
    for _ in range(40):
        for key in ("escape", "q"):
            if shown.process.poll() is None:
                shown.press(key)
                shown.look(0.5)


@pytest.mark.parametrize(
    ("game", "language"),
    [("balloon-cup", "en"), ("hurry-cup", "ru"), ("butterflies", "it"), ("balloon-cup", "zh")],
)
def test_a_game_from_the_lobby_to_its_result(game: str, language: str, tmp_path: Path) -> None:
    texts, luck = choose(language), Random(f"{game} {language}")
    with server() as where:
        wire = Wire(where)
        words = ("play", f"127.0.0.1:{wire.port}", "--lang", language, "--name", "Anna")
        with terminal(tmp_path, *words) as shown:
            table(shown, texts, game)
            play(shown, texts, luck, 3)
            wire.cut()
            lost = texts("connection.lost", seconds="|").partition("|")[0]
            shown.see(lost)
            wire.mend()
            shown.until(lambda text: lost not in text and texts("play.stale") not in text, "a live board")
            play(shown, texts, luck, 2)
            shown.resize(60, 20)
            shown.see("80")
            shown.resize(120, 40)
            shown.until(lambda text: max(map(len, text.splitlines())) > 100, "a wide board")
            play(shown, texts, luck)
            leave(shown)
            assert shown.ended() == 0
            assert b"\x1b[?1049l" in shown.raw
