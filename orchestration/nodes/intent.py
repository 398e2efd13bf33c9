"""Whom is this meant for? Rules first, meaning second, a model only for what is left."""

from __future__ import annotations

from dataclasses import replace

from langgraph.runtime import Runtime

from orchestration import ahead
from orchestration.decisions import Candidate, DecidedBy, IntentKind, ReplyMode, RouteDecision
from orchestration.errors import ModelError
from orchestration.ports import ChatModel
from orchestration.router_call import RouterAnswer, fallback_decision, router_prompt, to_decision
from orchestration.routing.awaited import by_rules
from orchestration.routing.inputs import RouteInput
from orchestration.running import RunningTurn
from orchestration.scene import Scene
from orchestration.state import TurnDeps, TurnState, decision_to_json

SILENT_ENOUGH = 0.6
"""People who talk to each other are left alone from this confidence on: no model is asked for permission."""


async def intent(state: TurnState, runtime: Runtime[TurnDeps]) -> TurnState:
    deps = runtime.context
    running = deps.running
    with running.tracer.span("intent") as notes:
        crisis = state.get("crisis", False)
        decision = await decide(running, deps, greeting=state.get("greeting", False), crisis=crisis)
        if crisis:
            decision = with_care(decision)
        await ahead.decided(running, decision)
        notes.detail = f"{decision.decided_by.value} {decision.confidence:.2f}"
    return {"decision": decision_to_json(decision)}


async def decide(
    running: RunningTurn, deps: TurnDeps, *, greeting: bool = False, crisis: bool = False
) -> RouteDecision:
    """The decision of this turn; a failing router leaves the rules' word standing, marked as fallback.

    ``greeting``: whoever fits best says hello back; that is not worth a model's word. ``crisis``: nobody speaks before
    it is certain who does.
    """
    fixed = settled(running.scene)
    if fixed is not None:
        return fixed
    inputs = running.scene.route_input()
    rules = await by_rules(inputs, deps.semantic)
    router = deps.models.router
    if router is None or rules.sure or (greeting and rules.respond) or _silent(rules):
        return rules
    if deps.speculative and not crisis:
        ahead.begin(running, deps, rules)
    return await _asked(running, router, inputs, rules)


def _silent(rules: RouteDecision) -> bool:
    return not rules.respond and not rules.clarify and rules.confidence >= SILENT_ENOUGH


async def _asked(running: RunningTurn, router: ChatModel, inputs: RouteInput, rules: RouteDecision) -> RouteDecision:
    prompt = router_prompt(running.scene.locale, inputs, rules.candidates)
    with running.tracer.span("router call", parent="intent") as notes:
        try:
            answer, usage = await router.decide(prompt, RouterAnswer)
        except ModelError as error:
            running.degrade(f"intent:{error.code}")
            notes.detail = error.code
            return fallback_decision(rules)
        running.usage += usage
        notes.usage = usage
    return to_decision(answer, inputs, rules)


def settled(scene: Scene) -> RouteDecision | None:
    """What needs no deciding: an answered clarification, a reply to be written anew."""
    known = {card.id for card in scene.cast}
    if scene.regenerated is not None and scene.regenerated.agent_id in known:
        return _fixed(scene, (scene.regenerated.agent_id,), DecidedBy.RULE, "regenerate")
    agents = tuple(agent_id for agent_id in scene.turn.clarified_agents if agent_id in known)[: scene.agents_max]
    if agents:
        return _fixed(scene, agents, DecidedBy.CLARIFIED, "clarified")
    return None


def _fixed(scene: Scene, agents: tuple[str, ...], by: DecidedBy, reason: str) -> RouteDecision:
    return RouteDecision(
        respond=True,
        agent_ids=agents,
        mode=ReplyMode.SINGLE if len(agents) == 1 else ReplyMode.SERIAL,
        intent=scene.turn.intent or IntentKind.CASUAL_CHAT,
        confidence=1.0,
        decided_by=by,
        reason=reason,
        candidates=tuple(Candidate(agent_id=agent_id, score=1.0, reason=reason) for agent_id in agents),
    )


def with_care(decision: RouteDecision) -> RouteDecision:
    """Words of crisis get one calm voice, never a chorus and never a question back."""
    first = decision.agent_ids[:1] or tuple(c.agent_id for c in decision.candidates[:1])
    return replace(
        decision,
        intent=IntentKind.EMOTIONAL_SUPPORT,
        agent_ids=first,
        respond=bool(first),
        mode=ReplyMode.SINGLE,
        clarify=False,
    )
