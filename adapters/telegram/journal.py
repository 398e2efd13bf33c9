"""The journal of one outbox item's parts: what left, under which number, from which bot.

A part found as SENDING was under way when a process died: nobody knows, so it counts as unknown and is never sent
again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import dataclass, replace

from adapters.telegram.addresses import external_of, numbers_of
from orchestration.errors import StorageUnavailable
from orchestration.model import OutboxPart, OutboxState
from orchestration.ports import Storage


def fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """Where a part stands: enough to edit or delete it."""

    chat_id: int
    message_id: int
    bot_id: int
    header: bool


def sent_of(part: OutboxPart) -> Sent | None:
    """None for a part that has no number."""
    if part.external_id is None:
        return None
    note = json.loads(part.note) if part.note else {}
    chat_id, message_id = numbers_of(part.external_id)
    return Sent(
        chat_id=chat_id, message_id=message_id, bot_id=int(note.get("bot", 0)), header=bool(note.get("header", True))
    )


class Parts:
    """The stored parts of one item, and the next states of each."""

    def __init__(self, storage: Storage, outbox_id: str, rows: dict[int, OutboxPart]) -> None:
        self._storage = storage
        self.outbox_id = outbox_id
        self.rows = rows

    @classmethod
    async def of(cls, storage: Storage, outbox_id: str) -> Parts:
        async with storage.read() as uow:
            rows = {p.part: p for p in await uow.outbox.parts(outbox_id)}
        return cls(storage, outbox_id, rows)

    def state(self, index: int) -> OutboxState:
        row = self.rows.get(index)
        return row.state if row else OutboxState.PLANNED

    def entry(self, index: int, *, bot_id: int, header: bool, text: str) -> Entry:
        note = json.dumps({"bot": bot_id, "header": header})
        row = OutboxPart(
            outbox_id=self.outbox_id,
            part=index,
            state=OutboxState.PLANNED,
            content_hash=fingerprint(text),
            note=note,
        )
        return Entry(self, row)

    async def save(self, row: OutboxPart) -> None:
        async with self._storage.begin() as uow:
            await uow.outbox.save_part(row)
        self.rows[row.part] = row

    async def set(self, index: int, state: OutboxState) -> None:
        row = self.rows.get(index)
        if row is not None:
            await self.save(replace(row, state=state))


class Entry:
    """One part on its way; implements `calls.Journal`."""

    def __init__(self, parts: Parts, row: OutboxPart) -> None:
        self._parts = parts
        self._row = row

    async def sending(self) -> None:
        await self._parts.save(replace(self._row, state=OutboxState.SENDING))

    async def not_sent(self) -> None:
        await self._parts.save(replace(self._row, state=OutboxState.PLANNED))

    async def sent(self, chat_id: int, message_id: int) -> None:
        """The message stands: this must be kept, or it would count as unknown. Waits out a short lock."""
        row = replace(self._row, state=OutboxState.SENT, external_id=external_of(chat_id, message_id))
        for pause in (0.1, 0.3, 1.0, 2.0):
            try:
                await self._parts.save(row)
            except StorageUnavailable:
                await asyncio.sleep(pause)
            else:
                return
        await self._parts.save(row)

    async def unknown(self) -> None:
        await self._parts.save(replace(self._row, state=OutboxState.UNKNOWN))

    async def failed(self) -> None:
        await self._parts.save(replace(self._row, state=OutboxState.FAILED))
