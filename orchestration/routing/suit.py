"""Who suits a message best: topics that a card and the words share, nearness of meaning, what was told to whom."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from orchestration.model import AgentCard
from orchestration.routing.languages import topics
from orchestration.routing.recall_words import content, content_of
from orchestration.routing.text import key
from orchestration.routing.words import Word, words_of


class Semantic(Protocol):
    """Nearness of meaning. Implementations may cache what they computed for cards and lines."""

    def nearness(self, text: str, cast: tuple[AgentCard, ...]) -> dict[str, float]:
        """For each agent id how near the text is to the card; only differences within one call mean anything."""

    def leanings(self, text: str) -> dict[str, float]:
        """For each kind of line (``feel``, ``plan``, ``play``, ...) the margin of nearness over plain talk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Agents by suitability, best first, with scores of arbitrary scale; ``margin`` is best minus second."""

    scores: tuple[tuple[str, float], ...]
    by_words: bool
    """Whether shared topics, not meaning alone, put the best one first."""

    @property
    def best(self) -> str:
        return self.scores[0][0]

    @property
    def margin(self) -> float:
        return self.scores[0][1] - (self.scores[1][1] if len(self.scores) > 1 else 0.0)

    def score(self, agent_id: str) -> float:
        return dict(self.scores).get(agent_id, 0.0)


_FIELDS: Final = (("description", 1.0), ("backstory", 0.3), ("instructions", 0.3), ("personality", 0.3), ("tone", 0.15))
MAIN: Final = 0.5
NEARNESS_WEIGHT: Final = 1.0
SPREAD: Final = 0.016
"""What one point of nearness is worth: differences between cards lie around this."""


@lru_cache(maxsize=512)
def card_topics(card: AgentCard) -> Mapping[str, float]:
    """How much each topic belongs to a card (the strongest field counts, a second mention a little)."""
    weights: dict[str, float] = {}
    for name, weight in (*_FIELDS, ("name", 0.6)):
        text = key(getattr(card, name)[:2000])
        for topic, hits in topics().scan(words_of(text)).by_tag.items():
            value = weight * min(1.0 + 0.15 * (len(hits) - 1), 1.4)
            weights[topic] = max(weights.get(topic, 0.0), value)
    return weights


def main_topics(card: AgentCard) -> list[str]:
    """The topics a card is about, not those it merely brushes."""
    return [topic for topic, weight in card_topics(card).items() if weight >= MAIN]


@lru_cache(maxsize=512)
def card_words(card: AgentCard) -> frozenset[str]:
    """Words of a card's description that may be met again in a message."""
    return content_of(card.description)


def rank(
    words: list[Word],
    text: str,
    cast: tuple[AgentCard, ...],
    *,
    semantic: Semantic | None,
    lean: Mapping[str, float],
    favoured: frozenset[str] = frozenset(),
    quoted: str = "",
) -> Ranked:
    """All agents by how well they suit the message. ``lean`` adds weight to topics the line leans to by its
    intent; ``favoured`` are agents the line talks about; ``quoted`` is the text with what it
    quotes, whose topics count less."""
    said = _said(words, 1.0)
    for topic, weight in _said(words_of(key(quoted)), 0.6).items() if quoted else ():
        said[topic] = max(said.get(topic, 0.0), weight)
    own_words = set(content(words))
    lexical: dict[str, float] = {}
    rarity = _rarity(cast)
    for card in cast:
        has = card_topics(card)
        shared = sum(weight * has[t] * rarity.get(t, 1.0) for t, weight in said.items() if t in has)
        leaning = sum(weight * has.get(t, 0.0) for t, weight in lean.items())
        overlap = 0.5 * min(2, len(own_words & card_words(card)))
        lexical[card.id] = 2.0 * shared + overlap + 3.0 * leaning + (1.5 if card.id in favoured else 0.0)
    near = semantic.nearness(text, cast) if semantic else {}
    middle = sum(near.values()) / len(near) if near else 0.0
    total = {c.id: lexical[c.id] + NEARNESS_WEIGHT * (near.get(c.id, middle) - middle) / SPREAD for c in cast}
    talk = {c.id: c.talkativeness for c in cast}
    ordered = sorted(total.items(), key=lambda item: (-round(item[1], 6), -talk[item[0]], item[0]))
    best_words = max(lexical.values(), default=0.0)
    return Ranked(scores=tuple(ordered), by_words=bool(ordered) and 0 < best_words == lexical[ordered[0][0]])


def _said(words: list[Word], share: float) -> dict[str, float]:
    return {
        topic: share * (1.0 - 0.5 ** len({(h.start, h.end) for h in hits}))
        for topic, hits in topics().scan(words).by_tag.items()
    }


def _rarity(cast: tuple[AgentCard, ...]) -> dict[str, float]:
    """A topic that half the cast shares tells less than one that a single card has."""
    counts: dict[str, int] = {}
    for card in cast:
        for topic in card_topics(card):
            counts[topic] = counts.get(topic, 0) + 1
    return {t: 1.0 / math.sqrt(n) for t, n in counts.items()}


def comfort_of(cast: tuple[AgentCard, ...], topic: str) -> str | None:
    """The card that a topic (``comfort``, ``mediate``, ...) belongs to most, if to any."""
    best = max(cast, key=lambda c: (card_topics(c).get(topic, 0.0), c.id), default=None)
    return best.id if best and card_topics(best).get(topic, 0.0) >= 0.3 else None
