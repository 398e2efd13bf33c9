"""Transactions on a SQLite file: one writer, four readers; short statements run where they are asked for.

A statement of a turn takes some 50 microseconds, a commit about as long, a trip to a thread several times that, and the
usual async driver makes four trips a statement. What can wait or take long goes to a thread all the same: the write
lock when another process holds it, statements marked as long, and moving the write-ahead log into the file, which
waits for the disk and is therefore no commit's business. Inside a write transaction nothing can wait any more.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from enum import Enum, auto
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.pool import ConnectionPoolEntry

from orchestration.errors import StorageUnavailable
from storage.failures import translated
from storage.transactions import Fetched, Parameters, Transaction, fetched

logger = logging.getLogger(__name__)

_READERS = 4
_COMMITS_A_CHECKPOINT = 250
"""So many commits of a turn's size make a write-ahead log of a few megabytes."""
_T = TypeVar("_T")


class SqliteEngine:
    """``busy_timeout_s``: how long a write waits for another process's. Within this process writers queue up."""

    def __init__(self, url: sa.URL, *, busy_timeout_s: float) -> None:
        self._patience_s = busy_timeout_s * 2
        # IMMEDIATE for writes: a deferred transaction that turns into a write later fails at once with "locked",
        # whatever the timeout (216 of 240 measured).
        writers = _engine(url, busy_timeout_s, _Use.WRITE, connections=1)
        readers = _engine(url, busy_timeout_s, _Use.READ, connections=_READERS)
        self._writes = _Line(writers, "BEGIN IMMEDIATE", wait_s=busy_timeout_s)
        self._reads = _Line(readers, "BEGIN", wait_s=None)
        self._writer = asyncio.Semaphore(1)
        self._readers = asyncio.Semaphore(_READERS)
        self._threads = ThreadPoolExecutor(_READERS + 2, thread_name_prefix="storage")
        self._endings: set[asyncio.Future[None]] = set()
        self._log = _Log(whole_file(url, busy_timeout_s), self._threads)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Transaction]:
        async with self._transaction(self._writes, self._writer, commit=True) as transaction:
            yield transaction

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        async with self._transaction(self._reads, self._readers, commit=False) as transaction:
            yield transaction

    async def close(self) -> None:
        """Waits for transactions that are just ending."""
        await asyncio.gather(*self._endings, return_exceptions=True)
        await self._log.close()
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._threads.shutdown()
        self._reads.close()
        self._writes.close()

    @asynccontextmanager
    async def _transaction(
        self, line: _Line, turnstile: asyncio.Semaphore, *, commit: bool
    ) -> AsyncIterator[Transaction]:
        try:
            async with asyncio.timeout(self._patience_s):
                await turnstile.acquire()
        except TimeoutError:
            raise StorageUnavailable("the database is busy with somebody else's work") from None
        transaction = _SqliteTransaction(line, self._threads)
        well = False
        try:
            yield transaction
            well = True
        finally:
            if transaction.busy:
                # Shielded: whoever is cancelled here still gives back the connection and the turnstile.
                ending = asyncio.ensure_future(self._end_later(transaction, turnstile, commit=commit and well))
                self._endings.add(ending)
                ending.add_done_callback(self._endings.discard)
                await asyncio.shield(ending)
            else:
                self._end(transaction, turnstile, commit=commit and well)

    async def _end_later(self, transaction: _SqliteTransaction, turnstile: asyncio.Semaphore, *, commit: bool) -> None:
        try:
            await transaction.idle()
        finally:
            self._end(transaction, turnstile, commit=commit)

    def _end(self, transaction: _SqliteTransaction, turnstile: asyncio.Semaphore, *, commit: bool) -> None:
        try:
            if transaction.end(commit=commit) and commit:
                self._log.grew()
        except exc.SQLAlchemyError as error:
            if commit:
                raise translated(error) from None
            # A failed rollback: the file's journal undoes it, and the first error is the one to tell.
        finally:
            turnstile.release()


class _Log:
    """Moves the write-ahead log into the file every now and then, in a thread, so that no commit ever does."""

    def __init__(self, engine: sa.Engine, threads: ThreadPoolExecutor) -> None:
        self._engine = engine
        self._threads = threads
        self._commits = 0
        self._moving: asyncio.Future[None] | None = None

    def grew(self) -> None:
        self._commits += 1
        if self._commits >= _COMMITS_A_CHECKPOINT and (self._moving is None or self._moving.done()):
            self._commits = 0
            self._moving = asyncio.get_running_loop().run_in_executor(self._threads, self._move)

    def _move(self) -> None:
        try:
            with self._engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)").all()
        except exc.SQLAlchemyError as error:  # the disk is full or busy: the log grows on, the next one moves it all
            logger.warning("the write-ahead log could not be moved: %s", type(error).__name__)

    async def close(self) -> None:
        if self._moving is not None:
            await asyncio.wait({self._moving})
        await asyncio.to_thread(self._engine.dispose)


