"""What the engine's database and the inbox keep of long ago: nothing that nobody needs."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.engine import Engine
from bot.engine_retention import AT_ONCE, EngineRetention
from orchestration.ports import InboxRow
from storage.memory import MemoryStorage
from tests.faults.test_engine import Steps, engine, turn
from tests.waiting import until

COUNT = AT_ONCE + 20


def rows(folder: Path, table: str) -> int:
    with closing(sqlite3.connect(folder / "engine.db")) as database:
        return int(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


async def pending(folder: Path, left: int) -> None:
    """Waits until the ends of all the others are written."""
    await until(lambda: rows(folder, "workflow_status WHERE status = 'PENDING'") <= left)


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
        await pending(tmp_path, 1)
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


async def test_it_is_done_as_background_work_of_the_very_engine_it_clears(tmp_path: Path) -> None:
    at, removed = [datetime.now(UTC)], asyncio.Queue[bool]()
    retention = EngineRetention(MemoryStorage(), lambda: at[0])

    async def clear(kind: str, chat_id: int) -> None:
        await removed.put(await retention.run())

    queue = Engine(database_url=f"sqlite:///{tmp_path / 'engine.db'}", executor_id="embedded", listen_s=0.05)
    steps = Steps()
    await queue.start(steps, clear)
    try:
        await queue.enqueue(turn(1, 1), 1)
        await queue.enqueue(turn(1, 2), 1)
        await steps.until("ended", 2)
        await pending(tmp_path, 0)
        at[0] += timedelta(days=4)
        await queue.enqueue_job("clear:1", "clear", 0)
        assert await asyncio.wait_for(removed.get(), 30)
        await pending(tmp_path, 0)
        assert rows(tmp_path, "workflow_status") == rows(tmp_path, "workflow_status WHERE status = 'SUCCESS'") == 1
    finally:
        await queue.close()


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
