"""Group chats, tenants and their casts, in memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from orchestration.errors import StaleWrite
from orchestration.model import AgentCard, ChatKey, ChatSettings, GroupChat
from storage.memory.state import CardRow, ChatRow, State, aware
from storage.text import clean, cleaned


class MemoryChats:
    def __init__(self, state: State) -> None:
        self._state = state

    async def ensure(self, key: ChatKey, *, title: str = "", at: datetime) -> GroupChat:
        aware(at)
        key, title = cleaned(key), clean(title)
        row = self._row(key)
        if row is None:
            tenant_id = await self.tenant_of(key.platform, key.tenant_id, at=at)
            row = ChatRow(
                id=len(self._state.chats) + 1,
                tenant_id=tenant_id,
                channel_id=key.channel_id,
                thread_id=key.thread_id,
                title=title,
                settings=ChatSettings(),
                created_at=at,
            )
            self._state.chats[row.id] = row
        if title and row.title != title:
            row = self._update(row.id, title=title)
        return self._chat(row)

    async def find(self, key: ChatKey) -> GroupChat | None:
        row = self._row(cleaned(key))
        return None if row is None else self._chat(row)

    async def get(self, chat_id: int) -> GroupChat | None:
        row = self._state.chats.get(chat_id)
        return None if row is None else self._chat(row)

    async def all(self, *, tenant_id: int | None = None, platform: str | None = None) -> list[GroupChat]:
        chats = [self._chat(row) for _, row in sorted(self._state.chats.items())]
        return [
            chat
            for chat in chats
            if tenant_id in (None, chat.tenant_id) and (platform is None or chat.key.platform == platform)
        ]

    async def save_settings(self, chat_id: int, settings: ChatSettings) -> None:
        self._update(chat_id, settings=cleaned(settings))

    async def tenant_of(self, platform: str, external_tenant: str, *, at: datetime) -> int:
        aware(at)
        name = (clean(platform), clean(external_tenant))
        return self._state.tenants.setdefault(name, len(self._state.tenants) + 1)

    async def rename(self, old: ChatKey, new: ChatKey) -> int:
        source = self._state.tenants.get((old.platform, old.tenant_id))
        mine = [row for row in self._state.chats.values() if row.tenant_id == source]
        moving = [row for row in mine if row.channel_id == old.channel_id]
        if source is None or not moving:
            return 0
        target = self._rename_tenant(source, old, new, stays=len(mine) > len(moving))
        moved = 0
        for row in moving:
            there = replace(new, thread_id=row.thread_id)
            if self._row(there) is None:
                self._update(row.id, tenant_id=target, channel_id=new.channel_id)
                for turn in [t for t in self._state.turns.values() if t.chat_id == row.id]:
                    self._state.turns[turn.id] = replace(turn, tenant_id=target)
                moved += 1
        return moved

    def _rename_tenant(self, source: int, old: ChatKey, new: ChatKey, *, stays: bool) -> int:
        old_name, new_name = (old.platform, old.tenant_id), (new.platform, new.tenant_id)
        if old_name == new_name:
            return source
        tenants, agents = self._state.tenants, self._state.agents
        if new_name not in tenants and not stays:
            del tenants[old_name]
            tenants[new_name] = source
            return source
        target = tenants.setdefault(new_name, len(tenants) + 1)
        for tenant_id, agent_id in list(agents):
            if tenant_id == source and not stays and (target, agent_id) not in agents:
                agents[target, agent_id] = agents.pop((source, agent_id))
        if not stays:
            self._move_people(source, target)
        return target

    def _move_people(self, source: int, target: int) -> None:
        """Choices and relationships follow, except those of people who are known there already."""
        people, relationships = self._state.people, self._state.relationships
        known = {person_id for tenant_id, person_id in people if tenant_id == target}
        for tenant_id, person_id in list(people):
            if tenant_id == source and person_id not in known:
                people[target, person_id] = people.pop((source, person_id))
        related = {person_id for tenant_id, person_id, _ in relationships if tenant_id == target}
        for tenant_id, person_id, agent_id in list(relationships):
            if tenant_id == source and person_id not in related:
                relationships[target, person_id, agent_id] = relationships.pop((source, person_id, agent_id))

    def _row(self, key: ChatKey) -> ChatRow | None:
        tenant_id = self._state.tenants.get((key.platform, key.tenant_id))
        here = (tenant_id, key.channel_id, key.thread_id)
        rows = self._state.chats.values()
        return next((row for row in rows if (row.tenant_id, row.channel_id, row.thread_id) == here), None)

    def _update(self, chat_id: int, **values: Any) -> ChatRow:
        row = replace(self._state.chat(chat_id), **values)
        self._state.chats[chat_id] = row
        return row

    def _chat(self, row: ChatRow) -> GroupChat:
        platform, external_id = next(name for name, id in self._state.tenants.items() if id == row.tenant_id)
        return GroupChat(
            id=row.id,
            tenant_id=row.tenant_id,
            key=ChatKey(platform=platform, tenant_id=external_id, channel_id=row.channel_id, thread_id=row.thread_id),
            title=row.title,
            settings=row.settings,
            created_at=row.created_at,
            last_message_at=row.last_message_at,
        )


class MemoryAgents:
    def __init__(self, state: State) -> None:
        self._state = state

    async def lock(self, tenant_id: int) -> None:
        """Nothing to do: writers come one after the other."""

    async def all(self, tenant_id: int) -> list[AgentCard]:
        return [rows[-1].card for rows in self._cast(tenant_id)]

    async def removed(self, tenant_id: int) -> frozenset[str]:
        return frozenset(rows[-1].card.id for rows in self._cast(tenant_id) if rows[-1].removed)

    async def versions(self, tenant_id: int, agent_id: str) -> list[AgentCard]:
        return [row.card for row in self._state.agents.get((tenant_id, agent_id), ()) if not row.removed]

    async def save(self, tenant_id: int, card: AgentCard, *, at: datetime) -> AgentCard:
        aware(at)
        self._state.need_tenant(tenant_id)
        card = cleaned(card)
        rows = self._state.agents.get((tenant_id, card.id), ())
        version = rows[-1].card.version if rows else 0
        fresh = card.version == 0 and bool(rows) and rows[-1].removed
        if card.version != version and not fresh:
            raise StaleWrite("the agent was changed by somebody else")
        saved = replace(card, version=version + 1)
        self._state.agents[tenant_id, card.id] = (*rows, CardRow(card=saved, removed=False))
        return saved

    async def remove(self, tenant_id: int, agent_id: str, *, at: datetime) -> bool:
        aware(at)
        self._state.need_tenant(tenant_id)
        agent_id = clean(agent_id)
        rows = self._state.agents.get((tenant_id, agent_id), ())
        if rows and rows[-1].removed:
            return False
        card = AgentCard(id=agent_id, name=agent_id)
        if rows:
            card = replace(rows[-1].card, version=rows[-1].card.version + 1)
        self._state.agents[tenant_id, agent_id] = (*rows, CardRow(card=card, removed=True))
        return True

    def _cast(self, tenant_id: int) -> list[tuple[CardRow, ...]]:
        return [rows for (owner, _), rows in self._state.agents.items() if owner == tenant_id]
