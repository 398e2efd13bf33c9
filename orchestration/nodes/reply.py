"""One agent speaks: the head of a serial queue, or the agent of a parallel branch."""

from __future__ import annotations

from langgraph.runtime import Runtime

from orchestration.speaking import speak
from orchestration.state import DraftState, TurnDeps, TurnState, decision_from_json
from orchestration.writing import Part


async def reply(state: TurnState, runtime: Runtime[TurnDeps]) -> TurnState:
    deps = runtime.context
    decision = decision_from_json(state["decision"])
    if "agent" in state:
        return {"drafts": [await _say(state, deps, state["agent"], state["idx"])]}
    queue = state["queue"]
    idx = len(decision.agent_ids) - len(queue)
    draft = await _say(state, deps, queue[0], idx)
    return {"drafts": [draft], "queue": queue[1:] if deps.running.may_speak(idx + 1) else []}


async def _say(state: TurnState, deps: TurnDeps, agent_id: str, idx: int) -> DraftState:
    agent = deps.running.scene.card(agent_id)
    if agent is None:
        # Removed from the cast while the turn ran.
        deps.running.failures.append("agent_gone")
        deps.gate.open(idx)
        return DraftState(idx=idx, agent_id=agent_id, text="", posted=False, code="agent_gone", issues=[])
    said = tuple((draft["agent_id"], draft["text"]) for draft in state.get("drafts", []) if draft["posted"])
    part = Part(agent=agent, idx=idx, decision=decision_from_json(state["decision"]), drafts=said)
    return await speak(deps.running, deps, part)
