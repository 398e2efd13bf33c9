"""What background work is due. Reads a few rows; the work itself is queued, never done here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from orchestration.memory.records import Backlog, Work
from orchestration.ports import UnitOfWork
from orchestration.summaries import STEP
from orchestration.upkeep.compaction import QUIET_LEAST
from orchestration.upkeep.hours import is_quiet
from orchestration.upkeep.parts import UpkeepSettings

AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """One piece of work. ``slot`` makes its name: the same slot is done once, however many processes ask for it."""

    work: Work
    chat_id: int
    slot: str

    @property
    def job_id(self) -> str:
        return f"{self.work}:{self.chat_id}:{self.slot}"


async def due(uow: UnitOfWork, now: datetime, settings: UpkeepSettings, *, chores: Iterable[Work]) -> list[Due]:
    """Work that is due now, chats furthest behind first."""
    hour = f"{now:%Y%m%d%H}"
    found = []
    for one in await uow.upkeep.behind(Work.COMPACT, by=STEP + QUIET_LEAST, now=now, limit=AT_ONCE):
        if one.last_seq - one.cursor_seq >= 2 * STEP or is_quiet(one.quiet_hours, one.last_message_at, now):
            found.append(_due(Work.COMPACT, one, hour))
    for one in await uow.upkeep.behind(Work.REMEMBER, by=1, now=now, limit=AT_ONCE):
        enough = one.last_seq - one.cursor_seq >= settings.remember_after
        still = one.last_message_at is None or now - one.last_message_at >= timedelta(seconds=settings.remember_quiet_s)
        if enough or still:
            found.append(_due(Work.REMEMBER, one, hour))
    for state in await uow.upkeep.to_retry(Work.MEND, now=now, limit=AT_ONCE):
        found.append(Due(work=Work.MEND, chat_id=state.chat_id, slot=f"again:{state.version}:{hour}"))
    for one in await uow.upkeep.behind(Work.TIDY, by=0, now=now, limit=AT_ONCE):
        found.append(_due(Work.TIDY, one, hour))
    return [*found, *(Due(work=work, chat_id=0, slot=f"{now:%Y%m%d}") for work in chores)]


def _due(work: Work, one: Backlog, hour: str) -> Due:
    # The version changes with every run that was written down; the hour lets one that was not be tried again.
    return Due(work=work, chat_id=one.chat_id, slot=f"{one.version}:{hour}")
