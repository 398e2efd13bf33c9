"""First come, first served: one lane per place, gone when nobody uses it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Lanes:
    """``async with lanes.of(place)``: those who ask for the same place pass one after the other, in order."""

    def __init__(self) -> None:
        self._locks: dict[int, asyncio.Lock] = {}
        self._users: dict[int, int] = {}

    @asynccontextmanager
    async def of(self, place: int) -> AsyncIterator[None]:
        lock = self._locks.setdefault(place, asyncio.Lock())
        self._users[place] = self._users.get(place, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._users[place] -= 1
            if not self._users[place]:
                del self._users[place], self._locks[place]
