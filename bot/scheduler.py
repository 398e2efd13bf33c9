"""Ticks: the only home of apscheduler. A tick looks what background work is due and queues it; it never does any.

Every process ticks. The name of a piece of work is the same wherever it is asked for, so it is done once in a cluster.
Jobs are kept in memory, a missed tick is made up for once (facts in docs/durability.md).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from datetime import UTC

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

from bot.engine import Engine
from orchestration.events import Event, EventKind
from orchestration.memory.records import Work
from orchestration.ports import Clock
from orchestration.upkeep import Due, Upkeep

logger = logging.getLogger(__name__)

AWAKE_S = 120.0
"""So long after the last event every tick looks; afterwards only one in ASLEEP_S does."""
ASLEEP_S = 60.0
KNOWN_JOBS = 2_000
OPEN_S = 300.0
"""So long work is believed to be under way whose end was not heard: another process may do it, or have died."""
_CHANGES = frozenset({EventKind.MESSAGE_EDITED, EventKind.MESSAGE_DELETED, EventKind.REPLY_REMOVED})


class Ticks:
    """What a tick does: looks what is due (seldom while nothing happens) and queues what it has not queued before.

    Where a message changed, what rests on it is mended at the next tick (and at the latest when the chat is tidied).
    """

    def __init__(
        self, upkeep: Upkeep, engine: Engine, clock: Clock, *, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._upkeep = upkeep
        self._engine = engine
        self._clock = clock
        self._seconds = seconds
        self._heard = seconds()
        self._looked = float("-inf")
        self._queued: OrderedDict[str, None] = OrderedDict()
        self._open: dict[tuple[str, int], float] = {}
        """Since when (kind, chat) is queued or under way: a long piece changes its state as it goes, and would else be
        queued again and again."""
        self._changed: dict[int, int] = {}
        """Chat -> number of the last event that told of a change."""

    def hear(self, event: Event) -> None:
        self._heard = self._seconds()
        if event.kind in _CHANGES or _written_anew(event):
            self._changed[event.chat_id] = event.seq

    def done(self, kind: str, chat_id: int) -> None:
        """This process has done a piece of work."""
        self._open.pop((kind, chat_id), None)

    async def __call__(self) -> None:
        now = self._seconds()
        if now - self._heard > AWAKE_S and now - self._looked < ASLEEP_S:
            return
        self._looked = now
        self._open = {key: since for key, since in self._open.items() if now - since < OPEN_S}
        for chat_id, seq in list(self._changed.items()):
            if await self._queue(Due(work=Work.MEND, chat_id=chat_id, slot=str(seq))):
                self._changed = {chat: last for chat, last in self._changed.items() if (chat, last) != (chat_id, seq)}
        for one in await self._upkeep.due(self._clock()):
            await self._queue(one)

    async def _queue(self, one: Due) -> bool:
        """Whether it was queued now."""
        key = (one.work.value, one.chat_id)
        if one.job_id in self._queued or key in self._open:
            return False
        await self._engine.enqueue_job(one.job_id, one.work.value, one.chat_id)
        self._open[key] = self._seconds()
        self._queued[one.job_id] = None
        while len(self._queued) > KNOWN_JOBS:
            self._queued.popitem(last=False)
        return True


def _written_anew(event: Event) -> bool:
    """Whether a turn wrote the reply of an older turn anew: it goes by the older one's name."""
    return event.kind is EventKind.REPLY_WRITTEN and not event.block_id.startswith(f"{event.turn_id}:")


class Scheduler:
    """Calls ``tick`` every so many seconds while it is started, never twice at the same time."""

    def __init__(self, tick: Callable[[], Awaitable[None]], *, every_s: float) -> None:
        self._tick = tick
        self._every_s = every_s
        self._scheduler: AsyncIOScheduler | None = None

    def start(self) -> None:
        """To be called in the running loop."""
        logging.getLogger("apscheduler").setLevel(logging.ERROR)  # a tick that is still running is no news
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
            # A tick that was about to begin is cancelled before it can say so itself: no failure either.
            logging.getLogger("apscheduler").setLevel(logging.CRITICAL)
            scheduler.shutdown(wait=False)

    async def _safely(self) -> None:
        try:
            await self._tick()
        except asyncio.CancelledError:
            if self._scheduler is not None:
                raise
            # The process closes: the tick that was under way ends here, and apscheduler need not call it a failure.
        except Exception:  # the next tick looks again
            logger.exception("looking for background work failed")
