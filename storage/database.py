"""The database: where it is, how it is opened, brought up to date, backed up and closed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from orchestration.errors import StorageError, StorageUnavailable
from storage.failures import translated

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
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
        self._writes: AsyncEngine | None = None
        self._reads: AsyncEngine | None = None

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
        """Builds the engines and proves that the database answers. StorageUnavailable when it does not."""
        if self._writes is not None:
            return
        if self.is_sqlite:
            await asyncio.to_thread(_make_file, self._file)
            self._writes = self._sqlite_engine("BEGIN IMMEDIATE", connections=1)
            self._reads = self._sqlite_engine("BEGIN", connections=4)
        else:
            self._writes = self._postgres_engine()
            self._reads = self._writes.execution_options(postgresql_readonly=True, isolation_level="REPEATABLE READ")
        try:
            async with self.reading() as connection:
                await connection.execute(sa.text("SELECT 1"))
        except (StorageError, exc.SQLAlchemyError) as error:
            await self.close()
            raise error if isinstance(error, StorageError) else translated(error) from None

    async def close(self) -> None:
        """Gives every connection back; the database may be opened again."""
        writes, reads = self._writes, self._reads
        self._writes = self._reads = None
        if reads is not None and self.is_sqlite:
            await reads.dispose()
        if writes is not None:
            await writes.dispose()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A write transaction: commits at the end of its block, rolls back when the block raises."""
        async with _transaction(self._writes) as connection:
            yield connection
            try:
                await connection.commit()
            except exc.SQLAlchemyError as error:
                raise translated(error) from None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """One unchanging view of the database; nothing can be written in it."""
        async with _transaction(self._reads) as connection:
            yield connection

    async def upgrade(self) -> None:
        """Brings the tables up to date. Safe to repeat, also by several processes at once."""
        from storage.schema import upgrade  # alembic is slow to import and needed once

        async with self.writing() as connection:
            try:
                await connection.run_sync(upgrade)
            except exc.SQLAlchemyError as error:
                raise translated(error) from None

    async def backup(self, path: Path) -> None:
        """Writes a consistent copy of a SQLite database, taken while it is in use, to a file that must not exist."""
        if not self.is_sqlite:
            raise StorageError("PostgreSQL is backed up with its own tool: use pg_dump")
        try:
            await asyncio.to_thread(lambda: os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)))
        except FileExistsError:
            raise StorageError(f"{path} exists already: name a new file") from None
        except OSError as error:
            raise StorageError(f"{path} cannot be written ({error.strerror})") from None
        try:
            await self._vacuum_into(path)
        except BaseException:
            await asyncio.to_thread(path.unlink, missing_ok=True)  # half a backup is worse than none
            raise

    async def _vacuum_into(self, path: Path) -> None:
        engine = self._sqlite_engine(None, connections=1)
        try:
            async with engine.connect() as connection:
                await connection.execute(sa.text("VACUUM INTO :path"), {"path": str(path)})
        except exc.SQLAlchemyError as error:
            raise translated(error) from None
        finally:
            await engine.dispose()

    @property
    def _file(self) -> Path:
        return Path(self._url.database or "")

    def _sqlite_engine(self, begin: str | None, *, connections: int) -> AsyncEngine:
        """``begin`` opens each transaction. IMMEDIATE for writes: a deferred one that turns into a write later fails
        at once with "locked", whatever the timeout (216 of 240 measured)."""
        engine = create_async_engine(
            self._url,
            hide_parameters=True,
            pool_size=connections,
            max_overflow=0,
            pool_timeout=self._busy_timeout_s * 2,
        )
        read_only = begin == "BEGIN"

        @event.listens_for(engine.sync_engine, "connect")
        def _connect(driver: Any, _entry: ConnectionPoolEntry) -> None:
            driver.isolation_level = None  # the driver's own implicit BEGIN is deferred: we say when
            cursor = driver.cursor()
            cursor.execute(f"PRAGMA busy_timeout = {int(self._busy_timeout_s * 1000)}")
            if not read_only:
                cursor.execute("PRAGMA journal_mode = WAL")
                cursor.execute("PRAGMA synchronous = NORMAL")
            cursor.execute("PRAGMA foreign_keys = ON")
            if read_only:
                cursor.execute("PRAGMA query_only = ON")
            cursor.close()

        if begin is not None:

            @event.listens_for(engine.sync_engine, "begin")
            def _begin(connection: sa.Connection) -> None:
                connection.exec_driver_sql(begin)

        return engine

    def _postgres_engine(self) -> AsyncEngine:
        wait = int(self._busy_timeout_s * 1000)
        # A worker that is paused inside a transaction must not hold a chat for ever.
        options = f"-c lock_timeout={wait} -c idle_in_transaction_session_timeout={wait * 6} -c timezone=UTC"
        given = self._url.query.get("options")
        return create_async_engine(
            self._url.difference_update_query(["options"]),
            hide_parameters=True,
            pool_size=5,
            max_overflow=10,
            pool_timeout=self._busy_timeout_s * 2,
            pool_pre_ping=True,
            connect_args={"options": f"{options} {given}" if given else options, "connect_timeout": 10},
        )


def _parsed(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
    except (exc.ArgumentError, ValueError):
        raise StorageError("storage.url is not a database address") from None
    driver = _DRIVERS.get(parsed.drivername)
    if driver is None:
        raise StorageError("storage.url must begin with sqlite:/// or postgresql://")
    if driver.startswith("sqlite") and parsed.database in (None, "", ":memory:"):
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


@asynccontextmanager
async def _transaction(engine: AsyncEngine | None) -> AsyncIterator[AsyncConnection]:
    """A begun transaction, rolled back at the end unless it was committed."""
    if engine is None:
        raise StorageError("the database is not open")
    async with AsyncExitStack() as stack:
        try:
            connection = await stack.enter_async_context(engine.connect())
            await connection.begin()
        except exc.SQLAlchemyError as error:
            raise translated(error) from None
        yield connection
