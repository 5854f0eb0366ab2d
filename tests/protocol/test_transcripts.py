"""What the page shows happens: blocks are played again, and the quickstart plays a whole game."""

import ast
import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from parlour.protocol import messages as m
from parlour.protocol.codec import pack, pack_json, unpack
from parlour.protocol.version import JSON, MSGPACK
from parlour.server.app import running
from parlour.server.config import make
from tools.protocol_page import page
from tools.protocol_page.blocks import SEATED, written
from tools.protocol_page.examples import EXAMPLES
from tools.protocol_page.stage import Stage, stage
from tools.protocol_page.transcripts import TRANSCRIPTS
from tools.protocol_page.vectors import FOLDER

PAGE = page.text()
PAGES = page.texts()


@pytest.mark.parametrize("block", page.generated(PAGES), ids=lambda block: f"{block.kind} {block.name}")
def test_what_is_shown_is_what_happens(block: page.Generated) -> None:
    assert block.body == written(block.kind, block.name), "run: make protocol"


def test_every_transcript_and_example_is_in_the_pages() -> None:
    shown = {(block.kind, block.name) for block in page.generated(PAGES)}
    assert shown == {
        *(("transcript", name) for name in TRANSCRIPTS),
        *(("example", word) for word in EXAMPLES),
        *(("update", game) for game in SEATED),
        ("worked", "luck"),
        ("replay", "butterflies"),
        ("house", "welcome"),
    }


def test_only_the_transcript_to_repeat_stands_on_the_first_page() -> None:
    shown = [block.name for block in page.generated(PAGE) if block.kind == "transcript"]
    assert shown == ["by-hand"]


async def test_the_quickstart_plays_a_whole_game(tmp_path: Path) -> None:
    (code,) = page.blocks(page.section(PAGE, "Quickstart"), "python")
    assert len([line for line in code.splitlines() if line]) <= 30
    imported = {
        name.name for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Import) for name in node.names
    }
    assert imported - set(sys.stdlib_module_names) == {"msgpack"}
    script = tmp_path / "bot.py"
    script.write_text(code, encoding="utf-8")
    async with running(make({"port": 0, "host": "127.0.0.1"})) as server:
        command = [sys.executable, "-W", "error", str(script), server.url]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() in ("won: trophies", "not won: trophies", "won: locked", "not won: locked")


HELLO = {"type": "hello", "versions": [1], "client": "x", "name": "Anna"}


@pytest.mark.parametrize(("frame", "answers"), [(pack_json(HELLO), str), (pack(HELLO), bytes)])
async def test_whoever_offers_no_subprotocol_is_answered_in_kind(frame: bytes | str, answers: type) -> None:
    async with running(make({"port": 0, "host": "127.0.0.1"})) as server, connect(server.url) as socket:
        await socket.send(frame)
        answer = await socket.recv()
        assert type(answer) is answers and unpack(answer)["type"] == "welcome"


async def test_a_subprotocol_that_nobody_speaks_is_refused() -> None:
    async with running(make({"port": 0, "host": "127.0.0.1"})) as server:
        with pytest.raises(InvalidStatus) as refused:
            await connect(server.url, subprotocols=[Subprotocol("chess.v9")])
        assert refused.value.response.status_code == 400
        async with connect(server.url, subprotocols=[Subprotocol(JSON), Subprotocol(MSGPACK)]) as socket:
            assert socket.subprotocol == MSGPACK


def test_the_checker_of_the_page_comes_to_the_deals_of_the_vectors() -> None:
    (code,) = page.blocks(page.section(PAGE, "Appendix D: luck by numbers"), "python")
    names: dict[str, Any] = {}
    exec(compile(code, "PROTOCOL.md", "exec"), names)  # noqa: S102
    deals = json.loads((FOLDER / "deals.json").read_text(encoding="utf-8"))
    checked = [deal for deal in deals if deal["game"] == "butterflies"]
    assert checked
    for deal in checked:
        goals, hands, deck, first = names["deal"](
            bytes.fromhex(deal["secret"]), deal["nonces"], deal["seats"]
        )
        position = deal["position"]
        assert [{"colour": colour, "species": species} for colour, species in goals] == position["goals"]
        assert [sorted(hand) for hand in hands] == [sorted(hand) for hand in position["hands"]]
        assert (deck, [deal["options"].get("first", first)]) == (position["deck"], position["to_act"])


