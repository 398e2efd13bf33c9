"""A tenant's cards: every version a row, removal a further version that says so."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from orchestration.errors import StaleWrite
from orchestration.model import AgentCard
from storage.connection import Connection
from storage.tables import agents, tenants


class SqlAgents:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def lock(self, tenant_id: int) -> None:
        await self._db.lock(
            sa.select(tenants.c.id).where(tenants.c.id == sa.bindparam("tenant")), {"tenant": tenant_id}
        )

    async def all(self, tenant_id: int) -> list[AgentCard]:
        return [_card(row) for row in await self._newest(tenant_id)]

    async def removed(self, tenant_id: int) -> frozenset[str]:
        return frozenset(row.agent_id for row in await self._newest(tenant_id) if row.removed)

    async def versions(self, tenant_id: int, agent_id: str) -> list[AgentCard]:
        """Oldest first, without the tombstones."""
        query = sa.select(agents).where(
            agents.c.tenant_id == tenant_id, agents.c.agent_id == agent_id, agents.c.removed.is_(False)
        )
        return [_card(row) for row in await self._db.rows(query.order_by(agents.c.version))]

    async def save(self, tenant_id: int, card: AgentCard, *, at: datetime) -> AgentCard:
        """Stores the next version; an agent that was removed comes back, saved with version 0 or its tombstone's."""
        newest = await self._newest_of(tenant_id, card.id)
        version = 0 if newest is None else newest.version
        fresh = card.version == 0 and newest is not None and newest.removed
        if card.version != version and not fresh:
            raise StaleWrite("the agent was changed by somebody else")
        saved = replace(card, version=version + 1)
        place = await self._next_place(tenant_id) if newest is None else newest.place
        await self._add(tenant_id, saved, removed=False, place=place, at=at)
        return saved

    async def remove(self, tenant_id: int, agent_id: str, *, at: datetime) -> bool:
        """Also lays a tombstone over an agent that has no card here: that is how a starter agent is dismissed."""
        newest = await self._newest_of(tenant_id, agent_id)
        if newest is not None and newest.removed:
            return False
        if newest is None:
            card, place = AgentCard(id=agent_id, name=agent_id), await self._next_place(tenant_id)
        else:
            card, place = replace(_card(newest), version=newest.version + 1), newest.place
        await self._add(tenant_id, card, removed=True, place=place, at=at)
        return True

    async def _newest(self, tenant_id: int) -> list[sa.Row[Any]]:
        later = agents.alias()
        newer = sa.exists().where(
            later.c.tenant_id == agents.c.tenant_id,
            later.c.agent_id == agents.c.agent_id,
            later.c.version > agents.c.version,
        )
        query = sa.select(agents).where(agents.c.tenant_id == tenant_id, ~newer)
        return list(await self._db.rows(query.order_by(agents.c.place, agents.c.agent_id)))

    async def _newest_of(self, tenant_id: int, agent_id: str) -> sa.Row[Any] | None:
        await self.lock(tenant_id)
        query = sa.select(agents).where(agents.c.tenant_id == tenant_id, agents.c.agent_id == agent_id)
        return await self._db.row(query.order_by(agents.c.version.desc()).limit(1))

    async def _next_place(self, tenant_id: int) -> int:
        query = sa.select(sa.func.coalesce(sa.func.max(agents.c.place), 0).label("place"))
        row = await self._db.row(query.where(agents.c.tenant_id == tenant_id))
        return 1 if row is None else int(row.place) + 1

    async def _add(self, tenant_id: int, card: AgentCard, *, removed: bool, place: int, at: datetime) -> None:
        values = asdict(card) | dict(tenant_id=tenant_id, agent_id=card.id, removed=removed, place=place, saved_at=at)
        del values["id"]
        await self._db.run(sa.insert(agents), values)


def _card(row: sa.Row[Any]) -> AgentCard:
    return AgentCard(
        id=row.agent_id,
        name=row.name,
        aliases=tuple(row.aliases),
        avatar=row.avatar,
        emoji=row.emoji,
        description=row.description,
        personality=row.personality,
        tone=row.tone,
        instructions=row.instructions,
        backstory=row.backstory,
        boundaries=row.boundaries,
        model=row.model,
        tools=tuple(row.tools),
        talkativeness=row.talkativeness,
        paused=row.paused,
        starter=row.starter,
        owner_id=row.owner_id,
        version=row.version,
    )
