"""A model's look at a draft, before it is posted or after: a better text, or the draft as it is."""

from __future__ import annotations

from orchestration.decisions import IntentKind, Quality
from orchestration.errors import ModelError
from orchestration.model import AgentCard
from orchestration.ports import ChatModel, PromptMessage
from orchestration.quality import CheckerVerdict, accept_revision, checker_prompt
from orchestration.running import RunningTurn


async def second_look(
    running: RunningTurn,
    checker: ChatModel,
    agent: AgentCard,
    draft: str,
    quality: Quality,
    *,
    intent: IntentKind = IntentKind.UNKNOWN,
    drafts: tuple[tuple[str, str], ...] = (),
    prompt: tuple[PromptMessage, ...] = (),
) -> tuple[str, Quality]:
    """The text that should stand and its verdict. A failing checker leaves both as they were."""
    scene = running.scene
    names = {card.id: card.name for card in scene.cast}
    messages = checker_prompt(
        scene.speech,
        agent=agent,
        draft=draft,
        words=scene.words,
        issues=quality.issues,
        drafts=tuple((names.get(agent_id, agent_id), text) for agent_id, text in drafts),
    )
    with running.tracer.span(f"check {agent.name}") as notes:
        try:
            verdict, usage = await checker.decide(messages, CheckerVerdict)
        except ModelError as error:
            notes.detail = error.code
            running.degrade(f"quality:{error.code}")
            return draft, quality
        notes.usage = usage
    running.usage += usage
    return accept_revision(
        draft,
        quality,
        verdict,
        agent=agent,
        cast=scene.everyone,
        people=scene.people,
        prompt=prompt,
        intent=intent,
        words=scene.words,
        drafts=tuple(text for _, text in drafts),
    )
