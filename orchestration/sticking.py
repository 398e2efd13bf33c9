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


def sticks(turn: TurnRecord) -> bool:
    """Whether a follow-up can go on with this turn: somebody answered in it."""
    return turn.status is TurnStatus.FINISHED and bool(turn.selection)


def stuck(session: Session, turn: TurnRecord, now: datetime, *, asked: str, said: str) -> Session:
    """The session with the sticky of the turn's person: the last agent that answered, on what, and what is open."""
    sticky = next_sticky(
        session.sticky,
        agent_id=turn.selection[-1].agent_id,
        person_id=turn.person_id,
        at=now,
        words=asked,
        reply=said,
    )
    return replace(session, sticky=sticky)


async def words_of(uow: UnitOfWork, turn: TurnRecord) -> tuple[str, str]:
    """What the turn's person asked, and what its last agent said; for a turn that another process ran."""
    asked = await uow.messages.get(turn.chat_id, turn.seq)
    said = await uow.messages.recent(turn.chat_id, limit=LOOK_BACK)
    agent_id = turn.selection[-1].agent_id
    reply = next((m.text for m in reversed(said) if m.turn_id == turn.id and m.agent_id == agent_id), "")
    return asked.text if asked else "", reply
