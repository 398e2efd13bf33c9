"""After the replies are out: a model looks at those the rules were not quite happy with, off the critical path."""

from __future__ import annotations

from langgraph.runtime import Runtime

from orchestration.decisions import Quality
from orchestration.quality import RISKY
from orchestration.second_look import second_look
from orchestration.state import DraftState, TurnDeps, TurnState


async def quality(state: TurnState, runtime: Runtime[TurnDeps]) -> TurnState:
    deps = runtime.context
    adapter = deps.adapter
    may_edit = adapter is not None and adapter.limits.edits
    if deps.models.checker is None or not may_edit or deps.running.stop is not None:
        return {}
    for draft in state.get("drafts", []):
        if doubtful(draft):
            await _look(draft, deps)
    return {}


def doubtful(draft: DraftState) -> bool:
    """Whether a posted reply deserves a look. The risky ones had it before they were posted."""
    return draft["posted"] and bool(draft["issues"]) and RISKY.isdisjoint(draft["issues"])


async def _look(draft: DraftState, deps: TurnDeps) -> None:
    """A posted reply is edited only when the model has something better to say that passes the rules."""
    running, checker = deps.running, deps.models.checker
    agent = running.scene.card(draft["agent_id"])
    if checker is None or agent is None:
        return
    found = Quality(approved=True, score=0.5, issues=tuple(draft["issues"]))
    text, verdict = await second_look(running, checker, agent, draft["text"], found)
    if text != draft["text"]:
        await deps.publisher.corrected(running, draft["idx"], text, verdict.issues)
