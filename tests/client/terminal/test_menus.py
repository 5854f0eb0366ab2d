"""Where people go in the real application: to watch, to host, to look back, and back to a game they left."""

import contextlib
import os
import re
import signal
import socket
import time
from pathlib import Path

from support.client.terminals import PATIENCE, Shared, Terminal, server, terminal

CARD = re.compile(r"[RYGBE]\d+")
HAND = re.compile(r"[RYGBE]\d+(?: +[RYGBE]\d+)*$")
COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "E": "grey"}
COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")
"""Any colour of letters or of what is behind them; 39 and 49 are none."""


def to_a_game(shown: Terminal, key: str = "1") -> None:
    """Playing here against easy bots, from nothing."""
    shown.follow(("Play here against bots", "p"))
    while "Bots: easy" not in shown.see("Bots: "):
        before = shown.text
        shown.press("b")
        shown.until(lambda text, before=before: text != before, "other bots")  # type: ignore[misc]
    shown.press(key)
    shown.see("Your turn")


def hand(shown: Terminal) -> tuple[int, int]:
    """Where the first card of one's own hand in Balloon Cup is."""
    lines = shown.text.splitlines()
    row = next(number for number, line in enumerate(lines) if line.startswith(" Anna ") and HAND.search(line))
    found = HAND.search(lines[row])
    assert found is not None
    return found.start(), row


def child_of(shown: Terminal) -> int:
    children = Path(f"/proc/{shown.process.pid}/task/{shown.process.pid}/children").read_text(
        encoding="ascii"
    )
    return int(children.split()[0])


def test_somebody_watches_a_table_and_sees_no_hand(tmp_path: Path) -> None:
    # Tall windows: the bot answers at once, and tiles that are won would push Anna's card out of a low one.
    with (
        server() as (host, port),
        terminal(tmp_path / "a", "play", f"{host}:{port}", "--name", "Anna", rows=40) as anna,
        terminal(tmp_path / "b", "play", f"{host}:{port}", "--name", "Ben", rows=40) as ben,
    ):
        anna.follow(("Lobby", "n"), ("Which game?", "1"), ("Open the table", "o"), ("(easy)", "e"))
        anna.follow(("(bot, easy, ready)", "y"), ("Start the game", "s"))
        anna.see("Your turn")
        ben.click_on("Watch: Balloon Cup")
        board = ben.see("Waiting for Anna")
        assert board.count("▒▒ 8 cards") == 2 and "▸" not in board.splitlines()[-2]
        anna.choose("You played")
        # After a move of one's own something is pointed at.
        anna.until(lambda text: "Your turn" in text and bool(anna.pointed), "the next question")
        ben.see("Anna played")
        ben.press("escape")
        ben.see("Game menu")
        assert "Give up" not in ben.text
        ben.press("q")
        ben.see("Lobby")


def test_without_colours_there_are_none_and_nothing_is_lost(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "--name", "Anna", NO_COLOR="1") as shown:
        to_a_game(shown)
        for letter in ("R red", "Y yellow", "G green", "B blue", "E grey"):
            assert letter in shown.text
        assert "▸" in shown.text.splitlines()[-2]
        assert COLOUR.findall(shown.raw) == []
        # Its server has ended by then, and has let go of the game.
        shown.press("c-c")
        shown.follow(("in the middle of a game?", "y"))
        assert shown.ended() == 0
    with terminal(tmp_path, "play", "--name", "Anna") as shown:
        shown.follow(("Play here against bots", "p"), ("Which game?", "1"))
        shown.see("Your game goes on")
        assert COLOUR.findall(shown.raw) != []


def test_a_terminal_that_writes_ascii_only_gets_ascii_in_english(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "--name", "Anna", "--lang", "ru", PYTHONIOENCODING="ascii") as shown:
        to_a_game(shown)
        assert shown.raw.isascii() and "?·" not in shown.text
        assert "+- 1" in shown.text and "Anna" in shown.text


def test_a_server_is_opened_for_the_network_and_ends_with_whoever_opened_it(tmp_path: Path) -> None:
    with terminal(tmp_path / "a", "play", "--name", "Anna") as anna:
        anna.follow(("Open a server here", "o"))
        anna.see("Lobby")
        found = re.search(r"ws://(?:\d+\.){3}\d+:(\d+)", anna.text)
        # A machine without a network has no address that could be told.
        port = int(found[1]) if found else listening(child_of(anna))
        with terminal(tmp_path / "b", "play", f"127.0.0.1:{port}", "--name", "Ben") as ben:
            ben.follow(("Open a new table", "n"), ("Which game?", "1"), ("Open the table", "o"))
            anna.see("Sit down: Balloon Cup")
            anna.press("q")
            anna.see("Play here against bots")
            ben.until(lambda text: "trying again" in text or "not connected" in text, "the end of the server")
        assert gone(port)


