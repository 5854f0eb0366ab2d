"""A name stays its owner's: however often a connection is lost, and however many programs use the name."""

import argparse
import asyncio
import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from support.client.terminals import PARLOUR, PATIENCE, Lines, Shared, Terminal, Wire, environment, terminal
from support.paths import ROOT
from support.server.killed_servers import KilledServer

from parlour.client.cli.tournament.connecting import connected
from parlour.client.connection import Connection, Gone
from parlour.client.credentials import Credentials
from parlour.client.language import ENGLISH
from parlour.client.session import Session
from parlour.client.settings import Settings, folder
from parlour.machine import file_lock
from parlour.protocol import messages as m
from parlour.server.app import running
from parlour.server.config import make

LEAGUE = ROOT / "examples" / "league.toml"
BACK = ENGLISH("connection.back")


class Killed:
    """A server that is killed and started again, with one archive on one port."""

    def __init__(self, archive: Path) -> None:
        self.archive, self.port = archive, 0
        self.start()

    def start(self) -> None:
        words = [
            "serve",
            "--host",
            "127.0.0.1",
            "--hidden",
            "--port",
            str(self.port),
            "--archive",
            self.archive,
        ]
        self.process = subprocess.Popen(
            [PARLOUR, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        line = next(line for line in self.process.stdout if "ws://127.0.0.1:" in line)
        self.port = int(line.partition("ws://127.0.0.1:")[2].split()[0].rstrip("/"))

    def kill(self) -> None:
        """Does not wait for the end of its output: its bots have that too, and look for it for 10 seconds."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[Killed]:
    server = Killed(tmp_path / "parlour.db")
    try:
        yield server
    finally:
        server.kill()


def in_lobby(shown: Terminal) -> None:
    shown.see("Open a new table")


def command(home: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [PARLOUR, *words], env=environment(home), capture_output=True, text=True, timeout=60, check=False
    )


# Connections that are lost


def test_who_lost_the_connection_twice_on_a_full_screen_has_the_name_the_next_time(
    killed: Killed, tmp_path: Path
) -> None:
    with terminal(tmp_path, "play", killed.host, "--name", "Clara") as shown:
        in_lobby(shown)
        for _ in range(2):
            killed.kill()
            shown.see("trying again")
            killed.start()
            shown.until(lambda text: BACK in text and "trying again" not in text, BACK)
        shown.until(lambda text: BACK not in text, "no notice any more")
        shown.press("c-c")
        assert shown.ended() == 0
    with terminal(tmp_path, "play", killed.host) as shown:
        in_lobby(shown)


def test_in_plain_lines_too_and_each_return_is_told(killed: Killed, tmp_path: Path) -> None:
    lines = Lines(tmp_path, killed.host, "--name", "Clara", "--plain")
    lines.until("Open a new table")
    for _ in range(2):
        killed.kill()
        lines.until(ENGLISH("play.stale"))
        killed.start()
        lines.until(BACK)
    lines.end()
    again = Lines(tmp_path, killed.host, "--plain")
    again.until("Open a new table")
    again.end()


def test_every_loss_and_every_return_is_told_once_in_plain_lines(shared: Shared, tmp_path: Path) -> None:
    wire = Wire((shared.host, shared.port))
    lines = Lines(tmp_path, f"127.0.0.1:{wire.port}", "--name", shared.name("Clara"), "--plain")
    lines.until("Open a new table")
    for _ in range(3):
        wire.cut()
        lines.until(ENGLISH("play.stale"))
        wire.mend()
        lines.until(BACK)
    assert [lines.said.count(words) for words in (ENGLISH("play.stale"), BACK)] == [3, 3]
    lines.end()
    wire.cut()


def given(name: str) -> argparse.Namespace:
    return argparse.Namespace(name=name, trust=None)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


async def test_commands_of_the_hall_keep_each_token(home: Path) -> None:
    async with KilledServer(home) as server:
        await server.start()
        async with connected(server.url, given("Clara"), own=True) as connection:
            for _ in range(2):
                before = connection.session.welcome
                await server.kill()
                await server.start()
                await connection.ask(m.Ping)
                assert connection.session.welcome is not before
                assert Settings.read(folder()).token(server.url) == connection.session.token
        async with connected(server.url, given("Clara"), own=True) as connection:
            assert connection.session.welcome is not None
            assert connection.session.welcome.you.name == "Clara"


@pytest.mark.usefixtures("home")
async def test_a_server_that_was_set_up_anew_gives_the_name_again() -> None:
    async with running(make({"host": "127.0.0.1", "port": 0})) as ready:
        kept = Settings(name="Clara", home=folder())
        kept.remember(ready.url, "Clara", "of the server that was there before")
        kept.write()
        async with connected(ready.url, given("Clara"), own=True) as connection:
            assert Settings.read(folder()).token(ready.url) == connection.session.token


# Several programs


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs wait for their turn as long as it takes: otherwise a slow machine lets them go on without."""
    monkeypatch.setattr(file_lock, "WITHIN", PATIENCE)


@pytest.mark.usefixtures("home", "patient")
async def test_programs_that_come_in_at_one_moment_leave_a_good_token() -> None:
    async def look_in(url: str) -> None:
        with contextlib.suppress(Gone):  # the newest connection wins
            async with connected(url, given("Clara"), own=True) as connection:
                await connection.ask(m.Ping)

    async with running(make({"host": "127.0.0.1", "port": 0})) as ready:
        await look_in(ready.url)
        for _ in range(3):
            await asyncio.gather(*[look_in(ready.url) for _ in range(8)])
            async with connected(ready.url, given("Clara"), own=True) as connection:
                assert connection.session.welcome is not None
                assert connection.session.welcome.you.name == "Clara"


@pytest.mark.usefixtures("patient")
async def test_nobody_says_hello_while_another_program_waits_for_its_welcome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, is_mine = asyncio.Event(), file_lock._is_mine

    def tried(file: BinaryIO) -> bool:
        mine = is_mine(file)
        if not mine:
            waiting.set()
        return mine

    monkeypatch.setattr(file_lock, "_is_mine", tried)
    one, other = [Credentials(Settings(name="Clara", home=tmp_path), "there") for _ in range(2)]
    async with running(make({"host": "127.0.0.1", "port": 0})) as ready:
        async with Connection(ready.url, Session(name="Clara"), credentials=one) as connection:
            await connection.ask(m.Ping)
        async with one.lock():
            used = one.token(None)
            newer = Connection(ready.url, Session(name="Clara"), credentials=other)
            coming = asyncio.create_task(newer.run())
            await waiting.wait()
            assert newer.session.token is None
            # Meanwhile the one that has its turn is given the next token.
            session = Session(token=used)
            async with Connection(ready.url, session) as connection:
                await connection.ask(m.Ping)
            assert session.welcome is not None
            one.keep(session.welcome)
        await newer.ask(m.Bye)
        assert await coming == "bye"


async def test_a_folder_that_cannot_be_written_costs_nobody_the_name_in_this_program(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    credentials = Credentials(Settings(name="Clara", home=tmp_path / "file"), "there")
    async with running(make({"host": "127.0.0.1", "port": 0})) as ready:
        for _ in range(4):
            session = Session(name="Clara")
            async with Connection(ready.url, session, credentials=credentials) as connection:
                await connection.ask(m.Ping)


def test_who_is_replaced_by_a_command_comes_back_by_one_key(killed: Killed, tmp_path: Path) -> None:
    with terminal(tmp_path, "play", killed.host, "--name", "Clara") as shown:
        in_lobby(shown)
        for _ in range(2):
            made = command(tmp_path, "tournament", "create", str(LEAGUE), killed.host)
            assert made.returncode == 0, made.stderr
            text = shown.see("Come back to ws://")
            assert "signed in from somewhere else" in text and text.count(killed.host) == 1
            shown.press("enter")
            in_lobby(shown)
        id = made.stdout.partition("is tournament ")[2].partition(",")[0]
        shown.press("t")
        shown.see("Sunday league")
        shown.press("enter")
        page = shown.see("Rules")
        cancelled = command(tmp_path, "tournament", "cancel", id, killed.host)
        assert cancelled.returncode == 0, cancelled.stderr
        shown.see("Come back to ws://")
        shown.press("b")
        shown.until(lambda text: "Come back" not in text and "Sunday league" in text, page)
        shown.press("c-c")
        assert shown.ended() == 0
    assert command(tmp_path, "tournament", "create", str(LEAGUE), killed.host).returncode == 0


def test_so_does_who_watched_a_game(killed: Killed, tmp_path: Path) -> None:
    with (
        terminal(tmp_path / "a", "play", killed.host, "--name", "Anna") as anna,
        terminal(tmp_path / "c", "play", killed.host, "--name", "Clara") as clara,
    ):
        anna.follow(("Lobby", "n"), ("Which game?", "1"), ("Open the table", "o"), ("(easy)", "e"))
        anna.follow(("(bot, easy, ready)", "y"), ("Start the game", "s"))
        anna.see("Your turn")
        clara.click_on("Watch: Balloon Cup")
        clara.see("Waiting for Anna")
        for home, shown in ((tmp_path / "a", anna), (tmp_path / "c", clara)):
            assert command(home, "tournament", "create", str(LEAGUE), killed.host).returncode == 0
            shown.see("Come back to ws://")
            shown.press("enter")
        anna.see("Your turn")
        clara.see("Waiting for Anna")
