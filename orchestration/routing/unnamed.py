"""Decisions about lines that name nobody: silence, moods, follow-ups, and who suits best."""

from __future__ import annotations

from orchestration.decisions import DecidedBy, IntentKind, RouteDecision
from orchestration.model import AgentCard
from orchestration.routing.answers import answer, silence
from orchestration.routing.evidence import Evidence
from orchestration.routing.intents import FAINT, FELT
from orchestration.routing.languages import topics
from orchestration.routing.named import hush_named
from orchestration.routing.pauses import CLAUSE_ENDS
from orchestration.routing.recalled import told_to
from orchestration.routing.roles import Role
from orchestration.routing.suit import card_topics, comfort_of
from orchestration.routing.text import HOLE
from orchestration.routing.words import outside

PLAIN_SORROW = 0.65
"""From this weight on sorrow without a word for it breaks into a talk with another agent."""


def hushed(e: Evidence) -> RouteDecision | None:
    """ "Be quiet", to all or to one."""
    alone = hush_named(e)
    if alone:
        return alone
    if e.called or e.inputs.proved_agents:
        return None
    if e.talk.between_agents and e.leaning.quarrel >= FELT:
        return None
    plural = e.crowd.sure >= 0.85 or e.hits.has("bots") or e.inputs.summons
    orders = outside(e.hits.of("hush_all"), e.hits.of("hush_not"))
    if not any(_fills_clause(h.start, h.end, e.outer.low, plural=plural) for h in orders):
        return None
    return silence("hushed", 0.93 if plural or len(e.outer.low.strip()) <= 40 else 0.86)


def _fills_clause(start: int, end: int, low: str, *, plural: bool) -> bool:
    """Whether the words that hush are the point of their clause, not an adjective in it."""
    first = max((i + 1 for i in range(start) if low[i] in CLAUSE_ENDS), default=0)
    last = next((i for i in range(end, len(low)) if low[i] in CLAUSE_ENDS), len(low))
    opens = not low[first:start].strip()
    several = opens or " " in low[start:end] or (not low[start:end].isascii() and end - start >= 4)
    return (end - start) / max(1, len(low[first:last].strip())) >= (0.2 if plural else 0.25 if several else 0.45)


def summoned(e: Evidence) -> RouteDecision | None:
    """The account of the whole cast was mentioned: somebody answers, even in the midst of a talk of people."""
    if not e.inputs.summons:
        return None
    found = (step(e) for step in (wordless, memory, mood, continued))
    fitting = next((decision for decision in found if decision is not None and decision.respond), None)
    fitting = fitting or best_suited(e)
    if not fitting.respond:
        return fitting
    return answer(e, fitting.agent_ids, reason="mention", confidence=0.9, intent=fitting.intent, by=DecidedBy.MENTION)


def between_people(e: Evidence) -> RouteDecision | None:
    """People talking to each other are left alone."""
    if _at_person(e):
        return silence("to_person", 0.94)
    if any(a.role is Role.CALLED and a.sure >= 0.85 for a in e.persons) and not e.called:
        return silence("to_person", 0.9)
    if e.inputs.reply_to_human:
        return silence("reply_to_person", 0.92)
    if e.talk.with_person and not _open_to_all(e):
        return silence("between_people", 0.88)
    return None


def _at_person(e: Evidence) -> bool:
    """An at sign before something that is no agent and no word for everybody."""
    if e.inputs.mentioned_people and not e.inputs.mentioned_agents:
        return True
    low = e.outer.low
    at = low.find("@")
    while at >= 0:
        after = low[at + 1 : at + 2]
        if after and (after.isalnum()) and not any(a.found.start in (at + 1, at + 2) for a in e.spoken):
            return not e.crowd.size
        at = low.find("@", at + 1)
    return False


def _open_to_all(e: Evidence) -> bool:
    """Within a talk of people: asking for anybody at all, or for somebody between them."""
    return e.hits.has("whoever", "bots") or (e.hits.has("calm") and e.hits.has("quarrel") and e.leaning.quarrel >= 0.75)


def wordless(e: Evidence) -> RouteDecision | None:
    """A question mark, dots, a picture: it goes with what was said last."""
    if not e.outer.bare or HOLE in e.outer.low:
        return None
    if e.talk.continues:
        agent, strength = e.talk.continues[0]
        return _sticky(e, agent, 0.75 + 0.15 * strength, "wordless")
    ranked = e.suited()
    return answer(
        e, ranked, limit=1, reason="wordless", confidence=0.6, intent=IntentKind.CASUAL_CHAT, by=DecidedBy.SEMANTIC
    )


