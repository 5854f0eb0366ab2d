"""The `parlour` command as a shell sees it: words in, lines and an exit status out."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT

from parlour.client.cli.commands import SUBCOMMANDS
from parlour.client.cli.main import main
from parlour.engine.catalogue import GAMES

PARLOUR = str(Path(sys.executable).parent / "parlour")
TIE = ROOT / "tests" / "scenarios" / "balloon-cup" / "tie-last-placer-opponents-side.json"
A_CASE: dict[str, Any] = {"game": "balloon-cup", "title": "t", "players": 2, "position": None}


def parlour(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([PARLOUR, *map(str, words)], capture_output=True, text=True, encoding="utf-8")


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# Asking


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = parlour("--version")
    assert (asked.returncode, asked.stdout) == (0, f"parlour {project['version']}\n")


def test_the_help_fits_one_screen_and_has_every_subcommand() -> None:
    asked = parlour("--help")
    lines = asked.stdout.splitlines()
    assert asked.returncode == 0
    assert len(lines) <= 24 and max(map(len, lines)) <= 80
    for subcommand in SUBCOMMANDS:
        assert any(line.split()[:1] == [subcommand.name] and subcommand.summary in line for line in lines)


def test_no_words_at_all_are_an_invitation_to_play(tmp_path: Path) -> None:
    environ = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    run = [
        subprocess.run(
            [PARLOUR, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environ
        )
        for words in ([], ["play"])
    ]
    assert "Play here against bots" in run[0].stdout and run[0].returncode == 0
    assert run[0].stdout == run[1].stdout


def test_nobody_joins_a_table_without_input(tmp_path: Path) -> None:
    environ = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    words = [PARLOUR, "join", "ABCD", "127.0.0.1:1"]
    run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environ)
    assert run.returncode == 1
    assert run.stderr.startswith("parlour: nothing came in on stdin")


@pytest.mark.parametrize("name", [subcommand.name for subcommand in SUBCOMMANDS])
def test_each_subcommand_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"usage: parlour {name} ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_subcommand_and_game(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    words = set(re.findall(r"[\w-]+", capsys.readouterr().out))
    assert {*[each.name for each in SUBCOMMANDS], *GAMES, "archive"} <= {word.lstrip("-") for word in words}


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["to"], {"tournament"}),
        (["demo", "--game", ""], set(GAMES)),
        (["rules", "b"], {"balloon-cup", "butterflies"}),
        (["tournament", "e"], {"enter", "export"}),
        (["play", "--la"], {"--lang"}),
        (["replay", "gam"], {"game.parlour.json"}),
    ],
)
def test_bash_completes_what_was_begun(typed: list[str], offered: set[str], tmp_path: Path) -> None:
    script = written(tmp_path / "script", parlour("completion", "bash").stdout)
    (tmp_path / "game.parlour.json").touch()
    tab = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); complete=$(complete -p parlour)'
    tab += "; complete=${complete#*-F }; ${complete%% *}; printf '%s\\n' \"${COMPREPLY[@]}\""
    words = ["bash", "-c", tab, "bash", script, "parlour", *typed]
    asked = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert (set(asked.stdout.split()), asked.stderr) == (offered, "")


def loaded_by(word: str) -> set[str]:
    """The modules that are there after `parlour WORD`."""
    code = f"import sys; from parlour.client.cli.main import main; main([{word!r}]); print(*sys.modules)"
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(asked.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("flag", ["--help", "--version"])
def test_help_and_version_load_no_subcommand_and_nothing_that_one_needs(flag: str) -> None:
    loaded = loaded_by(flag)
    ours = {name for name in loaded if name.startswith("parlour.")}
    assert not {"prompt_toolkit", "websockets", "cattrs", "attrs", "asyncio"} & loaded
    assert ours == {
        *("parlour.client", "parlour.client.cli", "parlour.protocol", "parlour.protocol.numbers"),
        *(f"parlour.client.cli.{module}" for module in ("main", "commands", "subcommand")),
    }


def test_a_subcommand_loads_what_it_needs_and_no_other_subcommand() -> None:
    loaded = loaded_by("schema")
    others = {f"parlour.client.cli.{each}" for each in ("play", "serve", "bot", "arena", "demo", "records")}
    assert "parlour.client.cli.rules_commands" in loaded and not others & loaded
    assert not any(name.startswith(("parlour.server", "prompt_toolkit")) for name in loaded)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["fly"], "'fly'"),
        (["--fly"], "--fly"),
        (["demo", "--fly"], "--fly"),
        (["demo", "--se", "1"], "--se"),
        (["demo", "--seed"], "--seed"),
        (["demo", "--game", "chess"], "'chess'"),
        (["demo", "--game", "a\n\x1b[31mb"], "'a"),
        (["demo", "--seats", "9"], "9"),
        (["demo", "--seats", "two"], "two"),
        (["demo", "--delay", "nan"], "'nan'"),
        (["demo", "--delay", "-1"], "'-1'"),
        (["demo", "--delay", "soon"], "'soon'"),
        (["scenario"], "FILE"),
        (["join"], "CODE"),
        (["serve", "--archive", "x.db", "--no-archive"], "--no-archive"),
        (["play", "one", "two"], "two"),
    ],
)
def test_bad_arguments_are_answered_in_one_line_with_status_2(
    words: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"parlour: [^\n\x1b]+\n", err)
    assert named in err


def test_flags_without_a_subcommand_are_those_of_playing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "tlh"]) == 2
    assert "--lang: " in capsys.readouterr().err


def test_bad_arguments_leave_the_process_with_status_2() -> None:
    asked = parlour("demo", "--seats", "9")
    assert (asked.returncode, asked.stdout) == (2, "")
    assert asked.stderr == "parlour: balloon-cup is for 2 players, not 9\n"


@pytest.mark.parametrize("words", [[], ["demo", "--seed", "1"], ["scenario", str(TIE)]])
def test_a_reader_who_leaves_early_ends_it_without_a_traceback(words: list[str]) -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    pipe = subprocess.PIPE
    with subprocess.Popen([PARLOUR, *words], stdout=pipe, stderr=pipe, env=buffered) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.close()
        complaint = running.stderr.read()
    assert (running.returncode, complaint) == (141, b"")


# Scenarios


def test_a_scenario_that_holds_is_one_line_with_its_title() -> None:
    asked = parlour("scenario", TIE)
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout == f"ok {TIE}: {json.loads(TIE.read_text(encoding='utf-8'))['title']}\n"


def test_a_scenario_that_fails_names_the_step_and_the_difference(tmp_path: Path) -> None:
    case = json.loads(TIE.read_text(encoding="utf-8"))
    case["steps"].append({"expect": {"idle": 3}})
    path = written(tmp_path / "case.json", json.dumps(case))
    asked = parlour("scenario", path, TIE)
    failed, fine = asked.stdout.splitlines()
    assert asked.returncode == 1
    assert failed == f"FAILED {path}: step {len(case['steps'])}: idle is 0, not 3"
    assert fine.startswith(f"ok {TIE}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "line 1, column 2"),
        ("[]", "a scenario is a map"),
        ("{}", "game: must be one of"),
        ('{"game": ["balloon-cup"]}', "game: must be one of"),
        ("1" * 5000, "too many digits"),
        ("[" * 100_000, "nested too deeply"),
        (json.dumps({**A_CASE, "steps": [{"fly": 1}]}), "set-up: the script has no entry left"),
        (json.dumps({**A_CASE, "options": {"wings": 2}, "steps": []}), "set-up: wings"),
        (json.dumps({**A_CASE, "wings": 2}), "wings: is not a field"),
    ],
)
def test_a_file_that_is_no_scenario_is_one_line_and_a_failure(
    text: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "case.json", text)
    assert main(["scenario", str(path)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"FAILED {path}: ") and problem in line


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ({"expect": 5}, "expect must be a map of paths, not 5"),
        ({"legal": [0]}, "legal must be a seat, not [0]"),
        ({"legal": 0, "has": [1]}, "has must be a list of actions"),
        ({"legal": 0, "count": True}, "count must be a number, not True"),
        ({"view": "everybody"}, "view must be a seat or spectator, not 'everybody'"),
        ({"view": 0, "hides": "red"}, "hides must be a list of words, not 'red'"),
        ({"seat": "0", "do": {"type": "decline"}}, "seat must be a seat, not '0'"),
        ({"timeout": None}, "timeout must be a seat, not None"),
        ({"result": []}, "result must be null or a map, not []"),
        ({"legal": 0, "wings": 2}, "wings has no meaning beside legal"),
        ({"fly": 1}, "no known step"),
    ],
)
def test_a_step_of_the_wrong_shape_fails_in_words(
    step: dict[str, Any], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = {**json.loads(TIE.read_text(encoding="utf-8")), "steps": [step], "chance": []}
    path = written(tmp_path / "case.json", json.dumps(case))
    assert main(["scenario", str(path)]) == 1
    assert f"step 1: {problem}" in capsys.readouterr().out


def test_files_that_cannot_be_read_fail_and_the_others_are_still_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, bytes_, long = tmp_path / "missing.json", tmp_path / "bytes.json", tmp_path / ("x" * 300)
    bytes_.write_bytes(b"\xff\xfe{}")
    assert main(["scenario", str(missing), str(bytes_), str(long), str(TIE)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["FAILED", "FAILED", "FAILED", "ok"]
    assert lines[0].endswith("No such file or directory") and lines[1].endswith("is not UTF-8 text")


def test_a_folder_stands_for_the_json_files_in_it_however_deep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = TIE.read_text(encoding="utf-8")
    for name in ("b.json", "a/deep/c.json", "a/notes.txt"):
        written(tmp_path / name, case)
    assert main(["scenario", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == [f"{tmp_path}/a/deep/c.json:", f"{tmp_path}/b.json:"]


def test_a_folder_without_scenarios_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenario", str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith(f"FAILED {tmp_path}: ")


def test_a_title_cannot_break_the_line_or_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = {**json.loads(TIE.read_text(encoding="utf-8")), "title": "two\nlines \x1b[2J and\x07 a bell"}
    path = written(tmp_path / "case.json", json.dumps(case))
    assert main(["scenario", str(path)]) == 0
    assert (
        capsys.readouterr().out
        == f"ok {path}: two lines \N{REPLACEMENT CHARACTER}[2J and\N{REPLACEMENT CHARACTER} a bell\n"
    )