class _Line:
    """Connections of one kind, kept open between transactions: a pool's check-out costs more than a short read.

    ``begin`` opens each transaction. ``wait_s``: how long a write waits for another process's lock; None for readers,
    which never wait.
    """

    def __init__(self, engine: sa.Engine, begin: str, *, wait_s: float | None) -> None:
        self._engine = engine
        self._begin = begin
        self._idle: list[sa.Connection] = []
        self.wait_s = wait_s

    def take(self) -> sa.Connection:
        return self._idle.pop() if self._idle else self._engine.connect()

    def begin(self, connection: sa.Connection) -> None:
        # Not by an event of the engine: one listener makes every statement look for listeners.
        connection.begin()
        connection.exec_driver_sql(self._begin)

    def end(self, connection: sa.Connection, commit: bool) -> None:
        """Ends the transaction; a connection that fails at it is not used again."""
        try:
            if commit:
                connection.commit()
            else:
                connection.rollback()
        except BaseException:
            connection.close()  # rolls back what was not committed
            raise
        self._idle.append(connection)

    def close(self) -> None:
        for connection in self._idle:
            connection.close()
        self._idle.clear()
        self._engine.dispose()


class _SqliteTransaction:
    """Begins with its first statement, so that an idle block costs nothing."""

    def __init__(self, line: _Line, threads: ThreadPoolExecutor) -> None:
        self._line = line
        self._threads = threads
        self._connection: sa.Connection | None = None
        self._running: asyncio.Future[Any] | None = None
        self._over = False

    async def execute(self, statement: sa.Executable, parameters: Parameters = None, *, long: bool = False) -> Fetched:
        if self._over:
            raise exc.InvalidRequestError("the transaction is over")
        if long or not (self._connection is not None or self._begun_at_once()):
            return await self.call(lambda connection: fetched(connection.execute(statement, parameters)))
        assert self._connection is not None
        return fetched(self._connection.execute(statement, parameters))

    async def call(self, work: Callable[[sa.Connection], _T]) -> _T:
        if self._over:
            raise exc.InvalidRequestError("the transaction is over")
        running = asyncio.get_running_loop().run_in_executor(self._threads, self._in_thread, work)
        self._running = running
        return await asyncio.shield(running)  # a thread cannot be cancelled: `end` waits for it

    @property
    def busy(self) -> bool:
        """Whether a thread is still at work in it."""
        return self._running is not None and not self._running.done()

    async def idle(self) -> None:
        """No statement begins any more, and what a thread has begun is over."""
        self._over = True
        if self._running is not None:
            await asyncio.wait({self._running})

    def end(self, *, commit: bool) -> bool:
        """Whether there was anything to end."""
        self._over = True
        if self._connection is None:
            return False
        self._line.end(self._connection, commit)
        return True

    def _begun_at_once(self) -> bool:
        """Begins without waiting; False when another process holds the write lock."""
        connection = self._line.take()
        try:
            self._line.begin(connection)
        except exc.OperationalError as error:
            connection.close()
            if getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                return False
            raise
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return True

    def _in_thread(self, work: Callable[[sa.Connection], _T]) -> _T:
        if self._connection is None:
            connection, wait_s = self._line.take(), self._line.wait_s
            try:
                if wait_s is not None:
                    _patience(connection, wait_s)
                self._line.begin(connection)
                if wait_s is not None:
                    _patience(connection, 0)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return work(self._connection)


def _patience(connection: sa.Connection, wait_s: float) -> None:
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute(f"PRAGMA busy_timeout = {int(wait_s * 1000)}")


class _Use(Enum):
    """What an engine's connections are for. WHOLE: for what runs outside of transactions (a copy, a checkpoint)."""

    READ = auto()
    WRITE = auto()
    WHOLE = auto()


def whole_file(url: sa.URL, busy_timeout_s: float) -> sa.Engine:
    """An engine of one connection for statements that no transaction may hold."""
    return _engine(url, busy_timeout_s, _Use.WHOLE, connections=1)


def _engine(url: sa.URL, busy_timeout_s: float, use: _Use, *, connections: int) -> sa.Engine:
    engine = sa.create_engine(
        url,
        hide_parameters=True,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=busy_timeout_s * 2,
        connect_args={"check_same_thread": False, "timeout": busy_timeout_s},
    )

    @event.listens_for(engine, "connect")
    def _connect(driver: Any, _entry: ConnectionPoolEntry) -> None:
        driver.isolation_level = None  # the driver's own implicit BEGIN is deferred: we say when
        if use is not _Use.READ:
            driver.execute("PRAGMA journal_mode = WAL")
            driver.execute("PRAGMA synchronous = NORMAL")
        driver.execute("PRAGMA foreign_keys = ON")
        if use is _Use.READ:
            driver.execute("PRAGMA query_only = ON")
        if use is _Use.WRITE:
            # A writer asks for its lock without waiting first, and waits in a thread (`_SqliteTransaction`).
            driver.execute("PRAGMA busy_timeout = 0")
            driver.execute("PRAGMA wal_autocheckpoint = 0")  # see `_Log`

    return engine