def _sticky(e: Evidence, agent: str, confidence: float, reason: str, intent: IntentKind | None = None) -> RouteDecision:
    return answer(
        e, [agent], reason=reason, confidence=confidence, intent=intent or IntentKind.CASUAL_CHAT, by=DecidedBy.STICKY
    )


def memory(e: Evidence) -> RouteDecision | None:
    """ "What did I tell you": to the agent it was told to."""
    if not e.hits.has("recall"):
        return None
    agent = told_to(e)
    if agent is None or agent in e.refused:
        return None
    return _sticky(e, agent, 0.87, "told_before", IntentKind.MEMORY_OR_PREFERENCE)


def mood(e: Evidence) -> RouteDecision | None:
    """Sorrow goes to the one who comforts, a quarrel to the one who settles."""
    lean = e.leaning
    if lean.quarrel >= FELT and lean.quarrel >= lean.feel:
        agent = comfort_of(_allowed(e), "mediate") or comfort_of(_allowed(e), "comfort")
        if agent and (e.hits.has("calm", "whoever") or (lean.quarrel >= 0.7 and not e.technical)):
            return answer(
                e, [agent], reason="quarrel", confidence=0.8, intent=IntentKind.CONFLICT_REPAIR, by=DecidedBy.SEMANTIC
            )
    told = e.hits.has("feel", "feel_soft") or lean.feel >= PLAIN_SORROW or not e.talk.continues
    if lean.feel >= FELT and told and not e.technical:
        agent = comfort_of(_allowed(e), "comfort")
        if agent:
            return answer(
                e,
                [agent],
                reason="feelings",
                confidence=0.8,
                intent=IntentKind.EMOTIONAL_SUPPORT,
                by=DecidedBy.SEMANTIC,
            )
    return None


def _allowed(e: Evidence) -> tuple[AgentCard, ...]:
    return tuple(c for c in e.cast if c.id not in e.refused)


def continued(e: Evidence) -> RouteDecision | None:
    """A follow-up goes to the agent it continues with, unless it turns to what another one knows."""
    going = [(a, s) for a, s in e.talk.continues if a not in e.refused]
    if not going:
        return None
    agent, strength = going[0]
    follows = bool(e.hits.of("follow")) and _opens_with_follow(e)
    short = len(e.words) <= (12 if any(w.kind == "c" for w in e.words) else 7)
    if e.ranked.best != agent and not (follows and short):
        said = set(topics().scan(e.words).by_tag)
        own = {t for c in e.cast if c.id == agent for t in card_topics(c)}
        ahead = e.ranked.scores[0][1] - e.ranked.score(agent)
        enough = 0.5 if e.hits.has("shift") else 2.5 if follows else 1.0
        theirs = {t for c in e.cast if c.id == e.ranked.best for t in card_topics(c)}
        turned = ahead > enough and bool(said & theirs) and not said & own
        elsewhere = ahead > 2.0 and not (follows or short)
        if turned or elsewhere:
            return None
    confidence = 0.6 + 0.25 * strength + (0.08 if follows else 0.0) + (0.05 if short else 0.0)
    return _sticky(e, agent, min(confidence, 0.92), "continues")


def _opens_with_follow(e: Evidence) -> bool:
    start = e.words[0].start if e.words else 0
    return any(h.start == start for h in e.hits.of("follow")) or len(e.words) <= 4


def best_suited(e: Evidence) -> RouteDecision:
    """Nobody is named and nothing continues: the agent whose card fits the words."""
    ranked = [a for a in e.suited() if a not in e.refused]
    margin = e.ranked.margin
    confidence = 0.62 + min(0.2, 0.05 * max(0.0, margin)) + (0.04 if e.ranked.by_words else 0.0)
    return answer(
        e,
        ranked,
        limit=1,
        reason="best_suited",
        confidence=confidence,
        intent=_intent(e, ranked),
        by=DecidedBy.SEMANTIC,
        doubtful=True,
    )


def _intent(e: Evidence, ranked: list[str]) -> IntentKind:
    """A line that leans to sorrow only a little is comfort where the one who comforts suits it best."""
    intent = e.leaning.intent()
    if e.technical and intent in (IntentKind.EMOTIONAL_SUPPORT, IntentKind.CONFLICT_REPAIR):
        return IntentKind.CASUAL_CHAT
    comforted = e.leaning.feel >= FAINT and ranked[:1] == [comfort_of(e.cast, "comfort")]
    return IntentKind.EMOTIONAL_SUPPORT if comforted and intent is IntentKind.CASUAL_CHAT else intent
