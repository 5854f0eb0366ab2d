"""Playing in plain lines through pipes: sentences and numbers, JSON for scripts, and a clean end."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.client.terminals import Lines, Shared


def table(lines: Lines, game: str, bots: int) -> None:
    lines.until("Open a new table")
    lines.type("n")
    lines.until("Back")
    lines.type(game)
    lines.until("Open the table")
    if game == "hurry":
        lines.type("b")
        lines.until("grab as fast as they can")
    lines.type("1")
    lines.until("more player")
    for _ in range(bots):
        lines.type("e")
        lines.until("(bot, easy, ready")
    lines.type("y")
    lines.until("Everyone is ready")
    lines.type("")
    lines.until("1. Start")
    lines.type("start")


@pytest.mark.parametrize(("game", "bots"), [("balloon", 1), ("hurry", 2), ("butterflies", 1)])
def test_a_whole_game_by_numbers(game: str, bots: int, shared: Shared, tmp_path: Path) -> None:
    luck = Random(game)
    lines = Lines(tmp_path, shared.address, "--name", shared.name("Anna"), "--json")
    table_in_json(lines, game, bots)
    while (event := next_event(lines))["event"] != "result":
        if event["event"] == "asked" and event["legal"]:
            choices = [line for line in event["text"] if line[:1].isdigit()]
            lines.type(str(luck.randrange(len(choices)) + 1))
        elif event["event"] == "menu":
            lines.type("yes")
    assert isinstance(event["winners"], list)
    assert json.loads(lines.end()[-1])["event"] == "goodbye"


def next_event(lines: Lines) -> Any:
    return json.loads(lines.read())


def table_in_json(lines: Lines, game: str, bots: int) -> None:
    """Every line is an event, whatever it is about."""
    table(lines, game, bots)
    assert all("event" in json.loads(line) for line in lines.said)


def test_sentences_numbers_and_words_of_commands(shared: Shared, tmp_path: Path) -> None:
    name = shared.name("Anna")
    lines = Lines(tmp_path, shared.address, "--name", name)
    table(lines, "balloon", 1)
    lines.until("It is your turn.")
    assert lines.until("1. ")
    lines.type("board")
    lines.until("Tile 1, plain, low sum wins; cubes: 1 ")
    lines.until("In your hand: ")
    lines.type("drawing")
    lines.until("BALLOON CUP")
    lines.type("e99")
    lines.until("You can't choose")
    lines.type("say hello there")
    lines.until(f"{name}: hello there")
    lines.type("hint medium")
    lines.until("What the bot “medium” would play")
    assert "looks like a chance of" in lines.until("1. ")
    lines.type("menu")
    lines.until("Give up")
    lines.type("give")
    lines.until("Give up this game?")
    lines.type("yes")
    lines.until(" won (forfeit).")
    assert not any("\x1b" in line for line in lines.said)
    assert lines.end() == ["Goodbye."] or lines.said[-1] == "Goodbye."


def test_the_end_of_input_leaves_at_once(tmp_path: Path) -> None:
    assert Lines(tmp_path).end()[-1] == "Goodbye."


def test_a_server_that_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    lines = Lines(tmp_path, "127.0.0.1:1")
    assert "nobody answers there" in lines.until("obody answers").casefold()
    lines.end()


def test_a_choice_that_is_not_there_is_answered_with_the_nearest(tmp_path: Path) -> None:
    lines = Lines(tmp_path)
    lines.until("Leave Parlour")
    lines.type("play hire")
    assert "Play here against bots" in lines.until("You can't choose")
    lines.end()


def test_another_language_speaks_from_the_first_line(tmp_path: Path) -> None:
    lines = Lines(tmp_path, "--lang", "ru")
    assert "построчно" in lines.read()
    lines.end()


def test_playing_here_starts_a_server_that_ends_with_us(tmp_path: Path) -> None:
    lines = Lines(tmp_path)
    lines.until("Leave Parlour")
    lines.type("p")
    lines.until("Back")
    lines.type("1")
    lines.until("picked up 8 cards")
    rest = lines.end()
    assert rest[-1] == "Goodbye."
