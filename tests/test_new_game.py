"""A new game is a folder in each room, its texts, and one line in each catalogue; nothing else is needed."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest
from support.client.decisions import decision_at
from support.client.seated_player import player_at
from support.server.sockets import PATIENCE, open_server
from support.toy_game import board, bots, texts
from support.toy_game.engine import Stones

from parlour.client.boards.catalogue import BOARDS
from parlour.client.boards.text import plain
from parlour.client.bot import play
from parlour.client.bots import maker
from parlour.client.bots.catalogue import GAME_BOTS
from parlour.client.bots.random import RandomBot
from parlour.client.connection import Connection, Refused
from parlour.client.language import ENGLISH, LANGUAGES, Texts, catalogue
from parlour.client.session import Session
from parlour.client.terminal.menus.start import games
from parlour.client.terminal.screen import Screen
from parlour.engine.catalogue import GAMES
from parlour.engine.scenario import Failed, Scenario
from parlour.engine.secret import Seat
from parlour.protocol import messages as m

NAME = Stones.name
ROOM = (100, 30)


@pytest.fixture(autouse=True)
def one_line_in_each_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NAME, Stones())
    monkeypatch.setitem(BOARDS, NAME, board.STONES)
    monkeypatch.setitem(GAME_BOTS, NAME, bots.STONES)
    for language in LANGUAGES:
        for topic, words in (("", texts.WORDS), ("rules", texts.RULES)):
            for key, text in words.items():
                monkeypatch.setitem(catalogue(language, topic), key, text)


@pytest.fixture
async def people() -> AsyncIterator[tuple[str, Connection, Connection]]:
    """A table of the game on a real server, two players over real sockets, and the game on."""
    async with (
        open_server() as server,
        Connection(server.url, Session(name="Ann")) as ann,
        Connection(server.url, Session(name="Ben")) as ben,
    ):
        id = str((await ann.ask(m.CreateTable, game=NAME, seats=2))["table"])
        await ben.ask(m.Join, table=id)
        for one in (ann, ben):
            await one.ask(m.Ready, table=id)
        await ann.ask(m.Start, table=id)
        await until(ann, lambda: id in ann.session.tables and ann.session.tables[id].question is not None)
        yield id, ann, ben


async def until(connection: Connection, true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await connection.changed()


def shown(screen: Screen) -> str:
    return "\n".join(plain(line) for line in screen.lines(*ROOM))


def test_a_scenario_of_it_is_checked(tmp_path: Path) -> None:
    case = {
        "game": NAME,
        "title": "Whoever takes the last stone has won",
        "players": 2,
        "options": {},
        "position": {"stones": 2, "to_act": [1], "phase": "take"},
        "chance": [],
        "steps": [
            {"seat": 1, "do": {"type": "take", "count": 2}},
            {"expect": {"stones": 0, "to_act": [], "last": 1}},
        ],
    }
    path = tmp_path / "last.json"
    path.write_text(json.dumps(case))
    Scenario.load(path).run()
    case["steps"][1]["expect"]["last"] = 0  # type: ignore[index]
    path.write_text(json.dumps(case))
    with pytest.raises(Failed):
        Scenario.load(path).run()


def test_a_bot_plays_it_by_the_line_in_its_catalogue() -> None:
    game = GAMES[NAME]
    state = game.from_position({"stones": 7, "to_act": [0]}, 2, game.read_options({}, 2))
    decision = decision_at(game, state, Seat(0))
    assert maker("medium")(Random(1)).choose(decision) == {"type": "take", "count": 3}


async def test_a_server_plays_it_over_real_sockets_to_the_end(
    people: tuple[str, Connection, Connection],
) -> None:
    id, ann, ben = people
    (info,) = [each for each in (await ann.ask(m.Games))["games"] if each["game"] == NAME]
    assert info["options"] == [{"option": "stones", "default": 7, "least": 1, "most": 30}]
    question = ann.session.tables[id].question
    assert question is not None
    with pytest.raises(Refused) as refused:
        await ann.ask(m.Act, table=id, turn=question.turn, action={"type": "take", "count": 4})
    assert refused.value.facts == {"why": "stones_left", "most": 3}
    async with asyncio.timeout(PATIENCE):
        ours, theirs = await asyncio.gather(
            play(maker("medium")(Random(1)), ann, id), play(RandomBot(Random(1)), ben, id)
        )
    assert ours is not None and theirs is not None and ours.result == theirs.result
    assert (ours.result.winners, ours.result.reason) == ((0,), "last_stone")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_somebody_plays_it_on_a_screen_with_its_board_and_its_texts(
    people: tuple[str, Connection, Connection], language: str
) -> None:
    id, ann, _ = people
    player, _ = player_at(None, Texts(language))
    player.connection, player.table_id = ann, id
    screen = Screen(player)
    window = shown(screen)
    assert "The heap: ooooooo" in window and player.texts("play.your_turn") in window
    screen.press("enter")  # what is pointed at: to take one
    await until(ann, lambda: ann.session.tables[id].view["stones"] == 6)  # type: ignore[index]
    window = shown(screen)
    assert "The heap: oooooo\n" in window.replace(" \n", "\n") and "You take 1 from the heap." in window
    assert board.STONES.rules({}, player.texts) == ["Whoever takes the last stone has won."]


def test_it_stands_in_the_menu_of_games() -> None:
    player, _ = player_at(None)
    (item,) = [each for each in games(player).items if each.words == "Stones"]
    assert item.about == "Take the last one."


def test_without_texts_it_stands_there_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("game.stones", "new.game.stones"):
        monkeypatch.delitem(catalogue("en", ""), key)
    player, _ = player_at(None, ENGLISH)
    (item,) = [each for each in games(player).items if each.words == NAME]
    assert item.about == ""
