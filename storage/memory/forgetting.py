"""How people are forgotten, in memory: see `storage.forgetting`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from orchestration.events import EventKind
from orchestration.memory.records import NOBODY, Forgotten
from orchestration.memory.terms import names_known
from orchestration.model import Message, OutboxState, Person, Source
from orchestration.turns import TurnStatus
from storage.memory.kept import MemoryMemories, MemorySummaries, of_person
from storage.memory.state import State

_NAMING = (EventKind.MESSAGE_STORED, EventKind.MESSAGE_MERGED)
_UNDER_WAY = (TurnStatus.QUEUED, TurnStatus.RUNNING)
_ON_ITS_WAY = (OutboxState.PLANNED, OutboxState.SENDING)


class Forgetting:
    """One person of one tenant."""

    def __init__(self, state: State, tenant_id: int, person_id: str) -> None:
        self._state = state
        self._tenant_id = tenant_id
        self._person_id = person_id
        self._chats = {chat.id for chat in state.chats.values() if chat.tenant_id == tenant_id}
        self._turns = {turn.id: turn for turn in state.turns.values() if turn.person_id == person_id}

    async def run(self, *, texts: bool, at: datetime) -> Forgotten:
        gone = Forgotten(
            memories=await self._memories(), lines=await self._lines(), relationships=self._relationships()
        )
        return self._without_texts(gone, at) if texts else gone

    async def _memories(self) -> int:
        heard = [
            memory.id
            for memory in self._state.memories.values()
            if memory.chat_id in self._chats and self._from_words(memory.chat_id, memory.sources)
        ]
        theirs = {*heard, *of_person(self._state, self._tenant_id, self._person_id), *self._naming()}
        return await MemoryMemories(self._state).remove(theirs)

    def _naming(self) -> list[str]:
        """Memories of others that name them."""
        since: dict[str, datetime] = {}
        for (chat_id, _), message in self._state.messages.items():
            name = message.author.name
            if chat_id in self._chats and message.author.id == self._person_id and name != NOBODY:
                since[name] = min(message.sent_at, since.get(name, message.sent_at))
        memories = (m for m in self._state.memories.values() if m.chat_id in self._chats)
        return [m.id for m in memories if names_known(m.text, m.created_at, since)]

    async def _lines(self) -> int:
        gone = 0
        for chat_id in self._chats:
            numbers = [
                number
                for (owner, number), line in self._state.summary_lines.items()
                if owner == chat_id and self._from_words(chat_id, line.sources)
            ]
            gone += await MemorySummaries(self._state).remove(chat_id, numbers)
        return gone

    def _relationships(self) -> int:
        known = [key for key in self._state.relationships if key[:2] == (self._tenant_id, self._person_id)]
        for key in known:
            del self._state.relationships[key]
        return len(known)

    def _from_words(self, chat_id: int, sources: Sequence[Source]) -> bool:
        messages = (self._state.messages.get((chat_id, source.seq)) for source in sources)
        answers = any(m is not None and m.agent_id is not None and m.turn_id in self._turns for m in messages)
        return answers or any(source.person_id == self._person_id for source in sources)

    def _without_texts(self, gone: Forgotten, at: datetime) -> Forgotten:
        messages = {key: m for key, m in self._state.messages.items() if key[0] in self._chats}
        said = {key for key, m in messages.items() if m.author.id == self._person_id}
        answered = {key for key, m in messages.items() if m.agent_id is not None and self._is_over(m.turn_id)}
        standing = {key for key, m in messages.items() if m.deleted_at is None}
        for key, message in messages.items():
            if (key[0], message.reply_to_seq) in said | answered:
                message = replace(message, reply_text="")
            if key in (said | answered) & standing:
                message = replace(message, text="", reply_text="", attachments=(), deleted_at=at)
                self._state.without_turn.pop(key, None)
            self._state.messages[key] = self._nameless(message) if key in said else message
        self._posts()
        self._names(said)
        return replace(gone, messages=len(said & standing), answers=len(answered & standing))

    def _is_over(self, turn_id: str | None) -> bool:
        turn = self._turns.get(turn_id or "")
        return turn is not None and turn.status not in _UNDER_WAY

    def _nameless(self, message: Message) -> Message:
        return replace(message, author=Person(id=self._person_id, name=NOBODY))

    def _posts(self) -> None:
        for item in list(self._state.outbox.values()):
            theirs = self._is_over(item.turn_id) or item.person_id == self._person_id
            if item.chat_id in self._chats and theirs and item.state not in _ON_ITS_WAY:
                self._state.outbox[item.id] = replace(item, text="")

    def _names(self, said: set[tuple[int, int]]) -> None:
        for key, event in list(self._state.events.items()):
            if event.kind in _NAMING and (event.chat_id, event.content.get("message_seq")) in said:
                self._state.events[key] = replace(event, content={**event.content, "author": NOBODY})
