"""`parlour tournament export --from`: a tournament that goes on is not exported, and that is what is said."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.client.terminals import environment
from support.server.running_tournaments import Organiser, eventually, tournament_of
from support.server.sockets import open_server

from parlour.client.bots.random import RandomBot
from parlour.client.cli.main import main
from parlour.client.decision import Decision
from parlour.client.tournament_bot import play_tournament

GAMES = 2
"""At the one table of the one round."""


async def test_while_games_of_it_are_played_others_that_are_over_are_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    begun = 0
    go_on = asyncio.Event()

    class Last(RandomBot):
        """Waits in the last game of the round until it may go on."""

        def __init__(self) -> None:
            nonlocal begun
            super().__init__()
            begun += 1
            self.waits = begun == GAMES

        async def choose(self, decision: Decision) -> Mapping[str, Any]:  # type: ignore[override]
            if self.waits:
                await go_on.wait()
            return super().choose(decision)

    async def export(folder: str) -> tuple[int, str]:
        status = await asyncio.to_thread(
            main, ["tournament", "export", id, str(tmp_path / folder), "--from", server.url]
        )
        out, err = capsys.readouterr()
        return status, out + err

    async with open_server(archive=str(tmp_path / "parlour.db")) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        id = await organiser.announce(rounds=1)
        found = tournament_of(server, organiser)
        bots = [
            asyncio.create_task(play_tournament(make, server.url, id, name))
            for make, name in ((RandomBot, "Ann"), (Last, "Ben"))
        ]
        await eventually(lambda: len(found.state.entrants) == 2)
        assert (await export("early"))[0] == 2
        await organiser.steer("start")
        await eventually(lambda: len(found.state.history.results) == 1)
        status, told = await export("midway")
        assert status == 2 and told.startswith(
            f"parlour: {server.url}: tournament {id} was not played to its end"
        )
        assert not (tmp_path / "midway").exists()
        go_on.set()
        await asyncio.gather(*bots)
        await eventually(lambda: found.state.phase == "finished")
        assert (await export("whole"))[0] == 0
        assert (tmp_path / "whole").is_dir()
