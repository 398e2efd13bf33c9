"""How a turn ends: its last columns, what its chat learns from it, the notice about it, and its last event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from orchestration.bus import EventBus
from orchestration.degrading import learn, notice_text
from orchestration.events import Event, EventKind, NewEvent
from orchestration.ports import Clock, Storage, UnitOfWork
from orchestration.publish import notice_item
from orchestration.sessions import SessionState
from orchestration.settings import TurnSettings
from orchestration.sticking import stick
from orchestration.transactions import transact
from orchestration.turns import TurnRecord, TurnStatus, turn_finished


class Endings:
    """Each method is one transaction, safe to run again after a crash."""

    def __init__(self, *, storage: Storage, bus: EventBus, clock: Clock, settings: TurnSettings) -> None:
        self._storage = storage
        self._bus = bus
        self._clock = clock
        self._settings = settings

    async def end(
        self,
        turn_id: str,
        status: TurnStatus,
        error: str,
        change: Callable[[TurnRecord], TurnRecord] = lambda turn: turn,
        *,
        close: bool = False,
    ) -> None:
        """The one place where a turn ends: its columns, what its chat learns from it, and the notice about it.

        ``close``: nothing comes after this, the turn is finished in the same transaction.
        """
        now = self._clock()

        async def work(uow: UnitOfWork) -> list[Event]:
            turn = await uow.turns.get(turn_id)
            if turn is None or turn.over:
                return []
            turn = change(turn)
            if status is not TurnStatus.CLARIFYING:
                turn = turn.move(status)
            turn = await uow.turns.save(replace(turn, error=error))
            session = await uow.sessions.get(turn.chat_id)
            lesson = learn(session, status, error, now, self._settings)
            if lesson.session != session:
                await uow.sessions.save(lesson.session)
            if lesson.notice is not None:
                chat = await uow.chats.get(turn.chat_id)
                locale = (chat.settings.locale if chat else None) or self._settings.locale
                await uow.outbox.add(notice_item(turn, notice_text(locale, lesson.notice, error), now))
            told = [_learnt(turn, lesson.event, now)] if lesson.event is not None else []
            if close:
                told.append(await _closed(uow, turn, now))
            return await uow.events.append(turn.chat_id, told) if told else []

        self._bus.publish(await transact(self._storage, work))

    async def finish(self, turn_id: str) -> None:
        """Frees the chat and says that the turn is over (or waits for an answer); nothing when it was said before."""
        now = self._clock()

        async def work(uow: UnitOfWork) -> list[Event]:
            turn = await uow.turns.get(turn_id)
            if turn is None or turn.finished_at is not None:
                return []
            return await uow.events.append(turn.chat_id, [await _closed(uow, turn, now)])

        self._bus.publish(await transact(self._storage, work))


async def _closed(uow: UnitOfWork, turn: TurnRecord, now: datetime) -> NewEvent:
    """Frees the chat and remembers whom a follow-up would go to; the turn's last event, not stored yet."""
    if turn.over:
        turn = await uow.turns.save(replace(turn, finished_at=now))
    session = await uow.sessions.get(turn.chat_id)
    if session.active_turn == turn.id:
        state = SessionState.CLARIFYING if turn.status is TurnStatus.CLARIFYING else SessionState.IDLE
        session = session.move(state)
    await uow.sessions.save(await stick(uow, session, turn, now))
    return turn_finished(turn, now)


def _learnt(turn: TurnRecord, kind: EventKind, now: datetime) -> NewEvent:
    return NewEvent(kind=kind, at=now, turn_id=turn.id, trace_id=turn.trace_id, content={"reason": turn.error})
