"""Background work: compaction, remembering, tidying, chores of the day. Never on the way of a turn.

`plan.due` says what is to be done, the engine runs `Upkeep.run` for each piece, one at a time per chat and once in a
cluster. A piece that fails changes nothing but its own state, and is tried again later.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime

from orchestration.errors import StorageError
from orchestration.memory.meaning import Embedder, UsedMemories
from orchestration.memory.records import Outcome, UpkeepState, Work
from orchestration.upkeep.compaction import Compaction
from orchestration.upkeep.parts import UpkeepMinds, UpkeepParts, UpkeepSettings, note
from orchestration.upkeep.plan import Due, due
from orchestration.upkeep.remembering import Remembering
from orchestration.upkeep.rereading import Rereading
from orchestration.upkeep.tidying import Tidying

__all__ = ["Due", "Embedder", "Upkeep", "UpkeepMinds", "UpkeepParts", "UpkeepSettings", "UpkeepState", "UsedMemories"]

logger = logging.getLogger(__name__)

JOB_S = 1200.0


class Upkeep:
    """The background work of a process."""

    def __init__(self, parts: UpkeepParts, used: UsedMemories) -> None:
        self._parts = parts
        self._compaction = Compaction(parts)
        self._remembering = Remembering(parts, used)
        self._rereading = Rereading(parts, self._remembering)
        self._tidying = Tidying(parts)

    def prepare(self, minds: UpkeepMinds) -> None:
        """To be called before the first piece of work that should think."""
        self._parts.minds = minds

    async def due(self, now: datetime) -> list[Due]:
        async with self._parts.storage.read() as uow:
            return await due(uow, now, self._parts.settings, chores=self._parts.chores)

    async def run(self, work: Work, chat_id: int) -> Outcome:
        """Does one piece of work. Raises nothing but cancellation; safe to run again after any crash."""
        try:
            async with asyncio.timeout(JOB_S):
                return await self._run(work, chat_id)
        except Exception:  # a fault of ours must not take the next piece of work with it
            logger.exception("%s of chat %s failed", work, chat_id)
        try:
            if work not in (Work.BACKUP, Work.CLEAR):
                await note(self._parts, work, chat_id, Outcome.FAILED)
        except StorageError as error:
            logger.warning("%s of chat %s: not even its failure could be noted (%s)", work, chat_id, error)
        return Outcome.FAILED

    async def _run(self, work: Work, chat_id: int) -> Outcome:
        match work:
            case Work.COMPACT:
                return await self._compaction.run(chat_id)
            case Work.REMEMBER:
                return await self._remembering.run(chat_id)
            case Work.MEND:
                await self._tidying.mend(chat_id)
                return await self._rereading.run(chat_id)
            case Work.TIDY:
                outcome = await self._tidying.run(chat_id)
                await self._rereading.run(chat_id)
                return outcome
            case Work.BACKUP | Work.CLEAR:
                chore = self._parts.chores.get(work)
                return Outcome.DONE if chore is not None and await chore() else Outcome.NOTHING
