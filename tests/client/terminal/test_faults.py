"""A bug of ours ends the program in good order: the terminal is as it was, and a file tells the rest."""

import asyncio
from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from support.client.seated_player import player_at, table_at

from parlour.client.cli.play import write_down
from parlour.client.terminal.app import Terminal
from parlour.client.terminal.screen import Screen


class Broken(Exception):
    """What a test breaks something with."""


async def broken() -> None:
    raise Broken


async def test_a_deed_that_breaks_ends_the_program_and_is_remembered() -> None:
    player, _ = player_at(None)
    player.do(broken())
    await asyncio.wait_for(player.over.wait(), 5)
    assert isinstance(player.bug, Broken)


@pytest.mark.parametrize("method", ["press", "lines"])
async def test_a_key_or_a_drawing_that_breaks_ends_the_application(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaking(*_: object) -> None:
        raise Broken

    player, _ = player_at(table_at("balloon-cup", 14))
    monkeypatch.setattr(player, "look", player.over.wait)
    with create_pipe_input() as keys:
        terminal = Terminal(player, input=keys, output=DummyOutput())
        monkeypatch.setattr(Screen, method, breaking)
        keys.send_text("x")
        await asyncio.wait_for(terminal.run(), 10)
    assert isinstance(player.bug, Broken)


def test_a_bug_is_written_down_for_those_who_mend_it(tmp_path: Path) -> None:
    told = write_down(Broken("here"), tmp_path / "new")
    assert str(tmp_path / "new" / "fault.txt") in told
    assert "Broken: here" in (tmp_path / "new" / "fault.txt").read_text(encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "could not be written" in write_down(Broken(), tmp_path / "file")
