"""The typing indicator: one owner per channel, gone before the post, never longer than a cap."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import discord

from adapters.discord.wire import Wire
from orchestration.errors import AdapterError

EVERY_S: Final = 8.0
"""Discord shows the indicator for ten seconds."""
CAP_S: Final = 180.0


class Typing:
    """`start` and `stop` may be called as often as one likes; at most one task per channel tells Discord."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def start(self, channel_id: int) -> None:
        if channel_id in self._tasks:
            return
        task = asyncio.create_task(self._tell(channel_id), name=f"typing in {channel_id}")
        self._tasks[channel_id] = task
        task.add_done_callback(lambda done: self._forget(channel_id, done))

    def _forget(self, channel_id: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(channel_id) is task:
            del self._tasks[channel_id]

    async def stop(self, channel_id: int) -> None:
        """Returns when no request of the indicator is under way any more."""
        task = self._tasks.pop(channel_id, None)
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def close(self) -> None:
        for channel_id in list(self._tasks):
            await self.stop(channel_id)

    async def _tell(self, channel_id: int) -> None:
        with contextlib.suppress(discord.HTTPException, AdapterError, OSError, TimeoutError):
            async with asyncio.timeout(CAP_S):
                while True:
                    await self._wire.typing(channel_id)
                    await asyncio.sleep(EVERY_S)
