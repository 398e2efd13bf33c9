"""Everything a turn needs to know about its group chat, read once when it begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from orchestration.cast import Casts
from orchestration.cleaning import is_chinese
from orchestration.context import window_start
from orchestration.memory.records import Stage, Work
from orchestration.memory.relationship import eager, stage
from orchestration.model import AgentCard, GroupChat, Locale, Message, MessageKind, OutboxItem, Person
from orchestration.ports import UnitOfWork
from orchestration.routing.inputs import RecentLine, RouteInput
from orchestration.sessions import Session
from orchestration.settings import TurnSettings
from orchestration.summary_size import rendered
from orchestration.turns import TurnRecord

ROUTED = 16
"""Messages before the turn that routing looks at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A turn's surroundings. ``cast`` holds who may speak, ``everyone`` also the paused (for names in history)."""

    chat: GroupChat
    turn: TurnRecord
    session: Session
    locale: Locale
    agents_max: int
    clarify_below: float
    cast: tuple[AgentCard, ...]
    everyone: tuple[AgentCard, ...]
    person: Person
    lines: tuple[Message, ...]
    history: tuple[Message, ...]
    quoted: str
    reply_to_agent: str | None
    reply_to_human: bool
    regenerated: OutboxItem | None
    now: datetime
    summary: str = ""
    compacted_seq: int | None = None
    """Up to which message the summary goes; None where none is kept."""
    stages: Mapping[str, Stage] = field(default_factory=dict)
    """How each agent stands to the person, by agent id; new where nothing is said."""
    begun_before: bool
    """Whether a crash, a joined line or a question interrupted this turn."""

    @property
    def words(self) -> str:
        """What the person said in this turn."""
        return "\n".join(line.text for line in self.lines if line.text)

    @property
    def speech(self) -> Locale:
        """The language of the answer: Chinese when the person writes Chinese, else the chat's."""
        return Locale.ZH if is_chinese(self.words) else self.locale

    @property
    def people(self) -> tuple[str, ...]:
        """Names of the humans heard lately: no agent speaks for them."""
        heard = (m.author.name for m in (*self.history, *self.lines) if m.kind is MessageKind.HUMAN)
        return tuple(dict.fromkeys(heard))

    def card(self, agent_id: str) -> AgentCard | None:
        return next((card for card in self.cast if card.id == agent_id), None)

    def route_input(self) -> RouteInput:
        last = self.lines[-1]
        return RouteInput(
            cast=self.cast,
            recent=tuple(self._recent(message) for message in self.history[-ROUTED:]),
            speaker_id=self.person.id,
            speaker=self.person.name,
            text=self.words,
            reply_to_agent=self.reply_to_agent,
            reply_to_human=self.reply_to_human,
            mentioned_agents=tuple(dict.fromkeys(a for line in self.lines for a in line.mentioned_agents)),
            mentioned_people=last.mentioned_people,
            agents_max=self.agents_max,
            clarify_below=self.clarify_below,
            sticky=self.session.sticky,
            now=self.now,
        )

    def _recent(self, message: Message) -> RecentLine:
        return RecentLine(
            speaker_id=message.author.id,
            speaker=message.author.name,
            text=message.text,
            minutes_ago=max(0.0, (self.now - message.sent_at).total_seconds() / 60),
            agent_id=message.agent_id,
        )


async def load_scene(
    uow: UnitOfWork,
    casts: Casts,
    settings: TurnSettings,
    turn: TurnRecord,
    session: Session,
    now: datetime,
    *,
    again: bool = False,
) -> Scene | None:
    """The scene of a turn; None when nothing is left to answer (its messages were deleted, its chat is gone)."""
    everyone = await casts.of(turn.tenant_id)
    chat = await uow.chats.get(turn.chat_id)
    found = await _lines(uow, turn)
    if chat is None or not any(line.deleted_at is None for line in found):
        return None
    lines = tuple(line for line in found if line.deleted_at is None)
    compacted = await _compacted(uow, chat)
    shown = turn.seq - window_start(turn.seq - 1, compacted)
    history = await uow.messages.recent(chat.id, limit=max(shown, ROUTED), before_seq=turn.seq)
    summary = rendered(await uow.summaries.standing(chat.id)) if compacted else ""
    stages = await _stages(uow, chat, lines[-1].author.id, now)
    target = await _target(uow, chat.id, lines)
    regenerated = await uow.outbox.get(turn.regenerates) if turn.regenerates else None
    quoted = (target.text if target else "") or next((line.reply_text for line in lines if line.reply_text), "")
    replied_to_unknown = target is None and any(line.reply_text for line in lines)
    return Scene(
        chat=chat,
        turn=turn,
        session=session,
        locale=chat.settings.locale or settings.locale,
        agents_max=chat.settings.agents_max or settings.agents_max,
        clarify_below=settings.clarify_below if chat.settings.clarify_below is None else chat.settings.clarify_below,
        cast=tuple(eager(card, stages.get(card.id, Stage.NEW)) for card in everyone if not card.paused),
        everyone=everyone,
        person=lines[-1].author,
        lines=lines,
        history=tuple(history),
        quoted=quoted,
        reply_to_agent=target.agent_id if target is not None and target.kind is MessageKind.AGENT else None,
        reply_to_human=replied_to_unknown or (target is not None and target.kind is MessageKind.HUMAN),
        regenerated=regenerated,
        now=now,
        summary=summary,
        compacted_seq=compacted,
        stages=stages,
        begun_before=again,
    )


async def _compacted(uow: UnitOfWork, chat: GroupChat) -> int | None:
    if not chat.settings.memory:
        return None
    return (await uow.upkeep.get(chat.id, Work.COMPACT)).cursor_seq


async def _stages(uow: UnitOfWork, chat: GroupChat, person_id: str, now: datetime) -> dict[str, Stage]:
    if not chat.settings.memory:
        return {}
    return {known.agent_id: stage(known, now) for known in await uow.people.relationships(chat.tenant_id, person_id)}


async def _lines(uow: UnitOfWork, turn: TurnRecord) -> list[Message]:
    """The turn's human lines. Only the first block is contiguous: an answer to a question may stand further on."""
    lines = []
    for seq in turn.message_seqs:
        message = await uow.messages.get(turn.chat_id, seq)
        if message is not None:
            lines.append(message)
    return lines


async def _target(uow: UnitOfWork, chat_id: int, lines: tuple[Message, ...]) -> Message | None:
    for line in lines:
        if line.reply_to_seq is not None:
            return await uow.messages.get(chat_id, line.reply_to_seq)
    return None
