"""One suite for every database that an archive can be kept in."""

from pathlib import Path

import pytest
from support.server.databases import Database, PostgresqlDatabase, SqliteFile

KINDS = ("sqlite", "postgresql")


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    if request.param == "sqlite":
        return SqliteFile(tmp_path)
    return PostgresqlDatabase(request.getfixturevalue("postgresql_cluster"))


@pytest.fixture
def place(database: Database) -> str:
    return database.place
