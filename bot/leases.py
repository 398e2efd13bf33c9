"""Who of several processes on one database is alive: the engine itself has no failure detector (docs/durability.md)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from orchestration.ports import Clock, Storage

SCOPE = "engine_lease"
FORGET_AFTER_S = 3600.0


class Leases:
    """A row per executor with the time it was last seen alive."""

    def __init__(
        self,
        storage: Storage,
        executor_id: str,
        clock: Clock,
        recover: Callable[[list[str]], Awaitable[None]],
        *,
        dead_after_s: float,
    ) -> None:
        self.every_s = dead_after_s / 4
        self._dead_after = timedelta(seconds=dead_after_s)
        self._storage = storage
        self._executor_id = executor_id
        self._clock = clock
        self._recover = recover

    async def renew(self) -> None:
        """Shows that this process lives, and takes over the turns of those that do not.

        Dead ones are taken over again and again until they are forgotten: a turn may be claimed right before a death.
        """
        now = self._clock()
        async with self._storage.begin() as uow:
            await uow.platform_state.put(SCOPE, self._executor_id, now.isoformat())
            leases = await uow.platform_state.items(SCOPE)
            dead = []
            for executor_id, seen in leases.items():
                age = now - datetime.fromisoformat(str(seen))
                if age > timedelta(seconds=FORGET_AFTER_S):
                    await uow.platform_state.delete(SCOPE, executor_id)
                elif age > self._dead_after:
                    dead.append(executor_id)
        await self._recover(dead)

    async def resign(self) -> None:
        """A process that ends in order leaves its turns to be taken over at once."""
        long_ago = self._clock() - self._dead_after - timedelta(seconds=1)
        async with self._storage.begin() as uow:
            await uow.platform_state.put(SCOPE, self._executor_id, long_ago.isoformat())
