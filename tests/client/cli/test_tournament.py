"""`parlour tournament`: a league from a file to a folder that anybody can check, and words for mistakes."""

import asyncio
import contextlib
import json
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.client.terminals import PARLOUR, environment
from support.client.tournament_page import ID, followed, info
from support.paths import ROOT
from support.server.sockets import move_on, moving_clock
from support.server.tournament_folders import usual

from parlour.client.boards.refusals import refusal_text
from parlour.client.bots import maker
from parlour.client.cli.main import main
from parlour.client.cli.tournament.connecting import fetch
from parlour.client.cli.tournament.steering import started
from parlour.client.connection import Refused
from parlour.client.language import LANGUAGES, Texts
from parlour.client.launch import run
from parlour.client.session import Session
from parlour.client.tournaments.faults import fault_line
from parlour.client.tournaments.tables import list_lines
from parlour.protocol import messages as m
from parlour.protocol.errors import ProtocolError
from parlour.protocol.version import build
from parlour.server.app import running
from parlour.server.config import make
from parlour.server.lobby.commands import DO
from parlour.server.storage.library import Refused as LibraryRefused
from parlour.server.tournament.export.folder import write
from parlour.server.tournament.export.library import line_of, read_rules

LEAGUE = ROOT / "examples" / "league.toml"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player who has never played."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    return tmp_path


