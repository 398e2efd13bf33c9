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
from orchestration.running import RunningTurn
from orchestration.sessions import Session, SessionState
from orchestration.settings import TurnSettings
from orchestration.standing import both_rows, renewing
from orchestration.sticking import sticks, stuck, words_of
from orchestration.transactions import transact
from orchestration.turns import TurnRecord, TurnStatus, turn_finished


class Endings:
    """Each method is one transaction, safe to run again after a crash.

    ``running``: the turn where it ran in this process; its rows need no reading then.
    """

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
        running: RunningTurn | None = None,
    ) -> bool:
        """The one place where a turn ends: its columns, what its chat learns from it, and the notice about it.

        ``close``: nothing comes after this, the turn is finished in the same transaction. Tells whether a notice was
        put into the outbox.
        """
        now = self._clock()

        async def work(uow: UnitOfWork) -> tuple[list[Event], bool]:
            turn, session = await both_rows(uow, turn_id, running)
            if turn is None or turn.over:
                return [], False
            turn = replace(change(turn), error=error)
            if status is not TurnStatus.CLARIFYING:
                turn = turn.move(status)
            lesson = learn(session, status, error, now, self._settings)
            if lesson.notice is not None:
                chat = await uow.chats.get(turn.chat_id)
                locale = (chat.settings.locale if chat else None) or self._settings.locale
                await uow.outbox.add(notice_item(turn, notice_text(locale, lesson.notice, error), now))
            told = [_learnt(turn, lesson.event, now)] if lesson.event is not None else []
            after = lesson.session
            if close:
                turn, after = await _closed(uow, turn, after, now, running)
                told.append(turn_finished(turn, now))
            await _write(uow, turn, after if after != session else None, running)
            return (await uow.events.append(turn.chat_id, told) if told else []), lesson.notice is not None

        events, noticed = await transact(self._storage, renewing(work, running))
        self._bus.publish(events)
        return noticed

    async def finish(self, turn_id: str, running: RunningTurn | None = None) -> None:
        """Frees the chat and says that the turn is over (or waits for an answer); nothing when it was said before."""
        now = self._clock()

        async def work(uow: UnitOfWork) -> list[Event]:
            turn, session = await both_rows(uow, turn_id, running)
            if turn is None or turn.finished_at is not None:
                return []
            turn, session = await _closed(uow, turn, session, now, running)
            await _write(uow, turn, session, running)
            return await uow.events.append(turn.chat_id, [turn_finished(turn, now)])

        self._bus.publish(await transact(self._storage, renewing(work, running)))


async def _closed(
    uow: UnitOfWork, turn: TurnRecord, session: Session, now: datetime, running: RunningTurn | None
) -> tuple[TurnRecord, Session]:
    """The turn with its end, and the session free again, knowing whom a follow-up would go to."""
    if turn.over:
        turn = replace(turn, finished_at=now)
    if session.active_turn == turn.id:
        session = session.move(SessionState.CLARIFYING if turn.status is TurnStatus.CLARIFYING else SessionState.IDLE)
    if sticks(turn):
        here = running is not None and running.said.get(turn.selection[-1].agent_id)
        if running is not None and here:
            asked, said = running.scene.lines[0].text, here
        else:
            asked, said = await words_of(uow, turn)
        session = stuck(session, turn, now, asked=asked, said=said)
    return turn, session


async def _write(uow: UnitOfWork, turn: TurnRecord, session: Session | None, running: RunningTurn | None) -> None:
    turn = await uow.turns.save(turn)
    if session is not None:
        session = await uow.sessions.save(session)
    if running is not None:
        running.turn, running.session = turn, session or running.session


def _learnt(turn: TurnRecord, kind: EventKind, now: datetime) -> NewEvent:
    return NewEvent(kind=kind, at=now, turn_id=turn.id, trace_id=turn.trace_id, content={"reason": turn.error})
