"""Signs that a decision of the rules may have missed something: then a model is asked, where there is one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from orchestration.decisions import SURE, DecidedBy, RouteDecision
from orchestration.routing.evidence import Evidence
from orchestration.routing.intents import FAINT
from orchestration.routing.roles import Role

DOUBTED: Final = round(SURE - 0.03, 3)
"""The most that a doubted decision is trusted."""
CLEARLY_ABOUT: Final = 0.75


def doubted(e: Evidence, decision: RouteDecision) -> RouteDecision:
    """The decision with less confidence where the text holds more than it accounts for."""
    if not decision.sure or decision.decided_by not in (DecidedBy.RULE, DecidedBy.STICKY):
        return decision
    return replace(decision, confidence=DOUBTED) if _doubtful(e, decision) else decision


def _doubtful(e: Evidence, decision: RouteDecision) -> bool:
    alone = len(decision.agent_ids) == 1
    if decision.decided_by is DecidedBy.STICKY:
        return e.leaning.feel >= FAINT and decision.reason == "continues"
    if not decision.respond:
        return False
    if e.hits.has("hush_all") and not e.refused:
        return True
    if alone and (e.crowd.each or e.crowd.apart_firm or e.crowd.debate or (e.hits.has("then") and len(e.spoken) > 1)):
        return True
    return _unread_name(e, decision)


def _unread_name(e: Evidence, decision: RouteDecision) -> bool:
    """A name that is no everyday word, not chosen, and only vaguely talked about."""
    chosen = set(decision.agent_ids)
    return any(
        a.role is Role.ABOUT and a.sure < CLEARLY_ABOUT and not a.found.weak and a.owner not in chosen for a in e.spoken
    )
