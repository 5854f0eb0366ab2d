"""What was meant for a scramble chooses nothing after it: letters, and in lines numbers and words."""

import asyncio
import io
import queue
from collections.abc import AsyncIterator
from typing import Any

import attrs
import pytest
from support.client.seated_player import FakeConnection, player_at, table_at

from parlour.client.boards.text import plain
from parlour.client.language import Texts
from parlour.client.table import Table
from parlour.client.terminal.line_mode import LineMode, Voice
from parlour.client.terminal.player import Player
from parlour.client.terminal.screen import Screen
from parlour.protocol import messages as m

HORN = ({"type": "honk", "via": "horn"}, {"type": "quiet"})
DICE = {"red": 4, "green": 2, "blue": 5}
DRIVE = (
    {"type": "helmet", "via": "helmet"},
    {"type": "reroll"},
    {"type": "move", "steps": {"one_of": [1, 2, 3]}, "detour": None},
)


def grab(*pawns: str) -> tuple[Any, ...]:
    return ({"type": "grab", "pawn": {"one_of": list(pawns)}},)


def scramble(turn: int = 4, *pawns: str) -> m.Question:
    return m.Question(turn, "grab", True, grab(*(pawns or DICE)))


def racing(question: m.Question) -> Table:
    table = table_at("hurry-cup", 0)
    return attrs.evolve(table, view={**(table.view or {}), "dice": DICE}, question=question)


def ask(table: Table, question: m.Question, *news: m.Plain) -> None:
    table.take(m.Update("OAK", table.seq + 1, table.view or {}, news, (0,), question, None, None), 0.0)


def drive(table: Table) -> None:
    """The last pawn was given to this driver before a key was pressed."""
    ask(table, m.Question(5, "drive", False, DRIVE))


def acted(connection: FakeConnection) -> list[Any]:
    return [fields["action"] for kind, fields in connection.asked if kind is m.Act]


# On the screen


@pytest.fixture
def table() -> Table:
    return racing(scramble())


def shown(table: Table) -> Screen:
    screen = Screen(player_at(table, Texts("en"))[0])
    screen.lines(80, 24)
    return screen


def foot(screen: Screen) -> str:
    return "\n".join(plain(line) for line in screen.lines(80, 24)[-5:])


def press(screen: Screen, keys: str) -> None:
    for key in keys:
        screen.press(key)


@pytest.mark.parametrize("keys", ["g", "r", "rr", "bgr"])
async def test_a_late_letter_is_swallowed_and_the_choices_stay(table: Table, keys: str) -> None:
    screen = shown(table)
    drive(table)
    press(screen, keys)
    screen.press("enter")
    assert not screen.move_entry.typed
    press(screen, keys)
    assert f"Too late for “{keys[-1]}”: nothing was chosen." in foot(screen)
    assert "drive 3 sections" in foot(screen) and "▸" not in foot(screen)


@pytest.mark.parametrize(("keys", "pointed"), [("gd", "d▏ drive 1 section"), ("re", "▸second chance◂")])
async def test_a_word_can_be_typed_after_a_late_letter_and_begin_with_one(
    table: Table, keys: str, pointed: str
) -> None:
    screen = shown(table)
    drive(table)
    press(screen, keys)
    assert pointed in foot(screen)


async def test_the_letter_of_a_pawn_that_is_gone_says_so_and_the_others_stay(table: Table) -> None:
    screen = shown(table)
    ask(table, scramble(4, "red", "green"))
    screen.press("b")
    assert "blue 5 is gone." in foot(screen)
    assert "red 4" in foot(screen) and "green 2" in foot(screen)


async def test_a_late_honk_takes_no_pawn(table: Table) -> None:
    table = racing(m.Question(4, "horn", True, HORN))
    screen = shown(table)
    ask(table, scramble(5))
    screen.press("h")
    assert "Too late for “h”" in foot(screen) and "red 4" in foot(screen)


