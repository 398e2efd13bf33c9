"""The database: where it is, how it is opened, brought up to date, backed up and closed."""

from __future__ import annotations

import asyncio
import os
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import exc

from orchestration.errors import StorageError, StorageUnavailable
from storage.failures import translated
from storage.postgres import PostgresEngine
from storage.sqlite import SqliteEngine, whole_file
from storage.transactions import Engine, Transaction

_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+aiosqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}


class Database:
    """One SQLite file or one PostgreSQL database.

    ``url`` is ``sqlite:///data/troupe.db`` or ``postgresql://user:password@host/name``; it never shows in an error.
    ``busy_timeout_s``: how long a write waits for somebody else's before it fails with StorageUnavailable.
    """

    def __init__(self, url: str, *, busy_timeout_s: float = 5.0) -> None:
        self._url = _parsed(url)
        self._busy_timeout_s = busy_timeout_s
        self._engine: Engine | None = None

    @property
    def is_sqlite(self) -> bool:
        return self._url.get_backend_name() == "sqlite"

    @property
    def label(self) -> str:
        """What it is and where, without user and password."""
        if self.is_sqlite:
            return f"SQLite {self._url.database}"
        return f"PostgreSQL {self._url.database or ''} on {self._url.host or 'the local socket'}"

    async def open(self) -> None:
        """Proves that the database answers; StorageUnavailable when it does not. Call it in the running loop."""
        if self._engine is not None:
            return
        if self.is_sqlite:
            if "uri" not in self._url.query:  # SQLite's own address of a file tells itself how to open it
                await asyncio.to_thread(_make_file, Path(self._url.database or ""))
            self._engine = SqliteEngine(self._url, busy_timeout_s=self._busy_timeout_s)
        else:
            self._engine = PostgresEngine(self._url, busy_timeout_s=self._busy_timeout_s)
        try:
            # A write lock, not only a read: it also switches a new SQLite file to its journal mode.
            async with self.writing() as transaction:
                await transaction.execute(sa.text("SELECT 1"))
        except exc.SQLAlchemyError as error:
            await self.close()
            raise translated(error) from None
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Gives every connection back; the database may be opened again."""
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.close()

    def writing(self) -> AbstractAsyncContextManager[Transaction]:
        """A write transaction: commits at the end of its block, rolls back when the block raises."""
        return self._opened.writing()

    def reading(self) -> AbstractAsyncContextManager[Transaction]:
        """One unchanging view of the database; nothing can be written in it."""
        return self._opened.reading()

    async def upgrade(self) -> None:
        """Brings the tables up to date. Safe to repeat, also by several processes at once."""
        from storage.schema import upgrade  # alembic is slow to import and needed once

        try:
            async with self.writing() as transaction:
                await transaction.call(upgrade)
        except exc.SQLAlchemyError as error:
            raise translated(error) from None

    async def backup(self, path: Path) -> None:
        """Writes a consistent copy of a SQLite database, taken while it is in use, to a file that must not exist."""
        if not self.is_sqlite:
            raise StorageError("PostgreSQL is backed up with its own tool: use pg_dump")
        await asyncio.to_thread(self._backup, path)

    def _backup(self, path: Path) -> None:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise StorageError(f"{path} exists already: name a new file") from None
        except OSError as error:
            raise StorageError(f"{path} cannot be written ({error.strerror})") from None
        engine = whole_file(self._url, self._busy_timeout_s)
        try:
            with engine.connect() as connection:
                connection.execute(sa.text("VACUUM INTO :path"), {"path": str(path)})
        except exc.SQLAlchemyError as error:
            path.unlink(missing_ok=True)  # half a backup is worse than none
            raise translated(error) from None
        finally:
            engine.dispose()

    @property
    def _opened(self) -> Engine:
        if self._engine is None:
            raise StorageError("the database is not open")
        return self._engine


def _parsed(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
    except (exc.ArgumentError, ValueError):
        raise StorageError("storage.url is not a database address") from None
    driver = _DRIVERS.get(parsed.drivername)
    if driver is None:
        raise StorageError("storage.url must begin with sqlite:/// or postgresql://")
    if driver == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StorageError("storage.url must name a file: sqlite:///path/to/troupe.db")
    return parsed.set(drivername=driver)


def _make_file(path: Path) -> None:
    """Makes the file, for the eyes of its owner only: it holds what people said."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        raise StorageUnavailable(f"the database file {path} cannot be made ({error.strerror})") from None
