"""The checklist for bots of others: what a good one passes and where bad ones fail."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.paths import ROOT
from support.server.sockets import open_server

from parlour.client.cli import bot_check
from parlour.client.cli.bot_check import check
from parlour.client.cli.main import main
from parlour.client.cli.relay import BotActivity
from parlour.client.local_server import Hosted

EXAMPLES = ROOT / "examples"


async def checked(command: list[str], *games: str) -> tuple[bool, dict[str, str]]:
    """Whether all is well, and by point what was said, with ok or FAILED in front."""
    lines: list[str] = []
    fine = await check(command, games or None, lines.append)
    told = {}
    for line in lines:
        verdict, _, rest = line.partition(" ")
        point, _, text = rest.strip().partition(": ")
        told[point] = f"{verdict} {text}"
    return fine, told


@pytest.fixture
def servers_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The servers of the checklist run in the test's own process."""

    @contextlib.asynccontextmanager
    async def here(to_all: bool, archive: Path) -> AsyncIterator[Hosted]:
        async with open_server(archive=str(archive), bots=1) as server:
            assert not to_all
            yield Hosted(server.url, (), asyncio.Event().wait)

    monkeypatch.setattr(bot_check, "hosted", here)


@pytest.mark.usefixtures("servers_here")
async def test_a_good_bot_passes_every_point() -> None:
    fine, told = await checked([sys.executable, str(EXAMPLES / "bare.py")], "butterflies")
    assert fine, told
    assert list(told) == ["handshake", "butterflies", "butterflies clock", "junk", "drop and resume"]
    assert all(text.startswith("ok ") for text in told.values())
    assert told["handshake"].endswith("speaks parlour.v1")


FRAIL = """
import asyncio, msgpack, random, sys
from websockets.asyncio.client import connect

def pick(legal):
    action = dict(random.choice(legal))
    for field, value in action.items():
        match value:
            case {"one_of": values}:
                action[field] = random.choice(values)
    return action

async def play(url):
    async with connect(url, subprotocols=["parlour.v1"], max_size=None) as socket:
        send = lambda **message: socket.send(msgpack.packb(message))
        await send(type="hello", versions=[1], client="frail", name="Frail", bot=True)
        await send(type="create_table", id=1, game="butterflies", seats=2)
        table = None
        async for frame in socket:
            match msgpack.unpackb(frame):
                case {"type": "snapshot", "table": table}:
                    await send(type="add_bot", id=2, table=table)
                    await send(type="start", id=3, table=table)
                case {"type": "update", "result": {"winners": winners}}:
                    return
                case {"type": "update", "seq": seq, "question": {"turn": turn, "legal": legal}}:
                    if turn % 4 == 1:
                        fly = {"type": "fly"}
                        await send(type="act", id=1000 + 2 * seq, table=table, turn=turn, action=fly)
                    await send(type="act", id=1001 + 2 * seq, table=table, turn=turn, action=pick(legal))
                case {"type": "welcome" | "ok" | "error" | "update" | "table_changed"}:
                    pass
                case other:
                    sys.exit(f"what is {other['type']}?")

asyncio.run(play(sys.argv[1]))
"""


@pytest.mark.usefixtures("servers_here")
async def test_a_frail_bot_is_told_where_it_fails() -> None:
    fine, told = await checked([sys.executable, "-c", FRAIL], "butterflies")
    assert not fine
    assert told["handshake"] == "ok Frail speaks parlour.v1"
    assert "wrong messages" in told["butterflies"] and told["butterflies"].endswith("first: bad_action")
    refused = told["the first action that was refused"]
    assert '{"type": "fly"}' in refused and "must be one of" in refused
    assert told["junk"] == "FAILED it ended with status 1: what is weather_changed?"
    assert told["drop and resume"] == "FAILED its line broke, and it did not come back"


async def test_a_command_that_is_no_bot_fails_at_the_handshake() -> None:
    dying = [sys.executable, "-c", "import sys; sys.exit('no server for me')"]
    assert await checked(dying, "butterflies") == (
        False,
        {"handshake": "FAILED it ended with status 1: no server for me"},
    )
    assert await checked(["./nowhere"], "butterflies") == (
        False,
        {"handshake": "FAILED it cannot be started: No such file or directory"},
    )


def test_a_game_that_is_not_there_is_told_and_the_status_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "check", "anything", "--game", "chess"]) == 1
    out = capsys.readouterr().out
    assert out == "FAILED games: there is no chess; there are: balloon-cup, hurry-cup, butterflies\n"


def test_an_answer_that_was_not_quick_enough_in_a_scramble_is_not_late() -> None:
    for scramble, late in ((True, 0), (False, 1)):
        activity = BotActivity()
        question = {"turn": 4, "scramble": scramble, "legal": []}
        activity.from_server({"type": "update", "question": question, "result": None}, 1.0)
        act = {"type": "act", "id": 9, "table": "T", "turn": 4, "action": {}}
        activity.from_bot(act, 3.5)
        activity.from_server({"type": "error", "id": 9, "code": "stale", "facts": {}}, 3.6)
        assert (activity.late, activity.slowest, activity.broken) == (late, 2.5, [])


def test_a_question_without_any_answer_is_noticed_once_the_next_one_is_asked() -> None:
    activity = BotActivity()
    counted = []
    for turn, scramble in ((1, False), (2, True), (3, False), (4, False)):
        question = {"turn": turn, "scramble": scramble, "legal": []}
        activity.from_server({"type": "update", "question": question, "result": None}, float(turn))
        counted.append(activity.unanswered)
        if turn == 3:
            activity.from_bot({"type": "act", "id": 9, "table": "T", "turn": 3, "action": {}}, 3.5)
    assert counted == [0, 1, 1, 1]
