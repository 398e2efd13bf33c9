"""Transactions on PostgreSQL, over psycopg's own async connections."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from storage.failures import translated
from storage.transactions import Fetched, Parameters, Transaction, fetched

_T = TypeVar("_T")


class PostgresEngine:
    """``busy_timeout_s``: how long a write waits for another one's lock."""

    def __init__(self, url: sa.URL, *, busy_timeout_s: float) -> None:
        wait_ms = int(busy_timeout_s * 1000)
        # A worker that is paused inside a transaction must not hold a chat for ever.
        options = f"-c lock_timeout={wait_ms} -c idle_in_transaction_session_timeout={wait_ms * 6} -c timezone=UTC"
        given = url.query.get("options")
        self._writes = create_async_engine(
            url.difference_update_query(["options"]),
            hide_parameters=True,
            pool_size=5,
            max_overflow=10,
            pool_timeout=busy_timeout_s * 2,
            pool_pre_ping=True,
            connect_args={"options": f"{options} {given}" if given else options, "connect_timeout": 10},
        )
        self._reads = self._writes.execution_options(postgresql_readonly=True, isolation_level="REPEATABLE READ")

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Transaction]:
        async with _begun(self._writes) as connection:
            yield _PostgresTransaction(connection)
            try:
                await connection.commit()
            except exc.SQLAlchemyError as error:
                raise translated(error) from None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        async with _begun(self._reads) as connection:
            yield _PostgresTransaction(connection)

    async def close(self) -> None:
        await self._writes.dispose()


class _PostgresTransaction:
    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def execute(self, statement: sa.Executable, parameters: Parameters = None, *, long: bool = False) -> Fetched:
        return fetched(await self._connection.execute(statement, parameters))

    async def call(self, work: Callable[[sa.Connection], _T]) -> _T:
        return await self._connection.run_sync(work)


@asynccontextmanager
async def _begun(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection in a transaction, rolled back at the end unless it was committed."""
    async with AsyncExitStack() as stack:
        try:
            connection = await stack.enter_async_context(engine.connect())
            await connection.begin()
        except exc.SQLAlchemyError as error:
            raise translated(error) from None
        yield connection
