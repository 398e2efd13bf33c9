"""Ticks: the only home of apscheduler. A tick looks what background work is due and queues it; it never does any.

Every process ticks. The name of a piece of work is the same wherever it is asked for, so it is done once in a cluster.
Jobs are kept in memory, a missed tick is made up for once (facts in docs/durability.md).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

logger = logging.getLogger(__name__)


class Scheduler:
    """Calls ``tick`` every so many seconds while it is started, never twice at the same time."""

    def __init__(self, tick: Callable[[], Awaitable[None]], *, every_s: float) -> None:
        self._tick = tick
        self._every_s = every_s
        self._scheduler: AsyncIOScheduler | None = None

    def start(self) -> None:
        """To be called in the running loop."""
        logging.getLogger("apscheduler").setLevel(logging.WARNING)
        scheduler = AsyncIOScheduler(timezone=UTC)
        scheduler.add_job(
            self._safely,
            IntervalTrigger(seconds=self._every_s, timezone=UTC),
            id="upkeep",
            misfire_grace_time=None,
            coalesce=True,
            max_instances=1,
            replace_existing=True,
        )
        scheduler.start()
        self._scheduler = scheduler

    def close(self) -> None:
        scheduler, self._scheduler = self._scheduler, None
        if scheduler is not None:
            scheduler.shutdown(wait=False)

    async def _safely(self) -> None:
        try:
            await self._tick()
        except Exception:  # the next tick looks again
            logger.exception("looking for background work failed")
