"""`parlour serve` and `parlour bot` as a shell sees them."""

import argparse
import asyncio
import contextlib
import http.client
import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest
from prompt_toolkit.utils import get_cwidth
from support.processes import children, until_ended
from support.server.certificate import certificate
from support.server.sockets import PATIENCE, Caller, Plain, gather, pick, until_closed
from websockets.exceptions import ConnectionClosed

from parlour.client.addresses import Reach, as_url, reach
from parlour.client.boards.refusals import OWN, refusal_text
from parlour.client.bots import STRATEGIES
from parlour.client.cli import serve_screen as serve_words
from parlour.client.cli.main import main
from parlour.client.connection import Connection, Gone
from parlour.client.language import LANGUAGES, Texts
from parlour.client.lines.wire import FINAL
from parlour.client.session import Session
from parlour.machine.addresses import own_addresses
from parlour.protocol import messages as m
from parlour.protocol.errors import CODES
from parlour.server import app as serve
from parlour.server.config import Config
from parlour.server.storage.archive import Archive

PARLOUR = str(Path(sys.executable).parent / "parlour")


@contextlib.contextmanager
def serving(*words: str, at: Path | None = None) -> Iterator[tuple["subprocess.Popen[str]", str, list[str]]]:
    """A server as a process, its URL, and the screen it shows; it keeps nothing unless it is told where."""
    pipe = subprocess.PIPE
    command = [PARLOUR, "serve", "--port", "0", *([] if "--archive" in words else ["--no-archive"]), *words]
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=at) as server:
        assert server.stdout is not None
        screen: list[str] = []
        try:
            for line in server.stdout:
                screen.append(line.rstrip("\n"))
                if "Ctrl-C" in line:
                    break
            (url, *_) = re.findall(r"wss?://\S+", "\n".join(screen))
            yield server, url, screen
        finally:
            if server.poll() is None:
                server.kill()


class Shell:
    """Commands that need no process of their own: their status, and what they say on both streams."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, *words: str) -> tuple[int, str, str]:
        self._capsys.readouterr()
        return main(words), *self._capsys.readouterr()

    def refused(self, *words: str) -> str:
        """What a server says that does not even open."""
        status, out, told = self.run("serve", "--host", "127.0.0.1", "--port", "0", *words)
        assert (status, out) == (2, "")
        assert told.startswith("parlour: ") and told.count("\n") == 1
        return told


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@contextlib.contextmanager
def bot(url: str, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """A bot as a process; whatever becomes of the test, none is left behind."""
    command = [PARLOUR, "bot", url, "--game", "balloon-cup", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=_hear_ctrl_c) as process:
        try:
            yield process
        finally:
            process.kill()


def _hear_ctrl_c() -> None:
    """Whoever runs the tests in the background may have made their processes deaf to it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Serving


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_server_with_status_0(number: signal.Signals) -> None:
    with serving("--host", "127.0.0.1") as (server, _, _):
        server.send_signal(number)
        assert server.wait(PATIENCE) == 0
        assert server.stdout is not None and server.stdout.read() == ""
        assert server.stderr is not None
        log = server.stderr.read().splitlines()
    assert [line.split(" ", 2)[2].split("=")[0] for line in log] == [
        "INFO parlour.server listening ports",
        "INFO parlour.server stopping",
    ]


async def test_built_in_bots_end_with_a_server_that_was_killed() -> None:
    with serving("--host", "127.0.0.1") as (server, url, _):
        async with Connection(url, Session(name="Ann")) as ann, asyncio.timeout(PATIENCE):
            made = await ann.ask(m.CreateTable, game="balloon-cup", seats=2, reaction=0.0)
            await ann.ask(m.AddBot, table=made["table"])
            table = ann.session.tables[made["table"]]
            while not all(chair is not None and chair.here for chair in table.info.chairs):
                await ann.changed()
            workers = children(server.pid)
            assert workers
            server.kill()
            await until_ended(*workers)


