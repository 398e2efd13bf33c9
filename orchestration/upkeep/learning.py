"""Learning: proposals that stood the guard become memories of those who may keep them, beside their older ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from orchestration.memory.guard import Proposal
from orchestration.memory.merging import says_the_same, settled
from orchestration.memory.records import GROUP, MadeBy
from orchestration.model import Memory
from orchestration.ports import NewId, UnitOfWork
from orchestration.summaries import source_of
from orchestration.upkeep.lessons import Lesson, of_owner
from orchestration.upkeep.parts import allowed


async def learn(
    uow: UnitOfWork,
    lesson: Lesson,
    kept: Sequence[Proposal],
    vectors: Mapping[str, bytes],
    *,
    new_id: NewId,
    now: datetime,
) -> None:
    """Writes the proposals as memories of their owners. The chat must be locked by this transaction."""
    still = {m.seq for m in await allowed(uow, lesson.chat.tenant_id, lesson.messages)}
    kept_by: dict[tuple[str, str], list[Memory]] = {}
    for one in kept:
        if not set(one.seqs) <= still:
            continue
        for owner in owners(one, lesson):
            if owner not in kept_by:
                kept_by[owner] = await of_owner(uow, lesson.chat.id, *owner)
            new = _memory(one, lesson, owner, vectors, new_id(), now)
            kept_by[owner] = await _settle(uow, new, kept_by[owner], _replaced(one, lesson, kept_by[owner]))


def owners(one: Proposal, lesson: Lesson) -> list[tuple[str, str]]:
    """(agent id, person id) of everybody who may keep it. What was said to no agent is kept by none."""
    if one.subject_id == GROUP:
        return [("", "")]
    if one.subject_id.startswith("agent:"):
        return [(one.subject_id.removeprefix("agent:"), "")]
    by_seq = lesson.evidence.messages
    heard = [lesson.heard.get(by_seq[seq].turn_id or "", ()) for seq in one.seqs]
    return [(agent_id, one.subject_id) for agent_id in dict.fromkeys(a for agents in heard for a in agents)]


def covers(modelled: Proposal, plain: Proposal | Memory) -> bool:
    """Whether the summariser's wording stands for what a rule found in the same words."""
    seqs = plain.seqs if isinstance(plain, Proposal) else plain.source_seqs
    if modelled.subject_id != plain.subject_id or not set(modelled.seqs) & set(seqs):
        return False
    return modelled.kind == plain.kind or says_the_same(modelled.text, plain.text)


def _memory(
    one: Proposal, lesson: Lesson, owner: tuple[str, str], vectors: Mapping[str, bytes], memory_id: str, now: datetime
) -> Memory:
    by_seq = lesson.evidence.messages
    return Memory(
        id=memory_id,
        chat_id=lesson.chat.id,
        agent_id=owner[0],
        person_id=owner[1],
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
    """The contradicted memories as this owner keeps them, and what a rule kept of the same words meanwhile."""
    texts = {(m.subject_id, m.text) for m in lesson.known if m.id in one.replaces}
    return [m.id for m in old if (m.subject_id, m.text) in texts or _stood_in(one, m)]


def _stood_in(one: Proposal, old: Memory) -> bool:
    by_rule = one.made_by == MadeBy.MODEL and old.made_by == MadeBy.RULE
    return by_rule and set(old.source_seqs) <= set(one.seqs) and covers(one, old)
