"""Bots that are programs of their own: asked line by line, started again, their complaints kept."""

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from support.paths import ROOT
from support.processes import numbers_in, runs, until_ended
from support.server.sockets import PATIENCE

from parlour.client.bot import play_games
from parlour.client.bots.random import RandomBot
from parlour.client.cli.main import main
from parlour.client.decision import Decision
from parlour.client.external_bot import ExecBot, Lost, Program
from parlour.client.table_search import Wanted
from parlour.machine import kept_output
from parlour.server.app import ListeningServer, running
from parlour.server.config import make

BY_LINES = ROOT / "examples" / "by_lines.py"
BALLOON = Wanted("balloon-cup")
QUESTION = Decision(
    game="balloon-cup",
    options={},
    seat=1,
    view={"phase": "claim"},
    legal=[{"type": "decline"}],
    news=[{"type": "first_chosen", "seat": 1}],
    news_missed=False,
    phase="claim",
    scramble=False,
    turn=3,
    seq=5,
    until=None,
)
DECLINE = {"type": "decline"}


@pytest.fixture
async def server() -> AsyncIterator[ListeningServer]:
    async with running(make({"port": 0, "host": "127.0.0.1"})) as ready:
        yield ready


def program(code: str, folder: Path) -> Program:
    """A program in Python that has read a line as `question` when it comes to the code."""
    loop = "import json, os, sys, pathlib\nfor line in sys.stdin:\n    question = json.loads(line)\n"
    text = loop + "".join(f"    {line}\n" for line in code.strip().splitlines())
    return Program([sys.executable, "-c", text], folder / "stderr")


ANSWER = (
    'print(json.dumps({"type": "act", "turn": question["turn"], "action": question["legal"][0]}), flush=True)'
)


async def test_a_question_has_all_that_there_is_to_know(tmp_path: Path) -> None:
    code = 'print(json.dumps({"type": "act", "turn": 3, "action": question}), flush=True)'
    async with program(code, tmp_path) as echo:
        asked: Any = await echo.answer(QUESTION)
        again: Any = await echo.answer(attrs.evolve(QUESTION, news=[*QUESTION.news, {"type": "game_won"}]))
    assert asked == {
        "type": "question",
        "turn": 3,
        "game": "balloon-cup",
        "options": {},
        "seat": 1,
        "view": {"phase": "claim"},
        "legal": [DECLINE],
        "news": [{"type": "first_chosen", "seat": 1}],
        "phase": "claim",
        "scramble": False,
        "seconds_left": None,
    }
    assert again["news"] == [{"type": "game_won"}]


async def test_lines_that_answer_nothing_are_passed_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    code = (
        """
print("thinking ...", flush=True)
print('{"type": "mood", "turn": 3}', flush=True)
print('{"type": "act", "turn": 2, "action": {"type": "old"}}', flush=True)
"""
        + ANSWER
    )
    async with program(code, tmp_path) as chatty:
        assert await chatty.answer(QUESTION) == DECLINE
    assert [record.getMessage() for record in caplog.records] == [
        "passed over turn=3, no map in JSON: b'thinking ...\\n'",
        'passed over turn=3, no answer to it: b\'{"type": "mood", "turn": 3}\\n\'',
        'passed over turn=3, no answer to it: b\'{"type": "act", "turn": 2, "action": {"type": "old"}}\\n\'',
    ]


async def test_a_program_that_crashes_is_started_again_and_told_everything(tmp_path: Path) -> None:
    code = f"""
seen = pathlib.Path({str(tmp_path / "seen")!r})
if not seen.exists():
    seen.write_text("x")
    sys.exit("no idea")
assert question["news"]
{ANSWER}
"""
    async with program(code, tmp_path) as weak:
        assert await weak.answer(QUESTION) == DECLINE
        assert weak.starts == 2
    assert "no idea" in (tmp_path / "stderr").read_text()


async def test_a_program_that_crashes_at_every_question_is_given_up_for_that_one(tmp_path: Path) -> None:
    async with program("sys.exit(f\"turn {question['turn']}\")", tmp_path) as hopeless:
        with pytest.raises(Lost):
            await hopeless.answer(QUESTION)
        assert hopeless.starts == 3
    assert (tmp_path / "stderr").read_text().split("\n")[:3] == ["turn 3"] * 3


async def test_a_program_that_lets_its_time_pass_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.client.external_bot.OVERTIME", 0.0)
    async with program("pass", tmp_path) as silent:
        with pytest.raises(Lost):
            await silent.answer(attrs.evolve(QUESTION, until=time.monotonic()))
        assert silent.starts == 3


async def test_a_line_without_end_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.client.external_bot.LONGEST_LINE", 1000)
    async with program('print("x" * 100_000, flush=True)', tmp_path) as endless:
        with pytest.raises(Lost):
            await endless.answer(QUESTION)


