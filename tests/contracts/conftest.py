"""One contract, three storages: memory, SQLite, PostgreSQL. Each test has a storage of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from orchestration.ports import Storage
from storage.database import Database
from storage.memory import MemoryStorage
from storage.sql import SqlStorage
from tests.databases import PostgresServer, SqliteFiles, postgres_server


@pytest.fixture(scope="session")
def sqlite_files(tmp_path_factory: pytest.TempPathFactory) -> SqliteFiles:
    return SqliteFiles(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def storage_url(request: pytest.FixtureRequest) -> str:
    """Empty for the one in memory."""
    if request.param == "memory":
        return ""
    source = request.getfixturevalue("sqlite_files" if request.param == "sqlite" else "postgres")
    url: str = source.fresh_url()
    return url


@pytest.fixture
async def storage(storage_url: str) -> AsyncIterator[Storage]:
    if not storage_url:
        yield MemoryStorage()
        return
    database = Database(storage_url)
    await database.open()
    try:
        yield SqlStorage(database)
    finally:
        await database.close()
