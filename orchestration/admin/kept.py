"""What is kept of somebody or of a group, as people see it: in lists, in the file they take along, when they forget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orchestration.admin.callers import Caller
from orchestration.memory.records import SummaryLine
from orchestration.model import Memory
from orchestration.ports import UnitOfWork


async def forget_threads(uow: UnitOfWork, tenant_id: int, person_id: str) -> None:
    """Sessions keep topic words of the person, so that a follow-up finds its agent: they go too."""
    for chat in await uow.chats.all(tenant_id=tenant_id):
        session = await uow.sessions.get(chat.id)
        sticky = tuple(one for one in session.sticky if one.person_id != person_id)
        if sticky != session.sticky:
            await uow.sessions.save(replace(session, sticky=sticky))


async def of_person(uow: UnitOfWork, caller: Caller) -> list[Memory]:
    """What is kept for or about the caller, in every chat of the tenant."""
    found = await uow.memories.of_person(caller.chat.tenant_id, caller.person.id, standing=True)
    return [m for m in found if caller.person.id in (m.person_id, m.subject_id)]


async def of_group(uow: UnitOfWork, caller: Caller) -> list[Memory]:
    found = await uow.memories.of_chat(caller.chat.id, standing=True)
    return [m for m in found if not m.person_id]


async def lines_of(uow: UnitOfWork, caller: Caller, *, everybody: bool) -> Sequence[SummaryLine]:
    if everybody:
        return await uow.summaries.standing(caller.chat.id)
    found: list[SummaryLine] = []
    for chat in await uow.chats.all(tenant_id=caller.chat.tenant_id):
        standing = await uow.summaries.standing(chat.id)
        found += [line for line in standing if any(s.person_id == caller.person.id for s in line.sources)]
    return found


def as_json(memory: Memory) -> dict[str, object]:
    return {
        "agent": memory.agent_id,
        "about": memory.subject_id,
        "kind": memory.kind,
        "text": memory.text,
        "importance": memory.importance,
        "confidence": round(memory.confidence, 2),
        "chat": memory.chat_id,
        "messages": list(memory.source_seqs),
        "made_by": memory.made_by,
        "created_at": memory.created_at.isoformat() if memory.created_at else None,
        "used_at": memory.used_at.isoformat() if memory.used_at else None,
    }
