"""What people chose, how they stand to agents, and how they are forgotten."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from orchestration.errors import StaleWrite
from orchestration.memory.records import Forgotten, PersonChoices, Relationship
from storage.connection import Connection
from storage.forgetting import Forgetting
from storage.memory_tables import memories, people, relationships, summary_lines
from storage.tables import group_chats

_RELATIONSHIP = sa.select(relationships).where(
    relationships.c.tenant_id == sa.bindparam("tenant"),
    relationships.c.person_id == sa.bindparam("person"),
    relationships.c.agent_id == sa.bindparam("agent"),
)
_UPDATE_VERSION = sa.update(relationships).where(
    relationships.c.tenant_id == sa.bindparam("tenant"),
    relationships.c.person_id == sa.bindparam("person"),
    relationships.c.agent_id == sa.bindparam("agent"),
    relationships.c.version == sa.bindparam("read_version"),
)


class SqlPeople:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def choices(self, tenant_id: int, person_ids: Collection[str]) -> Mapping[str, PersonChoices]:
        found = {person_id: PersonChoices(person_id=person_id) for person_id in person_ids}
        if not found:
            return found
        query = sa.select(people).where(people.c.tenant_id == tenant_id, people.c.person_id.in_(list(found)))
        for row in await self._db.rows(query):
            found[row.person_id] = PersonChoices(
                person_id=row.person_id, memory_off=row.memory_off, forgotten_at=row.forgotten_at
            )
        return found

    async def save_choices(self, tenant_id: int, choices: PersonChoices) -> None:
        values = dict(
            tenant_id=tenant_id,
            person_id=choices.person_id,
            memory_off=choices.memory_off,
            forgotten_at=choices.forgotten_at,
        )
        await self._db.upsert(people, values)

    # ------------------------------------------------------------------------------------------ relationships

    async def relationship(self, tenant_id: int, agent_id: str, person_id: str) -> Relationship | None:
        row = await self._db.row(_RELATIONSHIP, {"tenant": tenant_id, "person": person_id, "agent": agent_id})
        return None if row is None else _relationship(row)

    async def relationships(self, tenant_id: int, person_id: str) -> list[Relationship]:
        query = sa.select(relationships).where(
            relationships.c.tenant_id == tenant_id, relationships.c.person_id == person_id
        )
        return [_relationship(row) for row in await self._db.rows(query.order_by(relationships.c.agent_id))]

    async def save_relationship(self, tenant_id: int, relationship: Relationship) -> None:
        saved = replace(relationship, version=relationship.version + 1)
        values = dict(
            tenant_id=tenant_id,
            person_id=saved.person_id,
            agent_id=saved.agent_id,
            exchanges=saved.exchanges,
            warmth=saved.warmth,
            updated_at=saved.updated_at,
            version=saved.version,
        )
        if relationship.version == 0:
            fits = await self._db.insert_if_new(relationships, values)
        else:
            where = {
                "tenant": tenant_id,
                "person": saved.person_id,
                "agent": saved.agent_id,
                "read_version": relationship.version,
            }
            fits = bool(await self._db.run(_UPDATE_VERSION, {**where, **values}))
        if not fits:
            raise StaleWrite("the relationship was changed by somebody else")

    async def reset_relationship(self, tenant_id: int, agent_id: str, person_id: str) -> bool:
        where = (
            relationships.c.tenant_id == tenant_id,
            relationships.c.person_id == person_id,
            relationships.c.agent_id == agent_id,
        )
        return bool(await self._db.run(sa.delete(relationships).where(*where)))

    # ------------------------------------------------------------------------------------------ forgetting

    async def forget(self, tenant_id: int, person_id: str, *, messages: bool, at: datetime) -> Forgotten:
        """Chats are locked in order of their numbers: two who ask at once cannot wait for each other."""
        query = sa.select(group_chats.c.id).where(group_chats.c.tenant_id == tenant_id).order_by(group_chats.c.id)
        chats = [int(row.id) for row in await self._db.rows(query)]
        for chat_id in chats:
            await self._db.lock_chat(chat_id)
        choices = (await self.choices(tenant_id, [person_id]))[person_id]
        await self.save_choices(tenant_id, replace(choices, forgotten_at=at))
        return await Forgetting(self._db, tenant_id, person_id, chats).run(texts=messages, at=at)

    async def forget_chat(self, chat_id: int) -> Forgotten:
        await self._db.lock_chat(chat_id)
        gone = await self._db.run(sa.delete(memories).where(memories.c.chat_id == chat_id))
        lines = await self._db.run(sa.delete(summary_lines).where(summary_lines.c.chat_id == chat_id))
        return Forgotten(memories=gone, lines=lines)


async def move_people(db: Connection, source: int, target: int) -> None:
    """A tenant that goes up in another one: choices and relationships follow, except those that are there already."""
    for table, key in ((people, "person_id"), (relationships, "person_id")):
        taken = sa.select(table.c[key]).where(table.c.tenant_id == target)
        await db.run(
            sa.update(table).where(table.c.tenant_id == source, table.c[key].not_in(taken)).values(tenant_id=target)
        )


def _relationship(row: sa.Row[Any]) -> Relationship:
    return Relationship(
        agent_id=row.agent_id,
        person_id=row.person_id,
        exchanges=row.exchanges,
        warmth=row.warmth,
        updated_at=row.updated_at,
        version=row.version,
    )
