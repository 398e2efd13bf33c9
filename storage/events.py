"""Events: appended, numbered in their chat, never changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from orchestration.errors import StorageError
from orchestration.events import Event, EventKind, NewEvent
from storage.connection import Connection
from storage.tables import events, group_chats


class SqlEvents:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def append(self, chat_id: int, new: Sequence[NewEvent]) -> list[Event]:
        if not new:
            return []
        await self._db.lock_chat(chat_id)
        count = (
            sa.update(group_chats)
            .where(group_chats.c.id == chat_id)
            .values(event_seq=group_chats.c.event_seq + len(new))
            .returning(group_chats.c.event_seq)
        )
        row = await self._db.row(count)
        if row is None:
            raise StorageError("no such group chat")
        first = row.event_seq - len(new) + 1
        values = [
            dict(
                chat_id=chat_id,
                seq=seq,
                kind=event.kind,
                at=event.at,
                turn_id=event.turn_id,
                trace_id=event.trace_id,
                block_id=event.block_id,
                content=event.content,
            )
            for seq, event in enumerate(new, start=first)
        ]
        stored = await self._db.rows(sa.insert(events).values(values).returning(events))
        return sorted((_event(row) for row in stored), key=lambda event: event.seq)

    async def since(self, chat_id: int, seq: int, *, limit: int = 1000) -> list[Event]:
        query = sa.select(events).where(events.c.chat_id == chat_id, events.c.seq > seq)
        return [_event(row) for row in await self._db.rows(query.order_by(events.c.seq).limit(limit))]

    async def of_turn(self, turn_id: str) -> list[Event]:
        query = sa.select(events).where(events.c.turn_id == turn_id).order_by(events.c.chat_id, events.c.seq)
        return [_event(row) for row in await self._db.rows(query)]


def _event(row: sa.Row[Any]) -> Event:
    return Event(
        chat_id=row.chat_id,
        seq=row.seq,
        kind=EventKind(row.kind),
        at=row.at,
        turn_id=row.turn_id,
        trace_id=row.trace_id,
        block_id=row.block_id,
        content=row.content,
    )
