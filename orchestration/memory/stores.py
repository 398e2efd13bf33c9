"""What memory and upkeep need from storage: four more repositories of a unit of work.

A source remembers its message as it was read. Where the message has been edited, deleted or taken back since, the
memory or line is *shaken*: it is not given out any more, in the very moment of the change, until upkeep has mended it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from orchestration.memory.records import (
    Backlog,
    Forgotten,
    PersonChoices,
    Relationship,
    SummaryLine,
    UpkeepState,
    Work,
)
from orchestration.model import Memory


class Memories(Protocol):
    async def add(self, memory: Memory) -> None: ...

    async def save(self, memory: Memory) -> Memory:
        """Writes all of it, sources too; StaleWrite unless ``memory.version`` is the stored one."""

    async def get(self, memory_id: str) -> Memory | None: ...

    async def standing(
        self, chat_ids: Sequence[int], *, agent_id: str, person_id: str, limit: int = 300
    ) -> list[Memory]:
        """What this agent may recall with this person in these chats, the most important first.

        Its own of the person, its own, and the groups'; nothing shaken, nothing superseded, nobody else's.
        """

    async def of_chat(self, chat_id: int, *, standing: bool = False, limit: int = 2000) -> list[Memory]:
        """Everything kept for the chat, oldest first; with ``standing`` without what is shaken or superseded."""

    async def of_person(self, tenant_id: int, person_id: str, *, standing: bool = False) -> list[Memory]:
        """Everything of a tenant that is kept for the person, about them, or from their words; oldest first.

        ``standing`` as above.
        """

    async def shaken(self, chat_id: int, *, limit: int = 100) -> list[Memory]: ...

    async def touch(self, memory_ids: Collection[str], *, at: datetime) -> None:
        """They were of use. Unknown ids are passed over."""

    async def remove(self, memory_ids: Collection[str]) -> int: ...

    async def count(self, chat_id: int) -> int: ...


class Summaries(Protocol):
    async def add(self, chat_id: int, lines: Sequence[SummaryLine]) -> list[SummaryLine]:
        """The lines with their numbers."""

    async def standing(self, chat_id: int, *, limit: int = 200) -> list[SummaryLine]:
        """The summary as it may be shown: in order of the oldest source, nothing shaken."""

    async def shaken(self, chat_id: int, *, limit: int = 100) -> list[SummaryLine]: ...

    async def remove(self, chat_id: int, numbers: Collection[int]) -> int: ...


class People(Protocol):
    async def choices(self, tenant_id: int, person_ids: Collection[str]) -> Mapping[str, PersonChoices]:
        """One for each id asked for; who never chose has the default."""

    async def save_choices(self, tenant_id: int, choices: PersonChoices) -> None: ...

    async def relationship(self, tenant_id: int, agent_id: str, person_id: str) -> Relationship | None: ...

    async def relationships(self, tenant_id: int, person_id: str) -> list[Relationship]:
        """In order of agent id."""

    async def save_relationship(self, tenant_id: int, relationship: Relationship) -> None:
        """StaleWrite unless ``relationship.version`` is the stored one (0: there is none yet)."""

    async def reset_relationship(self, tenant_id: int, agent_id: str, person_id: str) -> bool: ...

    async def forget(self, tenant_id: int, person_id: str, *, messages: bool, at: datetime) -> Forgotten:
        """Removes what is kept for or about the person, memories and lines from their words (what they said and what
        agents answered them), and their relationships; with ``messages`` these texts too, quotes of them, and their
        name over them, in every chat of the tenant. What was said before ``at`` is never learnt again. All of it, or
        (when the transaction fails) nothing.
        """

    async def forget_chat(self, chat_id: int) -> Forgotten:
        """Removes all memories and the whole summary of one chat."""


class Upkeep(Protocol):
    async def get(self, chat_id: int, work: Work) -> UpkeepState:
        """The stored state, or a fresh one (version 0)."""

    async def save(self, state: UpkeepState) -> UpkeepState:
        """StaleWrite unless ``state.version`` is the stored one. Makes this the only writer of the chat first."""

    async def of_chat(self, chat_id: int) -> list[UpkeepState]: ...

    async def failing(self, *, since: int = 3, limit: int = 100) -> list[UpkeepState]:
        """Work of any chat that failed at least ``since`` times in a row, the worst first."""

    async def to_retry(self, work: Work, *, now: datetime, limit: int = 100) -> list[UpkeepState]:
        """This work where it failed last and its pause is over at ``now``, the longest waiting first."""

    async def newest(self) -> UpkeepState | None:
        """The state of the work that was done last, in any chat."""

    async def behind(self, work: Work, *, by: int, now: datetime, limit: int = 500) -> list[Backlog]:
        """Chats with at least ``by`` messages after the work's cursor and no pause at ``now``, the furthest behind
        first. Chats in which memory is off have nothing but TIDY to do.
        """

    async def reserve(self, tenant_id: int, day: str, tokens: int, *, limit: int) -> bool:
        """Takes ``tokens`` from the tenant's allowance of the day; False (and nothing taken) when it is used up."""

    async def settle(self, tenant_id: int, day: str, difference: int) -> None:
        """Corrects a reservation by what was really spent (negative: less)."""

    async def spent(self, tenant_id: int, day: str) -> int: ...

    async def bury_before(self, chat_id: int, before: datetime, *, at: datetime, limit: int) -> int:
        """Takes the texts of up to ``limit`` messages sent before then, in messages and outbox; how many it were."""
