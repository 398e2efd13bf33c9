"""Decisions about several at once: everybody, you two, each of you, debate it."""

from __future__ import annotations

from orchestration.decisions import DecidedBy, IntentKind, RouteDecision
from orchestration.routing.answers import answer
from orchestration.routing.evidence import Evidence
from orchestration.routing.intents import FELT
from orchestration.routing.recalled import told_to
from orchestration.routing.suit import comfort_of

GATHERED = 0.75
"""From this certainty on a crowd word gathers."""


REST = 0.75
"""How sure the rest is meant where only "the others" are spoken of."""


def crowd_gathered(e: Evidence) -> RouteDecision | None:
    """A plural address, a word from each, a debate."""
    crowd = e.crowd
    bound = crowd.sure >= GATHERED
    if not (bound or crowd.debate or crowd.apart_firm or (crowd.each and (crowd.apart or crowd.talk)) or crowd.others):
        return None
    if e.talk.with_person and not _meant_for_agents(e):
        return None
    if not crowd.spoken and (e.inputs.reply_to_human or (e.hits.has("recall") and told_to(e))):
        return None
    without = e.refused | (e.about if crowd.others else frozenset())
    ranked = e.suited(without=without)
    if crowd.who_of and not (crowd.each or crowd.debate):
        return answer(e, ranked, limit=1, reason="who_of_you", confidence=0.8, intent=_intent(e), by=DecidedBy.SEMANTIC)
    if e.leaning.quarrel >= FELT and e.hits.has("calm") and not (crowd.each or crowd.others):
        return None
    if _sad(e) and not (crowd.each or crowd.apart or crowd.debate):
        return _comfort(e, ranked)
    size = crowd.size or 9
    if size == 2 and len(ranked) > 2:
        ranked = _those_two(e, ranked)
    count = max(2, min(size, e.cap))
    confidence = max(crowd.sure, 0.9 if crowd.debate or crowd.each else REST)
    return answer(
        e,
        ranked,
        limit=count,
        reason=_reason(e),
        confidence=min(confidence, 0.95),
        intent=_intent(e),
        parallel=_parallel(e),
    )


def _parallel(e: Evidence) -> bool:
    """A word from each, apart from the others, unless they are to talk."""
    crowd = e.crowd
    if crowd.apart and e.hits.has("no_talk"):
        return True
    together = crowd.debate or crowd.turns or (crowd.talk and not crowd.apart)
    return (crowd.apart or crowd.each) and not together


def _sad(e: Evidence) -> bool:
    """Whether sorrow is what the line is about, no mere colour of a greeting, a question or a scene."""
    lean = e.leaning
    if lean.feel < FELT or (lean.play >= FELT and not e.hits.has("feel")) or e.hits.has("opinion"):
        return False
    return not e.hits.has("greet") or (e.hits.has("feel") and lean.feel > lean.greet)


def _comfort(e: Evidence, ranked: list[str]) -> RouteDecision | None:
    """Somebody is sad before everybody: the one who comforts, and one more; a crowd of them would be cold."""
    agent = comfort_of(tuple(c for c in e.cast if c.id in ranked), "comfort")
    if agent is None:
        return None
    rest = [a for a in ranked if a != agent]
    return answer(
        e,
        [agent, *rest],
        limit=2,
        reason="feelings",
        confidence=0.8,
        intent=IntentKind.EMOTIONAL_SUPPORT,
        by=DecidedBy.SEMANTIC,
    )


def _reason(e: Evidence) -> str:
    crowd = e.crowd
    if crowd.debate or crowd.turns:
        return "crowd_debate"
    if crowd.apart or crowd.each:
        return "crowd_each"
    return "crowd_two" if crowd.size == 2 else "crowd_all"


def _intent(e: Evidence) -> IntentKind:
    if e.leaning.greet >= FELT and not e.hits.has("ask"):
        return IntentKind.CASUAL_CHAT
    return IntentKind.GROUP_OPINION


def _those_two(e: Evidence, ranked: list[str]) -> list[str]:
    """ "You two": the two agents that spoke last, where two did."""
    recent = [a for a in e.talk.agents if a in ranked]
    return [*recent[:2], *(a for a in ranked if a not in recent[:2])] if len(recent) >= 2 else ranked


def _meant_for_agents(e: Evidence) -> bool:
    """Among people talking, "you all" is theirs unless it is plainly for the agents."""
    crowd = e.crowd
    if crowd.each or crowd.debate or e.hits.has("bots"):
        return True
    return crowd.spoken and crowd.sure >= 0.93 and e.hits.has("opinion", "ask", "greet")
