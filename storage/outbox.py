"""What is to be posted, and the journal of what was."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from orchestration.errors import StorageError
from orchestration.model import Choice, OutboxItem, OutboxKind, OutboxPart, OutboxState
from storage.connection import Connection
from storage.records import packed_all, unpacked_all
from storage.tables import OUTBOX_OPEN, outbox, outbox_parts

_BY_ID = sa.select(outbox).where(outbox.c.id == sa.bindparam("item"))
_OF_TURN = sa.select(outbox).where(outbox.c.turn_id == sa.bindparam("turn")).order_by(outbox.c.position)
_OPEN = sa.select(outbox).where(OUTBOX_OPEN).order_by(outbox.c.chat_id, outbox.c.position)
_OPEN_IN_CHAT = _OPEN.where(outbox.c.chat_id == sa.bindparam("chat"))
_UPDATE = sa.update(outbox).where(outbox.c.id == sa.bindparam("item"))
_REWRITE = _UPDATE.values(revision=outbox.c.revision + 1).returning(outbox)
_CHAT_OF = sa.select(outbox.c.chat_id).where(outbox.c.id == sa.bindparam("item"))
_PARTS = sa.select(outbox_parts).where(outbox_parts.c.outbox_id == sa.bindparam("item")).order_by(outbox_parts.c.part)
_PART_COLUMNS = ("outbox_id", "part", "state", "external_id", "content_hash", "note")


class SqlOutbox:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def add(self, item: OutboxItem) -> bool:
        await self._db.lock_chat(item.chat_id)
        return await self._db.insert_if_new(outbox, _values(item))

    async def get(self, outbox_id: str) -> OutboxItem | None:
        row = await self._db.row(_BY_ID, {"item": outbox_id})
        return None if row is None else _item(row)

    async def of_turn(self, turn_id: str) -> list[OutboxItem]:
        """In order of creation."""
        return [_item(row) for row in await self._db.rows(_OF_TURN, {"turn": turn_id})]

    async def open(self, chat_id: int | None = None) -> list[OutboxItem]:
        if chat_id is None:
            return [_item(row) for row in await self._db.rows(_OPEN)]
        return [_item(row) for row in await self._db.rows(_OPEN_IN_CHAT, {"chat": chat_id})]

    async def mark(self, outbox_id: str, state: OutboxState, *, error: str = "") -> None:
        await self._lock_chat_of(outbox_id)
        await self._db.touch(_UPDATE, {"item": outbox_id, "state": state, "error": error}, "outbox item")

    async def rewrite(self, outbox_id: str, text: str) -> OutboxItem | None:
        await self._lock_chat_of(outbox_id)
        row = await self._db.row(_REWRITE, {"item": outbox_id, "text": text, "state": OutboxState.PLANNED, "error": ""})
        return None if row is None else _item(row)

    async def parts(self, outbox_id: str) -> list[OutboxPart]:
        """In order of part."""
        return [_part(row) for row in await self._db.rows(_PARTS, {"item": outbox_id})]

    async def save_part(self, part: OutboxPart) -> None:
        chat_id = await self._chat_locked(part.outbox_id)
        if chat_id is None:
            raise StorageError("no such outbox item")
        values = {name: getattr(part, name) for name in _PART_COLUMNS}
        await self._db.upsert(outbox_parts, {"chat_id": chat_id, **values})

    async def _lock_chat_of(self, outbox_id: str) -> None:
        if self._db.one_writer:
            return
        await self._chat_locked(outbox_id)

    async def _chat_locked(self, outbox_id: str) -> int | None:
        row = await self._db.row(_CHAT_OF, {"item": outbox_id})
        if row is None:
            return None
        await self._db.lock_chat(row.chat_id)
        return int(row.chat_id)


def _values(item: OutboxItem) -> dict[str, Any]:
    return dict(
        id=item.id,
        chat_id=item.chat_id,
        turn_id=item.turn_id,
        idx=item.idx,
        kind=item.kind,
        agent_id=item.agent_id,
        message_seq=item.message_seq,
        reply_to_seq=item.reply_to_seq,
        reply_to_external=item.reply_to_external,
        reply_to_is_last=item.reply_to_is_last,
        person_id=item.person_id,
        text=item.text,
        choices=packed_all(item.choices),
        revision=item.revision,
        state=item.state,
        error=item.error,
        created_at=item.created_at,
    )


def _item(row: sa.Row[Any]) -> OutboxItem:
    return OutboxItem(
        id=row.id,
        chat_id=row.chat_id,
        kind=OutboxKind(row.kind),
        text=row.text,
        created_at=row.created_at,
        turn_id=row.turn_id,
        idx=row.idx,
        agent_id=row.agent_id,
        message_seq=row.message_seq,
        reply_to_seq=row.reply_to_seq,
        reply_to_external=row.reply_to_external,
        reply_to_is_last=row.reply_to_is_last,
        person_id=row.person_id,
        choices=unpacked_all(Choice, row.choices),
        state=OutboxState(row.state),
        error=row.error,
        revision=row.revision,
    )


def _part(row: sa.Row[Any]) -> OutboxPart:
    return OutboxPart(
        outbox_id=row.outbox_id,
        part=row.part,
        state=OutboxState(row.state),
        external_id=row.external_id,
        content_hash=row.content_hash,
        note=row.note,
    )
