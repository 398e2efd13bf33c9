"""Whom a message is meant for: one pure function from the message and its surroundings to a `RouteDecision`."""

from __future__ import annotations

import unicodedata
from typing import Protocol

from orchestration.decisions import DecidedBy, IntentKind, ReplyMode, RouteDecision
from orchestration.model import AgentCard
from orchestration.routing.inputs import RouteInput


class Semantic(Protocol):
    """Nearness of meaning between a message and the cards of a cast."""

    def cards(self, text: str, cast: tuple[AgentCard, ...]) -> dict[str, float]: ...


PLURAL = ("everyone", "you all", "all of you", "y'all", "@all", "你们", "大家", "各位")


def route(inputs: RouteInput, *, semantic: Semantic | None = None) -> RouteDecision:
    """Who answers ``inputs``: a decision whose confidence tells whether a model should still be asked."""
    cap = max(1, inputs.agents_max)
    cast = tuple(sorted((c for c in inputs.cast if not c.paused), key=lambda c: c.id))
    known = {c.id for c in cast}
    if mentioned := tuple(a for a in inputs.mentioned_agents if a in known)[:cap]:
        return _answer(mentioned, 0.97, DecidedBy.MENTION, "mention")
    text = unicodedata.normalize("NFKC", inputs.text).casefold()
    found = sorted(
        (min(p for f in (c.name, *c.aliases) if (p := text.find(unicodedata.normalize("NFKC", f).casefold())) >= 0), c.id)
        for c in cast
        if any(unicodedata.normalize("NFKC", f).casefold() in text for f in (c.name, *c.aliases))
    )
    if found:
        return _answer(tuple(a for _, a in found)[:cap], 0.9, DecidedBy.RULE, "name_vocative")
    if any(word in text for word in PLURAL):
        return _answer(tuple(c.id for c in cast)[:cap], 0.9, DecidedBy.RULE, "plural_all")
    if inputs.reply_to_agent in known and inputs.reply_to_agent is not None:
        return _answer((inputs.reply_to_agent,), 0.95, DecidedBy.REPLY, "reply_to_agent")
    if not cast:
        return _silent(1.0, "no_cast")
    return _answer((cast[0].id,), 0.5, DecidedBy.FALLBACK, "best_guess")


def _answer(agents: tuple[str, ...], confidence: float, by: DecidedBy, reason: str) -> RouteDecision:
    mode = ReplyMode.SINGLE if len(agents) == 1 else ReplyMode.SERIAL
    intent = IntentKind.GROUP_OPINION if reason.startswith("plural") else IntentKind.DIRECT_MENTION
    return RouteDecision(
        respond=True, agent_ids=agents, mode=mode, intent=intent, confidence=confidence, decided_by=by, reason=reason
    )


def _silent(confidence: float, reason: str) -> RouteDecision:
    return RouteDecision(
        respond=False,
        agent_ids=(),
        mode=ReplyMode.SINGLE,
        intent=IntentKind.UNKNOWN,
        confidence=confidence,
        decided_by=DecidedBy.RULE,
        reason=reason,
    )
