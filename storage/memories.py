"""What agents remember. Nothing shaken is ever given out as standing: one query decides, no reader can forget to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from orchestration.errors import StaleWrite
from orchestration.model import Memory, Source
from storage.connection import Connection
from storage.memory_tables import memories, memory_sources
from storage.tables import group_chats, messages

_BROKEN = (
    sa.select(sa.literal_column("1"))
    .select_from(
        memory_sources.outerjoin(
            messages, sa.and_(messages.c.chat_id == memory_sources.c.chat_id, messages.c.seq == memory_sources.c.seq)
        )
    )
    .where(
        memory_sources.c.memory_id == memories.c.id,
        sa.or_(
            messages.c.seq.is_(None),
            messages.c.deleted_at.is_not(None),
            messages.c.edited_at.is_distinct_from(memory_sources.c.edited_at),
        ),
    )
    .exists()
)
_STANDS = sa.and_(memories.c.superseded_by == "", sa.not_(_BROKEN))
_OWNED = sa.or_(
    sa.and_(memories.c.agent_id == sa.bindparam("agent"), memories.c.person_id == sa.bindparam("person")),
    sa.and_(memories.c.agent_id == sa.bindparam("agent"), memories.c.person_id == ""),
    sa.and_(memories.c.agent_id == "", memories.c.person_id == ""),
)
_STANDING = (
    sa.select(memories)
    .where(
        memories.c.chat_id.in_(sa.bindparam("chats", expanding=True)),
        # What follows says it all; this lets the index find it among the memories of thousands of people.
        memories.c.agent_id.in_([sa.bindparam("agent"), sa.literal("")]),
        memories.c.person_id.in_([sa.bindparam("person"), sa.literal("")]),
        _OWNED,
        _STANDS,
    )
    .order_by(memories.c.importance.desc(), memories.c.created_at.desc(), memories.c.id)
    .limit(sa.bindparam("most"))
)
_SHAKEN = sa.select(memories).where(memories.c.chat_id == sa.bindparam("chat"), _BROKEN).order_by(memories.c.id)
_OF_CHAT = (
    sa.select(memories)
    .where(memories.c.chat_id == sa.bindparam("chat"))
    .order_by(memories.c.created_at, memories.c.id)
    .limit(sa.bindparam("most"))
)
_BY_ID = sa.select(memories).where(memories.c.id == sa.bindparam("memory"))
_SOURCES = (
    sa.select(memory_sources)
    .where(memory_sources.c.memory_id.in_(sa.bindparam("ids", expanding=True)))
    .order_by(memory_sources.c.memory_id, memory_sources.c.seq)
)
_UPDATE_VERSION = sa.update(memories).where(
    memories.c.id == sa.bindparam("memory"), memories.c.version == sa.bindparam("read_version")
)


def ids_of_person(tenant_id: int, person_id: str) -> sa.Select[Any]:
    """Ids of what a tenant keeps for a person, about them, or from their words."""
    from_words = sa.select(memory_sources.c.memory_id).where(memory_sources.c.person_id == person_id)
    return (
        sa.select(memories.c.id)
        .join(group_chats, group_chats.c.id == memories.c.chat_id)
        .where(
            group_chats.c.tenant_id == tenant_id,
            sa.or_(
                memories.c.person_id == person_id, memories.c.subject_id == person_id, memories.c.id.in_(from_words)
            ),
        )
    )


class SqlMemories:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def add(self, memory: Memory) -> None:
        await self._db.lock_chat(memory.chat_id)
        await self._db.run(sa.insert(memories), _values(memory))
        await self._add_sources(memory)

    async def save(self, memory: Memory) -> Memory:
        await self._db.lock_chat(memory.chat_id)
        saved = replace(memory, version=memory.version + 1)
        where = {"memory": memory.id, "read_version": memory.version}
        if not await self._db.run(_UPDATE_VERSION, {**where, **_values(saved)}):
            raise StaleWrite("the memory was changed by somebody else")
        await self._db.run(sa.delete(memory_sources).where(memory_sources.c.memory_id == memory.id))
        await self._add_sources(saved)
        return saved

    async def get(self, memory_id: str) -> Memory | None:
        found = await self._all(_BY_ID, {"memory": memory_id})
        return found[0] if found else None

    async def standing(
        self, chat_ids: Sequence[int], *, agent_id: str, person_id: str, limit: int = 300
    ) -> list[Memory]:
        where = {"chats": list(chat_ids), "agent": agent_id, "person": person_id, "most": limit}
        return await self._all(_STANDING, where) if chat_ids else []

    async def of_chat(self, chat_id: int, *, standing: bool = False, limit: int = 2000) -> list[Memory]:
        query = _OF_CHAT.where(_STANDS) if standing else _OF_CHAT
        return await self._all(query, {"chat": chat_id, "most": limit})

    async def of_person(self, tenant_id: int, person_id: str, *, standing: bool = False) -> list[Memory]:
        mine = ids_of_person(tenant_id, person_id)
        query = sa.select(memories).where(memories.c.id.in_(mine)).order_by(memories.c.created_at, memories.c.id)
        return await self._all(query.where(_STANDS) if standing else query, None)

    async def shaken(self, chat_id: int, *, limit: int = 100) -> list[Memory]:
        return await self._all(_SHAKEN.limit(limit), {"chat": chat_id})

    async def touch(self, memory_ids: Collection[str], *, at: datetime) -> None:
        if memory_ids:
            await self._db.run(sa.update(memories).where(memories.c.id.in_(list(memory_ids))), {"used_at": at})

    async def remove(self, memory_ids: Collection[str]) -> int:
        if not memory_ids:
            return 0
        return await self._db.run(sa.delete(memories).where(memories.c.id.in_(list(memory_ids))))

    async def count(self, chat_id: int) -> int:
        query = sa.select(sa.func.count().label("n")).select_from(memories)
        row = await self._db.row(query.where(memories.c.chat_id == chat_id, memories.c.superseded_by == ""))
        return 0 if row is None else int(row.n)

    async def _add_sources(self, memory: Memory) -> None:
        rows = [
            dict(memory_id=memory.id, chat_id=memory.chat_id, seq=s.seq, person_id=s.person_id, edited_at=s.edited_at)
            for s in memory.sources
        ]
        if rows:
            await self._db.run(sa.insert(memory_sources), rows)

    async def _all(self, query: sa.Select[Any], where: dict[str, Any] | None) -> list[Memory]:
        rows = await self._db.rows(query, where)
        if not rows:
            return []
        sources: dict[str, list[Source]] = {}
        for chunk in _chunks([row.id for row in rows]):
            for row in await self._db.rows(_SOURCES, {"ids": chunk}):
                source = Source(seq=row.seq, person_id=row.person_id, edited_at=row.edited_at)
                sources.setdefault(row.memory_id, []).append(source)
        return [_memory(row, tuple(sources.get(row.id, ()))) for row in rows]


def _chunks(ids: list[str], size: int = 500) -> Iterable[list[str]]:
    """SQLite takes a limited number of parameters in one statement."""
    return (ids[at : at + size] for at in range(0, len(ids), size))


def _values(memory: Memory) -> dict[str, Any]:
    return dict(
        id=memory.id,
        chat_id=memory.chat_id,
        agent_id=memory.agent_id,
        person_id=memory.person_id,
        subject_id=memory.subject_id,
        kind=memory.kind,
        text=memory.text,
        importance=memory.importance,
        confidence=memory.confidence,
        made_by=memory.made_by,
        created_at=memory.created_at,
        used_at=memory.used_at,
        superseded_by=memory.superseded_by,
        vector=memory.vector,
        version=memory.version,
    )


def _memory(row: sa.Row[Any], sources: tuple[Source, ...]) -> Memory:
    return Memory(
        id=row.id,
        chat_id=row.chat_id,
        agent_id=row.agent_id,
        person_id=row.person_id,
        subject_id=row.subject_id,
        kind=row.kind,
        text=row.text,
        importance=row.importance,
        confidence=row.confidence,
        sources=sources,
        made_by=row.made_by,
        created_at=row.created_at,
        used_at=row.used_at,
        superseded_by=row.superseded_by,
        vector=bytes(row.vector),
        version=row.version,
    )
