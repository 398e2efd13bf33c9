"""One at a time for each key, first come first served; a gate that nobody uses disappears."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Gate:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class Gates:
    def __init__(self) -> None:
        self._gates: dict[Hashable, _Gate] = {}

    @asynccontextmanager
    async def through(self, key: Hashable) -> AsyncIterator[None]:
        gate = self._gates.setdefault(key, _Gate())
        gate.users += 1
        try:
            async with gate.lock:
                yield
        finally:
            gate.users -= 1
            if not gate.users:
                self._gates.pop(key, None)
