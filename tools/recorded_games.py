"""Writes whole games as they travelled: `python -m tools.recorded_games`.

For each game and some of its options: all frames to and from every seat and a spectator, and the replay file.
They ship beside the vectors, for authors who want to try a reader of frames without a server. Hashes of
replays differ from run to run, so a test holds what is kept against the rules of today.
"""

import asyncio
import gzip
import json
import random
import tempfile
from pathlib import Path
from typing import Any

from tools.protocol_page.page import ROOT
from tools.protocol_page.stage import Stage, stage
from tools.protocol_page.transcripts import pick

FOLDER = ROOT / "protocol" / "vectors" / "games"
GAMES: tuple[tuple[str, str, int, dict[str, Any]], ...] = (
    ("balloon-cup", "balloon-cup", 2, {}),
    ("balloon-cup-italian", "balloon-cup", 2, {"edition": "italian", "wind": "on"}),
    ("hurry-cup", "hurry-cup", 3, {"track": "croisette", "finish": "first"}),
    ("hurry-cup-sealed", "hurry-cup", 4, {"grab": "sealed", "finish": "first"}),
    ("butterflies", "butterflies", 2, {}),
    ("butterflies-teams", "butterflies", 4, {"teams": "on", "declare": "auto"}),
)
NAMES = ("Anna", "Ben", "Cleo", "Dan")
SPECTATOR = "Eve"


async def record(game: str, seats: int, options: dict[str, Any]) -> dict[str, Any]:
    """Plays a game at random on a real server, and gives all frames."""
    luck, names = random.Random(game), NAMES[:seats]
    with tempfile.TemporaryDirectory() as folder:
        async with stage(archive=str(Path(folder) / "parlour.db")) as on:
            for name in (*names, SPECTATOR):
                await on.enter(name)
            made = await on.do(names[0], "create_table", game=game, seats=seats, options=options)
            table = made["result"]["table"]
            for name in names[1:]:
                await on.do(name, "join", table=table)
            await on.do(SPECTATOR, "watch", table=table)
            for name in names:
                await on.do(name, "ready", table=table, nonce=f"{name}-nonce")
            await on.do(names[0], "start", table=table)
            while (update := on.last(names[0], "update"))["result"] is None:
                await _act(on, names[update["awaited"][0]], table, luck)
            played = (await on.do(names[0], "played"))["result"]["games"][0]["id"]
            replay = (await on.do(names[0], "replay", game=played))["result"]["replay"]
            frames = [[line.who, line.arrow, line.plain] for line in on.lines if line.arrow in "<>"]
    return {
        "game": game,
        "seats": seats,
        "options": options,
        "names": list(names),
        "spectator": SPECTATOR,
        "frames": [frame for frame in frames if frame[2].get("type") not in ("played", "replay")][:-2],
        "replay": replay,
    }


async def _act(on: Stage, name: str, table: str, luck: random.Random) -> None:
    question = on.last(name, "update")["question"]
    await on.do(name, "act", table=table, turn=question["turn"], action=pick(question["legal"], luck))


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, game, seats, options in GAMES:
        whole = json.dumps(
            asyncio.run(record(game, seats, options)), ensure_ascii=False, separators=(",", ":")
        )
        packed = gzip.compress(whole.encode("utf-8"), mtime=0)
        (FOLDER / f"{name}.json.gz").write_bytes(packed)
        print(f"{name}: {len(whole)} bytes, {len(packed)} packed", flush=True)


if __name__ == "__main__":
    write()