def test_the_screen_fits_and_says_where_how_and_how_to_stop() -> None:
    with serving() as (_, url, screen):
        assert url.startswith("ws://127.0.0.1:")
        assert len(screen) <= 24 and max(map(len, screen)) <= 80
        text = "\n".join(screen)
        assert "parlour bot ws://" in text and screen[-1] == "Ctrl-C stops the server."
        assert screen[2].startswith("To join") and screen[3].startswith("  parlour play ")
        for address in own_addresses():
            assert f"//{f'[{address}]' if ':' in address else address}:" in text


def test_two_bots_play_on_a_server_and_the_log_has_a_line_for_each_event(shell: Shell) -> None:
    with serving("--host", "127.0.0.1", "--verbose") as (server, url, _):
        with bot(url, "--games", "2", "--name", "One") as other:
            asked = shell.run("bot", url, "--game", "balloon-cup", "--games", "2", "--name", "Two")
            said = other.communicate(timeout=PATIENCE)[0]
        server.terminate()
        assert server.wait(PATIENCE) == 0
        assert server.stderr is not None
        log = server.stderr.read().splitlines()
    status, heard, complaint = asked
    assert (status, complaint, other.returncode) == (0, "", 0)
    for name, rival, lines in (("One", "Two", said.splitlines()), ("Two", "One", heard.splitlines())):
        assert lines[0] == f"{name} looks for a game of balloon-cup at {url}"
        assert re.fullmatch(rf"(won|lost|a draw) \(\w+\) against {rival}", lines[1])
        assert re.fullmatch(r"[012] of 2 won", lines[-1]) and len(lines) == 4
    events = [line.split(" ", 4)[4] for line in log]
    assert all(re.match(r"\d{4}-\d\d-\d\d \S+ (INFO|WARNING) parlour\.\w+ ", line) for line in log)
    assert [event.split()[0] for event in events if "name='One'" in event] == ["hello", "lost"]
    assert sum("stage=playing" in event for event in events) == 2
    assert sum("stage=closed" in event for event in events) >= 1
    assert not re.search(r"\b(red|blue|green|grey|yellow)-\d|token|[\w-]{40}", "\n".join(log)), (
        "hands or tokens"
    )


