"""Backups: one moment of an archive, whatever is written to it meanwhile."""

from pathlib import Path

import pytest
from support.server.archive_child import GAMES, start
from support.soak import count

from parlour.server.storage import backup
from parlour.server.storage.archive import Archive
from parlour.server.storage.sqlite import backend as sqlite_backend


def test_a_backup_of_a_running_archive_is_one_moment_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Many steps, so that much is written between them.
    monkeypatch.setattr(sqlite_backend, "PAGES", 1)
    path = tmp_path / "games.db"
    Archive.open(path).close_now()
    with start("play", path) as child:
        assert child.stdout is not None
        for number in range(count(5, 50)):
            told = [child.stdout.readline().split() for _ in range(200)]
            copy, steps = tmp_path / f"copy {number}.db", list[int]()
            made = backup.back_up(str(path), str(copy), lambda copied, _, steps=steps: steps.append(copied))
            assert made["faults"] == [] and steps == sorted(steps) and len(steps) > 2
            with Archive.open(copy) as archive:
                tables = archive.tables()
                for game, line in told:
                    assert tables[game]["lines"] > int(line)
                for game in GAMES:
                    lines = [each["number"] for each in archive.lines(game)]
                    assert lines == list(range(tables[game]["lines"]))
                archive.add_record("new", "t", {}, [{}], {})
        child.kill()
