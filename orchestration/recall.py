"""Memories for a prompt. Until memories are built, nobody remembers anything."""

from __future__ import annotations

from collections.abc import Sequence

from orchestration.model import AgentCard, GroupChat, Memory, Person


class NoMemories:
    """Implements `ports.Recall`."""

    async def best(self, chat: GroupChat, agent: AgentCard, person: Person, words: str) -> Sequence[Memory]:
        return ()