def test_whoever_talks_no_websocket_leaves_no_traceback_in_the_log() -> None:
    with serving("--host", "127.0.0.1", "--verbose") as (server, url, _):
        port = int(url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as stranger:
            stranger.sendall(b"\x16\x03\x01\x00\xa5 \r\n\r\n")
            while stranger.recv(1000):
                pass
        server.terminate()
        assert server.wait(PATIENCE) == 0
        assert server.stderr is not None
        log = server.stderr.read()
    assert all(re.match(r"\d{4}-\d\d-\d\d \S+ INFO parlour\.\w+ ", line) for line in log.splitlines())


@pytest.mark.parametrize(("words", "status"), [((), 200), (("--no-web",), 426)])
def test_the_page_is_served_unless_it_is_turned_off(words: tuple[str, ...], status: int) -> None:
    with serving("--host", "127.0.0.1", *words) as (_, url, screen):
        line = http.client.HTTPConnection(url.removeprefix("ws://"))
        line.request("GET", "/")
        assert line.getresponse().status == status
        line.close()
        assert any("http://" in each for each in screen) is (status == 200)


def test_a_port_that_is_taken_is_told_in_one_line(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        told = shell.refused("--port", port, "--no-archive")
    assert re.fullmatch(rf"parlour: port: cannot listen on 127\.0\.0\.1, port {port}: .+\n", told)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("port = 'x'", "FILE: port: must be a whole number, not 'x'"),
        ("port = 70000", "FILE: port: must be from 0"),
        ("colour = 1", "FILE: colour: is not a setting; there are"),
        ("port = ", "FILE: is not TOML: Invalid value"),
        (f"port = {'9' * 5000}", "FILE: has a number of too many digits"),
        (f"port = {'[' * 5000}", "FILE: is nested too deeply"),
        ("cert = 'c.pem'", "FILE: cert: and key go together"),
        (
            "trusted_proxy = ['nginx']",
            "FILE: trusted_proxy: must be an address or a network, such as 127.0.0.1",
        ),
        (
            "trusted_proxy = [10]",
            "FILE: trusted_proxy: must be a list of addresses and networks, each in quotes",
        ),
    ],
)
def test_a_bad_settings_file_is_told_in_one_line_with_its_name(
    text: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "parlour.toml"
    path.write_text(text, encoding="utf-8")
    assert main(["serve", "--config", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"parlour: {problem.replace('FILE', str(path))}") and err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--port", "x"], "argument --port: invalid int value: 'x'"),
        (["--port", "-1"], "port: must be from 0"),
        (["--bots", "99"], "bots: must be from 0 to 64"),
        (["--cert", "nowhere.pem", "--key", "nowhere.pem"], "cert: No such file"),
        (["--config", "nowhere.toml"], "nowhere.toml: No such file"),
        (["--node", "a b", "--advertise", "ws://a.lan"], "node: must be 1 to 32 letters from a to z"),
        (["--node", "a"], "node: goes with advertise: give both"),
        (["--advertise", "ws://a.lan"], "advertise: goes with node: give both"),
        (["--lease", "9"], "lease: is for nodes: give node and advertise too, or processes"),
        (["--archive-direct", "postgresql://localhost/parlour"], "archive_direct: is for nodes: give node"),
        (
            ["--node", "a", "--advertise", "http://a.lan"],
            "advertise: must be where clients reach this server",
        ),
        (
            ["--node", "a", "--advertise", "ws://a.lan/x"],
            "advertise: must be where clients reach this server",
        ),
        (
            ["--node", "a", "--advertise", "ws://a.lan;b"],
            "advertise: must be where clients reach this server",
        ),
        (["--node", "a", "--advertise", "ws://a b"], "advertise: must be where clients reach this server"),
        (
            ["--processes", "2", "--archive", "postgresql://ann:secret@localhost/parlour"],
            "archive: postgresql://: leave the password out of the address",
        ),
        (["--processes", "0"], "processes: must be from 1 to 64, not 0"),
        (
            ["--processes", "2"],
            "processes: several servers share a PostgreSQL database: pip install 'psycopg[binary]', "
            "then add --archive postgresql://USER@HOST/DATABASE",
        ),
        (
            ["--processes", "2", "--test", "--archive", "postgresql://localhost/parlour"],
            "processes: and test exclude each other",
        ),
        (
            ["--node", "a", "--advertise", "ws://a.lan:1"],
            "node: several servers share a PostgreSQL database: pip install 'psycopg[binary]'",
        ),
        (
            ["--processes", "2", "--archive", "postgres:/parlour"],
            "archive: processes needs an address like postgresql://USER@HOST/DATABASE, and this is none",
        ),
    ],
)
def test_bad_flags_are_told_in_one_line(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"parlour: {problem}") and err.count("\n") == 1


