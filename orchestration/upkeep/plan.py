"""What background work is due. Reads a few rows; the work itself is queued, never done here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from orchestration.memory.records import Backlog, Work
from orchestration.ports import UnitOfWork
from orchestration.summaries import STEP
from orchestration.upkeep.compaction import QUIET_LEAST
from orchestration.upkeep.parts import UpkeepSettings

STILL = timedelta(hours=3)
"""A chat in which nothing was said for so long is in a quiet hour, whatever the clock says."""
NIGHTS_FROM, NIGHTS_TO = time(2), time(6)
"""Quiet hours (UTC) of chats that set none."""
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


async def due(uow: UnitOfWork, now: datetime, settings: UpkeepSettings, *, backups: bool) -> list[Due]:
    """Work that is due now, chats furthest behind first."""
    hour = f"{now:%Y%m%d%H}"
    found = []
    for one in await uow.upkeep.behind(Work.COMPACT, by=STEP + QUIET_LEAST, now=now, limit=AT_ONCE):
        if one.last_seq - one.cursor_seq >= 2 * STEP or is_quiet(one, now):
            found.append(_due(Work.COMPACT, one, hour))
    for one in await uow.upkeep.behind(Work.REMEMBER, by=1, now=now, limit=AT_ONCE):
        enough = one.last_seq - one.cursor_seq >= settings.remember_after
        still = one.last_message_at is None or now - one.last_message_at >= timedelta(seconds=settings.remember_quiet_s)
        if enough or still:
            found.append(_due(Work.REMEMBER, one, hour))
    for one in await uow.upkeep.behind(Work.TIDY, by=0, now=now, limit=AT_ONCE):
        found.append(_due(Work.TIDY, one, hour))
    if backups:
        found.append(Due(work=Work.BACKUP, chat_id=0, slot=f"{now:%Y%m%d}"))
    return found


def _due(work: Work, one: Backlog, hour: str) -> Due:
    # The version changes with every run that was written down; the hour lets one that was not be tried again.
    return Due(work=work, chat_id=one.chat_id, slot=f"{one.version}:{hour}")


def is_quiet(one: Backlog, now: datetime) -> bool:
    """Whether the chat is in quiet hours: its own, the night where it has none, or nobody talks anyway."""
    if one.last_message_at is not None and now - one.last_message_at >= STILL:
        return True
    return within(one.quiet_hours, now) if one.quiet_hours else NIGHTS_FROM <= now.time() < NIGHTS_TO


def within(hours: str, now: datetime) -> bool:
    """Whether ``now`` (UTC) lies in ``22:00-07:00``; False for words that are no such hours."""
    try:
        start, end = (time.fromisoformat(part.strip().zfill(5)) for part in hours.split("-", 1))
    except ValueError:
        return False
    at = now.time()
    return start <= at < end if start <= end else at >= start or at < end
