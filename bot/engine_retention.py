"""What the engine and the inbox remember of long ago: their rows go, or both would grow for ever.

A finished workflow's row is only its idempotency key: nobody asks for a turn again that its own row calls over.
"""

from __future__ import annotations

from datetime import timedelta

from dbos import DBOS

from orchestration.ports import Clock, Storage

KEPT = timedelta(days=3)
"""So long finished workflows are kept."""
UPDATES_KEPT = 10_000
"""So many of the newest updates of each source stay known, should the platform send them again."""
AT_ONCE = 200
"""Workflows that one transaction removes: the engine waits for no long one."""
ROUNDS = 500
"""What is left after so many such transactions waits for the next day."""
_OVER = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]


class EngineRetention:
    """Needs a started engine."""

    def __init__(self, storage: Storage, clock: Clock, *, kept: timedelta = KEPT, updates: int = UPDATES_KEPT) -> None:
        self._storage = storage
        self._clock = clock
        self._kept = kept
        self._updates = updates

    async def run(self) -> bool:
        """Whether there was anything to remove."""
        workflows = await self._workflows()
        async with self._storage.begin() as uow:
            updates = await uow.inbox.clear(keep=self._updates)
        return bool(workflows or updates)

    async def _workflows(self) -> int:
        before = (self._clock() - self._kept).isoformat()
        removed = 0
        for _ in range(ROUNDS):
            found = await DBOS.list_workflows_async(
                status=_OVER, completed_before=before, limit=AT_ONCE, load_input=False, load_output=False
            )
            if not found:
                break
            await DBOS.delete_workflows_async([one.workflow_id for one in found])
            removed += len(found)
        return removed