def keys_in_page(word: str) -> set[str]:
    """What the answer to a command has, by the catalogue."""
    text = page.section(PAGE, f"`{word}`", 3)
    answer = next(line for line in text.splitlines() if line.startswith("- Answer: "))
    return set(page.words(answer)) - {"ok"}


async def results(on: Stage) -> dict[str, Any]:
    """Every command once, and what its answer has."""
    found: dict[str, Any] = {}

    async def do(name: str, kind: str, /, **fields: Any) -> Any:
        answer = await on.do(name, kind, **fields)
        assert answer["type"] == "ok", answer
        found[kind] = answer["result"]
        return answer["result"]

    for name in ("Anna", "Ben", "Cleo"):
        await on.enter(name)
    for kind in ("ping", "games", "list_tables"):
        await do("Anna", kind)
    await do("Cleo", "watch_lobby", on=True)
    table = (await do("Anna", "create_table", game="butterflies", seats=3, public=False))["table"]
    code = on.last("Anna", "snapshot")["code"]
    await do("Ben", "join", code=code)
    await do("Ben", "sit", table=table, seat=2)
    await do("Cleo", "watch", code=code)
    await do("Anna", "add_bot", table=table)
    await do("Anna", "kick", table=table, seat=1)
    await do("Anna", "let_back", table=table, name="Bob")
    await do("Cleo", "leave", table=table)
    await do("Cleo", "join", code=code)
    for name in ("Anna", "Ben", "Cleo"):
        await do(name, "ready", table=table)
    await do("Anna", "say", table=table, text="Good luck!")
    await do("Anna", "start", table=table)
    await do("Ben", "resume", table=table)
    names = ("Anna", "Cleo", "Ben")
    asked = names[on.last("Anna", "update")["awaited"][0]]
    question = on.last(asked, "update")["question"]
    await do(asked, "hint", table=table, strategy="random")
    await do(asked, "act", table=table, turn=question["turn"], action={"type": "turn"})
    await do("Ben", "resign", table=table)
    await do("Cleo", "resign", table=table)
    (played,) = (await do("Anna", "played"))["games"]
    await do("Anna", "replay", game=played["id"])
    await do("Anna", "replay_view", game=played["id"])
    await do("Anna", "rematch", table=table)
    await on.enter("Dora")
    table = (await do("Anna", "create_table", game="balloon-cup", seats=2))["table"]
    await do("Dora", "join", table=table)
    for name in ("Anna", "Dora"):
        await do(name, "ready", table=table)
    await do("Anna", "start", table=table)
    await do("Dora", "bye")
    while on.last("Anna", "table_changed")["info"]["chairs"][1]["here"]:
        await on.do("Anna", "ping")
    await do("Anna", "substitute", table=table, seat=1)
    rules = {"name": "Cup", "game": "balloon-cup", "format": "swiss", "seed": "x"}
    tournament = (await do("Cleo", "create_tournament", rules=rules))["tournament"]
    for to in ("open", "check_in"):
        await do("Cleo", "steer", tournament=tournament, to=to)
    for kind in ("enter", "check_in", "withdraw", "watch_tournament", "tournament_log"):
        await do("Ben", kind, tournament=tournament)
    await do("Ben", "tournaments")
    await do("Anna", "bye")
    return found


async def test_the_answers_have_what_the_catalogue_says(tmp_path: Path) -> None:
    async with stage(archive=str(tmp_path / "parlour.db")) as on:
        found = await results(on)
    assert set(found) == {kind.WORD for kind in m.COMMANDS}
    for kind, result in found.items():
        assert set(result or ()) == keys_in_page(kind), kind
