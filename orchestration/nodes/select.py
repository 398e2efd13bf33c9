"""Who speaks, checked once more and written down before anybody does."""

from __future__ import annotations

from dataclasses import replace

from langgraph.runtime import Runtime

from orchestration.decisions import ReplyMode, RouteDecision
from orchestration.scene import Scene
from orchestration.state import TurnDeps, TurnState, decision_from_json, decision_to_json


async def select(state: TurnState, runtime: Runtime[TurnDeps]) -> TurnState:
    running = runtime.context.running
    with running.tracer.span("select"):
        decision = checked(decision_from_json(state["decision"]), running.scene)
        await runtime.context.publisher.decided(running, decision)
    serial = [] if decision.mode is ReplyMode.PARALLEL else list(decision.agent_ids)
    return {"decision": decision_to_json(decision), "queue": serial}


def checked(decision: RouteDecision, scene: Scene) -> RouteDecision:
    """The decision with only cast members who may speak, each once, within the cap; nobody left is silence."""
    known = {card.id for card in scene.cast}
    agents = tuple(dict.fromkeys(a for a in decision.agent_ids if a in known))[: scene.agents_max]
    if decision.clarify:
        return replace(decision, agent_ids=())
    if not decision.respond or not agents:
        return replace(decision, respond=False, agent_ids=())
    mode = decision.mode
    if len(agents) == 1:
        mode = ReplyMode.SINGLE
    elif mode is ReplyMode.SINGLE:
        mode = ReplyMode.SERIAL
    return replace(decision, agent_ids=agents, mode=mode)
