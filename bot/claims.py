"""Turns of this process are claimed the moment they may run, not at the queue's next poll.

The calls are private to DBOS, so its version is pinned; `tests/faults/test_engine.py` fails when they change. Should a
claim fail at run time, the queue's own poller takes the turn a moment later.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from dbos import DBOS
from dbos._core import execute_dequeued_workflow
from dbos._utils import GlobalParams, generate_uuid

from storage.queue_claim import next_of_partition, waiting_in_partition

logger = logging.getLogger(__name__)

T = TypeVar("T")

TRIES = 5
"""A claim meets a locked database now and then, or (on a busy machine) takes long: tried anew, then left to the poller.
"""
AGAIN_S = 0.05


class Claims:
    """Claims the next turn of a chat: one statement, where the poller's sweep over all chats takes many."""

    def __init__(self, dbos: DBOS, *, queue: str, workers: int) -> None:
        self._dbos = dbos
        self._queue = queue
        self._workers = workers
        self._claim_next = next_of_partition(dbos._sys_db.tables.workflow_status)
        self._still = waiting_in_partition(dbos._sys_db.tables.workflow_status)
        self._waiting: dict[str, set[str]] = {}
        """The workflows queued here that have not begun here, by partition."""
        self._tasks: set[asyncio.Task[object]] = set()
        self._closing = False

    def queued(self, partition: str, workflow_id: str) -> None:
        """A turn stands in the queue: claims it at once when its chat is free."""
        self._waiting.setdefault(partition, set()).add(workflow_id)
        self._start(self._claimed(partition))

    def began(self, partition: str, workflow_id: str) -> None:
        """A turn of the chat runs here, whoever claimed it. To be called in the task that runs it.

        When that task is over, the engine has written that the turn is: the chat's next one may be claimed.
        """
        self._begun(partition, workflow_id)
        task = asyncio.current_task()
        assert task is not None
        task.add_done_callback(lambda _: self._ended(partition))

    async def close(self) -> None:
        self._closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begun(self, partition: str, workflow_id: str) -> None:
        waiting = self._waiting.get(partition)
        if waiting is None:
            return
        waiting.discard(workflow_id)
        if not waiting:
            del self._waiting[partition]

    def _ended(self, partition: str) -> None:
        if partition in self._waiting:
            self._start(self._after_turn(partition))

    def _start(self, work: Coroutine[Any, Any, object]) -> None:
        if self._closing:
            work.close()
            return
        task = asyncio.create_task(work, name="claim a turn")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _after_turn(self, partition: str) -> None:
        known = frozenset(self._waiting.get(partition, ()))
        if await self._claimed(partition):
            return
        # Somebody was faster. What no longer waits (another process took it) is nothing to claim after later turns.
        still = await self._tried(self._still_waiting, partition)
        for workflow_id in known - still if still is not None else ():
            self._begun(partition, workflow_id)

    async def _claimed(self, partition: str) -> bool:
        """Whether the chat's next turn was claimed, and so runs from now on."""
        return bool(await self._tried(self._claim, partition))

    async def _tried(self, work: Callable[[str], T], partition: str) -> T | None:
        """Does it in a thread, as the engine's database is a blocking one. None: it failed each time."""
        for again in range(TRIES):
            try:
                return await asyncio.to_thread(work, partition)
            except Exception as error:  # noqa: BLE001 - a shortcut only: the poller is the one that must work
                logger.debug("claiming at once failed: %s", type(error).__name__)
                if self._closing:
                    break
                await asyncio.sleep(AGAIN_S * 2**again)
        return None

    def _still_waiting(self, partition: str) -> frozenset[str]:
        if self._closing:
            return frozenset()
        with self._dbos._sys_db.engine.begin() as connection:
            found = connection.execute(self._still, {"queue": self._queue, "partition": partition})
            return frozenset(found.scalars())

    def _claim(self, partition: str) -> bool:
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
