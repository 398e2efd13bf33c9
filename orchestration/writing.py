"""What one agent writes in one go: its prompt, the model call, and a look at the sources it asked for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from orchestration.context import ReplyContext, measured_prompt
from orchestration.decisions import RouteDecision
from orchestration.errors import ModelError
from orchestration.lookup import answer, asked_for
from orchestration.memory.records import Stage
from orchestration.model import AgentCard, Memory
from orchestration.ports import Completion, PromptMessage, WriteRequest
from orchestration.recall import RecallFailed
from orchestration.running import RunningTurn, Writing
from orchestration.state import TurnDeps

REPLY_TOKENS = 700
DROPPED = "dropped"
"""What a call that was cut off says of itself in its span: stopped, begun anew, or not wanted after all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One agent's part in a turn: its place, and what colleagues have said before it."""

    agent: AgentCard
    idx: int
    decision: RouteDecision
    drafts: tuple[tuple[str, str], ...]


async def write(running: RunningTurn, deps: TurnDeps, part: Part) -> Writing:
    """The part as the model wrote it, with the prompt it had before it. Raises ModelError."""
    prompt = await _prompt(running, deps, part)
    completion = await _written(running, deps, part, prompt)
    if seqs := asked_for(completion.text):
        prompt, completion = await _looked_up(running, deps, part, prompt, completion, seqs)
    return Writing(prompt=prompt, completion=completion)


async def _prompt(running: RunningTurn, deps: TurnDeps, part: Part) -> tuple[PromptMessage, ...]:
    scene = running.scene
    memories = await _remembered(running, deps, part)
    context = ReplyContext(
        locale=scene.speech,
        chat=scene.chat,
        agent=part.agent,
        cast=scene.cast,
        person=scene.person,
        history=scene.history,
        summary=scene.summary,
        compacted_seq=scene.compacted_seq,
        stage=scene.stages.get(part.agent.id, Stage.NEW),
        memories=memories,
        intent=part.decision.intent,
        reason=_reason(part),
        mode=part.decision.mode,
        lines=scene.lines,
        drafts=part.drafts,
        quoted=scene.quoted,
    )
    with running.tracer.span(f"prompt {part.agent.name}") as notes:
        messages, sizes = measured_prompt(context)
        notes.detail = " ".join(f"{layer} {size}" for layer, size in sizes.items())
        return messages


async def _remembered(running: RunningTurn, deps: TurnDeps, part: Part) -> tuple[Memory, ...]:
    """What the agent remembers; nothing where recalling fails: nobody stays silent for that."""
    scene = running.scene
    try:
        return tuple(await deps.recall.best(scene.chat, part.agent, scene.person, scene.words))
    except RecallFailed:
        running.degrade("memory")
        return ()


async def _looked_up(
    running: RunningTurn,
    deps: TurnDeps,
    part: Part,
    prompt: tuple[PromptMessage, ...],
    asked: Completion,
    seqs: tuple[int, ...],
) -> tuple[tuple[PromptMessage, ...], Completion]:
    """The reply after the agent read messages at their source, once; asking again is no reply."""
    scene = running.scene
    try:
        found = await deps.recall.lookup(scene.chat, seqs)
    except RecallFailed:
        found = ()
    read = PromptMessage(role="user", text=answer(found, scene.speech))
    prompt = (*prompt, PromptMessage(role="assistant", text=asked.text), read)
    completion = await _written(running, deps, part, prompt)
    return prompt, replace(completion, text="") if asked_for(completion.text) else completion


def _reason(part: Part) -> str:
    for candidate in part.decision.candidates:
        if candidate.agent_id == part.agent.id:
            return candidate.reason
    return part.decision.reason


async def _written(running: RunningTurn, deps: TurnDeps, part: Part, prompt: tuple[PromptMessage, ...]) -> Completion:
    scene = running.scene
    request = WriteRequest(
        messages=prompt,
        agent=part.agent,
        locale=scene.speech,
        max_tokens=REPLY_TOKENS,
        model=part.agent.model,
        words=scene.words,
    )
    with running.tracer.span(f"write {part.agent.name}") as notes:
        try:
            completion = await deps.models.writer.write(request)
        except ModelError as error:
            notes.detail = error.code
            raise
        except asyncio.CancelledError:
            notes.detail = DROPPED
            raise
        notes.usage = completion.usage
        notes.detail = completion.model
    running.usage += completion.usage
    return completion
