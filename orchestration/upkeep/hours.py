"""Quiet hours: when a chat's background work may take its time. Pure."""

from __future__ import annotations

from datetime import datetime, time, timedelta

STILL = timedelta(hours=3)
"""A chat in which nothing was said for so long is in a quiet hour, whatever the clock says."""
NIGHT = (time(2), time(6))
"""Quiet hours (UTC) of chats that set none."""


def is_quiet(quiet_hours: str, last_message_at: datetime | None, now: datetime) -> bool:
    """Whether a chat is in quiet hours: its own, the night where it has none, or nobody talks anyway."""
    if last_message_at is not None and now - last_message_at >= STILL:
        return True
    return within(quiet_hours, now) if quiet_hours else NIGHT[0] <= now.time() < NIGHT[1]


def within(hours: str, now: datetime) -> bool:
    """Whether ``now`` (UTC) lies in ``22:00-07:00``; False for words that are no such hours."""
    try:
        start, end = (time.fromisoformat(part.strip().zfill(5)) for part in hours.split("-", 1))
    except ValueError:
        return False
    at = now.time()
    return start <= at < end if start <= end else at >= start or at < end
