"""Which of several processes on one database hears: one at a time. The others stand by and post their own turns."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from orchestration.errors import StorageError
from orchestration.events import Json
from orchestration.ports import Clock, Storage

logger = logging.getLogger(__name__)
READER = "telegram:reader"
SETTLES_S = 0.5
"""Two that take over at the same moment both believe it; so much later only one of them is right."""


class NotReader(Exception):
    """Another process hears now: this one was silent for too long."""


class Reader:
    """A row with who hears and when it was last seen; who was silent for ``dead_after_s`` seconds is replaced.

    0 seconds: this is the only process there can be, nothing is kept and nobody waited for.
    """

    def __init__(
        self,
        *,
        storage: Storage,
        clock: Clock,
        source: str,
        me: str,
        dead_after_s: float,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._storage = storage
        self._clock = clock
        self._source = source
        self._me = me
        self._dead_after = timedelta(seconds=dead_after_s)
        self._every_s = dead_after_s / 4
        self._sleep = sleep

    @property
    def alone(self) -> bool:
        return not self._dead_after

    async def wait(self, meanwhile: Callable[[], Awaitable[None]]) -> None:
        """Returns when this process is the one that hears; ``meanwhile`` is done at each look, and once more then."""
        said = False
        while not self.alone:
            mine = await self._mine()
            if mine:
                await self._sleep(min(SETTLES_S, self._every_s))
                mine = await self._mine()
            try:
                await meanwhile()
            except StorageError as error:
                logger.warning("what the other process changed could not be read: %s", type(error).__name__)
            if mine:
                return
            if not said:
                logger.info("another process hears this bot's updates: standing by")
                said = True
            await self._sleep(self._every_s)

    async def keep(self) -> None:
        """Shows that this process lives, until cancelled. Raises NotReader."""
        while not self.alone:
            await self._sleep(self._every_s)
            if not await self._mine():
                raise NotReader

    async def resign(self) -> None:
        """Whoever stands by may take over at once."""
        if self.alone:
            return
        try:
            async with self._storage.begin() as uow:
                row = await uow.platform_state.get(READER, self._source)
                if isinstance(row, dict) and row.get("who") == self._me:
                    await uow.platform_state.delete(READER, self._source)
        except StorageError as error:
            logger.warning("the others must wait to take over: %s", type(error).__name__)

    async def _mine(self) -> bool:
        """Takes or renews the row. A database out of reach changes nothing: nobody else can take it either."""
        now = self._clock()
        try:
            async with self._storage.begin() as uow:
                row = await uow.platform_state.get(READER, self._source)
                another = isinstance(row, dict) and row.get("who") != self._me
                if another and now - _seen(row) < self._dead_after:
                    return False
                await uow.platform_state.put(READER, self._source, {"who": self._me, "seen": now.isoformat()})
        except StorageError as error:
            logger.warning("who hears could not be written down: %s", type(error).__name__)
        return True


def _seen(row: Json) -> datetime:
    return datetime.fromisoformat(str(row["seen"] if isinstance(row, dict) else row))
