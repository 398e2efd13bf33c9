"""Remembering: what finished turns said becomes memories of the agents that took part, and moves relationships."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from orchestration.cleaning import is_chinese
from orchestration.memory.extraction import MemoriesAnswer, Reading, proposals, reading_prompt
from orchestration.memory.guard import Proposal, Refusal, admitted
from orchestration.memory.meaning import UsedMemories
from orchestration.memory.plain import plainly_said
from orchestration.memory.records import GROUP, Outcome, Relationship, UpkeepState, Work
from orchestration.memory.relationship import after
from orchestration.memory.terms import terms
from orchestration.model import GroupChat, Locale, Memory, Message, MessageKind
from orchestration.ports import UnitOfWork
from orchestration.upkeep.learning import covers, learn
from orchestration.upkeep.lessons import Lesson, lesson_of, until_under_way
from orchestration.upkeep.parts import Purse, UpkeepParts
from orchestration.upkeep.portions import Portion, Portions

BATCH = 24
LEAST_TERMS = 2
"""Messages with fewer terms are no reason to ask a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch(Portion):
    lesson: Lesson


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Proposals that stood the guard, the meaning of their texts where it is known, and which memories were of use."""

    proposals: Sequence[Proposal] = ()
    vectors: Mapping[str, bytes] = field(default_factory=dict)
    used: Collection[str] = ()


class Remembering:
    """Implements `portions.Portioned`: a portion is a batch of messages of finished turns."""

    work = Work.REMEMBER
    portions_a_job = 6

    def __init__(self, parts: UpkeepParts, used: UsedMemories) -> None:
        self._parts = parts
        self._used = used
        self._portions = Portions(parts, self)

    async def run(self, chat_id: int) -> Outcome:
        return await self._portions.run(chat_id)

    async def read(self, uow: UnitOfWork, chat: GroupChat, state: UpkeepState) -> Batch | None:
        said = await uow.messages.range(chat.id, state.cursor_seq + 1, state.cursor_seq + BATCH)
        over = await until_under_way(uow, said)
        if not over:
            return None
        return await self.batch_of(uow, chat, state, over)

    async def batch_of(self, uow: UnitOfWork, chat: GroupChat, state: UpkeepState, said: Sequence[Message]) -> Batch:
        """These messages (at least one, in order, no farther apart than a batch is long) to be learnt from."""
        lesson = await lesson_of(uow, chat, said, await self._parts.casts.of(chat.tenant_id))
        return Batch(chat=chat, state=state, upto=said[-1].seq, lesson=lesson)

    async def think(self, portion: Batch, purse: Purse) -> Kept:
        """What may be kept: the summariser's proposals that stood the guard, then what rules found besides."""
        lesson = portion.lesson
        if not self._parts.asks_model or not _worth_a_call(lesson):
            return await self.by_rule(portion)
        told = "\n".join(m.text for m in lesson.messages)
        reading = Reading(
            locale=Locale.ZH if is_chinese(told) else self._parts.locale(lesson.chat),
            messages=lesson.messages,
            before=lesson.before,
            known=_distinct(lesson.known, {m.author.id for m in lesson.messages}),
        )
        answer = await purse.decide(reading_prompt(reading), MemoriesAnswer)
        modelled = _admitted(proposals(answer, reading), lesson)
        plain = _plain(lesson)
        return await self._with_meaning(
            [*modelled, *(one for one in plain if not any(covers(other, one) for other in modelled))]
        )

    async def by_rule(self, portion: Batch) -> Kept:
        return await self._with_meaning(_plain(portion.lesson))

    async def write(self, uow: UnitOfWork, portion: Batch, found: Kept, now: datetime) -> None:
        await self.write_meanwhile(uow, portion, found, now)
        await _move_relationships(uow, portion.lesson, now)

    async def write_meanwhile(self, uow: UnitOfWork, portion: Batch, found: Kept, now: datetime) -> None:
        """Memories may come twice: the same said again is one memory, and a better wording takes the rule's place."""
        await learn(uow, portion.lesson, found.proposals, found.vectors, new_id=self._parts.new_id, now=now)
        await uow.memories.touch(found.used, at=now)

    async def _with_meaning(self, found: list[Proposal]) -> Kept:
        vectors = await self._parts.vectors(list(dict.fromkeys(one.text for one in found)))
        return Kept(proposals=found, vectors=vectors, used=self._used.take())


async def _move_relationships(uow: UnitOfWork, lesson: Lesson, now: datetime) -> None:
    tenant_id = lesson.chat.tenant_id
    # In one order everywhere: two chats of a tenant that move the same people at once never wait for each other.
    exchanges = sorted(lesson.exchanges(), key=lambda one: one[:2])
    allowed_people = await uow.people.choices(tenant_id, {person_id for _, person_id, _ in exchanges})
    for agent_id, person_id, texts in exchanges:
        if allowed_people[person_id].memory_off:
            continue
        known = await uow.people.relationship(tenant_id, agent_id, person_id)
        fresh = Relationship(agent_id=agent_id, person_id=person_id, updated_at=now)
        await uow.people.save_relationship(tenant_id, after(known or fresh, texts, now))


def _worth_a_call(lesson: Lesson) -> bool:
    humans = (m for m in lesson.messages if m.kind is MessageKind.HUMAN)
    return any(len(terms(m.text)) >= LEAST_TERMS for m in humans)


def _plain(lesson: Lesson) -> list[Proposal]:
    return _admitted(plainly_said(m for m in lesson.messages if m.kind is MessageKind.HUMAN), lesson)


def _admitted(found: Sequence[Proposal], lesson: Lesson) -> list[Proposal]:
    judged = (admitted(one, lesson.evidence) for one in found)
    return [one for one in judged if not isinstance(one, Refusal)]


def _distinct(known: Sequence[Memory], speakers: set[str]) -> list[Memory]:
    """What is known of these speakers, each text once, the newest first."""
    found = {(m.subject_id, m.text): m for m in known if m.subject_id in speakers or m.subject_id == GROUP}
    return list(found.values())[::-1]
