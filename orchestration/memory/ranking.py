"""Which memories fit a moment: by relevance to the words, importance and recency. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import log

from orchestration.memory.decay import strength
from orchestration.memory.fields import fields_of, is_field
from orchestration.memory.records import MemoryKind
from orchestration.memory.terms import characters, terms
from orchestration.model import Memory

MOST = 6
RELEVANCE, IMPORTANCE, FRESHNESS = 1.0, 0.35, 0.2
WORDS, MEANING = 0.8, 0.8
"""How relevance is made of words and meaning, where meaning is known."""
FIELD = 0.5
"""What a common field of life weighs beside a common word."""
BOUNDARY = 0.35
"""A boundary is worth knowing whatever is talked about."""


def best(
    memories: Sequence[Memory],
    words: str,
    now: datetime,
    *,
    nearness: Mapping[str, float] | None = None,
    most: int = MOST,
) -> list[Memory]:
    """At most ``most`` memories, the fittest first. ``nearness`` of meaning (memory id -> any scale), where known."""
    if not memories:
        return []
    by_words = _by_words(memories, words)
    by_meaning = _spread(nearness or {})
    scored = []
    for memory in memories:
        relevance = by_words[memory.id]
        if by_meaning:
            relevance = WORDS * relevance + MEANING * by_meaning.get(memory.id, 0.0)
        score = (
            RELEVANCE * relevance
            + IMPORTANCE * memory.importance / 10
            + FRESHNESS * strength(memory, now)
            + (BOUNDARY if memory.kind == MemoryKind.BOUNDARY else 0.0)
        )
        scored.append((score, memory))
    scored.sort(key=lambda pair: (-pair[0], pair[1].id))
    return [memory for _, memory in scored[:most]]


def _by_words(memories: Sequence[Memory], words: str) -> dict[str, float]:
    """0..1 for each: terms and fields of life in common, rare ones weighing more."""
    asked = terms(words) | characters(words) | fields_of(words)
    told = {memory.id: terms(memory.text) | characters(memory.text) | fields_of(memory.text) for memory in memories}
    count = Counter(term for found in told.values() for term in found)
    weight = {term: (log(1 + len(told) / (1 + n)) + 0.2) * _worth(term) for term, n in count.items()}
    raw = {memory_id: sum(weight[term] for term in found & asked) for memory_id, found in told.items()}
    most = max(raw.values(), default=0.0)
    return {memory_id: value / most if most else 0.0 for memory_id, value in raw.items()}


def _worth(term: str) -> float:
    return FIELD if is_field(term) else 1.0


def _spread(nearness: Mapping[str, float]) -> dict[str, float]:
    """Scores of embeddings lie close together: only their differences mean anything, so they are spread to 0..1."""
    if len(nearness) < 2:
        return dict.fromkeys(nearness, 0.5)
    low, high = min(nearness.values()), max(nearness.values())
    span = high - low
    return {key: (value - low) / span if span > 1e-6 else 0.5 for key, value in nearness.items()}
