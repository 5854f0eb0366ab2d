"""Every command that takes an archive takes the address of a database, as a shell sees it."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.server.postgresql import cluster
from support.server.recorded_games import TABLES, at_table, recorded

from parlour.client.cli.main import main
from parlour.server.records.record import game_id
from parlour.server.records.replay_file import write
from parlour.server.storage import library
from tools.postgresql import Cluster

Said = pytest.CaptureFixture[str]
ONE, TWO = (at_table(recorded(*table), f"TABLE{number}") for number, table in enumerate(TABLES[:2]))
SECRET = "hunter2"


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


@pytest.fixture
def address(postgresql: Cluster) -> str:
    return postgresql.address(postgresql.create_database())


def complaint(said: Said) -> str:
    out, err = said.readouterr()
    assert out == "" and re.fullmatch(r"parlour: [^\n\x1b]+\n", err)
    return err


def test_an_archive_is_moved_and_read_at_its_address_and_moved_back(
    address: str, tmp_path: Path, capsys: Said
) -> None:
    file, replay, back = (str(tmp_path / name) for name in ("games.db", "two.parlour.json", "back.db"))
    library.add(file, ONE)
    Path(replay).write_text(write(TWO), encoding="utf-8")
    one, two = game_id(ONE.header), game_id(TWO.header)
    assert main(["copy", file, address]) == 0
    assert shlex.quote(address) in capsys.readouterr().out
    assert main(["import", replay, "--archive", address]) == 0
    for words in (["games"], ["stats"], ["verify"], ["verify", one], ["replay", two], ["export", two, "-"]):
        capsys.readouterr()
        assert main([*words, "--archive", address]) == 0, words
        told = capsys.readouterr()
        assert told.out and not told.err
    for words in (["backup", back, "--archive", address], ["copy", address, str(tmp_path / "again.db")]):
        assert main(words) == 0
    assert [game["id"] for game in library.games(back)] == [one, two]


def test_a_database_with_something_in_it_is_not_copied_over(
    address: str, tmp_path: Path, capsys: Said
) -> None:
    file = str(tmp_path / "games.db")
    library.add(file, ONE)
    library.add(address, TWO)
    assert main(["copy", file, address]) == 2
    assert "empty database" in complaint(capsys)
    assert [game["id"] for game in library.games(address)] == [game_id(TWO.header)]


@pytest.mark.parametrize(
    "words",
    [
        ["serve", "--port", "0", "--archive"],
        ["games", "--archive"],
        ["verify", "--archive"],
        ["copy", "games.db"],
        ["backup", "copy.db", "--archive"],
        ["tournament", "export", "T", "folder", "--archive"],
    ],
    ids=lambda words: words[0],
)
def test_a_password_in_an_address_is_refused_and_told_nowhere(
    words: list[str], capsys: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*words, f"postgresql://ann:{SECRET}@127.0.0.1:1/parlour"]) == 2
    told = complaint(capsys)
    assert SECRET not in told and "~/.pgpass" in told


def test_a_database_that_is_away_or_may_lose_games_is_refused_in_one_line(
    postgresql: Cluster, address: str, capsys: Said
) -> None:
    for words in (["serve", "--port", "0"], ["games"]):
        assert main([*words, "--archive", "postgresql://127.0.0.1:1/parlour"]) == 2
        assert "refused" in complaint(capsys)
    postgresql.execute("ALTER ROLE postgres SET synchronous_commit = off")
    try:
        assert main(["serve", "--port", "0", "--archive", address]) == 2
        assert "synchronous_commit" in complaint(capsys)
    finally:
        postgresql.execute("ALTER ROLE postgres RESET synchronous_commit")
