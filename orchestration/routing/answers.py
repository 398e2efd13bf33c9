"""Putting a decision into its type: the cap, the mode, the candidates."""

from __future__ import annotations

from collections.abc import Iterable

from orchestration.decisions import Candidate, DecidedBy, IntentKind, ReplyMode, RouteDecision
from orchestration.routing.evidence import Evidence


def silence(reason: str, confidence: float, by: DecidedBy = DecidedBy.RULE) -> RouteDecision:
    """Nobody answers."""
    return RouteDecision(
        respond=False,
        agent_ids=(),
        mode=ReplyMode.SINGLE,
        intent=IntentKind.UNKNOWN,
        confidence=confidence,
        decided_by=by,
        reason=reason,
    )


def answer(
    e: Evidence,
    agents: Iterable[str],
    *,
    reason: str,
    confidence: float,
    intent: IntentKind,
    by: DecidedBy = DecidedBy.RULE,
    parallel: bool = False,
    limit: int | None = None,
    doubtful: bool = False,
) -> RouteDecision:
    """These agents answer, in this order, within the cap. ``doubtful`` lets a low confidence become a question."""
    chosen = tuple(dict.fromkeys(a for a in agents if a in e.known))[: min(e.cap, limit or e.cap)]
    if not chosen:
        return silence("nobody_left", 0.7, by)
    mode = ReplyMode.SINGLE if len(chosen) == 1 else ReplyMode.PARALLEL if parallel else ReplyMode.SERIAL
    confidence = round(min(1.0, max(0.0, confidence)), 3)
    return RouteDecision(
        respond=True,
        agent_ids=chosen,
        mode=mode,
        intent=intent,
        confidence=confidence,
        decided_by=by,
        reason=reason,
        candidates=_candidates(e, chosen, reason, confidence),
        clarify=doubtful and confidence < e.inputs.clarify_below,
    )


def _candidates(e: Evidence, chosen: tuple[str, ...], reason: str, confidence: float) -> tuple[Candidate, ...]:
    """The chosen ones, and up to four others that were named or suited."""
    out = [Candidate(agent_id=a, score=confidence, reason=reason) for a in chosen]
    named = {a.owner: a for a in e.spoken}
    for agent_id, address in named.items():
        if agent_id not in chosen:
            score = 0.0 if agent_id in e.refused else round(0.5 * (1 - address.sure), 3)
            out.append(Candidate(agent_id=agent_id, score=score, reason=f"name_{address.role}"))
    if "ranked" in e.__dict__:
        top = e.ranked.scores[0][1]
        for agent_id, score in e.ranked.scores:
            if all(c.agent_id != agent_id for c in out) and len(out) < len(chosen) + 4:
                share = confidence * max(0.0, min(0.95, 1.0 - (top - score) / 6))
                out.append(Candidate(agent_id=agent_id, score=round(share, 3), reason="best_suited"))
    return tuple(out)
