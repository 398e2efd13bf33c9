"""How memories fade: by kind, by how long they were of no use, by how sure they were. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from orchestration.memory.records import MemoryKind
from orchestration.model import Memory

HALF_LIFE_DAYS: dict[str, float] = {
    MemoryKind.PREFERENCE: 180.0,
    MemoryKind.FACT: 365.0,
    MemoryKind.EVENT: 30.0,
    MemoryKind.RELATIONSHIP: 240.0,
    MemoryKind.PROMISE: 45.0,
}
"""Days without use after which a memory is half as strong. A boundary never fades."""
GONE = 0.12
SUPERSEDED_DAYS = 30
MOST_PER_OWNER = 150


def strength(memory: Memory, now: datetime) -> float:
    """0..1: confidence, halved for every half-life since it was last of use; importance slows the fading."""
    days = HALF_LIFE_DAYS.get(memory.kind)
    if days is None:
        return memory.confidence if memory.kind != MemoryKind.BOUNDARY else 1.0
    slowed = days * (0.5 + memory.importance / 10)
    last = max((t for t in (memory.created_at, memory.used_at) if t is not None), default=now)
    age = max(0.0, (now - last) / timedelta(days=1))
    return float(memory.confidence * 0.5 ** (age / slowed))


def faded(memories: Sequence[Memory], now: datetime) -> list[str]:
    """Ids of memories to let go: those that faded, those long superseded, and the weakest of an owner with too many."""
    gone = [m.id for m in memories if _is_over(m, now)]
    owners: dict[tuple[str, str], list[Memory]] = {}
    for memory in memories:
        if memory.id not in gone and not memory.superseded_by:
            owners.setdefault((memory.agent_id, memory.person_id), []).append(memory)
    for mine in owners.values():
        if len(mine) > MOST_PER_OWNER:
            mine.sort(key=lambda m: (strength(m, now) * (1 + m.importance), m.id))
            gone += [m.id for m in mine[: len(mine) - MOST_PER_OWNER]]
    return gone


def _is_over(memory: Memory, now: datetime) -> bool:
    if memory.superseded_by:
        return memory.created_at is not None and now - memory.created_at > timedelta(days=SUPERSEDED_DAYS)
    return strength(memory, now) < GONE
