"""The page at the end of a game: who won and by what, its last board, and what one can do next."""

import asyncio
from typing import Any

import attrs
import pytest
from support.client.seated_player import FakeConnection, player_at, table_at

from parlour.client.boards.text import plain
from parlour.client.language import LANGUAGES, Texts
from parlour.client.table import Table
from parlour.client.terminal.game.story import outcome
from parlour.client.terminal.screen import Screen
from parlour.protocol import messages as m

KEPT = "ab" * 16


def over(game: str = "balloon-cup", winner: int = 1, reason: str = "forfeit", **view: Any) -> Table:
    table = attrs.evolve(table_at(game, 14), question=None, awaited=())
    table.view = {**(table.view or {}), **view}
    table.result = m.Result((winner,), (1, 2) if winner == 0 else (2, 1), reason, None, (None, None), KEPT)
    table.info = attrs.evolve(table.info, stage="finished")
    return table


def against(strategy: str, table: Table) -> Table:
    """The table with built-in bots of a strategy on all other seats."""
    chairs = [
        attrs.evolve(chair, bot=True, strategy=strategy)
        if chair is not None and seat != table.seat
        else chair
        for seat, chair in enumerate(table.info.chairs)
    ]
    table.info = attrs.evolve(table.info, chairs=tuple(chairs))
    return table


def shown_at(table: Table, texts: Texts | None = None) -> tuple[Screen, FakeConnection]:
    player, connection = player_at(table, texts or Texts("en"))
    return Screen(player), connection


def text(screen: Screen, width: int = 80, height: int = 24) -> str:
    return "\n".join(plain(line) for line in screen.lines(width, height))


async def settle() -> None:
    for _ in range(8):
        await asyncio.sleep(0)


def gathering_again(table: Table, ready: tuple[bool, bool], seat: int) -> m.Snapshot:
    """What everybody at the table gets when somebody asks for a rematch: seats have moved on."""
    chairs = tuple(reversed(table.info.chairs))
    marked = tuple(attrs.evolve(chair, ready=on) for chair, on in zip(chairs, ready, strict=True) if chair)
    info = attrs.evolve(table.info, stage="gathering", number=2, chairs=marked)
    return m.Snapshot("OAK", 9, seat, None, info, None, (), None, None, None, ())


async def test_in_teams_only_the_one_who_gave_up_is_said_to_have_done_so() -> None:
    table = over("butterflies")
    chairs = tuple(
        attrs.evolve(chair, name=name, left=name == "Chloe")
        for chair in table.info.chairs[:1]
        if chair is not None
        for name in ("Anna", "Ben", "Chloe", "David")
    )
    table.info = attrs.evolve(table.info, chairs=chairs)
    table.result = m.Result((1, 3), (3, 1, 3, 1), "forfeit", None, (None,) * 4, KEPT)
    assert outcome(table, Texts("en")) == "Chloe gave up. Ben and David win."


@pytest.mark.parametrize(
    ("winner", "reason", "view", "told"),
    [
        (1, "forfeit", {}, "You gave up. Ben wins."),
        (0, "forfeit", {}, "Ben gave up. You win!"),
        (1, "trophies", {"trophies": {"red": 1, "blue": 1, "grey": 1}}, "Ben wins by 3 trophies to 0."),
        (0, "trophies", {"trophies": {"red": 0, "blue": 0, "grey": 0}}, "You win by 3 trophies to 0!"),
        (
            1,
            "locked",
            {"trophies": {"red": 1}},
            "No card could be played any more. Ben wins by 1 trophy to 0.",
        ),
        (
            0,
            "locked",
            {"trophies": {}, "cubes": [{"red": 4}, {"blue": 3}]},
            "No card could be played any more. You win by 4 cubes to 3; trophies are level.",
        ),
    ],
)
async def test_the_page_says_who_won_and_by_what(
    winner: int, reason: str, view: dict[str, Any], told: str
) -> None:
    screen, _ = shown_at(over("balloon-cup", winner, reason, **view))
    window = text(screen, width=100)
    assert told in window
    assert "BALLOON CUP" in window and "w Watch it again   m Play again   n New game   l Lobby" in window


async def test_a_race_is_told_with_all_places() -> None:
    table = attrs.evolve(table_at("hurry-cup", 60, 3), question=None, awaited=())
    table.result = m.Result((1,), (2, 1, 3), "race", None, (None,) * 3, KEPT)
    table.info = attrs.evolve(table.info, stage="finished")
    screen, _ = shown_at(table)
    assert "Ben wins the race. Places: 1. Ben, 2. you, 3. Chloe." in text(screen)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_row_of_four_is_told_in_every_language(language: str) -> None:
    won = {"seat": 1, "goal": "colour"}
    goals = [{"colour": None, "species": None}, {"colour": "red", "species": None}]
    screen, _ = shown_at(over("butterflies", 1, "goal", won=won, goals=goals), Texts(language))
    assert Texts(language)("butterflies.word.red") in text(screen).splitlines()[-5]


async def test_a_rematch_by_one_does_not_take_the_last_board_from_the_other() -> None:
    table = over()
    screen, connection = shown_at(table)
    board = text(screen).splitlines()[:18]
    tables = connection.session.tables
    tables["OAK"] = Table.of(gathering_again(table, ready=(True, False), seat=1), 0.0, table)
    window = text(screen)
    assert window.splitlines()[:18] == board and "You gave up. Ben wins." in window
    assert "Ben is ready for a rematch." in window
    # Told once more, as after a line that broke: the board is still there.
    tables["OAK"] = Table.of(gathering_again(table, ready=(True, False), seat=1), 0.0, tables["OAK"])
    assert text(screen).splitlines()[:18] == board
    screen.press("m")
    await settle()
    assert [kind for kind, _ in connection.asked] == [m.Rematch, m.Ready]
    tables["OAK"] = Table.of(gathering_again(table, ready=(True, True), seat=1), 0.0, tables["OAK"])
    assert "Table: Balloon Cup" in text(screen)