def test_flags_win_over_the_file(tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "parlour.toml"
    path.write_text("host = 'nowhere.invalid'\nheartbeat = 20\n", encoding="utf-8")
    run: list[Config] = []

    async def note(config: Config, *_: object) -> None:
        run.append(config)

    monkeypatch.setattr(serve, "run", note)
    assert shell.run("serve", "--config", str(path), "--host", "127.0.0.1") == (0, "", "")
    assert [(config.host, config.heartbeat) for config in run] == [("127.0.0.1", 20)]


def test_there_is_a_flag_for_every_setting() -> None:
    assert list(serve_words.SETTINGS) == [field.name for field in attrs.fields(Config)]
    parser = argparse.ArgumentParser()
    serve_words.add_flags(parser)
    given = parser.parse_args(["--connections-each", "3", "--name", "a", "--name", "b", "--verbose"])
    assert serve_words.flags(given) == {"connections_each": 3, "name": ["a", "b"], "verbose": True}
    assert serve_words.flags(parser.parse_args([])) == {}


def test_the_port_in_the_help_is_the_default_one() -> None:
    assert str(Config().port) in serve_words.SETTINGS["port"]["help"]


def test_bots_leave_one_core_to_people() -> None:
    assert Config().bots == max(1, (os.cpu_count() or 2) - 1)
    assert "all cores but one" in serve_words.SETTINGS["bots"]["help"]


# What is kept


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_server_keeps_everything_in_one_file_where_it_was_started(tmp_path: Path) -> None:
    command = [PARLOUR, "serve", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as server:
        assert server.stdout is not None
        assert any("Ctrl-C" in line for line in server.stdout)
        server.terminate()
        assert server.wait(PATIENCE) == 0
    assert set(files(tmp_path)) == {"parlour.db"}


def test_a_server_without_an_archive_leaves_no_file(tmp_path: Path, shell: Shell) -> None:
    with serving("--host", "127.0.0.1", at=tmp_path) as (server, url, _):
        with bot(url) as other:
            assert shell.run("bot", url, "--game", "balloon-cup")[0] == 0
            assert other.wait(PATIENCE) == 0
        assert files(tmp_path) == {}
        server.terminate()
        assert server.wait(PATIENCE) == 0
    assert files(tmp_path) == {}


def test_a_second_server_on_the_same_archive_is_told_who_has_it(tmp_path: Path, shell: Shell) -> None:
    path = tmp_path / "games.db"
    with serving("--host", "127.0.0.1", "--archive", str(path)) as (server, _, _):
        told = shell.refused("--archive", str(path))
        assert f"{path}: a server has it open (process {server.pid} on " in told
        assert server.poll() is None
        server.terminate()
        assert server.wait(PATIENCE) == 0
    with serving("--host", "127.0.0.1", "--archive", str(path)) as (server, _, _):
        assert server.poll() is None


def archive_bytes(folder: Path) -> bytes:
    path = folder / "made.db"
    with Archive.open(path) as archive:
        archive.add_record("T-1", "T", {"filling": "x" * 20_000}, [{"number": 0}], None)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("spoilt", "problem"),
    [
        (lambda _: b"Dear diary, today we played.\n" * 200, "is not a Parlour archive"),
        (lambda whole: whole[: len(whole) // 2], "is damaged (its end is missing)"),
        (lambda whole: whole[:50], "is damaged (its end is missing)"),
        (lambda _: b"", "is damaged (it is empty)"),
        (lambda whole: whole[:4096] + b"\xff" * (len(whole) - 4096), "is damaged (its content is broken)"),
    ],
)
def test_a_foreign_or_damaged_file_is_refused_and_left_byte_for_byte(
    tmp_path: Path, spoilt: Callable[[bytes], bytes], problem: str, shell: Shell
) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "games.db").write_bytes(spoilt(archive_bytes(tmp_path)))
    before = files(folder)
    assert f"{folder / 'games.db'}: {problem}" in shell.refused("--archive", str(folder / "games.db"))
    assert files(folder) == before


async def until_goodbye(person: Caller) -> Plain:
    while True:
        message = await person.receive()
        if message["type"] == "goodbye":
            return message


async def test_clients_are_told_when_to_come_back_and_find_everything_as_they_left_it(tmp_path: Path) -> None:
    words = "--host", "127.0.0.1", "--archive", str(tmp_path / "games.db")
    with serving(*words) as (server, url, _):
        table, people = await gather(url, "balloon-cup", [Caller, Caller])
        for person in people:
            while person.known(table)["view"] is None:
                await person.receive()
        (player,) = [person for person in people if person.known(table)["question"]]
        question = player.known(table)["question"]
        action = pick(question["legal"], random.Random(1))
        sent = await player.send("act", table=table, turn=question["turn"], action=action)
        server.terminate()
        for person in people:
            goodbye = await until_goodbye(person)
            assert (goodbye["reason"], goodbye["retry_after"]) == ("restart", 2.0)
            with contextlib.suppress(ConnectionClosed):
                await person.send("create_table", game="balloon-cup", seats=2)
            assert (await until_closed(person.socket))[0] == 1012
        assert server.wait(PATIENCE) == 0
        assert server.stderr is not None and "ERROR" not in server.stderr.read()
    assert set(files(tmp_path)) == {"games.db"}
    with serving(*words) as (_, url, _):
        for person in people:
            person.url = url
            await person.connect()
            assert person.welcome["tables"] == [table]
        await player.write(
            {"type": "act", "id": sent, "table": table, "turn": question["turn"], "action": action}
        )
        assert (await player.answer(sent))["type"] == "ok"
        player.last_id = max(player.last_id, sent)
        assert await player.do("resume", table=table, after=None) == {"snapshot": True}
        assert player.known(table)["question"] is None
        assert [told["table"] for told in (await player.do("list_tables"))["tables"]] == [table]
        for person in people:
            await person.drop(rudely=True)


async def test_a_server_goes_on_with_a_backup_of_another_that_runs(tmp_path: Path, shell: Shell) -> None:
    words = "--host", "127.0.0.1", "--archive"
    with serving(*words, str(tmp_path / "games.db")) as (_, url, _):
        table, people = await gather(url, "balloon-cup", [Caller, Caller])
        made = shell.run("backup", str(tmp_path / "copy.db"), "--archive", str(tmp_path / "games.db"))
        assert made[0] == 0
    with serving(*words, str(tmp_path / "copy.db")) as (_, url, _):
        for person in people:
            person.url = url
            await person.connect()
            assert person.welcome["tables"] == [table]
            assert await person.do("resume", table=table, after=None) == {"snapshot": True}
        assert any(person.known(table)["question"] for person in people)
        for person in people:
            await person.drop(rudely=True)


# Addresses


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("192.168.1.7", "ws://192.168.1.7:21925"),
        (" parlour.local ", "ws://parlour.local:21925"),
        ("parlour.local:99", "ws://parlour.local:99"),
        ("fd00::2", "ws://[fd00::2]:21925"),
        ("[fd00::2]", "ws://[fd00::2]:21925"),
        ("[fd00::2]:99", "ws://[fd00::2]:99"),
        ("wss://games.example", "wss://games.example"),
    ],
)
def test_a_host_alone_may_do(typed: str, url: str) -> None:
    assert as_url(typed) == url