async def test_an_answer_that_came_too_late_says_so_and_not_whose_turn_it_is(table: Table) -> None:
    player, connection = player_at(table, Texts("en"))
    screen = Screen(player)
    screen.lines(80, 24)
    connection.refusal = m.Error(1, "not_asked", {"turn": 4})
    screen.press("r")
    while player.busy:
        await asyncio.sleep(0)
    drive(table)
    assert "Too late: that had been decided already." in foot(screen) and "not your turn" not in foot(screen)


# In lines


HELP = "A number or the words of a choice"


class Heard(io.StringIO):
    """What was said, and a way to wait for words."""

    def __init__(self) -> None:
        super().__init__()
        self.news = asyncio.Event()

    def flush(self) -> None:
        self.news.set()

    async def until(self, words: str) -> list[str]:
        while words not in self.getvalue():
            self.news.clear()
            await self.news.wait()
        said = self.getvalue().splitlines()
        self.seek(0)
        self.truncate()
        return said


class Spoken:
    """A game in plain lines without a server: what is typed, what is said, what is sent."""

    def __init__(self, table: Table) -> None:
        self.player, self.connection = player_at(table, Texts("en"))
        self.heard, self.typed = Heard(), queue.SimpleQueue[str]()
        self.running = asyncio.create_task(LineMode(self.player, Voice(self.heard)).run(self.typed.get))

    async def type(self, *lines: str) -> list[str]:
        """Types lines; gives what was said by the time that they were heard."""
        for line in (*lines, "help"):
            self.typed.put(f"{line}\n")
        return await self.heard.until(HELP)

    async def change(self) -> list[str]:
        """The table has gone on: gives what is said about that."""
        self.player.changed()
        return await self.type()

    async def end(self) -> None:
        self.typed.put("")
        await self.running


@pytest.fixture
async def spoken(table: Table, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Spoken]:
    monkeypatch.setattr(Player, "look", lambda player: player.over.wait())
    spoken = Spoken(table)
    assert {"1. red 4", "2. green 2", "3. blue 5"} <= {*await spoken.type()}
    yield spoken
    await spoken.end()


async def test_numbers_go_on_after_a_scramble_and_a_late_one_chooses_nothing(
    spoken: Spoken, table: Table
) -> None:
    drive(table)
    told = await spoken.change()
    assert [line[:2] for line in told if line[1:2] == "."] == ["4.", "5.", "6.", "7.", "8."]
    assert "“3” was a choice of an earlier list, so nothing was chosen." in await spoken.type("3")
    assert acted(spoken.connection) == []
    (second_chance,) = [line for line in told if "second chance" in line]
    await spoken.type(second_chance[0])
    assert acted(spoken.connection) == [{"type": "reroll"}]


@pytest.mark.parametrize("late", ["r", "red", "b", "green 2"])
async def test_late_words_choose_nothing(spoken: Spoken, table: Table, late: str) -> None:
    drive(table)
    await spoken.change()
    assert f"“{late}” was a choice of an earlier list, so nothing was chosen." in await spoken.type(late)
    assert acted(spoken.connection) == []
    await spoken.type("second chance")
    assert acted(spoken.connection) == [{"type": "reroll"}]


@pytest.mark.parametrize("meant", ["2", "g", "green"])
async def test_a_pawn_keeps_its_number_while_others_go_and_what_is_gone_says_so(
    spoken: Spoken, table: Table, meant: str
) -> None:
    ask(table, scramble(4, "red", "blue"))
    assert {"1. red 4", "3. blue 5"} <= {*await spoken.change()}
    assert "green 2 is gone." in await spoken.type(meant)
    assert acted(spoken.connection) == []
    await spoken.type("3")
    assert acted(spoken.connection) == [{"type": "grab", "pawn": "blue"}]


async def test_numbers_begin_anew_once_one_has_answered_at_leisure(spoken: Spoken, table: Table) -> None:
    drive(table)
    await spoken.change()
    table.answered(5)
    ask(table, m.Question(6, "after", False, ({"type": "nitro", "via": "nitro"}, {"type": "done"})))
    assert "1. nitro" in await spoken.change()
