"""What a player's machine remembers survives, and only its owner may read the tokens."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.client.settings import RECENT, Settings, archive, folder
from parlour.machine import file_lock

SERVER = "ws://192.168.1.7:21925"


def test_everything_comes_back(tmp_path: Path) -> None:
    kept = Settings(name="Анна", lang="ru", bell=False, title=False, quiet=True, level="hard", home=tmp_path)
    kept.add_recent(SERVER)
    kept.remember(SERVER, "Анна", "secret")
    assert kept.write() is None
    assert Settings.read(tmp_path) == kept
    assert Settings.read(tmp_path).token(SERVER) == "secret"


def test_tokens_belong_to_a_server_and_a_name(tmp_path: Path) -> None:
    kept = Settings(name="Anna", home=tmp_path)
    kept.remember(SERVER, "Anna", "secret")
    assert kept.token("ws://elsewhere:1") is None
    kept.name = "Ben"
    assert kept.token(SERVER) is None
    kept.name = "Anna"
    kept.forget(SERVER, "another")
    assert kept.token(SERVER) == "secret"
    kept.forget(SERVER, "secret")
    assert kept.token(SERVER) is None


def test_tokens_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    kept = Settings(home=tmp_path)
    kept.remember(SERVER, "Anna", "secret")
    kept.write()
    (tmp_path / "tokens.json").chmod(0o644)
    kept.write()
    assert stat.S_IMODE((tmp_path / "tokens.json").stat().st_mode) == 0o600
    assert "secret" not in (tmp_path / "settings.json").read_text(encoding="utf-8")
    assert "secret" not in repr(kept)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"name": 7, "bell": "no", "recent": [1]}'])
def test_a_file_that_cannot_be_read_is_as_if_it_were_not_there(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.json").write_text(text, encoding="utf-8")
    (tmp_path / "tokens.json").write_text(text.replace('"no"', "0"), encoding="utf-8")
    assert Settings.read(tmp_path) == Settings()


def test_a_folder_that_cannot_be_written_is_told_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    told = Settings(home=tmp_path / "file").write()
    assert told is not None and str(tmp_path / "file") in told


def test_only_the_last_servers_are_remembered_each_once() -> None:
    kept = Settings()
    for number in [*range(RECENT + 2), RECENT]:
        kept.add_recent(f"ws://{number}")
    assert kept.recent[0] == f"ws://{RECENT}"
    assert len(kept.recent) == len(set(kept.recent)) == RECENT


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    assert Settings().write() is None
    assert list(tmp_path.iterdir()) == []


def test_a_write_leaves_no_other_files(tmp_path: Path) -> None:
    kept = Settings(home=tmp_path)
    kept.write()
    kept.write()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "settings.json",
        "settings.lock",
        "tokens.json",
    ]
    assert json.loads((tmp_path / "settings.json").read_text(encoding="utf-8"))["name"] == kept.name


# Several programs


def test_each_program_writes_what_it_has_changed(tmp_path: Path) -> None:
    Settings(name="Anna", home=tmp_path).write()
    one, other = Settings.read(tmp_path), Settings.read(tmp_path)
    one.remember(SERVER, "Anna", "of one")
    one.bell = False
    one.add_recent("ws://one")
    one.write()
    other.remember("ws://elsewhere", "Anna", "of the other")
    other.quiet = True
    other.add_recent("ws://other")
    other.write()
    one.level = "hard"
    one.write()
    now = Settings.read(tmp_path)
    assert (now.bell, now.quiet, now.level) == (False, True, "hard")
    assert now.recent == ["ws://other", "ws://one"]
    assert (now.token(SERVER), now.token("ws://elsewhere")) == ("of one", "of the other")


def test_a_name_that_another_program_took_for_itself_stays(tmp_path: Path) -> None:
    Settings(name="Anna", home=tmp_path).write()
    one, other = Settings.read(tmp_path), Settings.read(tmp_path)
    other.name = "Ben"
    other.write()
    one.remember(SERVER, "Anna", "secret")
    one.write()
    assert Settings.read(tmp_path).name == "Ben"
    assert one.token(SERVER) == "secret"


def test_a_token_is_read_from_the_file_whoever_wrote_it(tmp_path: Path) -> None:
    Settings(name="Anna", home=tmp_path).write()
    one, other = Settings.read(tmp_path), Settings.read(tmp_path)
    one.remember(SERVER, "Anna", "old")
    one.write()
    other.remember(SERVER, "Anna", "new")
    other.write()
    assert one.token(SERVER) == "new"
    one.forget(SERVER, "old")
    one.write()
    assert Settings.read(tmp_path).token(SERVER) == "new"
    one.forget(SERVER, "new")
    one.write()
    assert other.token(SERVER) is None


def test_a_token_that_could_not_be_written_is_known_until_it_can(tmp_path: Path) -> None:
    kept = Settings(name="Anna", home=tmp_path / "kept")
    (tmp_path / "kept").write_text("", encoding="utf-8")
    kept.remember(SERVER, "Anna", "secret")
    assert kept.write() is not None
    assert kept.token(SERVER) == "secret"
    (tmp_path / "kept").unlink()
    assert kept.write() is None
    assert Settings.read(tmp_path / "kept").token(SERVER) == "secret"


WRITER = """
import sys
from pathlib import Path
from parlour.machine import file_lock
from parlour.client.settings import Settings
file_lock.WITHIN = float("inf")  # of three that come again and again one may have to wait for long
kept = Settings.read(Path(sys.argv[1]))
for number in range(40):
    kept.remember(f"ws://{sys.argv[2]}/{number}", "Anna", f"secret {number}")
    assert kept.write() is None
"""


def test_processes_that_write_at_one_moment_lose_nothing(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(who)]) for who in range(3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert len(Settings.read(tmp_path).tokens) == 120


def test_a_program_that_hangs_with_the_lock_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_lock, "WITHIN", 0.05)
    with file_lock.locked(tmp_path / "settings.lock"):
        assert Settings(name="Anna", home=tmp_path).write() is None
    assert Settings.read(tmp_path).name == "Anna"


def test_the_folders_are_the_platforms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert folder().name == "parlour" and archive().name == "parlour.db"
