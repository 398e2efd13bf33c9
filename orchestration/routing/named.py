"""Decisions by name: platform mentions, names in the text, replies."""

from __future__ import annotations

import itertools

from orchestration.decisions import DecidedBy, IntentKind, RouteDecision
from orchestration.routing.address import Address
from orchestration.routing.answers import answer, silence
from orchestration.routing.evidence import Evidence
from orchestration.routing.order import order_of
from orchestration.routing.pauses import SENTENCE_ENDS
from orchestration.routing.roles import Role

STRONG = 0.85
LIKELY, IN_ORDER = 0.82, 0.75
"""Besides one that is surely called, a name must be called as likely as this; less where they are put in order."""
PLAIN = 0.88
"""Among people talking, a name must be called this plainly."""


def mentioned(e: Evidence) -> RouteDecision | None:
    """The platform itself proved a mention of an agent."""
    proved = [a for a in dict.fromkeys(e.inputs.mentioned_agents) if a in e.known and a not in e.refused]
    if not proved:
        return None
    roles = {a.owner: a for a in e.spoken}
    only_about = {a for a in proved if a in roles and roles[a].role is Role.ABOUT}
    strong = [a for a in e.called if a.sure >= STRONG]
    others = [a for a in strong if a.owner not in proved]
    if only_about and others:
        return _answer_named(
            e, [a for a in strong if a.owner not in only_about], by=DecidedBy.MENTION, reason="name_called"
        )
    without_name = [a for a in proved if a not in {s.owner for s in strong}]
    if not others and not without_name:
        return _answer_named(e, [a for a in strong if a.owner in proved], by=DecidedBy.MENTION, reason="mention")
    order = order_of(strong, e.outer.low, e.hits)
    return answer(
        e,
        [*without_name, *order.owners],
        reason="mention",
        confidence=0.96 if not others else 0.9,
        intent=IntentKind.DIRECT_MENTION,
        by=DecidedBy.MENTION,
        parallel=e.crowd.apart and not order.told,
    )


def named(e: Evidence) -> RouteDecision | None:
    """Somebody is called or asked for by name."""
    called = _outstanding(e)
    if not called:
        return None
    best = max(a.sure for a in called)
    if best < (PLAIN if e.talk.with_person else STRONG) and (
        e.talk.with_person or e.inputs.reply_to_agent in e.known or _person_called(e)
    ):
        return None
    if e.talk.who_asked and _names_who_it_was(e, called):
        return None
    if _asks_the_rest(e, called):
        rest = e.suited(without=e.refused | {a.owner for a in called})
        return answer(
            e,
            [*(a.owner for a in called), *rest],
            reason="name_and_rest",
            confidence=0.86,
            intent=IntentKind.GROUP_OPINION,
            parallel=e.crowd.apart,
        )
    return _answer_named(e, called, by=DecidedBy.RULE, reason="name_called")


def _names_who_it_was(e: Evidence, called: list[Address]) -> bool:
    """ "Who booked it?" - "Ann, I think.": the name is the answer, and nobody is asked for anything."""
    low = e.outer.low
    opens = not low[: called[0].found.start].strip()
    return len(called) == 1 and opens and called[0].isolated and not e.hits.has("a_you") and "?" not in low


def _outstanding(e: Evidence) -> list[Address]:
    """The names meant most clearly: where some are sure, doubtful ones are only talked about."""
    called = e.called
    if not called:
        return []
    if any(a.sure >= STRONG for a in called):
        bar = IN_ORDER if _ordered(e, called) else LIKELY
        called = [a for a in called if a.sure >= bar]
    first = next((a for a in called if a.role is Role.CALLED and a.sure >= 0.9), None)
    if first and len({a.owner for a in called}) > 1 and not _ordered(e, called):
        called = [a for a in called if not _errand(a, first, called)]
    return called


def _errand(a: Address, first: Address, called: list[Address]) -> bool:
    """ "Ann, could you ask Ben ...", "Ann, is he right about Ben": the rest is Ann's."""
    if a.found.start < first.found.start or a is first:
        return False
    return (a.role is Role.ASKED and not _beside(a, called)) or (a.role is Role.CALLED and a.sure < STRONG)