def test_everywhere_is_each_address_of_the_machine_with_the_port_of_its_kind() -> None:
    own = ["192.168.1.7", "10.0.0.2", "fd00::2"]
    assert reach([("::", 2), ("0.0.0.0", 1)], False, own) == Reach(
        ("ws://127.0.0.1:1", "ws://[::1]:2"), ("ws://192.168.1.7:1", "ws://10.0.0.2:1", "ws://[fd00::2]:2")
    )


def test_one_address_is_that_one_only() -> None:
    assert reach([("10.0.0.2", 1)], True, ["10.0.0.2", "10.0.0.3"]) == Reach((), ("wss://10.0.0.2:1",))
    assert reach([("127.0.0.1", 1)], True, ["10.0.0.2"]) == Reach(("wss://127.0.0.1:1",), ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_screen_tells_where_the_server_is_in_every_language(language: str) -> None:
    at = Reach(("ws://127.0.0.1:1",), tuple(f"ws://10.0.0.{number}:1" for number in range(12)))
    told = serve_words.screen("parlour 1.0", at, Texts(language)).splitlines()
    addresses = [line for line in told if "://" in line and "bot" not in line]
    assert {get_cwidth(line.partition("ws://")[0]) for line in addresses} == {serve_words.LABEL}
    assert max(map(get_cwidth, told)) <= 80


def test_a_machine_with_many_networks_still_fits_the_screen() -> None:
    many = Reach(("ws://127.0.0.1:1",), tuple(f"ws://10.0.{number}.1:1" for number in range(30)))
    screen = serve_words.screen("parlour 1.0", many).splitlines()
    assert len(screen) <= 24
    assert any(line.strip() == "and 22 more" for line in screen)


def test_a_server_for_this_machine_only_says_so() -> None:
    assert "No other machine can reach it." in serve_words.screen("parlour 1.0", Reach(("ws://[::1]:1",), ()))


def test_a_node_is_joined_where_it_says_that_clients_reach_it() -> None:
    at = Reach(("ws://127.0.0.1:21925",), ())
    told = serve_words.screen("parlour 1.0", at, page=True, hidden=True, advertised="wss://oak.example")
    assert "parlour play wss://oak.example\n" in told and "parlour bot wss://oak.example " in told
    assert "https://oak.example/" in told and "http://" not in told
    assert "No other machine can reach it." not in told


def test_the_screen_of_a_hidden_server_does_not_say_that_it_is_found() -> None:
    at = Reach(("ws://127.0.0.1:1",), ("ws://10.0.0.7:21925",))
    assert "which finds the server" in serve_words.screen("parlour 1.0", at)
    told = serve_words.screen("parlour 1.0", at, hidden=True)
    assert "finds" not in told and "parlour play 10.0.0.7:21925" in told


def test_the_screen_has_the_address_of_the_page_and_on_a_terminal_its_qr_code() -> None:
    at = Reach(("ws://127.0.0.1:1",), ("ws://10.0.0.7:21925",))
    assert "http" not in serve_words.screen("parlour 1.0", at)
    told = serve_words.screen("parlour 1.0", at, page=True)
    assert "http://10.0.0.7:21925/" in told and "█" not in told
    drawn = serve_words.screen("parlour 1.0", at, page=True, drawn=True).splitlines()
    assert len([line for line in drawn if "█" in line]) > 10


# The bot command


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("127.0.0.1:1", "ws://127.0.0.1:1: nobody answers there"),
        ("http://127.0.0.1", "http://127.0.0.1: that is not the address of a server"),
        ("ws://127.0.0.1:99999", "ws://127.0.0.1:99999: that is not the address of a server"),
    ],
)
def test_a_server_that_is_not_there_is_told_in_one_line(url: str, problem: str, shell: Shell) -> None:
    status, _, complaint = shell.run("bot", url, "--game", "balloon-cup")
    assert status == 1
    assert complaint.startswith(f"parlour: {problem}") and complaint.count("\n") == 1


