"""The real application, as a person uses it: from the lobby to the result, in every language."""

from pathlib import Path
from random import Random

import pytest
from support.client.random_player import RandomPlayer
from support.client.terminals import Shared, Terminal, Wire, terminal

from parlour.client.language import Texts, choose

GAMES = {"balloon-cup": ("1", 1), "hurry-cup": ("2", 2), "butterflies": ("3", 1)}
"""Which key chooses the game, and how many bots are needed."""


def table(shown: Terminal, texts: Texts, game: str) -> None:
    """From the lobby to the first board."""
    key, bots = GAMES[game]
    shown.follow((texts("lobby.title"), "n"), (texts("start.which_game"), key))
    if game == "hurry-cup":
        shown.follow((texts("new.bots"), "b"))
        shown.see(texts("new.quick_bots"))
    shown.follow((texts("new.open"), "o"))
    shown.see(texts("table.not_ready"))
    for number in range(bots):
        # Bots that do not think: the game is about the client.
        shown.see(texts("table.add_bot", level=texts("bots.easy")))
        shown.press("e")
        told = texts("table.bot") + texts("list.between").strip()
        shown.until(lambda text, n=number, told=told: text.count(told) > n, "a bot")  # type: ignore[misc]
    shown.press("y")
    shown.see(texts("table.start"))
    shown.press("s")
    shown.until(lambda text: texts("play.your_turn") in text or texts("play.waiting") in text, "a game")


def leave(shown: Terminal, texts: Texts) -> None:
    """From the table to the lobby, to the first page, and out."""
    shown.press("q")
    shown.follow((texts("lobby.new"), "q"), (texts("start.title"), "q"))


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
        shown.resize(59, 20)
        shown.see("--plain")
        shown.resize(60, 20)
        shown.see(texts(f"game.{game}").upper())
        shown.resize(120, 40)
        shown.until(lambda text: max(map(len, text.splitlines())) > 100, "a wide board")
        player.play()
        leave(shown, texts)
        assert shown.ended() == 0
        assert b"\x1b[?1049l" in shown.raw
    wire.cut()