def _ordered(e: Evidence, called: list[Address]) -> bool:
    if e.hits.has("then", "first", "turns", "last"):
        return True
    begin, end = called[0].found.end, called[-1].found.start
    return any(begin <= h.start and h.end <= end for h in e.hits.of("after"))


def _beside(asked: Address, called: list[Address]) -> bool:
    return any(a is not asked and a.role is Role.ASKED and abs(a.found.start - asked.found.end) < 8 for a in called)


def _asks_the_rest(e: Evidence, called: list[Address]) -> bool:
    return e.crowd.others and len({a.owner for a in called}) == 1 and (e.hits.has("then", "first") or e.crowd.talk)


def _person_called(e: Evidence) -> bool:
    return any(a.role is Role.CALLED and a.sure >= STRONG for a in e.persons)


def _answer_named(e: Evidence, called: list[Address], *, by: DecidedBy, reason: str) -> RouteDecision:
    order = order_of(called, e.outer.low, e.hits)
    owners = list(order.owners)
    confidence = min(max(a.sure for a in called if a.owner == o) for o in owners[: e.cap])
    if any(a.found.typo for a in called):
        confidence, reason = min(confidence, 0.8), "name_misspelt"
    if len(owners) == 1:
        return answer(
            e, owners, reason=reason, confidence=confidence, intent=IntentKind.DIRECT_MENTION, by=by, doubtful=True
        )
    if _either(e, called):
        best = [a for a in e.suited() if a in owners][:1]
        return answer(e, best, reason="name_either", confidence=0.86, intent=IntentKind.DIRECT_MENTION, by=by)
    crowd = e.crowd
    parallel = crowd.apart and not order.told and not (crowd.debate or crowd.turns)
    return answer(
        e,
        owners,
        reason="names_in_order" if order.told else "names",
        confidence=min(confidence, 0.92),
        intent=IntentKind.DIRECT_MENTION,
        by=by,
        parallel=parallel,
    )


def _either(e: Evidence, called: list[Address]) -> bool:
    """ "Ann or Ben": one of them is enough. A question that offers both as its object is another matter."""
    spans = sorted((a.found.start, a.found.end) for a in called)
    for (_, end), (start, _) in itertools.pairwise(spans):
        if any(end <= h.start and h.end <= start for h in e.hits.of("or")):
            return True
    return False


def replied(e: Evidence) -> RouteDecision | None:
    """The platform's own reply to an agent's message."""
    agent = e.inputs.reply_to_agent
    if agent not in e.known or agent is None:
        return None
    if agent in e.refused:
        return None
    crowd = e.crowd
    if crowd.sure >= 0.93 and crowd.spoken and (crowd.each or crowd.debate or e.hits.has("opinion", "greet")):
        return None
    return answer(
        e, [agent], reason="reply_to_agent", confidence=0.95, intent=IntentKind.DIRECT_MENTION, by=DecidedBy.REPLY
    )


def hush_named(e: Evidence) -> RouteDecision | None:
    """An agent is told to be quiet and nobody else is asked for anything."""
    told = {a.owner for a in e.spoken if a.role is Role.HUSHED}
    if not told or e.called or e.inputs.proved_agents - told or e.crowd.others:
        return None
    return None if _asks_elsewhere(e, told) else silence("hushed", 0.92)


def _asks_elsewhere(e: Evidence, told: set[str]) -> bool:
    """Whether another sentence than the one that hushes asks for something."""
    low, start = e.outer.low, 0
    spots = [a.found.start for a in e.spoken if a.owner in told]
    for end in [i for i, c in enumerate(low) if c in SENTENCE_ENDS] + [len(low)]:
        inside = any(start <= s <= end for s in spots)
        asks = [h for h in e.hits.of("ask") if start <= h.start < end]
        hushes = [h for h in e.hits.of("hush_all", "a_hush") if start <= h.start < end]
        if not inside and asks and not hushes and end - start > 6:
            return True
        start = end + 1
    return False
