"""Remembering: what finished turns said becomes memories of the agents that took part, and moves relationships.

Reads a batch, asks rules and (where there is one) the summariser, checks every proposal, and writes memories,
relationships and the cursor in one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from orchestration.cleaning import is_chinese
from orchestration.errors import ModelError
from orchestration.memory.extraction import MemoriesAnswer, Reading, proposals, reading_prompt
from orchestration.memory.guard import Evidence, Proposal, Refusal, admitted
from orchestration.memory.meaning import UsedMemories
from orchestration.memory.merging import says_the_same, settled
from orchestration.memory.plain import plainly_said
from orchestration.memory.records import GROUP, Outcome, Relationship, UpkeepState, Work
from orchestration.memory.relationship import after
from orchestration.memory.terms import terms
from orchestration.model import GroupChat, Locale, Memory, Message, MessageKind
from orchestration.ports import UnitOfWork
from orchestration.summaries import source_of
from orchestration.transactions import transact
from orchestration.turns import TurnStatus
from orchestration.upkeep.parts import OutOfBudget, Purse, UpkeepParts, allowed, names_of, note

BATCH = 24
BEFORE = 6
AHEAD = 16
"""So many messages after the batch are looked at for the answers to its last lines."""
BATCHES_A_JOB = 6
LEAST_TERMS = 3
"""Messages with fewer terms are no reason to ask a model."""
KNOWN = 400
OF_OWNER = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """Messages to learn from, and what is needed to understand them. ``speakers``: turn id -> agents that spoke."""

    chat: GroupChat
    messages: tuple[Message, ...]
    """Those that may be sources."""
    before: tuple[Message, ...]
    speakers: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]
    known: tuple[Memory, ...]

    @property
    def evidence(self) -> Evidence:
        return Evidence(messages={m.seq: m for m in self.messages}, names=self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    lesson: Lesson
    state: UpkeepState
    upto: int
    exchanges: tuple[tuple[str, str, tuple[str, ...]], ...]
    """(agent id, person id, what the person said) of each finished turn."""


class Remembering:
    def __init__(self, parts: UpkeepParts, used: UsedMemories) -> None:
        self._parts = parts
        self._used = used

    async def run(self, chat_id: int) -> Outcome:
        outcome, done = Outcome.NOTHING, 0
        for _ in range(BATCHES_A_JOB):
            outcome = await self._batch(chat_id)
            if outcome is not Outcome.DONE:
                break
            done += 1
        if outcome is Outcome.NOTHING and not done:
            await note(self._parts, Work.REMEMBER, chat_id, outcome)
        return Outcome.DONE if done else outcome

    async def _batch(self, chat_id: int) -> Outcome:
        task = await self._task(chat_id)
        if task is None:
            return Outcome.NOTHING
        purse = Purse(self._parts, task.lesson.chat.tenant_id)
        try:
            kept = await self.proposed(task.lesson, purse)
        except OutOfBudget:
            outcome = Outcome.BUDGET
        except ModelError:
            outcome = Outcome.MODEL
        else:
            return await self._commit(task, kept, purse.spent)
        await note(self._parts, Work.REMEMBER, chat_id, outcome, purse.spent)
        return outcome

    # -------------------------------------------------------------------------------------- reading

    async def _task(self, chat_id: int) -> _Task | None:
        async with self._parts.storage.read() as uow:
            chat = await uow.chats.get(chat_id)
            if chat is None or not chat.settings.memory:
                return None
            state = await uow.upkeep.get(chat_id, Work.REMEMBER)
            said = await uow.messages.range(chat_id, state.cursor_seq + 1, state.cursor_seq + BATCH)
            settled_ones = await _until_under_way(uow, said)
            if not settled_ones:
                return None
            upto = settled_ones[-1].seq
            lesson = await lesson_of(uow, chat, settled_ones)
        return _Task(lesson=lesson, state=state, upto=upto, exchanges=_exchanges(lesson))

    async def proposed(self, lesson: Lesson, purse: Purse) -> list[Proposal]:
        """What may be kept of it: the summariser's proposals that stood the guard, then what rules found besides."""
        humans = [m for m in lesson.messages if m.kind is MessageKind.HUMAN]
        plain = _admitted(plainly_said(humans), lesson)
        worth_a_call = any(len(terms(m.text)) >= LEAST_TERMS for m in humans)
        if self._parts.minds.summariser is None or self._parts.settings.daily_tokens == 0 or not worth_a_call:
            return plain
        told = "\n".join(m.text for m in lesson.messages)
        reading = Reading(
            locale=Locale.ZH if is_chinese(told) else self._parts.locale(lesson.chat),
            messages=lesson.messages,
            before=lesson.before,
            known=_distinct(lesson.known, {m.author.id for m in lesson.messages}),
        )
        answer = await purse.decide(reading_prompt(reading), MemoriesAnswer)
        modelled = _admitted(proposals(answer, reading), lesson)
        return [*modelled, *(one for one in plain if not any(_covers(other, one) for other in modelled))]

    # -------------------------------------------------------------------------------------- writing

    async def _commit(self, task: _Task, kept: list[Proposal], spent: int) -> Outcome:
        vectors = await self._parts.vectors(list(dict.fromkeys(one.text for one in kept)))
        now = self._parts.clock()
        used = self._used.take()

        async def write(uow: UnitOfWork) -> Outcome:
            state = await uow.upkeep.get(task.lesson.chat.id, Work.REMEMBER)
            if state.cursor_seq != task.state.cursor_seq:
                return Outcome.OVERTAKEN
            await uow.upkeep.save(
                replace(
                    state,
                    cursor_seq=task.upto,
                    failures=0,
                    not_before=None,
                    last_at=now,
                    last_outcome=Outcome.DONE,
                    tokens=state.tokens + spent,
                )
            )
            await self.learn(uow, task.lesson, kept, vectors, now)
            await _move_relationships(uow, task, now)
            await uow.memories.touch(used, at=now)
            return Outcome.DONE

        return await transact(self._parts.storage, write)

    async def learn(
        self,
        uow: UnitOfWork,
        lesson: Lesson,
        kept: Sequence[Proposal],
        vectors: Mapping[str, bytes],
        now: datetime,
    ) -> None:
        """Writes the proposals as memories of their owners. The chat must be locked by this transaction."""
        still = {m.seq for m in await allowed(uow, lesson.chat.tenant_id, lesson.messages)}
        kept_by: dict[tuple[str, str], list[Memory]] = {}
        for one in kept:
            if not set(one.seqs) <= still:
                continue
            for owner in _owners(one, lesson):
                if owner not in kept_by:
                    kept_by[owner] = await _of_owner(uow, lesson.chat.id, *owner)
                new = self._memory(one, lesson, *owner, vectors, now)
                kept_by[owner] = await _settle(uow, new, kept_by[owner], _replaced(one, lesson, kept_by[owner]))

    def _memory(
        self,
        one: Proposal,
        lesson: Lesson,
        agent_id: str,
        person_id: str,
        vectors: Mapping[str, bytes],
        now: datetime,
    ) -> Memory:
        by_seq = lesson.evidence.messages
        return Memory(
            id=self._parts.new_id(),
            chat_id=lesson.chat.id,
            agent_id=agent_id,
            person_id=person_id,
            subject_id=one.subject_id,
            kind=one.kind,
            text=one.text,
            importance=one.importance,
            confidence=one.confidence,
            sources=tuple(source_of(by_seq[seq]) for seq in sorted(one.seqs)),
            made_by=one.made_by,
            created_at=now,
            vector=vectors.get(one.text, b""),
        )


