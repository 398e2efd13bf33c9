"""Turns of this process are claimed the moment they may run, not at the queue's next poll.

The calls are private to DBOS, so its version is pinned; `tests/faults/test_engine.py` fails when they change. Should a
claim fail at run time, the queue's own poller takes the turn a moment later.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Coroutine
from typing import Any

from dbos import DBOS
from dbos._core import execute_dequeued_workflow
from dbos._utils import GlobalParams, generate_uuid

from storage.queue_claim import next_of_partition, waiting_in_partition

logger = logging.getLogger(__name__)

AFTER_TURN_S = 0.02
"""The engine needs a moment to write down that a turn is over before the chat's next one may be claimed."""
AFTER_TURN_TRIES = 5


class Claims:
    """Claims the next turn of a chat: one statement, where the poller's sweep over all chats takes many."""

    def __init__(self, dbos: DBOS, *, queue: str, workers: int) -> None:
        self._dbos = dbos
        self._queue = queue
        self._workers = workers
        self._claim_next = next_of_partition(dbos._sys_db.tables.workflow_status)
        self._count = waiting_in_partition(dbos._sys_db.tables.workflow_status)
        self._waiting: Counter[str] = Counter()
        """Turns queued here that this process has not claimed yet (or that its poller claimed), by partition."""
        self._tasks: set[asyncio.Task[object]] = set()
        self._closing = False

    def queued(self, partition: str) -> None:
        """A turn stands in the queue: claims it at once when its chat is free."""
        self._waiting[partition] += 1
        self._start(self._claimed(partition))

    def ended(self, partition: str) -> None:
        """A turn of the chat is over: claims the chat's next one where one waits."""
        if self._waiting[partition] > 0:
            self._start(self._after_turn(partition))
        else:
            del self._waiting[partition]

    async def close(self) -> None:
        self._closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Coroutine[Any, Any, object]) -> None:
        if self._closing:
            work.close()
            return
        task = asyncio.create_task(work, name="claim a turn")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _after_turn(self, partition: str) -> None:
        for _ in range(AFTER_TURN_TRIES):
            await asyncio.sleep(AFTER_TURN_S)
            if await self._claimed(partition):
                return
        # The poller was faster, or the engine is slow under load. What still waits must not be left to the poller: with
        # five hundred turns in one chat that would be half a second for each.
        try:
            left = await asyncio.to_thread(self._left, partition)
        except Exception as error:  # noqa: BLE001 - as in `_claimed`
            logger.debug("counting what waits failed: %s", type(error).__name__)
            return
        if left:
            self._waiting[partition] = left
        else:
            self._waiting.pop(partition, None)

    def _left(self, partition: str) -> int:
        """How many turns of the chat wait. Runs in a thread."""
        if self._closing:
            return 0
        with self._dbos._sys_db.engine.begin() as connection:
            found = connection.execute(self._count, {"queue": self._queue, "partition": partition})
            return found.scalar() or 0

    async def _claimed(self, partition: str) -> bool:
        """Whether the chat's next turn was claimed, and so runs from now on."""
        try:
            claimed = await asyncio.to_thread(self._claim, partition)
        except Exception as error:  # noqa: BLE001 - a shortcut only: the poller is the one that must work
            logger.debug("claiming at once failed: %s", type(error).__name__)
            return False
        if claimed:
            self._waiting[partition] -= 1
        return claimed

    def _claim(self, partition: str) -> bool:
        """Runs in a thread: the engine's database is a blocking one."""
        dbos = self._dbos
        if self._closing or dbos._active_workflows_set.count_for_queue(self._queue) >= self._workers:
            return False
        owner = generate_uuid()
        parameters = {
            "queue": self._queue,
            "partition": partition,
            "version": GlobalParams.app_version,
            "application": dbos._sys_db.app_name,
            "executor": GlobalParams.executor_id,
            "owner": owner,
            "now_ms": int(time.time() * 1000),
        }
        with dbos._sys_db.engine.begin() as connection:
            workflow_id = connection.execute(self._claim_next, parameters).scalar()
        status = dbos._sys_db.get_workflow_status(workflow_id) if workflow_id is not None else None
        if status is None:
            return False
        execute_dequeued_workflow(dbos, status, owner)
        return True
