"""`parlour games`, `replay`, `export`, `import`, `verify` and `stats`, as a shell sees them."""

import fcntl
import json
import os
import pty
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pyte
import pytest
from support.server.recorded_games import NAMES, TABLES, at_table, recorded

from parlour.client.cli.main import main
from parlour.client.language import ENGLISH
from parlour.server.records.record import game_id, header_map
from parlour.server.records.replay_file import write
from parlour.server.storage import library
from parlour.server.storage.archive import Archive

Said = pytest.CaptureFixture[str]


RECORDS = [at_table(recorded(*table), f"TABLE{number}") for number, table in enumerate(TABLES)]
ONE = RECORDS[0]


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with all records, to be copied."""
    folder = tmp_path_factory.mktemp("filled")
    for record in RECORDS:
        library.add(str(folder / "parlour.db"), record)
    (path,) = folder.iterdir()
    return path


@pytest.fixture
def archive(tmp_path: Path, filled: Path) -> str:
    return shutil.copy(filled, tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "one.parlour.json"
    path.write_text(write(ONE), encoding="utf-8")
    return path


def lines(said: Said) -> list[str]:
    out, err = said.readouterr()
    assert err == ""
    return out.splitlines()


def complaint(said: Said) -> str:
    out, err = said.readouterr()
    assert out == ""
    assert re.fullmatch(r"parlour: [^\n\x1b]+\n", err)
    return err


# Lists


def test_games_are_listed_with_their_players_by_place(archive: str, capsys: Said) -> None:
    assert main(["games", "--archive", archive]) == 0
    head, *rows = lines(capsys)
    assert head.split()[:3] == ["id", "ended", "game"]
    assert [row.split()[0] for row in rows] == [game_id(record.header) for record in RECORDS]
    assert rows[0].endswith(
        f"Balloon Cup  1. {NAMES[ONE.end.winners[0]]}  2. {NAMES[1 - ONE.end.winners[0]]}"
    )


def test_an_archive_without_games_says_so(tmp_path: Path, capsys: Said) -> None:
    path = str(tmp_path / "new.db")
    Archive.open(path).close_now()
    for words in (["games"], ["stats"]):
        assert main([*words, "--archive", path]) == 0
        assert lines(capsys) == ["No game has been finished yet."]


def test_statistics_are_a_table_or_json(archive: str, capsys: Said) -> None:
    assert main(["stats", "--archive", archive]) == 0
    told = lines(capsys)
    assert told[0].startswith(f"{len(RECORDS)} games, ")
    anna = next(line for line in told if line.startswith("Anna"))
    assert main(["stats", "--json", "--archive", archive]) == 0
    stats = json.loads("\n".join(lines(capsys)))
    found = next(player for player in stats["players"] if player["name"] == "Anna")
    assert anna.split()[1:3] == [str(found["games"]), str(found["wins"])]
    assert found["games"] == len(RECORDS)
    assert max(map(len, told)) <= 80


def test_statistics_of_one_game(archive: str, capsys: Said) -> None:
    assert main(["stats", "--json", "--game", "hurry-cup", "--archive", archive]) == 0
    stats = json.loads("\n".join(lines(capsys)))
    assert stats["games"] == 2
    assert {tally["game"] for player in stats["players"] for tally in player["by_game"]} == {"hurry-cup"}


# Where games are looked for


@pytest.fixture
def both_places(archive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """An archive in the folder one is in, and one of games against bots; the last game is in both."""
    here, own = tmp_path / "here" / "parlour.db", tmp_path / "data" / "parlour" / "parlour.db"
    for path in (here, own):
        path.parent.mkdir(parents=True)
    shutil.move(archive, here)
    library.add(str(own), at_table(recorded("butterflies", 2, 1), "BOTS"))
    library.add(str(own), RECORDS[-1])
    monkeypatch.chdir(here.parent)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return here, own


def test_without_an_archive_both_places_are_listed(both_places: tuple[Path, Path], capsys: Said) -> None:
    assert main(["games"]) == 0
    told = lines(capsys)
    here, own = (told.index(f"Found in {path}") for path in both_places)
    ids = [game_id(record.header) for record in RECORDS]
    assert [line.split()[0] for line in told[here + 2 : own - 1]] == ids
    assert [line.split()[0] for line in told[own + 2 :]] == ["BOTS-1", game_id(RECORDS[-1].header)]


def test_statistics_count_both_places_and_a_game_once(both_places: tuple[Path, Path], capsys: Said) -> None:
    assert main(["stats"]) == 0
    told = lines(capsys)
    assert told[0] == "Found in {} and {}".format(*both_places)
    assert told[1].startswith(f"{len(RECORDS) + 1} games, ")
    assert main(["stats", "--json"]) == 0
    stats = json.loads("\n".join(lines(capsys)))
    assert (stats["games"], stats["archives"]) == (len(RECORDS) + 1, [str(path) for path in both_places])


def test_a_game_is_found_in_either_place(both_places: tuple[Path, Path], capsys: Said) -> None:
    here, own = both_places
    for game, path in (("bots", own), (game_id(ONE.header), here), (game_id(RECORDS[-1].header), here)):
        assert main(["replay", game]) == 0
        assert lines(capsys)[-1] == f"Found in {path}"
    assert main(["replay", "nope"]) == 2
    assert f"{here} and {own}: there is no game 'nope'" in complaint(capsys)


def test_one_name_for_two_games_is_not_guessed(both_places: tuple[Path, Path], capsys: Said) -> None:
    library.add(str(both_places[1]), at_table(recorded("butterflies", 2, 1), "TABLE0"))
    assert main(["replay", "TABLE0-1"]) == 2
    assert "means different games in" in complaint(capsys)
    assert main(["replay", "TABLE0-1", "--archive", "parlour.db"]) == 0


def test_where_no_archive_is_both_places_are_named(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for words in (["games"], ["stats"], ["replay", "X"]):
        assert main(words) == 2
        told = complaint(capsys)
        assert str(tmp_path / "parlour.db") in told and str(tmp_path / "data" / "parlour") in told


# Files


def test_what_was_exported_can_be_imported_elsewhere(
    archive: str, tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["export", "table0-1", "--archive", archive]) == 0
    assert lines(capsys) == [f"TABLE0-1.parlour.json: {len(ONE.lines)} entries, final hash {ONE.end.head}"]
    assert main(["import", "TABLE0-1.parlour.json", "--archive", "other.db"]) == 0
    assert lines(capsys) == ["other.db: now contains game TABLE0-1"]
    assert library.find_record("other.db", "TABLE0-1") == ONE


def test_a_file_can_go_to_stdout(archive: str, capsys: Said) -> None:
    assert main(["export", "TABLE0-1", "-", "--archive", archive]) == 0
    assert capsys.readouterr().out == write(ONE)


def test_flags_may_stand_between_other_words(archive: str, tmp_path: Path, capsys: Said) -> None:
    path = tmp_path / "one.json"
    assert main(["export", "TABLE0-1", "--archive", archive, str(path)]) == 0
    assert path.exists() and str(path) in capsys.readouterr().out


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, capsys: Said) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for command in ("verify", "replay", "import"):
        assert main([command, str(tmp_path / "pipe.json")]) == 2
        assert "is not a file but a pipe" in complaint(capsys)


def test_no_file_is_written_over(archive: str, file: Path, capsys: Said) -> None:
    before = file.read_bytes()
    assert main(["export", "TABLE1-1", str(file), "--archive", archive]) == 2
    assert f"{file}: already exists" in complaint(capsys)
    assert file.read_bytes() == before


def test_a_game_is_imported_only_once(archive: str, file: Path, capsys: Said) -> None:
    assert main(["import", str(file), "--archive", archive]) == 2
    assert "already has game TABLE0-1" in complaint(capsys)


def test_a_file_that_is_not_sound_is_not_imported(tmp_path: Path, file: Path, capsys: Said) -> None:
    file.write_text(write(ONE).replace('"Anna"', '"Eve"'), encoding="utf-8")
    path = tmp_path / "other.db"
    assert main(["import", str(file), "--archive", str(path)]) == 1
    assert lines(capsys)[0].startswith(f"{file}: NOT SOUND. The header: the hash")
    assert not path.exists()


def test_an_archive_that_a_server_holds_is_read_and_not_written(
    archive: str, tmp_path: Path, capsys: Said
) -> None:
    record = at_table(recorded("butterflies", 2, 1), "TABLE9")
    path = tmp_path / "nine.json"
    path.write_text(write(record), encoding="utf-8")
    with Archive.open(archive):
        assert main(["games", "--archive", archive]) == 0
        assert len(lines(capsys)) == 1 + len(RECORDS)
        assert main(["import", str(path), "--archive", archive]) == 2
        assert "a server has it open" in complaint(capsys)


# Verdicts


def test_a_sound_file_is_consistent_and_with_the_head_authentic(file: Path, capsys: Said) -> None:
    assert main(["verify", str(file)]) == 0
    told = lines(capsys)
    assert told[0] == f"{file}: consistent, not authenticated"
    assert f"The final hash is {ONE.end.head}" in told
    assert main(["verify", str(file), "--head", ONE.end.head.upper()]) == 0
    assert lines(capsys)[0] == f"{file}: authentic"


def test_a_game_of_the_archive_is_verified_as_well(archive: str, capsys: Said) -> None:
    for number in range(len(RECORDS)):
        assert main(["verify", f"TABLE{number}-1", "--archive", archive]) == 0
        assert lines(capsys)[0] == f"TABLE{number}-1: consistent, not authenticated"


def test_a_changed_entry_is_named_with_status_1(file: Path, capsys: Said) -> None:
    text = write(ONE)
    at = ONE.lines[7].at
    file.write_text(text.replace(f'"at": {at},', f'"at": {at + 1},'), encoding="utf-8")
    assert main(["verify", str(file)]) == 1
    assert lines(capsys)[0].startswith(f"{file}: NOT SOUND. Entry 7: ")


def test_another_head_than_the_one_that_players_got_is_told(file: Path, capsys: Said) -> None:
    assert main(["verify", str(file), "--head", "0" * 64]) == 1
    (told,) = lines(capsys)
    assert f"the final hash is {ONE.end.head}, not the one you gave; the change may be anywhere" in told


def test_luck_that_the_secret_does_not_give_is_told_with_what_it_gives(file: Path, capsys: Said) -> None:
    text = write(ONE)
    stream, how, outcome = ONE.lines[0].luck[0]
    other = "grey" if outcome != "grey" else "red"
    file.write_text(
        text.replace(f'["{stream}", "{how}", "{outcome}"]', f'["{stream}", "{how}", "{other}"]', 1),
        encoding="utf-8",
    )
    assert main(["verify", str(file)]) == 1
    assert lines(capsys)[0] == (
        f'{file}: NOT SOUND. Entry 0: the random outcome is ["{stream}", "{how}", "{other}"], '
        f'but the secret and the nonces give ["{stream}", "{how}", "{outcome}"]'
    )


# Replays


@pytest.mark.parametrize("number", range(len(RECORDS)))
@pytest.mark.parametrize("viewer", ["all", "spectator", "Anna", "1"])
def test_off_a_terminal_every_move_is_a_numbered_line(
    archive: str, number: int, viewer: str, capsys: Said
) -> None:
    record = RECORDS[number]
    assert main(["replay", f"TABLE{number}-1", "--as", viewer, "--archive", archive]) == 0
    told = lines(capsys)
    numbered = [int(line.split()[0]) for line in told if re.match(r" *\d+ +\d+:\d\d  ", line)]
    assert numbered == list(range(len(record.lines)))
    who = " and ".join(NAMES[seat] for seat in record.end.winners) or "Nobody"
    assert told[-1] == f"{who} won ({ENGLISH(f'reason.{record.end.reason}')})."


def test_a_file_is_replayed_with_boards(file: Path, capsys: Said) -> None:
    assert main(["replay", str(file), "--boards", "--move", "3"]) == 0
    told = lines(capsys)
    assert sum("BALLOON CUP" in line for line in told) == len(ONE.lines) - 3


def test_a_spectator_does_not_see_the_hands_and_one_who_sees_everything_does(
    file: Path, capsys: Said
) -> None:
    shown = {}
    for viewer in ("all", "spectator"):
        main(["replay", str(file), "--as", viewer])
        shown[viewer] = "\n".join(lines(capsys))
    assert "▒▒" in shown["spectator"]
    assert "▒▒" not in shown["all"]


def test_a_file_that_the_rules_contradict_is_not_replayed(file: Path, capsys: Said) -> None:
    file.write_text(write(ONE).replace(ONE.end.secret, "1" * 64), encoding="utf-8")
    assert main(["replay", str(file)]) == 1
    (told,) = lines(capsys)
    assert told.startswith(f"{file}: Entry 0: the random outcome is ")


def test_a_game_that_goes_on_is_not_shown(tmp_path: Path, capsys: Said) -> None:
    path = str(tmp_path / "open.db")
    with Archive.open(path) as archive:
        archive.add_record("OPEN-1", "OPEN", header_map(ONE.header), [], None)
    for command in ("replay", "verify", "export"):
        assert main([command, "OPEN-1", "--archive", path]) == 2
        assert "is still going on" in complaint(capsys)


def test_on_a_terminal_it_fills_the_screen_and_leaves_nothing_behind(file: Path) -> None:
    end, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    env = {**os.environ, "TERM": "xterm-256color"}
    command = [str(Path(sys.executable).parent / "parlour"), "replay", str(file), "--move", "2"]
    with subprocess.Popen(command, stdin=other, stdout=other, stderr=other, env=env) as running:
        os.close(other)
        screen = pyte.Screen(80, 24)
        seen = read_until(end, screen, lambda _: "Move 2 of" in "\n".join(screen.display))
        os.write(end, b"\x1b[C")
        seen += read_until(end, screen, lambda _: "Move 3 of" in "\n".join(screen.display))
        os.write(end, b"q")
        seen += read_until(end, screen, lambda shown: b"\x1b[?1049l" in shown)
        os.close(end)
    assert running.returncode == 0
    assert b"\x1b[?1049h" in seen and b"BALLOON CUP" in seen


def read_until(end: int, screen: pyte.Screen, done: Callable[[bytes], bool]) -> bytes:
    """What a program writes until it has shown what it must show."""
    seen, stream = b"", pyte.ByteStream(screen)
    while not done(seen):
        piece = os.read(end, 65536)
        assert piece, seen
        stream.feed(piece)
        seen += piece
    return seen


# Mistakes


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["replay", "nope"], "there is no game 'nope'"),
        (["replay", "table"], "'table' may be TABLE0-1, TABLE1-1 or another"),
        (["replay", "TABLE0-1", "--as", "Eve"], "--as: must be one of all, spectator, Anna, Ben"),
        (["replay", "TABLE0-1", "--move", "9999"], "--move: must be from 0 to"),
        (["replay", "TABLE0-1", "--move", "-1"], "--move: must be from 0 to"),
        (["replay", "nowhere.parlour.json"], "nowhere.parlour.json: No such file"),
        (["verify", "TABLE0-1", "--head", "abc"], "--head: must be 64"),
        (["verify", "/"], "/: Is a directory"),
        (["import", "nowhere.json"], "nowhere.json: No such file"),
        (["export", "TABLE0-1", "/nowhere/at/all.json"], "/nowhere/at/all.json: No such file"),
        (["stats", "--game", "chess"], "no game 'chess'; there are: balloon-cup, hurry-cup, butterflies"),
        (["verify", "/dev/null"], "/dev/null: is not a file but a pipe or a device"),
        (["games", "--archive", "/nowhere.db"], "/nowhere.db: there is no archive"),
    ],
)
def test_a_mistake_is_one_line_with_status_2(words: list[str], told: str, archive: str, capsys: Said) -> None:
    given = words if "--archive" in words else [*words, "--archive", archive]
    assert main(given) == 2
    assert told in complaint(capsys)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1, column 1: is not JSON"),
        (write(ONE)[:5000], "is not JSON"),
        ("[]", "is no replay"),
        (write(ONE).replace('"format": 1', '"format": 7'), "header.format: must be 1"),
        (
            write(ONE).replace('"number": 3,', '"number": "\\u001b[2J",'),
            "journal.3.number: must be a whole number",
        ),
    ],
)
@pytest.mark.parametrize("command", ["verify", "replay", "import"])
def test_a_bad_file_is_one_line_that_says_where(
    command: str, text: str, told: str, tmp_path: Path, capsys: Said
) -> None:
    path = tmp_path / "bad.parlour.json"
    path.write_text(text, encoding="utf-8")
    assert main([command, str(path), "--archive", str(tmp_path / "none.db")]) == 2
    assert told in complaint(capsys)


def test_a_file_that_is_no_archive_is_left_alone(tmp_path: Path, capsys: Said) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("milk, eggs", encoding="utf-8")
    for words in (["games"], ["stats"], ["replay", "X"]):
        assert main([*words, "--archive", str(path)]) == 2
        assert "is not a Parlour archive" in complaint(capsys)
    assert path.read_text(encoding="utf-8") == "milk, eggs"


# The archive as a whole


def spoil(archive: str, game: str) -> None:
    """Changes a byte of a game's end, as a bad disk would."""
    connection = sqlite3.connect(archive)
    flipped = "cast(substr(ending, 1, 9) || x'7f' || substr(ending, 11) AS BLOB)"
    connection.execute(f"UPDATE games SET ending = {flipped} WHERE id = ?", [game])
    connection.commit()
    connection.close()


