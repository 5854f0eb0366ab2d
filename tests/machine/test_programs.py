"""Programs that are started by the name of their module are where that name says."""

import ast
import json
import subprocess
from pathlib import Path

import pytest
from support.paths import ROOT

from parlour.machine import programs
from parlour.machine.programs import BOT_WORKER, PARLOUR, THINKER, command_line

PACKAGES = ("engine", "machine", "protocol", "server", "client", "bench", "tools")
NAMES = {value for name, value in vars(programs).items() if name.isupper()}


def started(module: str, *words: str) -> "subprocess.CompletedProcess[str]":
    line = command_line(module, *words)
    return subprocess.run(line, input="", capture_output=True, text=True, timeout=60)


def test_the_command_starts() -> None:
    assert started(PARLOUR, "--version").stdout.startswith("parlour ")


def test_the_process_of_a_servers_bots_starts() -> None:
    done = started(BOT_WORKER, "ws://127.0.0.1")
    assert (done.returncode, done.stderr) == (2, f"usage: python -m {BOT_WORKER}\n")
    assert started(BOT_WORKER).returncode == 0, "without an order it ends by itself"


def test_the_process_that_thinks_starts() -> None:
    fields = ("news", "legal", "view", "news_missed", "phase", "scramble", "turn", "seq")
    decision = dict.fromkeys((*("game", "options", "seat"), *fields))
    pipe, order = subprocess.PIPE, json.dumps({"strategy": "oracle", "decision": decision})
    with subprocess.Popen(command_line(THINKER), stdin=pipe, stdout=pipe, text=True) as process:
        print(order, file=process.stdin, flush=True)
        said = process.stdout.read() if process.stdout is not None else ""
    assert "there is no strategy 'oracle'" in json.loads(said)["wrong"] and process.returncode == 0


def test_every_program_is_started_here() -> None:
    assert {PARLOUR, BOT_WORKER, THINKER} == NAMES


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_module_names_a_program(package: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in NAMES
    ]
    assert all(place.startswith("machine/programs.py:") for place in found), found


def test_a_folder_of_our_name_in_the_working_folder_is_not_taken_for_ours(tmp_path: Path) -> None:
    (tmp_path / "parlour" / "client").mkdir(parents=True)
    (tmp_path / "parlour" / "client" / "__init__.py").write_text("raise SystemExit('another parlour')")
    done = subprocess.run(
        command_line(PARLOUR, "--version"), cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout.split()[0], done.stderr) == ("parlour", "")