def test_ctrl_c_frees_the_seat_of_a_bot_and_a_wish_that_cannot_be_met_is_told_in_one_line(
    shell: Shell,
) -> None:
    with serving("--host", "127.0.0.1") as (server, url, _):
        assert server.stderr is not None
        status, _, complaint = shell.run("bot", url, "--game", "chess")
        assert status == 2
        assert complaint == (
            "parlour: there is no game 'chess'; there are: balloon-cup, hurry-cup, butterflies\n"
        )
        command = [PARLOUR, "bot", url, "--game", "balloon-cup"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, preexec_fn=_hear_ctrl_c) as waiting:
            assert any("stage=gathering" in line for line in iter(server.stderr.readline, ""))
            waiting.send_signal(signal.SIGINT)
            _, told = waiting.communicate(timeout=PATIENCE)
        assert (waiting.returncode, told) == (130, b"")
        assert any("stage=closed" in line for line in iter(server.stderr.readline, ""))


@pytest.mark.parametrize(
    "words",
    [["--strategy", "oracle"], ["--games", "0"], ["--games", "many"], ["--trust", "nowhere.pem"]],
)
def test_bad_arguments_of_a_bot_are_told_in_one_line(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bot", "127.0.0.1", "--game", "balloon-cup", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("parlour: ") and err.count("\n") == 1


def test_every_reason_to_give_up_has_words() -> None:
    assert not set(OWN) & set(CODES)
    assert set(FINAL.values()) <= set(OWN)
    assert (
        refusal_text(Gone("unreachable", "Connection refused")) == "nobody answers there (Connection refused)"
    )
    assert refusal_text(Gone("name_taken")) == "that name is already taken here"
    same = Gone("name_taken", "name Mike, like Mike", facts={"name": "Mike", "like": "Mike"})
    assert refusal_text(same) == "that name is already taken here"
    like = Gone("name_taken", facts={"name": "Mlke", "like": "Mike"})
    assert refusal_text(like) == "that name looks like Mike, which is already taken here"
    assert refusal_text(Gone("whatever comes later")) == "whatever comes later"


def test_strategies_have_names_that_a_shell_takes() -> None:
    assert all(re.fullmatch(r"[a-z-]+", name) for name in STRATEGIES)


# TLS


def test_whoever_trusts_the_certificate_reaches_a_server_that_made_its_own(
    tmp_path: Path, shell: Shell
) -> None:
    cert, key = certificate(tmp_path)
    with serving("--host", "127.0.0.1", "--cert", cert, "--key", key) as (_, url, _):
        assert url.startswith("wss://")
        status, _, complaint = shell.run("bot", url, "--game", "balloon-cup")
        assert status == 1 and "its certificate cannot be trusted" in complaint
        with bot(url, "--trust", cert) as other:
            assert shell.run("bot", url, "--game", "balloon-cup", "--trust", cert)[0] == 0
            assert other.wait(PATIENCE) == 0