@pytest.mark.parametrize(("host", "begun"), [("Anna", True), ("Ben", False)])
async def test_a_rematch_begins_at_once_when_the_host_is_the_last_to_be_ready(host: str, begun: bool) -> None:
    table = over()
    people = tuple(attrs.evolve(chair, bot=False) for chair in table.info.chairs if chair)
    table.info = attrs.evolve(table.info, chairs=people, host=host)
    screen, connection = shown_at(table)
    tables = connection.session.tables
    tables["OAK"] = Table.of(gathering_again(table, ready=(True, False), seat=1), 0.0, table)
    screen.press("m")
    tables["OAK"].info = gathering_again(table, ready=(True, True), seat=1).info
    await settle()
    assert (m.Start in [kind for kind, _ in connection.asked]) is begun


async def test_who_watches_keeps_the_last_board_until_the_next_game() -> None:
    table = attrs.evolve(over(), seat=None)
    screen, _ = shown_at(table)
    assert "Anna gave up. Ben wins." in text(screen)
    anna, ben = table.info.chairs
    swapped = attrs.evolve(table.info, stage="gathering", number=2, chairs=(ben, anna))
    table.take(m.TableChanged(table.id, table.seq + 1, swapped, None), 0.0)
    window = text(screen)
    assert "BALLOON CUP" in window and "Anna gave up. Ben wins." in window and "l Lobby" in window


async def test_a_finished_game_keeps_its_names_when_somebody_leaves() -> None:
    table = attrs.evolve(over(), seat=None)
    result, table.result = table.result, None
    table.take(m.Update(table.id, 2, table.view or {}, (), (), None, None, result), 0.0)
    screen, _ = shown_at(table)
    anna, _ = table.info.chairs
    for stage, number, chairs in (("finished", 1, (anna, None)), ("gathering", 2, (None, anna))):
        info = attrs.evolve(table.info, stage=stage, number=number, chairs=chairs)
        table.take(m.TableChanged(table.id, table.seq + 1, info, None), 0.0)
        assert "Anna gave up. Ben wins." in text(screen)


@pytest.mark.parametrize(
    ("winner", "strategy", "offered"),
    [
        (0, "greedy", "t Try hard bots?"),
        (0, "casual", "t Try medium bots?"),
        (0, "search", None),
        (1, "greedy", None),
        (0, "own", None),
    ],
)
async def test_who_beats_bots_is_offered_stronger_ones(
    winner: int, strategy: str, offered: str | None
) -> None:
    screen, _ = shown_at(against(strategy, over(winner=winner)))
    window = text(screen)
    assert ("bots?" in window) is (offered is not None) and (offered or "") in window


async def test_stronger_bots_are_played_at_once() -> None:
    screen, connection = shown_at(against("greedy", over(winner=0)))
    connection.answers[m.CreateTable] = {"table": "ELM"}
    screen.press("t")
    await settle()
    assert [kind for kind, _ in connection.asked][:2] == [m.Leave, m.CreateTable]
    assert screen.player.settings.level == "hard"


async def test_a_game_that_was_not_kept_cannot_be_watched_again() -> None:
    table = over()
    assert table.result is not None
    table.result = attrs.evolve(table.result, head=None)
    screen, _ = shown_at(table)
    assert "Watch it again" not in text(screen)


async def test_watching_again_shows_the_game_of_this_table() -> None:
    screen, connection = shown_at(over())
    usual = {"game": "balloon-cup", "winners": [1], "places": [2, 1], "reason": "forfeit", "ended": 0}
    connection.answers[m.Played] = {
        "games": [
            {**usual, "id": "7", "names": ["Anna", "Eve"]},
            {**usual, "id": "6", "names": ["Anna", "Ben"]},
        ]
    }
    connection.answers[m.Replay] = {"replay": {"header": {"names": ["Anna", "Ben"]}}}
    commands: list[list[str]] = []

    async def show(command: list[str]) -> None:
        commands.append(command)

    screen.player.show = show
    screen.press("w")
    await settle()
    assert connection.asked[-1] == (m.Replay, {"game": "6"}) and "replay" in commands[0]


@pytest.mark.parametrize("key", ["l", "q"])
async def test_one_key_leads_to_the_lobby(key: str) -> None:
    screen, connection = shown_at(over())
    screen.press(key)
    await settle()
    assert connection.asked == [(m.Leave, {"table": "OAK"})] and screen.player.table_id is None


async def test_a_new_game_asks_which_one() -> None:
    screen, connection = shown_at(over())
    screen.press("n")
    await settle()
    assert "Which game?" in text(screen) and connection.asked == []
    screen.press("escape")
    assert "n New game" in text(screen)


async def test_the_table_is_left_once_the_new_one_is_open() -> None:
    screen, connection = shown_at(over())
    seats = m.GameInfo("balloon-cup", (2,), (), ())
    screen.player.games = (seats,)
    connection.answers[m.CreateTable] = {"table": "ELM"}
    for key in ("n", "1", "o"):
        screen.press(key)
        await settle()
    assert [kind for kind, _ in connection.asked] == [m.CreateTable, m.Leave]
    assert connection.asked[-1][1] == {"table": "OAK"} and screen.player.table_id == "ELM"
