"""After the replies are out: a model looks at those the rules were not quite happy with, off the critical path."""

from __future__ import annotations

from langgraph.runtime import Runtime

from orchestration.decisions import Quality
from orchestration.errors import ModelError
from orchestration.quality import CheckerVerdict, accept_revision, checker_prompt
from orchestration.state import DraftState, TurnDeps, TurnState


async def quality(state: TurnState, runtime: Runtime[TurnDeps]) -> TurnState:
    deps = runtime.context
    adapter = deps.adapter
    may_edit = adapter is not None and adapter.limits.edits
    if deps.models.checker is None or not may_edit or deps.running.stop is not None:
        return {}
    for draft in state.get("drafts", []):
        if draft["posted"] and draft["issues"]:
            await _second_look(draft, deps)
    return {}


async def _second_look(draft: DraftState, deps: TurnDeps) -> None:
    """A posted reply is edited only when the model has something better to say that passes the rules."""
    running, checker = deps.running, deps.models.checker
    agent = running.scene.card(draft["agent_id"])
    if checker is None or agent is None:
        return
    issues = tuple(draft["issues"])
    found = Quality(approved=True, score=0.5, issues=issues)
    messages = checker_prompt(running.scene.speech, agent, running.scene.words, draft["text"], found)
    with running.tracer.span(f"check {agent.name}", parent="quality") as notes:
        try:
            verdict, usage = await checker.decide(messages, CheckerVerdict)
        except ModelError as error:
            notes.detail = error.code
            running.degrade(f"quality:{error.code}")
            return
        notes.usage = usage
        running.usage += usage
    better = accept_revision(draft["text"], verdict)
    if not verdict.ok and better != draft["text"]:
        await deps.publisher.corrected(running, draft["idx"], better, issues)
