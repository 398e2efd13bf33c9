"""Failing turns, told once each; after several in a row basic mode, and the way back up. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from orchestration.events import EventKind
from orchestration.sessions import Degradation, Session
from orchestration.settings import TurnSettings
from orchestration.texts import has, text
from orchestration.turns import TurnStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What a turn's end changes: the session after it, the notice to give, the event to write (if any)."""

    session: Session
    notice: str | None = None
    event: EventKind | None = None


def learn(session: Session, status: TurnStatus, error: str, now: datetime, settings: TurnSettings) -> Lesson:
    """Failures count up to basic mode; a success after the retry time ends it. Silence, questions, stops teach nothing.

    One failing turn gives one notice, whichever it is.
    """
    old = session.degradation
    if status is TurnStatus.FAILED:
        failed = old.failed_turns + 1
        if old.basic_since is None and failed >= settings.failures_to_basic:
            basic = Degradation(failed_turns=failed, basic_since=now, reason=error)
            return Lesson(
                session=replace(session, degradation=basic), notice="notice_basic_mode", event=EventKind.DEGRADED
            )
        return Lesson(
            session=replace(session, degradation=replace(old, failed_turns=failed)), notice="notice_turn_failed"
        )
    if status is not TurnStatus.FINISHED or old == Degradation():
        return Lesson(session=session)
    if old.basic_since is None:
        return Lesson(session=recovered(session))
    if now - old.basic_since >= timedelta(seconds=settings.basic_retry_s):
        return Lesson(session=recovered(session), notice="notice_recovered", event=EventKind.RECOVERED)
    return Lesson(session=session)


def recovered(session: Session) -> Session:
    return replace(session, degradation=Degradation())


def notice_text(locale: str, code: str, error: str) -> str:
    """The notice in words; the provider's own words are never among them."""
    failure = f"failure_{error}"
    return text(locale, code, reason=text(locale, failure if has(locale, failure) else "failure_other"))
