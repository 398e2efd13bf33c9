"""Where LangGraph keeps the checkpoints of turns under way: beside the database, on the same kind of server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

POOL = 8


@asynccontextmanager
async def sqlite_checkpoints(file: Path) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """A saver over one SQLite file; its connection is closed at the end (an open one hangs the exit)."""
    async with aiosqlite.connect(file) as connection:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=5000"):
            await connection.execute(f"PRAGMA {pragma}")
        saver = AsyncSqliteSaver(connection)
        await saver.setup()
        yield saver


@asynccontextmanager
async def postgres_checkpoints(url: str) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """A saver over a checked pool (a single connection dies of idleness, see docs/durability.md)."""
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg import AsyncConnection
    from psycopg.rows import DictRow, dict_row
    from psycopg_pool import AsyncConnectionPool

    pool: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
        url.replace("postgresql+psycopg://", "postgresql://", 1),
        max_size=POOL,
        open=False,
        check=AsyncConnectionPool.check_connection,
        kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
    )
    async with pool:
        saver = AsyncPostgresSaver(pool)
        await saver.setup()
        yield saver
