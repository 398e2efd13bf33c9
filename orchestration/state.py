"""What flows through the graph of a turn, and what is injected into its nodes.

The state is plain JSON (lists, not tuples): checkpoints give it back as it was. Everything large or alive (history,
models, storage) is injected, never checkpointed.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from orchestration.decisions import Candidate, DecidedBy, IntentKind, ReplyMode, RouteDecision
from orchestration.ports import Adapter, Models, Recall
from orchestration.publish import Publisher
from orchestration.routing.decide import Semantic
from orchestration.running import OrderGate, RunningTurn


class DraftState(TypedDict):
    """A reply of this turn: ``posted`` False when it was dropped (``code`` says why)."""

    idx: int
    agent_id: str
    text: str
    posted: bool
    code: str
    issues: list[str]


class TurnState(TypedDict, total=False):
    """``queue`` holds who is still to speak in a serial turn; ``agent`` and ``idx`` a branch of a parallel one."""

    crisis: bool
    greeting: bool
    decision: dict[str, Any]
    queue: list[str]
    agent: str
    idx: int
    drafts: Annotated[list[DraftState], operator.add]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDeps:
    """What nodes need from outside."""

    running: RunningTurn
    models: Models
    publisher: Publisher
    adapter: Adapter | None
    semantic: Semantic | None
    recall: Recall
    gate: OrderGate
    speculative: bool = False


def decision_to_json(decision: RouteDecision) -> dict[str, Any]:
    return {
        "respond": decision.respond,
        "agent_ids": list(decision.agent_ids),
        "mode": decision.mode.value,
        "intent": decision.intent.value,
        "confidence": decision.confidence,
        "decided_by": decision.decided_by.value,
        "reason": decision.reason,
        "candidates": [[c.agent_id, c.score, c.reason] for c in decision.candidates],
        "clarify": decision.clarify,
    }


def decision_from_json(plain: dict[str, Any]) -> RouteDecision:
    return RouteDecision(
        respond=plain["respond"],
        agent_ids=tuple(plain["agent_ids"]),
        mode=ReplyMode(plain["mode"]),
        intent=IntentKind(plain["intent"]),
        confidence=plain["confidence"],
        decided_by=DecidedBy(plain["decided_by"]),
        reason=plain["reason"],
        candidates=tuple(Candidate(agent_id=a, score=s, reason=r) for a, s, r in plain["candidates"]),
        clarify=plain["clarify"],
    )