@contextlib.contextmanager
def served(archive: Path) -> Iterator[str]:
    command = [PARLOUR, "serve", "--host", "127.0.0.1", "--port", "0", "--hidden", "--archive", str(archive)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            line = next(line for line in process.stdout if "ws://127.0.0.1:" in line)
            yield f"ws://127.0.0.1:{line.partition('ws://127.0.0.1:')[2].split()[0]}"
        finally:
            process.terminate()


def output_of(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    """What a command says, on either stream."""
    found = main(["tournament", *words])
    out, err = capsys.readouterr()
    assert found == status, out + err
    return out + err


def test_an_invitation_is_printed_once_and_a_bot_enters_with_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = home / "invited.toml"
    rules.write_text(LEAGUE.read_text().replace("# invitation", "invitation"), encoding="utf-8")
    with served(home / "parlour.db") as url:
        made = output_of(capsys, "create", str(rules), url, "--name", "Olga")
        id = made.partition("is tournament ")[2].partition(",")[0]
        code = made.partition("Invitation code: ")[2].partition(".")[0]
        told = output_of(capsys, "enter", id, url, "--name", "Stranger", "--code", "NOTITNOT", status=1)
        assert "an invitation code is needed" in told
        with subprocess.Popen(
            [PARLOUR, "tournament", "enter", id, url, "--name", "Guest", "--code", code],
            env=dict(os.environ),
            stdout=subprocess.PIPE,
            text=True,
        ) as bot:
            try:
                while '"entrants": 1' not in output_of(capsys, "list", url, "--json"):
                    assert bot.poll() is None
            finally:
                bot.kill()


def test_a_league_from_its_file_to_a_folder_that_anybody_can_check(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = home / "parlour.db"
    with served(archive) as url, contextlib.ExitStack() as stack:
        assert "There is no tournament yet." in output_of(capsys, "list", url)
        missing = output_of(capsys, "export", "NONE", str(home / "none"), "--from", url, status=1)
        assert missing == f"parlour: {url}: there is no such tournament\n"
        made = output_of(capsys, "create", str(LEAGUE), url, "--name", "Olga")
        id = made.partition("is tournament ")[2].partition(",")[0]
        assert f"parlour tournament enter {id} {url}" in made
        assert "Sunday league" in output_of(capsys, "list", url)

        early = output_of(capsys, "export", id, str(home / "early"), "--from", url, status=2)
        assert early.startswith(f"parlour: {url}: ") and id in early

        def begin(*words: str) -> "subprocess.Popen[str]":
            command = [PARLOUR, "tournament", *words]
            process = stack.enter_context(
                subprocess.Popen(command, env=dict(os.environ), stdout=subprocess.PIPE, text=True)
            )
            stack.callback(process.kill)
            late = threading.Timer(60, process.kill)
            stack.callback(late.cancel)
            late.start()
            return process

        watching, events = begin("watch", id, url), begin("watch", id, url, "--json")
        assert watching.stdout is not None and events.stdout is not None
        first = [watching.stdout.readline(), events.stdout.readline()]
        bot = begin("enter", id, url, "--name", "Greedy one", "--strategy", "greedy")
        make = maker("random")
        others = [
            threading.Thread(
                target=run,
                args=(lambda: make(Random()), url),
                kwargs={"tournament": id, "name": f"Bot {number}"},
            )
            for number in range(2)
        ]
        for other in others:
            other.start()
        here: set[str] = set()
        while len(here) < 3:
            line = watching.stdout.readline()
            assert line
            here |= {line} if "has entered" in line else set()
        # Started anew under its name it is the same entrant, and finds its games.
        bot.kill()
        bot = begin("enter", id, url, "--name", "Greedy one", "--strategy", "greedy")
        assert "started, with" in output_of(capsys, "start", id, url, "--name", "Olga")
        for other in others:
            other.join(60)
        spoken, watched = bot.communicate(timeout=60)[0], watching.communicate(timeout=60)[0]
        assert "Greedy one is number " in spoken and "against Bot" in spoken
        for words in ("Round 1", "Round 3 is over; its secret was", "finished", "adjusted"):
            assert words in watched
        plain = [json.loads(line) for line in (first[1], *events.communicate(timeout=60)[0].splitlines())]
        assert first[0] == "Sunday league\n"
        assert plain[0]["type"] == "picture"
        assert [each["seq"] for each in plain] == list(range(plain[0]["seq"], plain[0]["seq"] + len(plain)))
        assert "only Olga, who organises it, may do that" in output_of(
            capsys, "cancel", id, url, "--name", "Eve", status=1
        )
        assert "6 games" in output_of(capsys, "export", id, str(home / "wire"), "--from", url)
    assert "6 games" in output_of(capsys, "export", id, str(home / "kept"), "--archive", str(archive))
    assert folder(home / "wire") == folder(home / "kept")
    assert "correct. All 6 games" in output_of(capsys, "verify", str(home / "kept"))
    assert "already exists" in output_of(
        capsys, "export", id, str(home / "kept"), "--archive", str(archive), status=2
    )
    assert f"there are: {id}" in output_of(
        capsys, "export", "NONE", str(home / "none"), "--archive", str(archive), status=2
    )


def folder(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


# Folders


def test_a_changed_folder_is_told_apart_from_one_that_cannot_be_read(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(home / "cup", usual())
    assert "correct." in output_of(capsys, "verify", str(home / "cup"))
    path = home / "cup" / "standings.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("Anna", "Eve"), encoding="utf-8")
    found = output_of(capsys, "verify", str(home / "cup"), status=1)
    assert "NOT CORRECT. standings.csv, line" in found
    (home / "cup" / "tournament.json").write_text("{", encoding="utf-8")
    assert "tournament.json: is not JSON" in output_of(capsys, "verify", str(home / "cup"), status=2)
    assert "nowhere" in output_of(capsys, "verify", str(home / "nowhere"), status=2)


def test_a_report_of_another_build_is_right_with_a_note(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(home / "cup", usual())
    assert "another build" not in output_of(capsys, "verify", str(home / "cup"))
    path = home / "cup" / "report.html"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(build(), "parlour 0.0.1"), encoding="utf-8")
    found = output_of(capsys, "verify", str(home / "cup"))
    assert "correct." in found and "by another build of Parlour" in found


def test_a_link_or_a_folder_in_a_files_place_is_called_so(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(home / "cup", usual())
    path = home / "cup" / "standings.json"
    path.rename(home / "elsewhere")
    path.symlink_to(home / "elsewhere")
    assert "standings.json: is a link" in output_of(capsys, "verify", str(home / "cup"), status=2)
    path.unlink()
    path.mkdir()
    assert "standings.json: is a folder" in output_of(capsys, "verify", str(home / "cup"), status=2)


def test_moments_that_do_not_fit_are_told_as_dates() -> None:
    fault = {"file": "x", "where": "end.ended", "code": "early", "facts": {"told": 1, "right": 10**12}}
    line = fault_line(fault, Texts("en"))
    assert "is 1970-01-01 00:00:00 UTC, but must be 2001-09-09 01:46:40 UTC or later" in line


FAULTS = [
    {
        "file": "standings.json",
        "where": "standings.1.points",
        "code": "differs",
        "facts": {"told": 1, "right": 2},
    },
    {"file": "standings.csv", "where": "3", "code": "line", "facts": {"told": "a", "right": None}},
    {"file": "tournament.json", "where": "events.3", "code": "pairing", "facts": {"told": {}, "right": None}},
    {"file": "tournament.json", "where": "events.4", "code": "result", "facts": {"told": [1], "right": [2]}},
    {"file": "tournament.json", "where": "events.4", "code": "no_game", "facts": {"file": "games/x"}},
    {"file": "tournament.json", "where": "events.4", "code": "malformed", "facts": {"problem": "is missing"}},
    {"file": "tournament.json", "where": "events", "code": "unfinished", "facts": {"phase": "running"}},
    {
        "file": "tournament.json",
        "where": "events.9",
        "code": "not_allowed",
        "facts": {"why": "no_such_round", "facts": {"round": 3}},
    },
    {"file": "games/x", "where": "end.secret", "code": "deal", "facts": {"told": "00", "right": "11"}},
    {"file": "games/x", "where": "", "code": "not_ours", "facts": {}},
    {"file": "tournament.json", "where": "events.4", "code": "not_begun", "facts": {"file": "games/x"}},
    {"file": "games/x", "where": "end.ended", "code": "early", "facts": {"told": 1, "right": 10**12}},
    {"file": "games/x", "where": "end.ended", "code": "late", "facts": {"told": 2**53, "right": -(2**53)}},
    {"file": "games/x", "where": "header.build", "code": "update", "facts": {"told": "p 1", "right": "p 2"}},
    {
        "file": "report.html",
        "where": "",
        "code": "not_shown",
        "facts": {"name": "Anna", "rank": 1, "points": 2.5},
    },
    {
        "file": "games/x",
        "where": "",
        "code": "game",
        "facts": {"fault": {"part": "journal", "entry": 3, "code": "hash", "facts": {}}},
    },
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: str(fault["code"]))
def test_every_fault_of_a_folder_has_words(fault: dict[str, object], language: str) -> None:
    line = fault_line(fault, Texts(language))
    assert str(fault["file"]) in line and "{" not in line.replace("{}", "")


def test_of_long_lines_the_words_tell_where_they_differ() -> None:
    told, right = (f"{'0.5,' * 40}{digit}.25,true" for digit in (1, 2))
    fault = {"file": "standings.csv", "where": "3", "code": "line", "facts": {"told": told, "right": right}}
    line = fault_line(fault, Texts("en"))
    assert '0.5,1.25,true"' in line and '0.5,2.25,true"' in line


# Mistakes


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", "is not TOML"),
        (f"rounds = {'9' * 5000}", "has a number of too many digits"),
        ('game = "balloon-cup"\nformat = "swiss"', "name: is missing"),
        ('name = "x"\n\ngame = "chess"\nformat = "swiss"', "line 3, game: must be one of balloon-cup"),
        ('name = "x"\ngame = "hurry-cup"\nformat = "swiss"\nseats = 3\ngames = 4', "line 5, games: must be"),
        (
            'name = "x"\ngame = "balloon-cup"\nformat = "swiss"\n[entry]\nwho = "cats"',
            "line 5, entry.who: must be",
        ),
        (
            'name = "x"\ngame = "balloon-cup"\nformat = "swiss"\nprize = 3',
            "line 4, prize: is not a field here",
        ),
        (
            'name = "x"\ngame = "balloon-cup"\nformat = "swiss"\n[options]\ntrade = "never"',
            "line 5, options.trade: must be",
        ),
    ],
)
def test_what_is_wrong_in_a_file_of_rules_is_named_with_its_line(
    text: str, words: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / "rules.toml"
    path.write_text(text, encoding="utf-8")
    found = output_of(capsys, "create", str(path), "ws://127.0.0.1:9", status=2)
    assert found.startswith(f"parlour: {path}: ") and words in found
    assert found.count("\n") == 1


def test_a_file_of_rules_that_is_not_there_or_no_text_is_named(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "No such file" in output_of(
        capsys, "create", str(home / "none.toml"), "ws://127.0.0.1:9", status=2
    )
    (home / "bytes.toml").write_bytes(b"\xff\xfe")
    assert "is not UTF-8 text" in output_of(
        capsys, "create", str(home / "bytes.toml"), "ws://127.0.0.1:9", status=2
    )


def test_rules_without_a_seed_get_one_of_their_own() -> None:
    text = LEAGUE.read_text(encoding="utf-8")
    first, second = read_rules(text), read_rules(text)
    assert first["seed"] != second["seed"]
    assert read_rules(f'seed = "tea"\n{text}')["seed"] == "tea"


def test_a_field_is_found_in_its_own_section() -> None:
    text = "late = 1\n[failures]\nlate = 2 # here\n[entry]\n\nlate = 3\n"
    assert [line_of(text, where) for where in ("late", "failures.late", "entry.late", "entry.most")] == [
        1,
        3,
        6,
        4,
    ]
    with pytest.raises(LibraryRefused):
        read_rules(text)


@pytest.mark.usefixtures("home")
def test_a_server_that_does_not_answer_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in (("list",), ("watch", "ABC"), ("start", "ABC"), ("enter", "ABC")):
        found = output_of(capsys, *words, "ws://127.0.0.1:9", status=1)
        assert "parlour: ws://127.0.0.1:9: nobody answers there" in found


@pytest.mark.usefixtures("home")
def test_words_that_are_none_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "parlour tournament --help" in output_of(capsys, status=2)
    assert "invalid choice" in output_of(capsys, "paint", status=2)
    assert "from 1 to 60" in output_of(
        capsys, "start", "ABC", "ws://127.0.0.1:9", "--check-in", "90", status=2
    )
    assert "two ways to choose a bot" in output_of(
        capsys, "enter", "ABC", "ws://127.0.0.1:9", "--exec", "x", "--strategy", "random", status=2
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("why", "facts"),
    [
        ("not_now", {"phase": "running"}),
        ("already_in", {"name": "Ben"}),
        ("not_for_you", {"who": "bots"}),
        ("full", {"most": 8}),
        ("too_late", {"late": 2}),
        ("not_in", {"name": "Ben"}),
        ("gone", {"name": "Ben"}),
        ("already_there", {"name": "Ben"}),
        ("too_few", {"there": 1, "least": 2}),
    ],
)
def test_why_a_tournament_says_no_is_told_in_words(why: str, facts: dict[str, object], language: str) -> None:
    line = refusal_text(Refused(m.Error(1, "against_rules", {"why": why, **facts})), Texts(language))
    assert line != refusal_text(Refused(m.Error(1, "against_rules", {})), Texts(language)) and "{" not in line
    assert not line.startswith(why)
    assert all(str(fact) in line for name, fact in facts.items() if name not in ("phase", "who"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_has_a_line_for_each_phase(language: str) -> None:
    texts = Texts(language)
    phases = ("announced", "registration", "check_in", "running", "paused", "finished", "cancelled")
    infos = [info(phase, starts=1_900_000_000, rounds=None) for phase in phases]
    lines = list_lines(infos, texts)
    assert len(lines) == 1 + len(phases)
    assert len(set(lines)) == len(lines)
    assert followed().info.name in lines[1]


class Phases:
    """In the place of a connection: a tournament that goes through these phases."""

    def __init__(self, *phases: str) -> None:
        self.session = Session(name="Olga")
        self.phases = list(phases)
        self.steered: list[tuple[str, int | None]] = []

    async def ask(self, _kind: type[m.Command], **fields: Any) -> None:
        self.steered += [(fields["to"], fields["seconds"])] if "to" in fields else []
        if not self.session.tournaments:
            await self.changed()

    async def changed(self) -> None:
        if not self.phases:
            move_on(90)
            await asyncio.Event().wait()
        self.session.tournaments[ID] = followed(self.phases.pop(0))


@pytest.mark.parametrize(
    ("phases", "begun", "words"),
    [
        (("registration", "registration", "check_in", "running"), True, "started"),
        (("registration", "check_in", "check_in", "registration"), False, "too few have checked in"),
        # Both ends of check-in came together, so that it was not seen.
        (("registration", "registration"), False, "too few have checked in"),
    ],
)
async def test_who_starts_a_tournament_hears_whether_enough_came(
    phases: tuple[str, ...], begun: bool, words: str
) -> None:
    moving_clock()
    line, heard = Phases(*phases), list[str]()
    assert await started(line, ID, Texts("en"), 40, heard.append) is begun  # type: ignore[arg-type]
    # The server keeps the time that everybody is shown.
    assert line.steered == [("start", 40)] and words in heard[-1]


class Paged:
    """In the place of a connection: has a log of three pages."""

    def __init__(self) -> None:
        self.session = Session(name="Guest")

    async def ask(self, kind: type[m.Command], **fields: Any) -> Any:
        if kind is m.Replay:
            return {"replay": fields["game"].lower()}
        after = fields["after"]
        return {
            "lines": [{"number": after + 1, "line": f"L{after}"}],
            "next": after + 1 if after < 2 else None,
        }


async def test_a_whole_tournament_is_all_pages_of_its_log_and_its_games() -> None:
    id, _, log, games = await fetch(Paged(), "CUP", lambda log: [f"GAME-{line}" for line in log])  # type: ignore[arg-type]
    assert (id, log) == ("CUP", ["L0", "L1", "L2"])
    assert games == {"GAME-L0": "game-l0", "GAME-L1": "game-l1", "GAME-L2": "game-l2"}


@pytest.mark.usefixtures("home")
async def test_a_command_waits_for_a_busy_server_and_says_so_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, refusals = DO[m.Tournaments], [1.1]

    def busy_at_first(*asked: Any) -> Any:
        if refusals:
            raise ProtocolError("busy", retry_after=refusals.pop())
        return answer(*asked)

    monkeypatch.setitem(DO, m.Tournaments, busy_at_first)
    async with running(make({"host": "127.0.0.1", "port": 0})) as server:
        assert await asyncio.to_thread(main, ["tournament", "list", server.url]) == 0
    out, err = capsys.readouterr()
    assert out.count("There is no tournament yet.") == 1
    assert err == f"parlour: {server.url}: the server is busy; trying again in 2 s\n"
