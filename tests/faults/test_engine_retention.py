"""What the engine's database and the inbox keep of long ago: nothing that nobody needs."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.engine_retention import AT_ONCE, EngineRetention
from orchestration.ports import InboxRow
from storage.memory import MemoryStorage
from tests.faults.test_engine import Steps, engine, turn

COUNT = AT_ONCE + 20


def rows(folder: Path, table: str) -> int:
    with closing(sqlite3.connect(folder / "engine.db")) as database:
        return int(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


async def only_one_pending(folder: Path) -> None:
    """Waits until the ends of all the others are written."""
    async with asyncio.timeout(20):
        while rows(folder, "workflow_status WHERE status = 'PENDING'") > 1:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_workflows_that_ended_long_ago_go_and_what_is_under_way_stays(tmp_path: Path) -> None:
    storage, at = MemoryStorage(), [datetime.now(UTC)]
    retention = EngineRetention(storage, lambda: at[0], kept=timedelta(days=3))
    steps = Steps()
    async with engine(tmp_path, steps) as queue:
        for number in range(1, COUNT + 1):
            await queue.enqueue(turn(number, 1), number)
        await steps.until("ended", COUNT)
        steps.go.clear()
        await queue.enqueue(turn(1, 2), 1)
        await steps.until("began", COUNT + 1)
        await only_one_pending(tmp_path)
        assert rows(tmp_path, "workflow_output") == COUNT
        assert not await retention.run(), "they have only just ended"
        at[0] += timedelta(days=4)
        assert await retention.run()
        assert not await retention.run()
        assert rows(tmp_path, "workflow_status") == 1
        assert rows(tmp_path, "workflow_input") == 1
        assert rows(tmp_path, "workflow_output") == 0
        steps.go.set()
        await steps.until("ended", COUNT + 1)
        await queue.enqueue(turn(1, 3), 1)
        await steps.until("ended", COUNT + 2)


async def test_answered_updates_of_long_ago_go_too(tmp_path: Path) -> None:
    storage = MemoryStorage()
    async with storage.begin() as uow:
        await uow.inbox.add([InboxRow(source="s", update_id=n, raw="{}") for n in range(10)])
        for n in range(9):
            await uow.inbox.done("s", n)
    async with engine(tmp_path, Steps()):
        assert await EngineRetention(storage, lambda: datetime.now(UTC), updates=4).run()
    async with storage.read() as uow:
        assert [row.update_id for row in await uow.inbox.pending("s")] == [9]