# ---------------------------------------------------------------------------------------------- pieces


async def lesson_of(uow: UnitOfWork, chat: GroupChat, said: Sequence[Message]) -> Lesson:
    """These messages with what belongs to them: what was said before, who answered, who is who, what is known."""
    first, last = said[0].seq, said[-1].seq
    before = await uow.messages.range(chat.id, max(1, first - BEFORE), first - 1)
    ahead = await uow.messages.range(chat.id, first, last + AHEAD)
    speakers: dict[str, tuple[str, ...]] = {}
    for message in ahead:
        if message.agent_id is not None and message.turn_id is not None and message.deleted_at is None:
            speakers[message.turn_id] = tuple(dict.fromkeys((*speakers.get(message.turn_id, ()), message.agent_id)))
    return Lesson(
        chat=chat,
        messages=tuple(await allowed(uow, chat.tenant_id, said)),
        before=tuple(await allowed(uow, chat.tenant_id, before)),
        speakers=speakers,
        names=await names_of(uow, chat.id),
        known=tuple(await _known_of(uow, chat, said)),
    )


async def _known_of(uow: UnitOfWork, chat: GroupChat, said: Sequence[Message]) -> list[Memory]:
    """What is remembered here of those who speak, and of the group; the newest last."""
    found = await _of_owner(uow, chat.id, "", "")
    for person_id in dict.fromkeys(m.author.id for m in said if m.agent_id is None):
        mine = await uow.memories.of_person(chat.tenant_id, person_id)
        found += [m for m in mine if m.chat_id == chat.id and m.subject_id == person_id and not m.superseded_by]
    return found[-KNOWN:]


