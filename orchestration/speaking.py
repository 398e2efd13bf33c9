"""One agent's reply: prompt, model call, cleaning, rules, at most one revision, and out."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from orchestration import ahead
from orchestration.decisions import DecidedBy, IntentKind, Quality, ReplyMode, RouteDecision
from orchestration.errors import ModelError
from orchestration.events import EventKind, Json
from orchestration.ports import Completion
from orchestration.publish import Spoken
from orchestration.quality import check_rules, risk
from orchestration.routing.decide import route
from orchestration.running import RunningTurn, Writing
from orchestration.second_look import second_look
from orchestration.state import DraftState, TurnDeps
from orchestration.voice import clean
from orchestration.writing import Part, write


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
        if not running.may_speak(part.idx):
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
    told = asyncio.create_task(deps.publisher.begins(running, part.agent.id, part.idx))
    try:
        writing = await (ahead.taken(running, part) or write(running, deps, part))
    finally:
        await told
    draft = _judged(running, part, writing)
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
        prompt=writing.prompt,
    )
    return replace(draft, text=text, quality=quality)


def _judged(running: RunningTurn, part: Part, writing: Writing) -> _Draft:
    scene, completion = running.scene, writing.completion
    cleaned = clean(
        completion.text,
        agent=part.agent,
        cast=scene.everyone,
        people=scene.people,
        prompt=writing.prompt,
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
