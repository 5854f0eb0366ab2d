"""Playing in plain lines through pipes: sentences and numbers, JSON for scripts, and a clean end."""

import json
import re
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


NUMBERED = re.compile(r"(\d+)\. (.+)")
TURN = "It is your turn."
HELP = "A number or the words of a choice"
OVER = "Play again"


def offered(lines: Lines) -> dict[str, str]:
    """What can be chosen now, by its number: an empty line repeats it, and the help comes after it."""
    lines.type("")
    lines.type("help")
    found: dict[str, str] = {}
    while not (line := lines.read()).startswith(HELP):
        choice = NUMBERED.fullmatch(line)
        if choice is not None:
            found = {**({} if choice[1] == "1" else found), choice[1]: choice[2]}
        elif line == TURN:
            found = {}
    return found


@pytest.mark.parametrize(("game", "bots"), [("balloon", 1), ("hurry", 2), ("butterflies", 1)])
def test_a_whole_game_in_sentences(game: str, bots: int, shared: Shared, tmp_path: Path) -> None:
    luck = Random(game)
    lines = Lines(tmp_path, shared.address, "--name", shared.name("Anna"))
    table(lines, game, bots)
    while OVER not in (choices := offered(lines)).values():
        if choices:
            lines.type(luck.choice([*choices]))
        else:
            lines.until(TURN, OVER)
    lines.type("board")
    told = lines.until(".")
    assert not any(letter in told for letter in "│─[]")
    lines.end()


def next_event(lines: Lines) -> Any:
    return json.loads(lines.read())


def wish(menu: Any, game: str) -> str | None:
    """The id of what leads to a game with easy bots, by names and facts alone; None: nothing here."""
    for item in menu["items"]:
        match menu["menu"], item["key"], item["facts"]:
            case "lobby", "n", _:
                return str(item["id"])
            case "games", _, {"game": found} if found == game:
                return str(item["id"])
            case "new_table", _, {"bots": "bots"} if game == "hurry-cup":
                return str(item["id"])
            case "table", _, {"strategy": "casual"}:
                return str(item["id"])
            case ("table", _, {"ready": False}) | ("table", "s", _):
                return str(item["id"])
            case "sure", "y", _:
                return str(item["id"])
    opened = [item["id"] for item in menu["items"] if (menu["menu"], item["key"]) == ("new_table", "o")]
    return opened[0] if opened else None


def has_values(choice: Any) -> bool:
    """Whether what is chosen stands there as values."""
    fields, action = choice["fields"], choice["action"]
    return bool(fields) and (action is None or "type" in action)


@pytest.mark.parametrize("game", ["balloon-cup", "hurry-cup", "butterflies"])
def test_a_script_plays_a_whole_game_and_reads_no_prose(game: str, shared: Shared, tmp_path: Path) -> None:
    """Every other move is sent as the action that stands beside the id."""
    luck = Random(game)
    lines = Lines(tmp_path, shared.address, "--name", shared.name("Anna"), "--json")
    moves = 0
    while (event := next_event(lines))["event"] != "result":
        event.pop("text", None)
        if event["event"] == "asked" and event["turn"] is not None:
            assert all(map(has_values, event["choices"]))
            choice = luck.choice(event["choices"])
            moves += 1
            by_action = moves % 2 and choice["action"] is not None
            lines.type(json.dumps(choice["action"]) if by_action else choice["id"])
        elif event["event"] == "menu" and (id := wish(event, game)) is not None:
            lines.type(id)
    assert moves > 3
    assert isinstance(event["winners"], list)
    assert json.loads(lines.end()[-1])["event"] == "goodbye"


def test_an_id_of_a_list_that_is_gone_chooses_nothing(shared: Shared, tmp_path: Path) -> None:
    lines = Lines(tmp_path, shared.address, "--name", shared.name("Anna"), "--json")
    while (event := next_event(lines))["event"] != "menu" or event["menu"] != "lobby":
        pass
    for key in ("n", "q"):
        lines.type(next(item["id"] for item in event["items"] if item["key"] == key))
        while (event := next_event(lines))["event"] != "menu":
            pass
    games, lobby = "c1", event["menu"]
    assert lobby == "lobby"
    lines.type(games)
    assert next_event(lines)["event"] == "wrong"
    lines.end()


def test_lines_that_come_while_connecting_wait_for_their_turn(tmp_path: Path) -> None:
    """A game is begun and looked at by lines that were all there before the server was."""
    lines = Lines(tmp_path)
    for line in ("p", "1", "board"):
        lines.type(line)
    lines.until("Tile 1, plain, low sum wins")
    lines.end()


def test_lines_for_a_server_wait_until_its_lobby_is_told(shared: Shared, tmp_path: Path) -> None:
    lines = Lines(tmp_path, shared.address, "--name", shared.name("Anna"))
    for line in ("n", "1", "o"):
        lines.type(line)
    lines.until("more player")
    assert not any("You can't choose" in line for line in lines.said)
    lines.end()


def test_a_first_race_is_explained_and_the_bots_wait(tmp_path: Path) -> None:
    lines = Lines(tmp_path, "--json")
    for line in ("p", "p"):
        lines.type(line)
    phases, taken = set(), 0
    while taken < 2:
        event = next_event(lines)
        match event:
            case {"event": "view", "view": view, "seat": me} if view["phase"] == "grab":
                # Nobody has a pawn before the learner has, and a second one only then.
                held = [pawn for pawn in view["pawns"] if pawn is not None]
                assert not held or view["pawns"][me] is not None or view["honks"]
            case {"event": "lesson", "text": [told]}:
                phases.add(told)
            case {"event": "asked", "phase": phase, "choices": choices}:
                quiet = [each for each in choices if (each["action"] or {}).get("type") == "quiet"]
                taken += phase in ("look", "grab")
                lines.type((quiet or choices)[0]["id"])
    assert len(phases) >= 3
    lines.end()


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
    lines.until("What a bot of level “medium” would play")
    assert "tile" in lines.read()
    lines.type("menu")
    lines.until("Give up")
    lines.type("back")
    lines.until("It is your turn.")
    lines.type("menu")
    lines.until("Give up")
    lines.type("give")
    lines.until("Give up this game?")
    lines.type("yes")
    lines.until("You gave up.")
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
    lines.until("was dealt 8 cards")
    rest = lines.end()
    assert rest[-1] == "Goodbye."
