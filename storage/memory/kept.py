"""Memories and summaries, in memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from orchestration.errors import StaleWrite, StorageError
from orchestration.memory.records import SummaryLine
from orchestration.model import Memory, Source
from storage.memory.state import State, aware
from storage.text import cleaned

LONG_AGO = datetime.min.replace(tzinfo=UTC)


def is_shaken(state: State, chat_id: int, sources: Sequence[Source]) -> bool:
    """Whether a message these came from is gone, or is not any more what was read."""
    for source in sources:
        message = state.messages.get((chat_id, source.seq))
        if message is None or message.deleted_at is not None or message.edited_at != source.edited_at:
            return True
    return False


class MemoryMemories:
    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, memory: Memory) -> None:
        self._check(memory)
        if memory.id in self._state.memories:
            raise StorageError("this memory is there already")
        self._state.memories[memory.id] = _stored(memory)

    async def save(self, memory: Memory) -> Memory:
        self._check(memory)
        known = self._state.memories.get(memory.id)
        if known is None or known.version != memory.version:
            raise StaleWrite("the memory was changed by somebody else")
        saved = _stored(replace(memory, version=memory.version + 1))
        self._state.memories[memory.id] = saved
        return saved

    async def get(self, memory_id: str) -> Memory | None:
        return self._state.memories.get(memory_id)

    async def standing(
        self, chat_ids: Sequence[int], *, agent_id: str, person_id: str, limit: int = 300
    ) -> list[Memory]:
        owners = {(agent_id, person_id), (agent_id, ""), ("", "")}
        found = [
            memory
            for memory in self._state.memories.values()
            if memory.chat_id in chat_ids and (memory.agent_id, memory.person_id) in owners
        ]
        found = self._standing(found)
        found.sort(key=lambda memory: memory.id)
        found.sort(key=lambda memory: (memory.importance, memory.created_at or LONG_AGO), reverse=True)
        return found[:limit]

    async def of_chat(self, chat_id: int, *, standing: bool = False, limit: int = 2000) -> list[Memory]:
        found = [memory for memory in self._state.memories.values() if memory.chat_id == chat_id]
        return _by_age(self._standing(found) if standing else found)[:limit]

    async def of_person(self, tenant_id: int, person_id: str, *, standing: bool = False) -> list[Memory]:
        found = [self._state.memories[memory_id] for memory_id in of_person(self._state, tenant_id, person_id)]
        return _by_age(self._standing(found) if standing else found)

    def _standing(self, found: list[Memory]) -> list[Memory]:
        return [m for m in found if not m.superseded_by and not is_shaken(self._state, m.chat_id, m.sources)]

    async def shaken(self, chat_id: int, *, limit: int = 100) -> list[Memory]:
        of_chat = [memory for memory in self._state.memories.values() if memory.chat_id == chat_id]
        found = [memory for memory in of_chat if is_shaken(self._state, chat_id, memory.sources)]
        return sorted(found, key=lambda memory: memory.id)[:limit]

    async def touch(self, memory_ids: Collection[str], *, at: datetime) -> None:
        aware(at)
        for memory_id in memory_ids:
            if memory_id in self._state.memories:
                self._state.memories[memory_id] = replace(self._state.memories[memory_id], used_at=at)

    async def remove(self, memory_ids: Collection[str]) -> int:
        known = [memory_id for memory_id in set(memory_ids) if memory_id in self._state.memories]
        for memory_id in known:
            del self._state.memories[memory_id]
        return len(known)

    async def count(self, chat_id: int) -> int:
        return sum(1 for m in self._state.memories.values() if m.chat_id == chat_id and not m.superseded_by)

    def _check(self, memory: Memory) -> None:
        aware(memory.created_at, memory.used_at, *(source.edited_at for source in memory.sources))
        self._state.chat(memory.chat_id)


def of_person(state: State, tenant_id: int, person_id: str) -> list[str]:
    """Ids of what a tenant keeps for a person, about them, or from their words."""
    return [
        memory.id
        for memory in state.memories.values()
        if state.chats[memory.chat_id].tenant_id == tenant_id
        and (
            person_id in (memory.person_id, memory.subject_id)
            or any(source.person_id == person_id for source in memory.sources)
        )
    ]


def _stored(memory: Memory) -> Memory:
    sources = tuple(sorted(memory.sources, key=lambda source: source.seq))
    return cleaned(replace(memory, sources=sources))


def _by_age(memories: list[Memory]) -> list[Memory]:
    return sorted(memories, key=lambda memory: (memory.created_at or LONG_AGO, memory.id))


class MemorySummaries:
    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, chat_id: int, lines: Sequence[SummaryLine]) -> list[SummaryLine]:
        self._state.chat(chat_id)
        number = max((n for owner, n in self._state.summary_lines if owner == chat_id), default=0)
        added = []
        for line in lines:
            aware(line.created_at, *(source.edited_at for source in line.sources))
            number += 1
            sources = tuple(sorted(line.sources, key=lambda source: source.seq))
            numbered: SummaryLine = cleaned(replace(line, number=number, chat_id=chat_id, sources=sources))
            self._state.summary_lines[chat_id, number] = numbered
            added.append(numbered)
        return added

    async def standing(self, chat_id: int, *, limit: int = 200) -> list[SummaryLine]:
        return [line for line in self._of_chat(chat_id) if not is_shaken(self._state, chat_id, line.sources)][:limit]

    async def shaken(self, chat_id: int, *, limit: int = 100) -> list[SummaryLine]:
        return [line for line in self._of_chat(chat_id) if is_shaken(self._state, chat_id, line.sources)][:limit]

    async def remove(self, chat_id: int, numbers: Collection[int]) -> int:
        known = [number for number in set(numbers) if (chat_id, number) in self._state.summary_lines]
        for number in known:
            del self._state.summary_lines[chat_id, number]
        return len(known)

    def _of_chat(self, chat_id: int) -> list[SummaryLine]:
        lines = [line for (owner, _), line in self._state.summary_lines.items() if owner == chat_id]
        return sorted(lines, key=lambda line: (min(line.seqs, default=0), line.number))
