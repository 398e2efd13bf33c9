"""After a turn: whom a follow-up without a name would go to."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from orchestration.ports import UnitOfWork
from orchestration.routing.sticky import next_sticky
from orchestration.sessions import Session
from orchestration.turns import TurnRecord, TurnStatus

LOOK_BACK = 12
"""Messages among which the turn's own last reply is found."""


async def stick(uow: UnitOfWork, session: Session, turn: TurnRecord, now: datetime) -> Session:
    """The session with the sticky of the turn's person: the last agent that answered, on what, and what is open."""
    if turn.status is not TurnStatus.FINISHED or not turn.selection:
        return session
    asked = await uow.messages.get(turn.chat_id, turn.seq)
    said = await uow.messages.recent(turn.chat_id, limit=LOOK_BACK)
    agent_id = turn.selection[-1].agent_id
    reply = next((m.text for m in reversed(said) if m.turn_id == turn.id and m.agent_id == agent_id), "")
    sticky = next_sticky(
        session.sticky,
        agent_id=agent_id,
        person_id=turn.person_id,
        at=now,
        words=asked.text if asked else "",
        reply=reply,
    )
    return replace(session, sticky=sticky)