def listening(pid: int) -> int:
    """The port of a process that listens on all addresses."""
    inodes = {os.readlink(each)[8:-1] for each in Path(f"/proc/{pid}/fd").iterdir() if each.is_symlink()}
    rows = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return next(int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A" and row[9] in inodes)


def gone(port: int) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            continue
        return True
    return False


def test_a_game_that_was_given_up_is_asked_about_first_and_watched_again_from_the_lobby(
    tmp_path: Path,
) -> None:
    with terminal(tmp_path, "play", "--name", "Anna") as shown:
        to_a_game(shown)
        shown.press("f10")
        shown.follow(("Give up", "x"), ("Give up this game?", "n"), ("Give up", "x"))
        shown.follow(("Give up this game?", "y"))
        over = shown.see("m Play again")
        assert "▶ Anna" not in over and "You gave up." in over
        shown.press("q")
        shown.follow(("Open a new table", "g"), ("Balloon Cup with Bot", "enter"))
        shown.see("Move 0 of")
        shown.press("q")
        shown.see("Balloon Cup with Bot")


def test_whoever_comes_back_after_the_end_of_a_game_comes_to_the_lobby(
    shared: Shared, tmp_path: Path
) -> None:
    words = ("play", shared.address, "--name", shared.name("Anna"))
    with terminal(tmp_path, *words) as shown:
        steps = ("Lobby", "n"), ("Which game?", "1"), ("Open the table", "o")
        sitting = ("(easy)", "e"), ("I am ready", "y"), ("Start the game", "s")
        giving_up = ("Enter choose  ←→", "f10"), ("Give up", "x"), ("Give up this game?", "y")
        shown.follow(*steps, *sitting, *giving_up, ("Play again", "c-c"))
        assert shown.ended() == 0
    with terminal(tmp_path, *words) as shown:
        assert "Lobby" in shown.see("Go back to your table: Balloon Cup")


def test_a_card_and_a_tile_are_clicked(tmp_path: Path) -> None:
    # A tall window: the bot answers at once, and its sentences would push Anna's out of a low one.
    with terminal(tmp_path, "play", "--name", "Anna", rows=40) as shown:
        to_a_game(shown)
        # Not every card of the hand has a place: the one that is pointed at has.
        card = CARD.search(shown.pointed.partition("▸")[2])
        assert card is not None
        column, row = hand(shown)
        shown.click(shown.text.splitlines()[row].index(f"{card[0]} ", column), row)
        shown.until(lambda _: f"play {card[0]}" in shown.pointed, "its places")
        tile, side = re.search(r"tile (\d)", shown.pointed), re.search("mine|theirs", shown.pointed)
        assert tile is not None and side is not None
        at, top = shown.find(f"─ {tile[1]}")
        # Below the terrain is one's own side, above it the other one's.
        shown.click(at + 3, top + (6 if side[0] == "mine" else 1))
        shown.see(f"You played {COLOURS[card[0][0]]} {card[0][1:]} at tile {tile[1]}")


def test_a_card_and_a_cell_are_clicked(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "--name", "Anna", columns=120, rows=40) as shown:
        to_a_game(shown, "3")
        column, row = shown.find("Anna  ")
        card = re.compile(r"[MSOP][rygb]").search(shown.text.splitlines()[row + 1], column)
        assert card is not None
        shown.click(card.start(), row + 1)
        # Its cells are offered, and the deck no longer is.
        shown.until(lambda _: f"play {card[0]}" in shown.pointed and "turn" not in shown.pointed, "its cells")
        at, top = shown.find(">+<")
        shown.click(at + 1, top)
        shown.until(lambda text: re.search(r"Anna +[12] played", text) is not None, "the card laid")


def test_a_server_of_ones_own_that_dies_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "--name", "Anna") as shown:
        to_a_game(shown)
        cards = shown.text.splitlines()[hand(shown)[1]]
        os.kill(child_of(shown), signal.SIGKILL)
        shown.see("The server on this machine has stopped.")
        shown.press("p")
        shown.see("Which game?")
        shown.press("1")
        assert cards in shown.see("Your game goes on where you left it.")