async def _until_under_way(uow: UnitOfWork, said: Sequence[Message]) -> list[Message]:
    """The messages up to the first whose turn is not over yet: its answers are still to come."""
    status: dict[str, bool] = {}
    for at, message in enumerate(said):
        if message.turn_id is None:
            continue
        if message.turn_id not in status:
            turn = await uow.turns.get(message.turn_id)
            status[message.turn_id] = turn is not None and turn.status in (TurnStatus.QUEUED, TurnStatus.RUNNING)
        if status[message.turn_id]:
            return list(said[:at])
    return list(said)


def _exchanges(lesson: Lesson) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    said: dict[tuple[str, str], list[str]] = {}
    for message in lesson.messages:
        if message.kind is MessageKind.HUMAN and message.turn_id is not None:
            said.setdefault((message.turn_id, message.author.id), []).append(message.text)
    return tuple(
        (agent_id, person_id, tuple(texts))
        for (turn_id, person_id), texts in said.items()
        for agent_id in lesson.speakers.get(turn_id, ())
    )


async def _move_relationships(uow: UnitOfWork, task: _Task, now: datetime) -> None:
    tenant_id = task.lesson.chat.tenant_id
    allowed_people = await uow.people.choices(tenant_id, {person_id for _, person_id, _ in task.exchanges})
    for agent_id, person_id, texts in task.exchanges:
        if allowed_people[person_id].memory_off:
            continue
        known = await uow.people.relationship(tenant_id, agent_id, person_id)
        fresh = Relationship(agent_id=agent_id, person_id=person_id, updated_at=now)
        await uow.people.save_relationship(tenant_id, after(known or fresh, list(texts), now))


def _admitted(found: Sequence[Proposal], lesson: Lesson) -> list[Proposal]:
    judged = (admitted(one, lesson.evidence) for one in found)
    return [one for one in judged if not isinstance(one, Refusal)]


def _covers(modelled: Proposal, plain: Proposal) -> bool:
    """Whether the summariser's wording stands for what a rule found too."""
    if modelled.subject_id != plain.subject_id or not set(modelled.seqs) & set(plain.seqs):
        return False
    return modelled.kind == plain.kind or says_the_same(modelled.text, plain.text)


def _owners(one: Proposal, lesson: Lesson) -> list[tuple[str, str]]:
    """(agent id, person id) of everybody who may keep it. What was said to no agent is kept by none."""
    if one.subject_id == GROUP:
        return [("", "")]
    if one.subject_id.startswith("agent:"):
        return [(one.subject_id.removeprefix("agent:"), "")]
    by_seq = lesson.evidence.messages
    heard = [lesson.speakers.get(by_seq[seq].turn_id or "", ()) for seq in one.seqs]
    return [(agent_id, one.subject_id) for agent_id in dict.fromkeys(a for agents in heard for a in agents)]


async def _of_owner(uow: UnitOfWork, chat_id: int, agent_id: str, person_id: str) -> list[Memory]:
    found = await uow.memories.standing([chat_id], agent_id=agent_id, person_id=person_id, limit=OF_OWNER)
    return [m for m in found if (m.agent_id, m.person_id) == (agent_id, person_id)]


async def _settle(uow: UnitOfWork, new: Memory, old: list[Memory], replaces: list[str]) -> list[Memory]:
    """Writes what the new memory does to its owner's older ones; what the owner then keeps."""
    done = settled(new, old, replaces)
    if done.is_new:
        await uow.memories.add(done.kept)
        kept = done.kept
    else:
        kept = await uow.memories.save(done.kept)
    for gone in done.superseded:
        await uow.memories.save(gone)
    out = {m.id for m in done.superseded} | {kept.id}
    return [*(m for m in old if m.id not in out), kept]


def _replaced(one: Proposal, lesson: Lesson, old: Sequence[Memory]) -> list[str]:
    """The contradicted memories as this owner keeps them."""
    texts = {(m.subject_id, m.text) for m in lesson.known if m.id in one.replaces}
    return [m.id for m in old if (m.subject_id, m.text) in texts]


def _distinct(known: Sequence[Memory], speakers: set[str]) -> list[Memory]:
    """What is known of these speakers, each text once, the newest first."""
    found = {(m.subject_id, m.text): m for m in known if m.subject_id in speakers or m.subject_id == GROUP}
    return list(found.values())[::-1]
