"""Messages and events, in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from orchestration.errors import StorageError
from orchestration.events import Event, EventKind, NewEvent
from orchestration.model import (
    AgentCard,
    AgentTally,
    Authorship,
    IncomingMessage,
    Message,
    MessageKind,
    Person,
    Usage,
)
from storage.memory.state import State, aware
from storage.text import as_json_object, clean, cleaned


class MemoryMessages:
    def __init__(self, state: State) -> None:
        self._state = state

    async def add_human(self, chat_id: int, message: IncomingMessage) -> tuple[Message, bool]:
        aware(message.sent_at)
        said = cleaned(message)
        known = self._said(chat_id, said.external_id)
        if known is not None:
            return known, False
        answered = None
        if said.reply_to is not None:
            answered = await self.by_external(chat_id, said.reply_to)
        stored = self._add(
            chat_id,
            kind=MessageKind.HUMAN,
            author=said.author,
            text=said.text,
            sent_at=said.sent_at,
            external_id=said.external_id,
            reply_to_seq=None if answered is None else answered.seq,
            reply_text=said.reply_text,
            mentioned_agents=said.mentioned_agents,
            mentioned_people=said.mentioned_people,
            attachments=said.attachments,
        )
        if said.wants_turn:
            self._state.without_turn[chat_id, stored.seq] = None
        return stored, True

    async def add_agent(
        self,
        chat_id: int,
        *,
        agent: AgentCard,
        text: str,
        turn_id: str,
        reply_to_seq: int | None,
        authorship: Authorship,
        at: datetime,
    ) -> Message:
        aware(at)
        return self._add(
            chat_id,
            kind=MessageKind.AGENT,
            author=cleaned(Person(id=f"agent:{agent.id}", name=agent.name)),
            text=clean(text),
            sent_at=at,
            agent_id=clean(agent.id),
            reply_to_seq=reply_to_seq,
            turn_id=clean(turn_id),
            authorship=cleaned(authorship),
        )

    async def get(self, chat_id: int, seq: int) -> Message | None:
        return self._state.messages.get((chat_id, seq))

    async def by_external(self, chat_id: int, external_id: str) -> Message | None:
        external_id = clean(external_id)
        said = self._said(chat_id, external_id)
        if said is not None:
            return said
        for part in self._state.parts.values():
            item = self._state.outbox[part.outbox_id]
            if item.chat_id == chat_id and part.external_id == external_id and item.message_seq is not None:
                return self._state.messages.get((chat_id, item.message_seq))
        return None

    async def recent(self, chat_id: int, *, limit: int, before_seq: int | None = None) -> list[Message]:
        row = self._state.chats.get(chat_id)
        seq = 0 if row is None else row.message_seq
        if before_seq is not None:
            seq = min(seq, before_seq - 1)
        found: list[Message] = []
        while seq > 0 and len(found) < limit:
            message = self._state.messages[chat_id, seq]
            if message.deleted_at is None:
                found.append(message)
            seq -= 1
        return found[::-1]

    async def range(self, chat_id: int, first_seq: int, last_seq: int) -> list[Message]:
        messages = (self._state.messages.get((chat_id, seq)) for seq in range(first_seq, last_seq + 1))
        return [message for message in messages if message is not None]

    async def set_turn(self, chat_id: int, seq: int, turn_id: str) -> None:
        self._update(chat_id, seq, turn_id=clean(turn_id))
        self._state.without_turn.pop((chat_id, seq), None)

    async def edit(self, chat_id: int, external_id: str, *, text: str, at: datetime) -> Message | None:
        aware(at)
        found = await self.by_external(chat_id, external_id)
        if found is None or found.deleted_at is not None or found.text == clean(text):
            return None
        return self._update(chat_id, found.seq, text=clean(text), edited_at=at)

    async def delete(self, chat_id: int, external_id: str, *, at: datetime) -> Message | None:
        aware(at)
        found = await self.by_external(chat_id, external_id)
        if found is None or found.deleted_at is not None:
            return None
        return self._bury(chat_id, found.seq, at)

    async def replace_text(self, chat_id: int, seq: int, *, text: str, authorship: Authorship, at: datetime) -> None:
        aware(at)
        self._update(chat_id, seq, text=clean(text), edited_at=at, authorship=cleaned(authorship))

    async def withdraw(self, chat_id: int, seq: int, *, at: datetime) -> None:
        aware(at)
        found = await self.get(chat_id, seq)
        if found is None or found.deleted_at is None:
            self._bury(chat_id, seq, at)

    async def without_turn(self, *, limit: int = 1000) -> list[Message]:
        return [self._state.messages[key] for key in sorted(self._state.without_turn)[:limit]]

    async def tally(self, chat_id: int) -> list[AgentTally]:
        spoken: dict[str, list[Authorship]] = {}
        for (owner, _), message in self._state.messages.items():
            if owner == chat_id and message.agent_id is not None and message.deleted_at is None:
                spoken.setdefault(message.agent_id, []).append(message.authorship or Authorship())
        return [_tally(agent_id, replies) for agent_id, replies in sorted(spoken.items())]

    def _add(self, chat_id: int, **values: Any) -> Message:
        row = self._state.chat(chat_id)
        message = Message(chat_id=chat_id, seq=row.message_seq + 1, **values)
        self._state.chats[chat_id] = replace(row, message_seq=message.seq, last_message_at=message.sent_at)
        self._state.messages[chat_id, message.seq] = message
        return message

    def _said(self, chat_id: int, external_id: str) -> Message | None:
        of_chat = (message for (owner, _), message in self._state.messages.items() if owner == chat_id)
        return next((message for message in of_chat if message.external_id == external_id), None)

    def _bury(self, chat_id: int, seq: int, at: datetime) -> Message:
        self._state.without_turn.pop((chat_id, seq), None)
        return self._update(chat_id, seq, text="", reply_text="", attachments=(), deleted_at=at)

    def _update(self, chat_id: int, seq: int, **values: Any) -> Message:
        try:
            message = replace(self._state.messages[chat_id, seq], **values)
        except KeyError:
            raise StorageError("no such message") from None
        self._state.messages[chat_id, seq] = message
        return message


class MemoryEvents:
    def __init__(self, state: State) -> None:
        self._state = state

    async def append(self, chat_id: int, new: Sequence[NewEvent]) -> list[Event]:
        if not new:
            return []
        row = self._state.chat(chat_id)
        events = [_numbered(chat_id, seq, event) for seq, event in enumerate(new, start=row.event_seq + 1)]
        self._state.events.update({(chat_id, event.seq): event for event in events})
        self._state.chats[chat_id] = replace(row, event_seq=row.event_seq + len(events))
        return events

    async def since(self, chat_id: int, seq: int, *, limit: int = 1000) -> list[Event]:
        row = self._state.chats.get(chat_id)
        last = 0 if row is None else row.event_seq
        first = max(seq, 0) + 1
        return [self._state.events[chat_id, number] for number in range(first, min(last, first + limit - 1) + 1)]

    async def edits(self, chat_id: int, seq: int, *, since: datetime, limit: int) -> list[Event]:
        told = await self.since(chat_id, seq, limit=await self.newest(chat_id))
        return [e for e in told if e.kind is EventKind.MESSAGE_EDITED and e.at >= since][:limit]

    async def newest(self, chat_id: int) -> int:
        row = self._state.chats.get(chat_id)
        return 0 if row is None else row.event_seq

    async def of_turn(self, turn_id: str) -> list[Event]:
        found = [event for event in self._state.events.values() if event.turn_id == turn_id]
        return sorted(found, key=lambda event: (event.chat_id, event.seq))


def _tally(agent_id: str, replies: list[Authorship]) -> AgentTally:
    judged = [reply.quality for reply in replies if reply.quality is not None]
    return AgentTally(
        agent_id=agent_id,
        replies=len(replies),
        quality=sum(judged) / len(judged) if judged else None,
        usage=sum((reply.usage for reply in replies), start=Usage()),
    )


def _numbered(chat_id: int, seq: int, new: NewEvent) -> Event:
    aware(new.at)
    event = cleaned(new)
    return Event(
        chat_id=chat_id,
        seq=seq,
        kind=event.kind,
        at=event.at,
        turn_id=event.turn_id,
        trace_id=event.trace_id,
        block_id=event.block_id,
        content=as_json_object(new.content),
    )
