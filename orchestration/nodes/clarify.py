"""One short question with choices, when it is not clear who is meant."""

from __future__ import annotations

from langgraph.runtime import Runtime

from orchestration.clarifying import choices_for
from orchestration.state import TurnDeps, TurnState, decision_from_json
from orchestration.texts import text


async def clarify(state: TurnState, runtime: Runtime[TurnDeps]) -> TurnState:
    deps = runtime.context
    scene = deps.running.scene
    with deps.running.tracer.span("clarify"):
        decision = decision_from_json(state["decision"])
        choices = choices_for(decision.candidates, scene.cast, scene.speech)
        await deps.publisher.asked(deps.running, text(scene.speech, "clarify_question"), choices)
    return {}
