"""Group chats and their tenants."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from orchestration.model import ChatKey, ChatSettings, GroupChat, Locale
from storage.connection import Connection
from storage.people import move_people
from storage.tables import agents, group_chats, tenants, turns

_CHATS = sa.select(group_chats, tenants.c.platform, tenants.c.external_id).join(
    tenants, tenants.c.id == group_chats.c.tenant_id
)
_BY_KEY = _CHATS.where(
    tenants.c.platform == sa.bindparam("platform"),
    tenants.c.external_id == sa.bindparam("tenant"),
    group_chats.c.channel_id == sa.bindparam("channel"),
    group_chats.c.thread_id == sa.bindparam("thread"),
)
_BY_ID = _CHATS.where(group_chats.c.id == sa.bindparam("chat"))
_UPDATE = sa.update(group_chats).where(group_chats.c.id == sa.bindparam("chat"))


class SqlChats:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def ensure(self, key: ChatKey, *, title: str = "", at: datetime) -> GroupChat:
        found = await self.find(key)
        if found is None:
            tenant_id = await self.tenant_of(key.platform, key.tenant_id, at=at)
            values = dict(
                tenant_id=tenant_id,
                channel_id=key.channel_id,
                thread_id=key.thread_id,
                title=title,
                created_at=at,
                message_seq=0,
                event_seq=0,
                **_settings_values(ChatSettings()),
            )
            await self._db.insert_if_new(group_chats, values)
            found = await self.find(key)
            assert found is not None, "a chat just made is there"
        if title and found.title != title:
            await self._update(found.id, title=title)
            found = await self.find(key)
            assert found is not None
        return found

    async def find(self, key: ChatKey) -> GroupChat | None:
        where = dict(platform=key.platform, tenant=key.tenant_id, channel=key.channel_id, thread=key.thread_id)
        row = await self._db.row(_BY_KEY, where)
        return None if row is None else _chat(row)

    async def get(self, chat_id: int) -> GroupChat | None:
        row = await self._db.row(_BY_ID, {"chat": chat_id})
        return None if row is None else _chat(row)

    async def all(self, *, tenant_id: int | None = None, platform: str | None = None) -> list[GroupChat]:
        query = _CHATS.order_by(group_chats.c.id)
        if tenant_id is not None:
            query = query.where(group_chats.c.tenant_id == tenant_id)
        if platform is not None:
            query = query.where(tenants.c.platform == platform)
        return [_chat(row) for row in await self._db.rows(query)]

    async def save_settings(self, chat_id: int, settings: ChatSettings) -> None:
        await self._update(chat_id, **_settings_values(settings))

    async def tenant_of(self, platform: str, external_tenant: str, *, at: datetime) -> int:
        known = await self._tenant(platform, external_tenant)
        if known is None:
            values = dict(platform=platform, external_id=external_tenant, created_at=at)
            await self._db.insert_if_new(tenants, values)
            known = await self._tenant(platform, external_tenant)
            assert known is not None, "a tenant just made is there"
        return known

    async def rename(self, old: ChatKey, new: ChatKey) -> int:
        source = await self._tenant(old.platform, old.tenant_id)
        if source is None:
            return 0
        chats = [c for c in await self.all(tenant_id=source) if c.key.channel_id == old.channel_id]
        if not chats:
            return 0
        target = await self._rename_tenant(source, old, new, chats[0].created_at)
        moved = 0
        for chat in chats:
            there = ChatKey(
                platform=new.platform, tenant_id=new.tenant_id, channel_id=new.channel_id, thread_id=chat.key.thread_id
            )
            if await self.find(there) is None:
                await self._update(chat.id, tenant_id=target, channel_id=new.channel_id)
                if target != source:
                    await self._db.run(sa.update(turns).where(turns.c.chat_id == chat.id).values(tenant_id=target))
                moved += 1
        return moved

    async def _rename_tenant(self, source: int, old: ChatKey, new: ChatKey, at: datetime) -> int:
        """The tenant under its new name. Where both exist, agents follow, except those whose id is taken there."""
        if (old.platform, old.tenant_id) == (new.platform, new.tenant_id):
            return source
        target = await self._tenant(new.platform, new.tenant_id)
        elsewhere = sa.select(group_chats.c.id).where(
            group_chats.c.tenant_id == source, group_chats.c.channel_id != old.channel_id
        )
        stays = await self._db.row(elsewhere.limit(1)) is not None
        if target is None and not stays:
            named = sa.update(tenants).where(tenants.c.id == source)
            await self._db.touch(named, dict(platform=new.platform, external_id=new.tenant_id), "tenant")
            return source
        target = await self.tenant_of(new.platform, new.tenant_id, at=at)
        if not stays:
            taken = sa.select(agents.c.agent_id).where(agents.c.tenant_id == target)
            cast = sa.update(agents).where(agents.c.tenant_id == source, agents.c.agent_id.not_in(taken))
            await self._db.run(cast.values(tenant_id=target))
            await move_people(self._db, source, target)
        return target

    async def _tenant(self, platform: str, external_id: str) -> int | None:
        row = await self._db.row(
            sa.select(tenants.c.id).where(tenants.c.platform == platform, tenants.c.external_id == external_id)
        )
        return None if row is None else int(row.id)

    async def _update(self, chat_id: int, **values: Any) -> None:
        await self._db.touch(_UPDATE, {"chat": chat_id, **values}, "group chat")


def _settings_values(settings: ChatSettings) -> dict[str, Any]:
    return asdict(settings)


def _chat(row: sa.Row[Any]) -> GroupChat:
    return GroupChat(
        id=row.id,
        tenant_id=row.tenant_id,
        key=ChatKey(
            platform=row.platform, tenant_id=row.external_id, channel_id=row.channel_id, thread_id=row.thread_id
        ),
        title=row.title,
        settings=ChatSettings(
            agents_max=row.agents_max,
            talkativeness=row.talkativeness,
            locale=None if row.locale is None else Locale(row.locale),
            quiet_hours=row.quiet_hours,
            mention_policy=row.mention_policy,
            clarify_below=row.clarify_below,
            bound=row.bound,
            memory=row.memory,
            memory_shared=row.memory_shared,
            retention_days=row.retention_days,
        ),
        created_at=row.created_at,
        last_message_at=row.last_message_at,
    )
