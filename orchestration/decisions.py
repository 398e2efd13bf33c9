"""What is decided in a turn: intent, selection, quality. Rules, models and fallbacks yield the same types."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class IntentKind(StrEnum):
    DIRECT_MENTION = "direct_mention"
    GROUP_OPINION = "group_opinion"
    EMOTIONAL_SUPPORT = "emotional_support"
    PLANNING = "planning"
    ROLEPLAY = "roleplay"
    CASUAL_CHAT = "casual_chat"
    CONFLICT_REPAIR = "conflict_repair"
    MEMORY_OR_PREFERENCE = "memory_or_preference"
    UNKNOWN = "unknown"


class ReplyMode(StrEnum):
    SINGLE = "single"
    SERIAL = "multi_serial"
    PARALLEL = "multi_parallel"


class DecidedBy(StrEnum):
    """Who took a decision; ``fallback`` wherever something failed and the rules stepped in."""

    RULE = "rule"
    REPLY = "reply"
    MENTION = "mention"
    STICKY = "sticky"
    SEMANTIC = "semantic"
    MODEL = "model"
    CLARIFIED = "clarified"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An agent that was considered: ``score`` 0..1, ``reason`` a reason code that `/why` turns into a sentence."""

    agent_id: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteDecision:
    """Intent and selection of one turn.

    ``respond`` False is typed silence. ``agent_ids`` are in speaking order, known to the cast, without repeats and
    within the cap. ``clarify`` asks one short question with ``candidates`` as choices instead of answering.
    ``confidence`` is 0..1 and calibrated; ``reason`` is a reason code (``name_vocative``, ``plural_all``, ...).
    """

    respond: bool
    agent_ids: tuple[str, ...]
    mode: ReplyMode
    intent: IntentKind
    confidence: float
    decided_by: DecidedBy
    reason: str
    candidates: tuple[Candidate, ...] = ()
    clarify: bool = False

    @property
    def sure(self) -> bool:
        """Whether the rules alone may decide (no model is asked)."""
        return self.confidence >= SURE


SURE = 0.85
"""Confidence from which a rule's word is final."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """Verdict on a draft. ``issues`` are codes (``prompt_leak``, ``other_voice``, ``too_long``, ...)."""

    approved: bool
    score: float
    issues: tuple[str, ...] = ()
    revisions: int = 0
    checked_by: str = "rules"