def test_a_backup_is_a_whole_archive_and_takes_the_place_of_no_file(
    archive: str, tmp_path: Path, capsys: Said
) -> None:
    copy = tmp_path / "copy.db"
    assert main(["backup", str(copy), "--archive", archive]) == 0
    (told,) = lines(capsys)
    assert told.startswith(f"{copy}: copied and checked, ") and f"{len(RECORDS)} finished games" in told
    assert copy.stat().st_mode & 0o077 == 0
    assert {path.name for path in tmp_path.iterdir()} == {"copy.db", Path(archive).name}
    assert library.find_record(str(copy), game_id(ONE.header)) == ONE
    before = copy.read_bytes()
    assert main(["backup", str(copy), "--archive", archive]) == 2
    assert "already exists" in complaint(capsys)
    assert copy.read_bytes() == before
    Archive.open(copy).close_now()


@pytest.mark.parametrize(
    ("source", "problem"), [("nowhere.db", "there is no archive"), ("diary.db", "is not a Parlour archive")]
)
def test_a_backup_that_cannot_be_made_leaves_no_file(
    source: str, problem: str, tmp_path: Path, capsys: Said
) -> None:
    (tmp_path / "diary.db").write_text("Dear diary, today we played.")
    assert main(["backup", str(tmp_path / "copy.db"), "--archive", str(tmp_path / source)]) == 2
    assert problem in complaint(capsys)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.db"]


def test_what_is_damaged_is_named_and_all_else_can_be_read(
    archive: str, tmp_path: Path, capsys: Said
) -> None:
    assert main(["verify", "--archive", archive]) == 0
    assert lines(capsys) == [f"{archive}: nothing is damaged. It has {len(RECORDS)} finished games"]
    game = game_id(ONE.header)
    spoil(archive, game)
    damage = f"{archive}: is damaged (game {game} is not what was stored)"
    for words in (["verify"], ["games"], ["backup", str(tmp_path / "copy.db")]):
        assert main([*words, "--archive", archive]) == 1
        out, err = capsys.readouterr()
        assert err.count("\n") == 1 and damage.replace(archive, "") in err
        assert game not in out
    for words in (["replay", game], ["verify", game], ["export", game, "-"]):
        assert main([*words, "--archive", archive]) == 2
        assert damage in complaint(capsys)
    assert main(["verify", game_id(RECORDS[1].header), "--archive", archive]) == 0


def test_a_head_is_of_one_game(archive: str, capsys: Said) -> None:
    assert main(["verify", "--head", "0" * 64, "--archive", archive]) == 2
    assert "--head: belongs to a game" in complaint(capsys)
