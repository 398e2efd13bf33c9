"""People's choices, relationships, forgetting and upkeep, in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from orchestration.errors import StaleWrite
from orchestration.memory.records import Backlog, Forgotten, PersonChoices, Relationship, UpkeepState, Work
from orchestration.model import OutboxState
from storage.memory.forgetting import Forgetting
from storage.memory.kept import LONG_AGO, MemoryMemories, MemorySummaries
from storage.memory.state import State, aware
from storage.text import cleaned

_OPEN = (OutboxState.PLANNED, OutboxState.SENDING)


class MemoryPeople:
    def __init__(self, state: State) -> None:
        self._state = state

    async def choices(self, tenant_id: int, person_ids: Collection[str]) -> Mapping[str, PersonChoices]:
        return {
            person_id: self._state.people.get((tenant_id, person_id), PersonChoices(person_id=person_id))
            for person_id in person_ids
        }

    async def save_choices(self, tenant_id: int, choices: PersonChoices) -> None:
        aware(choices.forgotten_at)
        self._state.need_tenant(tenant_id)
        self._state.people[tenant_id, choices.person_id] = cleaned(choices)

    async def relationship(self, tenant_id: int, agent_id: str, person_id: str) -> Relationship | None:
        return self._state.relationships.get((tenant_id, person_id, agent_id))

    async def relationships(self, tenant_id: int, person_id: str) -> list[Relationship]:
        found = [
            known
            for (tenant, person, _), known in self._state.relationships.items()
            if (tenant, person) == (tenant_id, person_id)
        ]
        return sorted(found, key=lambda known: known.agent_id)

    async def save_relationship(self, tenant_id: int, relationship: Relationship) -> None:
        aware(relationship.updated_at)
        self._state.need_tenant(tenant_id)
        key = (tenant_id, relationship.person_id, relationship.agent_id)
        known = self._state.relationships.get(key)
        if relationship.version != (0 if known is None else known.version):
            raise StaleWrite("the relationship was changed by somebody else")
        self._state.relationships[key] = cleaned(replace(relationship, version=relationship.version + 1))

    async def reset_relationship(self, tenant_id: int, agent_id: str, person_id: str) -> bool:
        return self._state.relationships.pop((tenant_id, person_id, agent_id), None) is not None

    async def forget(self, tenant_id: int, person_id: str, *, messages: bool, at: datetime) -> Forgotten:
        aware(at)
        self._state.need_tenant(tenant_id)
        choices = (await self.choices(tenant_id, [person_id]))[person_id]
        await self.save_choices(tenant_id, replace(choices, forgotten_at=at))
        return await Forgetting(self._state, tenant_id, person_id).run(texts=messages, at=at)

    async def forget_chat(self, chat_id: int) -> Forgotten:
        self._state.chat(chat_id)
        mine = [memory.id for memory in self._state.memories.values() if memory.chat_id == chat_id]
        numbers = [number for owner, number in self._state.summary_lines if owner == chat_id]
        return Forgotten(
            memories=await MemoryMemories(self._state).remove(mine),
            lines=await MemorySummaries(self._state).remove(chat_id, numbers),
        )


class MemoryUpkeep:
    def __init__(self, state: State) -> None:
        self._state = state

    async def get(self, chat_id: int, work: Work) -> UpkeepState:
        return self._state.upkeep.get((chat_id, work.value), UpkeepState(chat_id=chat_id, work=work))

    async def save(self, state: UpkeepState) -> UpkeepState:
        aware(state.not_before, state.last_at)
        self._state.chat(state.chat_id)
        known = self._state.upkeep.get((state.chat_id, state.work.value))
        if state.version != (0 if known is None else known.version):
            raise StaleWrite("somebody else did this work")
        saved: UpkeepState = cleaned(replace(state, version=state.version + 1))
        self._state.upkeep[state.chat_id, state.work.value] = saved
        return saved

    async def of_chat(self, chat_id: int) -> list[UpkeepState]:
        found = [state for (owner, _), state in self._state.upkeep.items() if owner == chat_id]
        return sorted(found, key=lambda state: state.work.value)

    async def failing(self, *, since: int = 3, limit: int = 100) -> list[UpkeepState]:
        found = [state for state in self._state.upkeep.values() if state.failures >= since]
        return sorted(found, key=lambda state: (-state.failures, state.chat_id, state.work.value))[:limit]

    async def to_retry(self, work: Work, *, now: datetime, limit: int = 100) -> list[UpkeepState]:
        failed = (s for s in self._state.upkeep.values() if s.work is work and s.failures > 0)
        over = [(s.not_before, s.chat_id, s) for s in failed if s.not_before is not None and s.not_before <= now]
        return [state for _, _, state in sorted(over, key=lambda one: one[:2])[:limit]]

    async def newest(self) -> UpkeepState | None:
        found = sorted(self._state.upkeep.values(), key=lambda state: (state.chat_id, state.work.value))
        return max((s for s in found if s.last_at is not None), key=lambda s: s.last_at or LONG_AGO, default=None)

    async def behind(self, work: Work, *, by: int, now: datetime, limit: int = 500) -> list[Backlog]:
        found = []
        for chat in self._state.chats.values():
            state = await self.get(chat.id, work)
            paused = state.not_before is not None and state.not_before > now
            switched_off = not chat.settings.memory and work is not Work.TIDY
            if switched_off or paused or chat.message_seq - state.cursor_seq < by:
                continue
            found.append(
                Backlog(
                    chat_id=chat.id,
                    last_seq=chat.message_seq,
                    cursor_seq=state.cursor_seq,
                    version=state.version,
                    quiet_hours=chat.settings.quiet_hours,
                    last_message_at=chat.last_message_at,
                )
            )
        return sorted(found, key=lambda one: (one.cursor_seq - one.last_seq, one.chat_id))[:limit]

    async def reserve(self, tenant_id: int, day: str, tokens: int, *, limit: int) -> bool:
        self._state.need_tenant(tenant_id)
        spent = self._state.upkeep_tokens.get((tenant_id, day), 0)
        if spent + tokens > limit:
            return False
        self._state.upkeep_tokens[tenant_id, day] = spent + tokens
        return True

    async def settle(self, tenant_id: int, day: str, difference: int) -> None:
        spent = self._state.upkeep_tokens.get((tenant_id, day))
        if spent is not None:
            self._state.upkeep_tokens[tenant_id, day] = max(0, spent + difference)

    async def spent(self, tenant_id: int, day: str) -> int:
        return self._state.upkeep_tokens.get((tenant_id, day), 0)

    async def bury_before(self, chat_id: int, before: datetime, *, at: datetime, limit: int) -> int:
        aware(before, at)
        old = [
            key
            for key, message in sorted(self._state.messages.items())
            if key[0] == chat_id and message.deleted_at is None and message.sent_at < before
        ][:limit]
        seqs = {seq for _, seq in old}
        for key in old:
            gone = replace(self._state.messages[key], text="", reply_text="", attachments=(), deleted_at=at)
            self._state.messages[key] = gone
            self._state.without_turn.pop(key, None)
        for key, message in list(self._state.messages.items()):
            if key[0] == chat_id and message.reply_to_seq in seqs:
                self._state.messages[key] = replace(message, reply_text="")
        for item in list(self._state.outbox.values()):
            if item.chat_id == chat_id and item.message_seq in seqs and item.state not in _OPEN:
                self._state.outbox[item.id] = replace(item, text="")
        return len(old)
