"""The Storage port in memory: writers one after the other, each on a copy; readers see what was committed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from orchestration.ports import UnitOfWork
from storage.memory.desk import MemoryAudit, MemoryInbox, MemoryPlatformState
from storage.memory.kept import MemoryMemories, MemorySummaries
from storage.memory.people import MemoryPeople, MemoryUpkeep
from storage.memory.places import MemoryAgents, MemoryChats
from storage.memory.state import ReadOnly, State
from storage.memory.talk import MemoryEvents, MemoryMessages
from storage.memory.work import MemoryOutbox, MemorySessions, MemoryTurns


class MemoryUnitOfWork:
    """The repositories over one state."""

    __slots__ = (
        "agents",
        "audit",
        "chats",
        "events",
        "inbox",
        "memories",
        "messages",
        "outbox",
        "people",
        "platform_state",
        "sessions",
        "summaries",
        "turns",
        "upkeep",
    )

    def __init__(self, state: State) -> None:
        self.chats = MemoryChats(state)
        self.agents = MemoryAgents(state)
        self.messages = MemoryMessages(state)
        self.turns = MemoryTurns(state)
        self.events = MemoryEvents(state)
        self.outbox = MemoryOutbox(state)
        self.sessions = MemorySessions(state)
        self.audit = MemoryAudit(state)
        self.platform_state = MemoryPlatformState(state)
        self.inbox = MemoryInbox(state)
        self.memories = MemoryMemories(state)
        self.summaries = MemorySummaries(state)
        self.people = MemoryPeople(state)
        self.upkeep = MemoryUpkeep(state)


class MemoryStorage:
    """Implements `orchestration.ports.Storage`. Copying per write makes it a store for tests, not for years."""

    def __init__(self) -> None:
        self._state = State()
        self._writer = asyncio.Lock()

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[UnitOfWork]:
        async with self._writer:
            state = self._state.copy()
            yield MemoryUnitOfWork(state)
            self._state = state

    @asynccontextmanager
    async def read(self) -> AsyncIterator[UnitOfWork]:
        yield MemoryUnitOfWork(self._state.copy(ReadOnly))
