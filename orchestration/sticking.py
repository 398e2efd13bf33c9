"""After a turn: whom a follow-up without a name would go to."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from orchestration.ports import UnitOfWork
from orchestration.sessions import Session, Sticky
from orchestration.turns import TurnRecord, TurnStatus

KEEP = 8
"""People remembered per chat; the longest silent one is forgotten first."""


async def stick(uow: UnitOfWork, session: Session, turn: TurnRecord, now: datetime) -> Session:
    """The session with the sticky of the turn's person: the last agent that answered."""
    if turn.status is not TurnStatus.FINISHED or not turn.selection:
        return session
    kept = tuple(s for s in session.sticky if s.person_id != turn.person_id)[-(KEEP - 1) :]
    newest = Sticky(agent_id=turn.selection[-1].agent_id, person_id=turn.person_id, at=now)
    return replace(session, sticky=(*kept, newest))