async def test_a_program_plays_a_whole_game_though_it_crashes_now_and_then(
    server: ListeningServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    code = f"""
if question["turn"] % 5 == 0 and not os.path.exists(f"{tmp_path}/{{question['turn']}}"):
    open(f"{tmp_path}/{{question['turn']}}", "w").close()
    sys.exit(3)
action = dict(question["legal"][0])
for key, value in action.items():
    match value:
        case {{"one_of": values}}:
            action[key] = values[0]
        case {{"subset": values, "min": least}}:
            action[key] = values[:least]
print(json.dumps({{"type": "act", "turn": question["turn"], "action": action}}), flush=True)
"""
    async with program(code, tmp_path) as weak:
        first, second = await asyncio.gather(
            play_games(lambda: ExecBot(weak), server.url, BALLOON, "Weak"),
            play_games(RandomBot, server.url, BALLOON, "Two"),
        )
    assert [played.result for played in first] == [played.result for played in second]
    assert weak.starts > 1
    said = {
        record.getMessage().split(";")[0] for record in caplog.records if record.levelno >= logging.WARNING
    }
    assert said == {"program lost: it ended with status 3"}


# What it writes to stderr, and how it ends


@pytest.mark.parametrize("before", [0, 90_000], ids=["a new file", "a long file"])
async def test_the_newest_of_what_a_program_complains_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    monkeypatch.setattr(kept_output, "KEPT", 100_000)
    (tmp_path / "stderr").write_bytes(b"-" * before)
    code = 'sys.stderr.write("".join(f"complaint {number}\\n" for number in range(100_000)))\n' + ANSWER
    async with program(code, tmp_path) as loud:
        assert await loud.answer(QUESTION) == DECLINE
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert kept["stderr"].endswith(b"complaint 99999\n")
    assert kept.keys() == {"stderr", "stderr.1"}
    assert sum(map(len, kept.values())) <= 100_000
    assert b"complaint 99000\n" in kept["stderr.1"] + kept["stderr"]


async def test_a_disk_that_takes_no_complaints_stops_no_program(tmp_path: Path) -> None:
    code = 'sys.stderr.write("complaint " * 20_000)\n' + ANSWER
    quiet = Program(program(code, tmp_path).command, Path("/dev/full"))
    async with quiet as running_program:
        for _ in range(2):
            assert await running_program.answer(QUESTION) == DECLINE


STUBBORN = """
import os, pathlib, signal, subprocess, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path(sys.argv[1]).write_text(f"{os.getpid()}\\n{child.pid}\\n")
time.sleep(600)
"""
"""A program that does not end by itself, and has a child."""


async def test_a_program_ends_with_all_that_it_has_started(tmp_path: Path) -> None:
    command = [sys.executable, "-c", STUBBORN, str(tmp_path / "pids")]
    async with asyncio.timeout(PATIENCE):
        async with Program(command, tmp_path / "stderr"):
            pids = await numbers_in(tmp_path / "pids", 2)
            assert all(map(runs, pids))
        await until_ended(*pids)


async def test_what_a_program_that_ended_has_left_behind_ends_too(tmp_path: Path) -> None:
    code = f"""
import subprocess
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
child = subprocess.Popen(sleep, stdout=subprocess.DEVNULL)
pathlib.Path({str(tmp_path / "pids")!r}).open("a").write(str(child.pid) + os.linesep)
sys.exit(3)
"""
    async with asyncio.timeout(PATIENCE):
        async with program(code, tmp_path) as weak:
            with pytest.raises(Lost):
                await weak.answer(QUESTION)
        await until_ended(*await numbers_in(tmp_path / "pids", 3))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda each: each.name)
async def test_a_signal_ends_a_bot_and_its_program_without_a_traceback(
    server: ListeningServer, tmp_path: Path, number: signal.Signals
) -> None:
    bot = await start_bot(server, tmp_path, STUBBORN)
    async with asyncio.timeout(PATIENCE):
        pids = await numbers_in(tmp_path / "pids", 2)
        while not any(server.lobby.tables.sessions):
            await asyncio.sleep(0.01)
        bot.send_signal(number)
        assert (await bot.communicate())[1] == b""
        assert bot.returncode == 130
        await until_ended(*pids)
    assert "Traceback" not in (tmp_path / "stderr").read_text()


async def test_a_bot_in_the_background_of_a_script_ends_when_it_is_told_to(
    server: ListeningServer, tmp_path: Path
) -> None:
    bot = await start_bot(server, tmp_path, STUBBORN, deaf=True)
    async with asyncio.timeout(PATIENCE):
        pids = await numbers_in(tmp_path / "pids", 2)
        while not any(server.lobby.tables.sessions):
            await asyncio.sleep(0.01)
        bot.terminate()
        assert (await bot.communicate())[1] == b""
        assert bot.returncode == 130
        await until_ended(*pids)


