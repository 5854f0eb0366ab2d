"""The application's manners on a real terminal: bell, title, mouse, ASCII, and what it leaves behind."""

from pathlib import Path

import pytest
from support.client.terminals import Shared, Terminal, terminal

from parlour.client.language import choose


def to_a_game(shown: Terminal) -> None:
    """Playing here against a bot, from nothing."""
    shown.follow(("Play here against bots", "p"), ("Which game?", "1"))
    shown.see("Your turn")


def test_from_nothing_to_playing_and_away_again(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "--name", "Anna") as shown:
        to_a_game(shown)
        assert b"\a" in shown.raw
        assert "▶ your turn" in shown.raw.decode(errors="replace")
        shown.press("c-c")
        shown.see("in the middle of a game?")
        shown.press("y")
        assert shown.ended() == 0
        assert b"\x1b[?1049l" in shown.raw and b"\x1b[?1000l" in shown.raw
    assert "Traceback" not in shown.text


def test_bell_and_title_can_be_turned_off(tmp_path: Path) -> None:
    settings = tmp_path / "config" / "parlour" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"name": "Anna", "bell": false, "title": false}', encoding="utf-8")
    with terminal(tmp_path) as shown:
        to_a_game(shown)
        assert b"\a" not in shown.raw.replace(b"\x1b]2;", b"")
        assert b"your turn -" not in shown.raw


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_mouse_does_what_keys_do(language: str, shared: Shared, tmp_path: Path) -> None:
    texts = choose(language)
    words = ("play", shared.address, "--name", shared.name("Anna"), "--lang", language)
    with terminal(tmp_path, *words) as shown:
        shown.follow((texts("lobby.title"), "n"))
        # The lobby of a shared server may list a table of that game, too.
        shown.see(texts("start.which_game"))
        shown.click_on(texts("game.butterflies"))
        shown.see(texts("new.open"))


def test_a_code_leads_to_its_table(shared: Shared, tmp_path: Path) -> None:
    name = shared.name("Ben")
    with terminal(tmp_path / "a", "play", shared.address, "--name", shared.name("Anna")) as anna:
        anna.follow(("Lobby", "n"), ("Which game?", "1"), ("Open to everybody", "p"))
        anna.follow(("Only for those who know the code", "o"))
        code = anna.see("with the code").partition("with the code ")[2].partition(".")[0]
        with terminal(tmp_path / "b", "join", code, shared.address, "--name", name) as ben:
            ben.see(f"{name} (you, not ready)")
            anna.see(f"{name} (not ready)")
            ben.follow(("Leave the table", "/"))
            ben.see("Say:")
            ben.press(*"hello", "enter")
            anna.see(f"{name}: hello")


@pytest.mark.parametrize("words", [("play", "--ascii"), ("play",)])
def test_ascii_is_nothing_but_ascii(tmp_path: Path, words: tuple[str, ...]) -> None:
    with terminal(tmp_path, *words, "--name", "Anna") as shown:
        to_a_game(shown)
        assert shown.text.isascii() is ("--ascii" in words)


def test_a_server_that_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "127.0.0.1:1") as shown:
        shown.until(lambda text: "obody answers there" in text, "why")
        shown.press("q")
        assert shown.ended() == 0


def test_a_player_who_was_removed_is_told_and_comes_back_when_the_host_lets_them(
    shared: Shared, tmp_path: Path
) -> None:
    name = shared.name("Ben")
    with terminal(tmp_path / "a", "play", shared.address, "--name", shared.name("Anna")) as anna:
        anna.follow(("Lobby", "n"), ("Which game?", "1"), ("Open to everybody", "p"))
        anna.follow(("Only for those who know the code", "o"))
        code = anna.see("with the code").partition("with the code ")[2].partition(".")[0]
        with terminal(tmp_path / "b", "join", code, shared.address, "--name", name) as ben:
            anna.click_on(f"Remove {name}")
            anna.follow((f"Remove {name} from the table?", "y"))
            ben.see("The host has removed you")
            ben.press("c")
            ben.see("Code:")
            ben.press(*code, "enter")
            ben.see("ask to be let back")
            anna.click_on(f"Let {name} come back")
            anna.until(lambda text: "come back" not in text, "nobody to be let back")
            ben.press("c")
            ben.see("Code:")
            ben.press(*code, "enter")
            ben.see(f"{name} (you, not ready)")


def test_whoever_comes_to_a_full_table_is_offered_to_watch(shared: Shared, tmp_path: Path) -> None:
    with terminal(tmp_path / "a", "play", shared.address, "--name", shared.name("Anna")) as anna:
        anna.follow(("Lobby", "n"), ("Which game?", "1"), ("Open to everybody", "p"))
        anna.follow(("Only for those who know the code", "o"), ("with the code", "e"))
        code = anna.see("(bot, easy, ready)").partition("with the code ")[2].partition(".")[0]
        with terminal(tmp_path / "b", "join", code, shared.address, "--name", shared.name("Ben")) as ben:
            ben.follow(("All seats are taken. Watch the game?", "y"), ("Table: Balloon Cup", "?"))
