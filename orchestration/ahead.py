"""Speculative replies: the likeliest agent writes while a model is still asked who answers.

Nobody sees a word before the decision: the reply is used when the model decides for that agent, first and in the manner
it was written in, and dropped (its request aborted) otherwise. It lives in one attempt only: after a crash the agent
writes again, as for any call that was under way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from orchestration.decisions import IntentKind, ReplyMode, RouteDecision
from orchestration.running import Ahead, RunningTurn, Writing
from orchestration.state import TurnDeps
from orchestration.writing import Part, write

DROPPED_S = 1.0
_MANNERS = frozenset({IntentKind.EMOTIONAL_SUPPORT, IntentKind.CONFLICT_REPAIR, IntentKind.ROLEPLAY})
"""Intents that ask for another way of speaking than all others."""


def begin(running: RunningTurn, deps: TurnDeps, rules: RouteDecision) -> None:
    """Has those begin to write who would be the first to, did the rules decide."""
    if running.before or not rules.respond:
        return
    for agent_id in _first(rules):
        agent = running.scene.card(agent_id)
        if agent is not None:
            part = Part(agent=agent, idx=0, decision=rules, drafts=())
            task = asyncio.create_task(write(running, deps, part), name=f"write ahead {running.turn_id} {agent_id}")
            task.add_done_callback(_heard)
            running.ahead[agent_id] = Ahead(intent=rules.intent, task=task)


async def decided(running: RunningTurn, decision: RouteDecision) -> None:
    """Drops the replies that the decision has no use for."""
    wanted = _first(decision) if decision.respond and not decision.clarify else ()
    await _drop(
        running,
        {
            agent_id
            for agent_id, ahead in running.ahead.items()
            if agent_id not in wanted or _manner(decision.intent) is not _manner(ahead.intent)
        },
    )


def taken(running: RunningTurn, part: Part) -> Awaitable[Writing] | None:
    """What this agent has been writing all along, if this part is what it was for."""
    if part.drafts or part.agent.id not in running.ahead:
        return None
    return running.ahead.pop(part.agent.id).task


async def drop_all(running: RunningTurn) -> None:
    """Whatever nobody has taken when the attempt is over."""
    await _drop(running, set(running.ahead))


async def _drop(running: RunningTurn, agents: set[str]) -> None:
    tasks = {running.ahead.pop(agent_id).task for agent_id in agents}
    if not tasks:
        return
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks, timeout=DROPPED_S)


def _heard(task: asyncio.Task[Writing]) -> None:
    """How it failed is the concern of whoever has taken it; of a dropped one nobody asks."""
    if not task.cancelled():
        task.exception()


def _first(decision: RouteDecision) -> tuple[str, ...]:
    """Who speaks without hearing anybody else of this turn before."""
    return decision.agent_ids if decision.mode is ReplyMode.PARALLEL else decision.agent_ids[:1]


def _manner(intent: IntentKind) -> IntentKind | None:
    return intent if intent in _MANNERS else None
