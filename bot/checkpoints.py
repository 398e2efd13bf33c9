"""Where LangGraph keeps the checkpoints of turns under way: beside the database, on the same kind of server."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

POOL = 8


class LocalSaver(SqliteSaver):
    """The library's saver, used from the event loop of the one process that owns the file.

    A checkpoint of a turn is a few kilobytes and quickly written; the library's own async saver makes several trips to
    a thread for each, which cost more than the writing.
    """

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return self.get_tuple(config)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return self.put(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        self.put_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        self.delete_thread(thread_id)


@asynccontextmanager
async def sqlite_checkpoints(file: Path) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """A saver over one SQLite file that only this process uses."""
    with closing(sqlite3.connect(file, check_same_thread=False)) as connection:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {pragma}")
        saver = LocalSaver(connection, serde=_plain_only())
        saver.setup()
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
        saver = AsyncPostgresSaver(pool, serde=_plain_only())
        await saver.setup()
        yield saver


def _plain_only() -> JsonPlusSerializer:
    """The state of a turn is plain JSON: nothing else is ever revived from a database."""
    return JsonPlusSerializer(allowed_msgpack_modules=[])
