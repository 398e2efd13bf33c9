"""What an agent remembers when it is about to speak. On the way of a turn: one read, bounded, and never its failure."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from orchestration.errors import StorageError
from orchestration.memory.meaning import Embedder, UsedMemories
from orchestration.memory.ranking import best
from orchestration.model import AgentCard, GroupChat, Memory, Message, Person
from orchestration.ports import Clock, Storage, UnitOfWork

logger = logging.getLogger(__name__)

RECALL_S = 3.0
NEARNESS_S = 1.0
"""Meaning that takes longer (a model that is only just being loaded) is done without: words alone find most of it."""


class RecallFailed(Exception):
    """Nothing could be recalled in time: the agent speaks without its memories."""


class NoMemories:
    """Implements `ports.Recall` where nobody remembers anything."""

    async def best(self, chat: GroupChat, agent: AgentCard, person: Person, words: str) -> Sequence[Memory]:
        return ()

    async def lookup(self, chat: GroupChat, seqs: Sequence[int]) -> Sequence[Message]:
        return ()


class StoredMemories:
    """Implements `ports.Recall` over the storage. Raises RecallFailed and nothing else.

    What was heard in a place is recalled in that place and in its threads; elsewhere only where both chats share their
    memories by setting.
    """

    def __init__(self, storage: Storage, clock: Clock, used: UsedMemories, *, nearness_s: float = NEARNESS_S) -> None:
        self._storage = storage
        self._clock = clock
        self._used = used
        self._nearness_s = nearness_s
        self.embedder: Embedder | None = None

    async def best(self, chat: GroupChat, agent: AgentCard, person: Person, words: str) -> Sequence[Memory]:
        """At most six, the fittest for these words first."""
        if not chat.settings.memory:
            return ()
        try:
            async with asyncio.timeout(RECALL_S):
                async with self._storage.read() as uow:
                    off = (await uow.people.choices(chat.tenant_id, [person.id]))[person.id].memory_off
                    places = await places_of(uow, chat)
                    known = await uow.memories.standing(places, agent_id=agent.id, person_id=person.id)
        except (StorageError, TimeoutError) as error:
            raise RecallFailed from error
        known = [m for m in known if not (off and m.person_id == person.id)]
        near = await self._nearness(known, words)
        found = best(known, words, self._clock(), nearness=near)
        self._used.ids.update(memory.id for memory in found)
        return found

    async def _nearness(self, known: Sequence[Memory], words: str) -> dict[str, float]:
        embedder = self.embedder
        with_vector = [memory for memory in known if memory.vector]
        if embedder is None or not with_vector or not words.strip():
            return {}
        try:
            async with asyncio.timeout(self._nearness_s):
                scores = await asyncio.to_thread(embedder.near, words, [memory.vector for memory in with_vector])
        except (TimeoutError, RuntimeError, ValueError, OSError) as error:  # what a model on this machine may raise
            logger.debug("memories are found without meaning: %s", type(error).__name__)
            return {}
        return {memory.id: score for memory, score in zip(with_vector, scores, strict=True)}

    async def lookup(self, chat: GroupChat, seqs: Sequence[int]) -> Sequence[Message]:
        """Messages of this chat by number, without those that are gone."""
        try:
            async with asyncio.timeout(RECALL_S), self._storage.read() as uow:
                found = [await uow.messages.get(chat.id, seq) for seq in seqs]
        except (StorageError, TimeoutError) as error:
            raise RecallFailed from error
        return [message for message in found if message is not None and message.deleted_at is None]


async def places_of(uow: UnitOfWork, chat: GroupChat) -> list[int]:
    """Chats whose memories may be recalled in this one: itself, the channel it is a thread of, and those shared."""
    if not chat.key.thread_id and not chat.settings.memory_shared:
        return [chat.id]
    places = [chat.id]
    for other in await uow.chats.all(tenant_id=chat.tenant_id):
        is_parent = other.key.channel_id == chat.key.channel_id and not other.key.thread_id
        shared = chat.settings.memory_shared and other.settings.memory_shared
        if other.id != chat.id and other.settings.memory and (is_parent or shared):
            places.append(other.id)
    return places
