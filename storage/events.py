"""Events: appended, numbered in their chat, never changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from orchestration.errors import StorageError
from orchestration.events import Event, EventKind, NewEvent
from storage.connection import Connection
from storage.tables import events, group_chats
from storage.text import as_json_object, clean

_COUNT = (
    sa.update(group_chats)
    .where(group_chats.c.id == sa.bindparam("chat"))
    .values(event_seq=group_chats.c.event_seq + sa.bindparam("more"))
    .returning(group_chats.c.event_seq)
)
_INSERT = sa.insert(events)
_COLUMNS = tuple(column.name for column in events.c)
_SINCE = (
    sa.select(events)
    .where(events.c.chat_id == sa.bindparam("chat"), events.c.seq > sa.bindparam("after"))
    .order_by(events.c.seq)
    .limit(sa.bindparam("most"))
)
_EDITS = _SINCE.where(events.c.kind == EventKind.MESSAGE_EDITED.value, events.c.at >= sa.bindparam("since"))
_NEWEST = sa.select(group_chats.c.event_seq).where(group_chats.c.id == sa.bindparam("chat"))
_OF_TURN = sa.select(events).where(events.c.turn_id == sa.bindparam("turn")).order_by(events.c.seq)


class SqlEvents:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def append(self, chat_id: int, new: Sequence[NewEvent]) -> list[Event]:
        if not new:
            return []
        await self._db.lock_chat(chat_id)
        counted = await self._db.row(_COUNT, {"chat": chat_id, "more": len(new)})
        if counted is None:
            raise StorageError("no such group chat")
        stored = [
            Event(
                chat_id=chat_id,
                seq=seq,
                kind=event.kind,
                at=event.at,
                turn_id=None if event.turn_id is None else clean(event.turn_id),
                trace_id=clean(event.trace_id),
                block_id=clean(event.block_id),
                content=as_json_object(event.content),
            )
            for seq, event in enumerate(new, start=counted.event_seq - len(new) + 1)
        ]
        await self._db.run(_INSERT, [{name: getattr(event, name) for name in _COLUMNS} for event in stored])
        return stored

    async def since(self, chat_id: int, seq: int, *, limit: int = 1000) -> list[Event]:
        rows = await self._db.rows(_SINCE, {"chat": chat_id, "after": seq, "most": limit})
        return [_event(row) for row in rows]

    async def edits(self, chat_id: int, seq: int, *, since: datetime, limit: int) -> list[Event]:
        where = {"chat": chat_id, "after": seq, "since": since, "most": limit}
        return [_event(row) for row in await self._db.rows(_EDITS, where, long=True)]

    async def newest(self, chat_id: int) -> int:
        row = await self._db.row(_NEWEST, {"chat": chat_id})
        return 0 if row is None else int(row.event_seq)

    async def of_turn(self, turn_id: str) -> list[Event]:
        return [_event(row) for row in await self._db.rows(_OF_TURN, {"turn": turn_id})]


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
