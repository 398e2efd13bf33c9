"""Hands on turns: stop them, leave basic mode, have a reply written anew or taken back."""

from __future__ import annotations

from dataclasses import replace

from orchestration.bus import EventBus
from orchestration.degrading import recovered
from orchestration.errors import UserError
from orchestration.events import Event, EventKind, NewEvent
from orchestration.model import GroupChat, MessageKind, OutboxItem, OutboxKind, OutboxState, Person
from orchestration.ports import Adapter, Clock, NewId, Storage, TurnQueue, UnitOfWork
from orchestration.sessions import Degradation, SessionState, StopKind
from orchestration.transactions import transact
from orchestration.turn import TurnRunner
from orchestration.turns import TurnRecord, TurnStatus, turn_finished

LOOK_BACK = 50
"""How many turns back a running or waiting one can be (a chat with more of them waiting is beyond help)."""


class TurnHands:
    """Implements `admin.TurnControl`."""

    def __init__(
        self,
        *,
        storage: Storage,
        runner: TurnRunner,
        queue: TurnQueue,
        bus: EventBus,
        adapters: dict[str, Adapter],
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._storage = storage
        self._runner = runner
        self._queue = queue
        self._bus = bus
        self._adapters = adapters
        self._clock = clock
        self._new_id = new_id

    async def stop(self, chat_id: int, kind: StopKind) -> bool:
        """Stops the chat's running, waiting and asking turns, for good: a restart does not bring them back."""

        async def work(uow: UnitOfWork) -> tuple[list[TurnRecord], list[Event]]:
            stopped = []
            for turn in await uow.turns.last(chat_id, limit=LOOK_BACK):
                if turn.over:
                    continue
                turn = replace(turn, stop=kind)
                if turn.status is not TurnStatus.RUNNING:
                    turn = replace(turn.move(TurnStatus.STOPPED), finished_at=self._clock())
                stopped.append(await uow.turns.save(turn))
            if not stopped:
                return [], []
            session = await uow.sessions.get(chat_id)
            running = any(turn.status is TurnStatus.RUNNING for turn in stopped)
            if running and session.state in (SessionState.THINKING, SessionState.REPLYING):
                session = session.move(SessionState.STOPPING, active_turn=session.active_turn)
            elif session.state is SessionState.CLARIFYING:
                session = session.move(SessionState.IDLE)
            await uow.sessions.save(replace(session, pending=None))
            events = [self._asked(turn, kind) for turn in stopped]
            # Nobody runs those that waited: their end is told here.
            events += [turn_finished(turn, self._clock()) for turn in stopped if turn.over]
            return stopped, await uow.events.append(chat_id, events)

        stopped, events = await transact(self._storage, work)
        self._bus.publish(events)
        for turn in stopped:
            self._runner.stop(turn.id, kind)
        return bool(stopped)

    def _asked(self, turn: TurnRecord, kind: StopKind) -> NewEvent:
        return NewEvent(
            kind=EventKind.STOP_REQUESTED,
            at=self._clock(),
            turn_id=turn.id,
            trace_id=turn.trace_id,
            content={"kind": kind.value},
        )

    async def resume(self, chat_id: int) -> bool:
        """Leaves basic mode; False when the chat was not in it."""

        async def work(uow: UnitOfWork) -> list[Event] | None:
            session = await uow.sessions.get(chat_id)
            if session.degradation == Degradation():
                return None
            await uow.sessions.save(recovered(session))
            event = NewEvent(kind=EventKind.RECOVERED, at=self._clock(), content={"reason": "resume"})
            return await uow.events.append(chat_id, [event])

        events = await transact(self._storage, work)
        self._bus.publish(events or [])
        return events is not None

    async def regenerate(self, chat_id: int, outbox_id: str, person: Person) -> str:
        """Queues a turn in which the same agent answers the same message anew; nothing is routed again."""
        now = self._clock()

        async def work(uow: UnitOfWork) -> TurnRecord:
            item = await uow.outbox.get(outbox_id)
            old = await uow.turns.get(item.turn_id) if item and item.turn_id else None
            if item is None or old is None or item.kind is not OutboxKind.REPLY or item.chat_id != chat_id:
                raise UserError("reply_unknown")
            if item.state is OutboxState.WITHDRAWN:
                raise UserError("reply_unknown")
            turn = TurnRecord(
                id=f"{old.id}:again:{self._new_id()[:12]}",
                chat_id=chat_id,
                tenant_id=old.tenant_id,
                seq=old.seq,
                trace_id=self._new_id(),
                person_id=person.id,
                message_seqs=old.message_seqs,
                intent=old.intent,
                regenerates=outbox_id,
                created_at=now,
                last_line_at=now,
            )
            await uow.turns.add(turn)
            return turn

        turn = await transact(self._storage, work)
        await self._queue.enqueue(turn.id, chat_id)
        return turn.id

    async def remove(self, chat_id: int, outbox_id: str) -> None:
        """Takes a reply back: from the platform, and out of what later turns read."""

        async def work(uow: UnitOfWork) -> tuple[GroupChat, OutboxItem, list[Event]]:
            item = await uow.outbox.get(outbox_id)
            chat = await uow.chats.get(chat_id)
            if item is None or chat is None or item.chat_id != chat_id:
                raise UserError("reply_unknown")
            await uow.outbox.mark(outbox_id, OutboxState.WITHDRAWN)
            if item.message_seq is not None:
                message = await uow.messages.get(chat_id, item.message_seq)
                if message is not None and message.kind is MessageKind.AGENT:
                    await uow.messages.withdraw(chat_id, item.message_seq, at=self._clock())
            event = NewEvent(
                kind=EventKind.REPLY_REMOVED,
                at=self._clock(),
                turn_id=item.turn_id,
                block_id=item.id,
                content={"agent_id": item.agent_id},
            )
            return chat, item, await uow.events.append(chat_id, [event])

        chat, item, events = await transact(self._storage, work)
        self._bus.publish(events)
        adapter = self._adapters.get(chat.key.platform)
        if adapter is not None:
            await adapter.withdraw(chat, item)