async def test_a_program_that_reads_its_stdin_ends_with_a_bot_that_was_killed(
    server: ListeningServer, tmp_path: Path
) -> None:
    reads = (
        'import os, pathlib, sys\npathlib.Path(sys.argv[1]).write_text(f"{os.getpid()}\\n")\nsys.stdin.read()'
    )
    bot = await start_bot(server, tmp_path, reads)
    async with asyncio.timeout(PATIENCE):
        pids = await numbers_in(tmp_path / "pids", 1)
        bot.kill()
        await bot.communicate()
        await until_ended(*pids)


async def test_a_program_ends_with_a_process_that_dies_of_an_exception(tmp_path: Path) -> None:
    code = f"""
import asyncio, pathlib, sys
from parlour.machine.process_group import start_group
async def main():
    await start_group(sys.executable, "-c", {STUBBORN!r}, {str(tmp_path / "pids")!r})
    while not pathlib.Path({str(tmp_path / "pids")!r}).exists():
        await asyncio.sleep(0.01)
    raise LookupError
asyncio.run(main())
"""
    pipe = asyncio.subprocess.PIPE
    async with asyncio.timeout(PATIENCE):
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stderr=pipe)
        _, err = await process.communicate()
        assert b"LookupError" in err
        await until_ended(*await numbers_in(tmp_path / "pids", 2))


RUNAWAY = """
import pathlib, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
pathlib.Path(sys.argv[1]).write_text(f"{child.pid}\\n")
sys.stdin.read()
"""
"""A program whose child leaves the group, with all of its pipes."""


async def test_a_child_that_has_run_away_with_the_pipes_leaves_no_traceback(
    server: ListeningServer, tmp_path: Path
) -> None:
    bot = await start_bot(server, tmp_path, RUNAWAY)
    async with asyncio.timeout(PATIENCE):
        (child,) = await numbers_in(tmp_path / "pids", 1)
        try:
            while not any(server.lobby.tables.sessions):
                await asyncio.sleep(0.01)
            bot.terminate()
            assert (await bot.communicate())[1] == b""
            assert bot.returncode == 130
        finally:
            os.kill(child, signal.SIGKILL)


async def start_bot(
    server: ListeningServer, folder: Path, code: str, deaf: bool = False
) -> asyncio.subprocess.Process:
    """`parlour bot --exec` with a program that is told where to write its number."""
    (folder / "program.py").write_text(code)
    own = f"{sys.executable} {folder / 'program.py'} {folder / 'pids'}"
    words = ["bot", server.url, "--game", "butterflies", "--exec", own, "--stderr", str(folder / "stderr")]
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "parlour.client.cli.main", *words),
        stdout=pipe,
        stderr=pipe,
        preexec_fn=_ignore_interrupts if deaf else _hear_signals,
    )


def _ignore_interrupts() -> None:
    """As a shell does for what a script starts in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _hear_signals() -> None:
    """Whoever runs the tests in the background may have made their processes deaf to them."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


# The command


async def test_parlour_bot_lets_a_program_play(server: ListeningServer, tmp_path: Path) -> None:
    words = [
        "bot",
        server.url,
        "--game",
        "butterflies",
        "--exec",
        f"{sys.executable} {BY_LINES}",
        "--verbose",
    ]
    command = [sys.executable, "-m", "parlour.client.cli.main", *words, "--stderr", str(tmp_path / "kept")]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    await play_games(RandomBot, server.url, Wanted("butterflies"), "Two")
    out, err = await process.communicate()
    assert process.returncode == 0
    assert out.decode().splitlines()[-1] in ("0 of 1 won", "1 of 1 won")
    assert (tmp_path / "kept").read_bytes() == b""
    told = [line.split()[2] for line in err.decode().splitlines() if line.startswith("INFO parlour.bot")]
    assert told[0] == "program" and told[-1] == "over" and "played" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["127.0.0.1", "--game", "balloon-cup", "--exec", "./nowhere"], "--exec: ./nowhere: No such file"),
        (["127.0.0.1", "--game", "balloon-cup", "--exec", "'"], "--exec: No closing quotation"),
        (["127.0.0.1", "--game", "balloon-cup", "--exec", "x", "--strategy", "greedy"], "give one of them"),
        (["127.0.0.1", "--exec", "x"], "--game says what to play"),
        (["127.0.0.1", "more", "--game", "balloon-cup"], "what is 'more' for?"),
        (["check"], "check needs the command"),
        (["check", ""], "CMD is empty"),
    ],
)
def test_what_is_wrong_with_a_bot_is_told_in_one_line(
    words: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bot", *words]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and told in err
