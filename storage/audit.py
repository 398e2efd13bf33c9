"""What admins changed."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from orchestration.model import AuditEntry, Person
from storage.connection import Connection
from storage.tables import audit


class SqlAudit:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def add(self, entry: AuditEntry) -> None:
        values = dict(
            tenant_id=entry.tenant_id,
            chat_id=entry.chat_id,
            actor_id=entry.actor.id,
            actor_name=entry.actor.name,
            action=entry.action,
            target=entry.target,
            detail=entry.detail,
            at=entry.at,
        )
        await self._db.run(sa.insert(audit), values)

    async def newest(self, tenant_id: int, *, limit: int = 100) -> list[AuditEntry]:
        query = sa.select(audit).where(audit.c.tenant_id == tenant_id).order_by(audit.c.id.desc()).limit(limit)
        return [_entry(row) for row in await self._db.rows(query)]


def _entry(row: sa.Row[Any]) -> AuditEntry:
    return AuditEntry(
        tenant_id=row.tenant_id,
        chat_id=row.chat_id,
        actor=Person(id=row.actor_id, name=row.actor_name),
        action=row.action,
        target=row.target,
        detail=row.detail,
        at=row.at,
    )
