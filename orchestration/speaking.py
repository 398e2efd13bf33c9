"""One agent's reply: prompt, model call, cleaning, rules, at most one revision, and out."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from orchestration.context import ReplyContext, measured_prompt
from orchestration.decisions import DecidedBy, IntentKind, Quality, ReplyMode, RouteDecision
from orchestration.errors import ModelError
from orchestration.events import EventKind, Json
from orchestration.lookup import answer, asked_for
from orchestration.memory.records import Stage
from orchestration.model import AgentCard, Memory
from orchestration.ports import Completion, PromptMessage, WriteRequest
from orchestration.publish import Spoken
from orchestration.quality import check_rules, risk
from orchestration.recall import RecallFailed
from orchestration.routing.decide import route
from orchestration.running import RunningTurn
from orchestration.second_look import second_look
from orchestration.state import DraftState, TurnDeps
from orchestration.voice import clean

REPLY_TOKENS = 700


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One agent's part in a turn: its place, and what colleagues have said before it."""

    agent: AgentCard
    idx: int
    decision: RouteDecision
    drafts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    completion: Completion
    text: str
    quality: Quality


async def speak(running: RunningTurn, deps: TurnDeps, part: Part) -> DraftState:
    """Writes and publishes the part. A failure of this agent is a dropped draft with an event; others still speak.

    What was published before a crash is found again and not written twice.
    """
    try:
        if (before := running.before.get(part.idx)) is not None:
            return _state(part, before.text, posted=True)
        if running.stop is not None:
            return _state(part, "", posted=False, code="stopped")
        return await _speak(running, deps, part)
    finally:
        deps.gate.open(part.idx)


async def _speak(running: RunningTurn, deps: TurnDeps, part: Part) -> DraftState:
    chat = running.scene.chat
    if deps.adapter is not None:
        await deps.adapter.writing(chat, part.agent)
    try:
        draft = await _draft(running, deps, part)
    except ModelError as error:
        return await _dropped(running, deps, part, error.code)
    finally:
        if deps.adapter is not None:
            await deps.adapter.writing(chat, None)
    if not draft.text or not draft.quality.approved:
        code = draft.quality.issues[0] if draft.quality.issues else "model_empty"
        return await _dropped(running, deps, part, code)
    await deps.gate.wait(part.idx)
    spoken = Spoken(agent=part.agent, idx=part.idx, text=draft.text, completion=draft.completion, quality=draft.quality)
    await deps.publisher.said(running, spoken)
    return _state(part, draft.text, posted=True, issues=draft.quality.issues)


async def _dropped(running: RunningTurn, deps: TurnDeps, part: Part, code: str) -> DraftState:
    """Nothing is posted; why stands in the event stream and in the turn."""
    running.failures.append(code)
    running.degrade(f"reply:{part.agent.id}:{code}")
    content: dict[str, Json] = {"agent_id": part.agent.id, "code": code}
    await deps.publisher.note(running, EventKind.REPLY_DROPPED, content, block_id=f"{running.turn_id}:{part.idx}")
    return _state(part, "", posted=False, code=code)


def _state(part: Part, text: str, *, posted: bool, code: str = "", issues: tuple[str, ...] = ()) -> DraftState:
    return DraftState(idx=part.idx, agent_id=part.agent.id, text=text, posted=posted, code=code, issues=list(issues))


async def _draft(running: RunningTurn, deps: TurnDeps, part: Part) -> _Draft:
    prompt = await _prompt(running, deps, part)
    told = asyncio.create_task(deps.publisher.begins(running, part.agent.id, part.idx))
    try:
        completion = await _written(running, deps, part, prompt)
        if seqs := asked_for(completion.text):
            prompt, completion = await _looked_up(running, deps, part, prompt, completion, seqs)
    finally:
        await told
    draft = _judged(running, part, prompt, completion)
    checker = deps.models.checker
    if checker is None or not risk(draft.quality):
        return draft
    text, quality = await second_look(
        running,
        checker,
        part.agent,
        draft.text,
        draft.quality,
        intent=part.decision.intent,
        drafts=part.drafts,
        prompt=prompt,
    )
    return replace(draft, text=text, quality=quality)


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
        notes.usage = completion.usage
        notes.detail = completion.model
    running.usage += completion.usage
    return completion


def _judged(running: RunningTurn, part: Part, prompt: tuple[PromptMessage, ...], completion: Completion) -> _Draft:
    scene = running.scene
    cleaned = clean(
        completion.text,
        agent=part.agent,
        cast=scene.everyone,
        people=scene.people,
        prompt=prompt,
        whole=completion.finish != "length",
    )
    quality = check_rules(
        cleaned.text,
        agent=part.agent,
        intent=part.decision.intent,
        issues=cleaned.issues,
        words=scene.words,
        drafts=tuple(text for _, text in part.drafts),
    )
    return _Draft(completion=completion, text=cleaned.text, quality=quality)


async def speak_alone(running: RunningTurn, deps: TurnDeps) -> None:
    """Basic mode: rules and a single reply, one call, no graph."""
    decision = single(route(running.scene.route_input()))
    await deps.publisher.decided(running, decision)
    if not decision.respond:
        return
    agent = running.scene.card(decision.agent_ids[0])
    if agent is not None:
        await speak(running, deps, Part(agent=agent, idx=0, decision=decision, drafts=()))


def single(decision: RouteDecision) -> RouteDecision:
    """The decision with its first agent only; a question back becomes the likeliest agent's answer."""
    agents = decision.agent_ids[:1] or tuple(c.agent_id for c in decision.candidates[:1])
    wanted = bool(agents) and (decision.respond or decision.clarify)
    return replace(
        decision,
        respond=wanted,
        clarify=False,
        agent_ids=agents if wanted else (),
        mode=ReplyMode.SINGLE,
        decided_by=DecidedBy.FALLBACK,
        intent=decision.intent or IntentKind.UNKNOWN,
    )
